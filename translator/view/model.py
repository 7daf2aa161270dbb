"""What ``rpython explore`` shows of a program, as data that JSON has a form for.

    explored(translation, "app.py")  ->  Explored(index, functions, sources)

The index says what there is, and is read at once::

    {"target": "app.py", "version": "0.1.0", "compiled": true, "mode": "list",
     "passes": ["fold_constants", ...],
     "files": [{"name": "app.py", "home": "PROGRAM"}],
     "functions": [{"name": "total", "symbol": "total", "signature": "...", "file": 0, "line": 3,
                    "end": 7, "home": "PROGRAM", "calls": [4], "kept": [], "size": 12,
                    "left": {"checks": 1}, "compiled": true}]}

Of each function, in the order of the index, there is what is read when somebody looks at it::

    {"lines": [["v0 = add(result, price)", 0, "", []], ...],    text, place, label, leads to
     "spans": [[0, 5, 8, 5, 23, "total", -1], ...],             see ``History.spans``
     "stages": [{"name": "flow", "lines": [0, 1, 2], "types": {"b0": {"v0": "SomeInteger()"}}}],
     "types": {"v1": "Signed"}, "ranges": {"v1": "0..9", "node": "not null"}, "optimised": 5,
     "notes": [[17, "checks", "int_ge of any and 0"]],          line, kind, why it remains
     "remarks": [[3, "square", "inlined, cost 9 -> 11 of 40"]], place, callee, what became of it
     "c": [["    v1 = v0 + 1;", 0], ...]}                       line, place

and of each file its text.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from rpython.backend_c.build import function_sources
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem.operations.ranges import TRUE
from rpython.lltypesystem.text import TextEnv
from rpython.lltypesystem.types import Ptr
from rpython.translator.driver import Translation
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.home import Home, home_of_file
from rpython.translator.ir.model import Constant, FunctionGraph, Variable
from rpython.translator.ir.printer import GraphText, is_high_level
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.callgraph import CallGraph, call_graph
from rpython.translator.opt.inline import Remark
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.version import version
from rpython.translator.view.checks import Remaining, range_text
from rpython.translator.view.stages import NOWHERE, History, Recorder

Json = dict[str, Any]
Calls = dict[FunctionGraph, list[FunctionGraph]]

_ORDER = list(Home)


@dataclass(frozen=True)
class Explored:
    """``index``, ``functions`` and ``sources``: see above."""

    index: Json
    functions: list[Json]
    sources: list[str]


def explored(translation: Translation, target: str) -> Explored:
    """Translate the program as far as C and keep what there is to see.  Raises TranslationError."""
    return _Explorer(translation).explore(target)


class _Explorer:
    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._recorder = Recorder()
        self._annotated: dict[FunctionGraph, FunctionGraph] = {}

    def explore(self, target: str) -> Explored:
        translation, recorder = self._translation, self._recorder
        program = translation.rtype()
        before = call_graph(program).calls
        llgraphs = translation.rtyper.llgraphs
        self._annotated = {low: graph for graph, low in llgraphs.items()}
        graphs = sorted(before, key=_place_in_list)
        for graph in graphs:
            self._add_high_level(graph)
        recorder.typed(graphs)
        translation.optimise(recorder)
        after = call_graph(program).calls
        details = self._details(graphs, after)
        options = BuildOptions(
            gc=translation.options.gc, line_directives=False, verify=translation.options.verify,
            observer=recorder,
        )  # fmt: skip
        compiled = function_sources(program, options)
        for graph, detail in zip(graphs, details):
            history = recorder.history(graph)
            detail["c"] = [
                [text, history.place(span)] for text, span in compiled.get(graph, ())
            ]  # fmt: skip
            detail.update(_texts_of(history))
        shown = [self._annotated.get(graph, graph) for graph in graphs]
        functions = _entries(recorder, graphs, shown, before, after)
        for entry, detail in zip(functions, details):
            entry["left"] = Counter(kind for _, kind, _ in detail["notes"])
            entry["compiled"] = bool(detail["c"])
        return _whole(target, recorder, functions, details, compiled=True)

    def _add_high_level(self, graph: FunctionGraph) -> None:
        """The stages before the low-level graph, of what was written in Python and typed here."""
        annotated = self._annotated.get(graph)
        if annotated is None:
            return
        history = self._recorder.history(graph)
        if annotated.home.is_program and isinstance(annotated.func, FunctionType):
            # the body of a generator function has no source of its own
            with contextlib.suppress(TranslationError):
                history.add("flow", build_flow(annotated.func), None)
        history.add("annotated", annotated, None)

    def _details(self, graphs: list[FunctionGraph], after: Calls) -> list[Json]:
        """What the optimiser left in each graph, and what it says of that."""
        remaining = Remaining(self._translation.remarks)
        remarks: dict[str, list[Remark]] = {}
        for remark in dict.fromkeys(self._translation.remarks):
            remarks.setdefault(remark.caller, []).append(remark)
        details: list[Json] = []
        for graph in graphs:
            history = self._recorder.history(graph)
            notes = []
            if graph in after:
                notes = [
                    [history.shown[op], kind, reason]
                    for kind, op, reason in remaining.of(graph, lambda _: True)
                    if op in history.shown
                ]
            details.append({
                "optimised": len(history.stages) - 1,
                "notes": notes,
                "ranges": _ranges(graph, history),
                "remarks": [
                    [history.place(remark.span), remark.callee, remark.text]
                    for remark in remarks.get(graph.name, ())
                    if _is_within(remark, graph)
                ],
            })  # fmt: skip
        return details


def explored_graphs(graphs: Sequence[FunctionGraph], title: str, mode: str = "list") -> Explored:
    """Graphs of one stage, as they are.  ``mode``: how the page shows them first."""
    recorder = Recorder()
    graphs = sorted(graphs, key=_place_in_list)
    details: list[Json] = []
    for graph in graphs:
        history = recorder.history(graph)
        history.add(graph.stage, graph, None if is_high_level(graph) else recorder.env)
        details.append({
            "optimised": 0, "notes": [], "ranges": {}, "remarks": [], "c": [],
            **_texts_of(history),
        })  # fmt: skip
    low_level = not any(map(is_high_level, graphs))
    calls = CallGraph(graphs).calls if low_level else _calls_of_functions(graphs)
    functions = _entries(recorder, graphs, graphs, calls, calls)
    return _whole(title, recorder, functions, details, compiled=False, mode=mode)


def _calls_of_functions(graphs: Sequence[FunctionGraph]) -> Calls:
    """Which functions the graphs of others mention, before it is known what is called."""
    by_function = {graph.func: graph for graph in graphs if graph.func is not None}
    calls: Calls = {}
    for graph in graphs:
        arguments = [arg for _, op in graph.iterblockops() for arg in op.args]
        values = [arg.value for arg in arguments if isinstance(arg, Constant)]
        mentioned = [value for value in values if isinstance(value, FunctionType)]
        calls[graph] = list(dict.fromkeys(by_function[f] for f in mentioned if f in by_function))
    return calls


def _entries(
    recorder: Recorder, graphs: Sequence[FunctionGraph], shown: Sequence[FunctionGraph],
    before: Calls, after: Calls,
) -> list[Json]:  # fmt: skip
    """The functions as the index has them.  ``shown``: graphs that know their parameters as the
    program does; ``before`` and ``after``: the calls, without and with optimisation."""
    numbers = {graph: number for number, graph in enumerate(graphs)}

    def called(graph: FunctionGraph, calls: Calls) -> list[int]:
        return [numbers[callee] for callee in calls.get(graph, ()) if callee in numbers]

    result = []
    for graph, named in zip(graphs, shown):
        first, last = _extent(graph)
        in_file = graph.span.line > 0
        result.append({
            "name": _name(graph),
            "symbol": _name(graph) if is_high_level(graph) else recorder.env.graph_symbol(graph),
            "signature": _signature(named, recorder.env),
            "file": recorder.files.number(graph.span.filename) if in_file else NOWHERE,
            "line": first,
            "end": last,
            "home": graph.home.name,
            "calls": called(graph, before),
            "kept": called(graph, after),
            "size": sum(len(block.operations) for block in graph.iterblocks()),
            "left": {},
            "compiled": False,
        })  # fmt: skip
    return result


def _signature(graph: FunctionGraph, env: TextEnv) -> str:
    text = GraphText(graph, env=None if is_high_level(graph) else env)
    arguments = ", ".join(f"{v.name}: {text.type_of(v)}" for v in graph.getargs())
    return f"({arguments}) -> {text.type_of(graph.getreturnvar())}"


def _whole(
    target: str, recorder: Recorder, functions: list[Json], details: list[Json], *,
    compiled: bool, mode: str = "list",
) -> Explored:  # fmt: skip
    files = recorder.files.things()
    index = {
        "target": target,
        "version": version(),
        "compiled": compiled,
        "mode": mode,
        "passes": recorder.passes,
        "files": [{"name": name, "home": home_of_file(name).name} for name in files],
        "functions": functions,
    }
    return Explored(index, details, list(map(_source, files)))


def _place_in_list(graph: FunctionGraph) -> tuple[int, str, int, str]:
    """The program's own functions first, each file in the order of its lines."""
    span = graph.span
    return _ORDER.index(graph.home), span.filename, span.line, _name(graph)


