"""What the samples of a program say of its lines and functions.

    Profile.of(samples, symbols, "time").text(20)

A line's *self* is what was seen while it ran, and while that ran which it had called and is not of
the program: operations of lists and dicts, the collector, the C library.  Its *total* has what it
had called of the program, too.  Both count a sample once, however deep a recursion is.
"""

from __future__ import annotations

import linecache
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from rpython.translator.ir.home import Home
from rpython.translator.ir.records import dataclass
from rpython.translator.view.samples import COLLECTOR, Event, Frame, Sample, Symbols

Place = tuple[str, int, str]
"""A file, a line of it, and the function."""

_OUTSIDE: Place = ("", 0, "outside of the program")
_WIDTH = 100
_SEEN = 0.1
"""The part of a line's own that is worth to be mentioned."""

_FEW = 100
"""With fewer samples a share of a tenth may as well be nothing."""

_OPERATIONS = "operations"
_KINDS: dict[Home | str, str] = {
    Home.PROGRAM: "program",
    Home.STANDARD: "standard library",
    Home.RLIB: "rpython.rlib",
    Home.PRIVATE: "rpython.rlib",
    Home.OVERLAY: "built-in functions",
    Home.TOOLCHAIN: _OPERATIONS,
}


@dataclass
class Totals:
    """Of a line, or of a function.  ``below``: what its own was in: kinds of functions, and the
    helpers by their names."""

    own: int = 0
    total: int = 0
    below: Counter[str] = field(default_factory=Counter)

    def add(self, weight: int, kind: str, is_own: bool) -> None:
        self.total += weight
        if is_own:
            self.own += weight
            self.below[kind] += weight


@dataclass
class Node:
    """A function in the tree of calls.  ``lines``: where it was."""

    total: int = 0
    lines: Counter[Place] = field(default_factory=Counter)
    children: dict[tuple[str, str], Node] = field(default_factory=dict)


@dataclass
class Profile:
    """``weight``: of all samples.  ``tree``: the calls, from the outermost function on."""

    event: Event
    count: int = 0
    weight: int = 0
    lines: dict[Place, Totals] = field(default_factory=dict)
    functions: dict[Place, Totals] = field(default_factory=dict)
    below: Counter[str] = field(default_factory=Counter)
    tree: Node = field(default_factory=Node)

    @classmethod
    def of(cls, samples: Sequence[Sample], symbols: Symbols, event: Event) -> Profile:
        """The profile of samples.  Raises BuildError where addresses cannot be looked up."""
        profile = cls(event)
        symbols.look_up(samples)
        for sample in samples:
            profile._add(sample.weight, symbols.stack(sample.addresses))
        return profile

    def _add(self, weight: int, stack: Sequence[Frame]) -> None:
        if self.event == "allocation":
            stack = [frame for frame in stack if frame.home != COLLECTOR]
        self.count += 1
        self.weight += weight
        kind = kind_of(stack[-1]) if stack else "C library"
        self.below[kind] += weight
        if kind == _OPERATIONS:
            kind = _operation(stack)
        places = [place_of(frame) for frame in stack if frame.is_program] or [_OUTSIDE]
        for place in set(places):
            totals = self.lines.setdefault(place, Totals())
            totals.add(weight, kind, place == places[-1])
        functions = [(file, 0, name) for file, _, name in places]
        for function in set(functions):
            totals = self.functions.setdefault(function, Totals())
            totals.add(weight, kind, function == functions[-1])
        node = self.tree
        node.total += weight
        for frame in stack:
            node = node.children.setdefault((frame.function, kind_of(frame)), Node())
            node.total += weight
            node.lines[place_of(frame)] += weight

    def text(self, most: int) -> str:
        """The report: the ``most`` lines and functions with most of their own."""
        if not self.count:
            return "no samples: too little happened\n"
        kinds = [
            f"{share:.0%} {kind}" for kind, weight in self.below.most_common()
            if (share := weight / self.weight) >= 0.005
        ]  # fmt: skip
        return "\n".join([
            f"{self.summary()}: {', '.join(kinds)}", "",
            *self._table("line", self.lines, most, _line_text), "",
            *self._table("function", self.functions, most, _function_text), "",
        ])  # fmt: skip

    def summary(self) -> str:
        """How much there was, and how often it was looked at."""
        what = f"{self.weight / 1e6:.2f} s of CPU time"
        if self.event == "allocation":
            what = f"{self.weight / 1e6:,.1f} MB allocated"
        few = " (few: give it more to do)" if self.count < _FEW else ""
        return f"{what}, {self.count:,} samples{few}"

    def _table(
        self, title: str, table: dict[Place, Totals], most: int, text: Callable[[Place], str]
    ) -> Iterator[str]:
        """The rows of a table: those with most of their own first."""
        yield f"   self   total  {title}"
        rows = sorted(table.items(), key=lambda row: (-row[1].own, -row[1].total, row[0]))
        for place, totals in rows[:most]:
            own, total = totals.own / self.weight, totals.total / self.weight
            yield f"{own:7.1%} {total:7.1%}  {text(place)}"[:_WIDTH].rstrip()
            below = [
                f"{share:.0%} {kind}" for kind, weight in totals.below.most_common()
                if kind != "program" and (share := weight / totals.own) >= _SEEN
            ]  # fmt: skip
            if below:
                yield f"{'':17} of its own: {', '.join(below)}"
        if len(rows) > most:
            yield f"{'':17} and {len(rows) - most} more"


def _operation(stack: Sequence[Frame]) -> str:
    """The function that the program has called, of those that run."""
    called = stack[-1]
    for frame in reversed(stack):
        if frame.is_program:
            break
        called = frame
    return called.function


def kind_of(frame: Frame) -> str:
    """Whose function that is, in words."""
    return _KINDS.get(frame.home, str(frame.home))


def place_of(frame: Frame) -> Place:
    """Where it is; of a function in C, its name alone."""
    span = frame.span
    return ("", 0, frame.function) if span is None else (span.filename, span.line, frame.function)


def shown_file(filename: str) -> str:
    """A file as it is called from here, when that is shorter."""
    relative = os.path.relpath(filename) if filename else ""
    return relative if len(relative) < len(filename) else filename


def _line_text(place: Place) -> str:
    filename, line, function = place
    if not filename:
        return function
    source = linecache.getline(filename, line).strip()
    return f"{shown_file(filename)}:{line} in {function}:  {source}"


def _function_text(place: Place) -> str:
    filename, _, function = place
    return f"{function}  ({shown_file(filename)})" if filename else function
