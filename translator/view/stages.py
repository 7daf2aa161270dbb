"""The graphs of a program, stage by stage, as lines of text with their places: what ``rpython
explore`` and ``rpython show --after`` look at.

A ``Recorder`` watches the passes and keeps the text of each graph that it is to look at, once more
only when a pass changed it.  What a variable or a block is called stays, so that two stages differ
where the graphs do::

    flow            v0 = add(result, price)
    annotated       v0: SomeInteger() = add(result, price)
    lowlevel        t1 = int_add_ovf(result, price)
    remove_checks   t1 = int_add(result, price)
    keep_roots      ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.ir.printer import (
    GraphText,
    Line,
    Naming,
    PrintEnv,
    is_high_level,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.opt.observing import Observer

NOWHERE = -1
"""In place of the number of a place: there is none."""


class Table:
    """Things by number, each once."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, thing: Any) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    def things(self) -> list[Any]:
        return list(self._numbers)


@dataclass(frozen=True, slots=True)
class Stage:
    """A graph after a pass, or as one of the large steps made it.  ``lines``: numbers of lines of
    its History.  ``types``: of the variables of a high-level graph, by block and name."""

    name: str
    lines: list[int]
    types: dict[str, dict[str, str]] = field(default_factory=dict)


class History:
    """The stages of one function.  ``lines``: texts, each with the number of its place, the label
    of the block that begins with it, and those of the blocks to which it leads.  ``types``: of the
    variables of its low-level graphs."""

    def __init__(self, files: Table) -> None:
        self.stages: list[Stage] = []
        self.naming = Naming()
        self.types: dict[str, str] = {}
        self.shown: dict[SpaceOperation, int] = {}
        """The operations of the last stage, by the number of the line that shows each."""
        self._files = files
        self._lines = Table()
        self._spans = Table()

    def lines(self) -> list[tuple[str, int, str, tuple[str, ...]]]:
        return self._lines.things()

    def spans(self) -> list[tuple[Any, ...]]:
        """File, line, column, end line, end column, function, and the number of the place at
        which that is inlined."""
        return self._spans.things()

    def place(self, span: Span | None) -> int:
        """The number of a place."""
        if span is None or span.line <= 0:
            return NOWHERE
        outer = self.place(span.inlined_at)
        file = self._files.number(span.filename)
        return self._spans.number(
            (file, span.line, span.col, span.end_line, span.end_col, span.function, outer)
        )

    def add(self, name: str, graph: FunctionGraph, env: PrintEnv | None) -> None:
        """Another stage: the graph as it is now."""
        high = is_high_level(graph)
        text = GraphText(graph, env=env, naming=None if high else self.naming)
        stage = Stage(name, [])
        self.shown = {}
        for line in text.lines():
            number = self._number(line, text)
            stage.lines.append(number)
            if line.op is not None:
                self.shown[line.op] = number
            elif line.block is not None and not line.links:
                types = stage.types.setdefault(text.label(line.block), {}) if high else self.types
                for v in text.shown_in(line.block):
                    if type_text := text.type_of(v):
                        types[text.name(v)] = type_text
        self.stages.append(stage)

    def _number(self, line: Line, text: GraphText) -> int:
        span, label = None, ""
        if line.op is not None:
            span = line.op.span
        elif line.links:
            span = line.links[0].span
        elif line.block is not None and not line.text.startswith(" "):
            label = text.label(line.block)
        targets = tuple(text.label(link.target) for link in line.links)
        return self._lines.number((line.text, self.place(span), label, targets))

    def text(self, stage: Stage) -> str:
        """The text of a stage."""
        lines = self.lines()
        return "".join(f"{lines[number][0]}\n" for number in stage.lines)


class Recorder(Observer):
    """Keeps the stages of the low-level graphs that it is to look at.  ``wanted``: which; None:
    all.  ``passes``: the names of those that were run, with a number behind a name that has been
    there before: ``fold_constants``, ``fold_constants.2``."""

    def __init__(self, wanted: Callable[[FunctionGraph], bool] | None = None) -> None:
        self.histories: dict[FunctionGraph, History] = {}
        self.files = Table()
        self.env = TextEnv()
        self.passes: list[str] = []
        self._runs: Counter[str] = Counter()
        self._wanted = wanted
        self._sources: dict[FunctionGraph, FunctionGraph] = {}

    def history(self, graph: FunctionGraph) -> History:
        """That of a low-level graph, or of the copy of one."""
        graph = self._sources.get(graph, graph)
        return self.histories.setdefault(graph, History(self.files))

    def typed(self, graphs: Sequence[FunctionGraph], name: str = "lowlevel") -> None:
        """Keep the graphs as they are before the first pass."""
        for graph in graphs:
            if self._wanted is None or self._wanted(graph):
                self.history(graph).add(name, graph, self.env)

    def ran(
        self, pass_name: str, graphs: Sequence[FunctionGraph], changed: Sequence[FunctionGraph]
    ) -> None:
        self._runs[pass_name] += 1
        number = self._runs[pass_name]
        name = pass_name if number == 1 else f"{pass_name}.{number}"
        self.passes.append(name)
        for graph in dict.fromkeys(changed):
            source = self._sources.get(graph, graph)
            if source in self.histories:
                self.histories[source].add(name, graph, self.env)

    def copied(self, copies: Mapping[FunctionGraph, FunctionGraph]) -> None:
        for graph, copy in copies.items():
            if graph in self.histories:
                self._sources[copy] = graph
                self.histories[graph].naming.copied(graph, copy)
                self.env.share_symbol(copy, graph)