def _name(graph: FunctionGraph) -> str:
    return str(getattr(graph.func, "__qualname__", graph.name))


def _is_within(remark: Remark, graph: FunctionGraph) -> bool:
    """Is the remark about this graph, of those that have the same name?"""
    outermost = list(remark.span.frames())[-1]
    if outermost.filename != graph.span.filename:
        return False
    first, last = _extent(graph)
    return first <= outermost.line <= last


def _extent(graph: FunctionGraph) -> tuple[int, int]:
    """The first and the last line of its source."""
    code = getattr(graph.func, "__code__", None)
    if code is None or code.co_filename != graph.span.filename:
        return graph.span.line, graph.span.line
    lines = [line for _, _, line in code.co_lines() if line]
    return min(code.co_firstlineno, *lines), max(lines)


def _ranges(graph: FunctionGraph, history: History) -> dict[str, str]:
    """What is known of numbers, where that is more than their types say."""
    if not history.shown:
        return {}
    known: dict[str, str] = {}
    namer = history.naming.namer
    for names in Propagation(graph).names.of_block.values():
        for name in names:
            if isinstance(name.variable, Variable) and not name.value.is_empty:
                text = range_text(name.value)
                if isinstance(name.variable.concretetype, Ptr):
                    text = "not null" if name.value == TRUE else "null"
                if text != "any" and name.value != name.whole:
                    known[namer.name(name.variable)] = text
    return known


def _texts_of(history: History) -> Json:
    return {
        "lines": history.lines(),
        "spans": history.spans(),
        "stages": [
            {"name": stage.name, "lines": stage.lines, "types": stage.types}
            for stage in history.stages
        ],
        "types": history.types,
    }


def _source(filename: str) -> str:
    """The text of a file; '' of what is none, or cannot be read any more."""
    try:
        return Path(filename).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
