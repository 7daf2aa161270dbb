"""``rpython build --report checks``: what the optimiser left of checks, allocations and calls.

::

    app.py:12: in pick: checks: 1 of 2: int_ge of 0 and any
    app.py:12: in pick: calls: 1 of 1: total: it may call itself

``--report source`` shows it beside the source::

    1 check, 1 call               12        return xs[i] + total(xs)

Of each line of the program: how many there are, wherever it was inlined, of how many that the
rtyper wrote, and why they stay.  A loop with two versions counts twice; what the helpers do that
were inlined counts behind, and their calls before.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from rpython.lltypesystem.operations.llop import Derives, callees, makes_object, row_of
from rpython.lltypesystem.operations.ranges import Range
from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.types import Ptr, Struct
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import (
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.lower.pointers import writes_pointers
from rpython.translator.opt.inline import Remark
from rpython.translator.opt.raising import ALWAYS_RAISES
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.opt.summaries import Summaries

KINDS = ("checks", "allocations", "boxing", "calls", "barriers")
"""What is counted.  Boxing: allocations of boxes, in which values of several kinds are."""

_ONE = {"checks": "check", "allocations": "allocation", "boxing": "boxing", "calls": "call",
        "barriers": "barrier"}  # fmt: skip
_COSTS_WIDTH = 36

Place = tuple[str, int]
"""A line of a file."""


@dataclass(slots=True)
class _Line:
    """What is of one kind in one line: before, behind, and why."""

    before: int = 0
    behind: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class CheckReport:
    """Shown the graphs that the rtyper has made, those that the optimiser left, and those with
    barriers, it has ``lines``."""

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str], _Line] = {}
        self._functions: dict[Place, str] = {}

    def typed(self, graphs: Iterable[FunctionGraph]) -> None:
        """Count what there is before optimisation."""
        summaries = Summaries()
        for graph in graphs:
            for kind, op in _all_in(graph, summaries):
                line = self._line(op.span, kind)
                if line is not None:
                    line.before += 1

    def optimised(self, graphs: Iterable[FunctionGraph], remarks: Iterable[Remark]) -> None:
        """Count what is left, barriers excepted.  ``remarks``: of the inliner."""
        remaining = Remaining(remarks)
        for graph in graphs:
            for kind, op, reason in remaining.of(graph, lambda op: place_of(op.span) is not None):
                line = self._line(op.span, kind)
                assert line is not None
                line.behind += 1
                line.reasons[reason] += 1

    def lowered(self, graphs: Iterable[FunctionGraph]) -> None:
        """Count barriers; these are the graphs that have them."""
        for graph in graphs:
            for _, op in graph.iterblockops():
                line = self._line(op.span, "barriers") if row_of(op).barrier else None
                if line is not None:
                    line.behind += 1
                    line.reasons["the object may be old"] += 1

    def _line(self, span: Span, kind: str) -> _Line | None:
        """What is counted for the line of the program that the place is a part of."""
        frame = place_of(span)
        if frame is None:
            return None
        place = (frame.filename, frame.line)
        self._functions.setdefault(place, frame.function)
        return self._found.setdefault((place, kind), _Line())

    def lines(self) -> Iterator[str]:
        """One for each line and kind, in the order of the source."""
        order = {kind: i for i, kind in enumerate(KINDS)}
        for place, kind in sorted(self._found, key=lambda key: (key[0], order[key[1]])):
            line = self._found[place, kind]
            if not line.before and not line.behind:
                continue
            reasons = [f"{text} ({n} times)" if n > 1 else text for text, n in line.reasons.items()]
            why = f": {'; '.join(reasons)}" if reasons else ""
            name, number = place
            yield (
                f"{name}:{number}: in {self._functions[place]}: {kind}: {line.behind} of"
                f" {line.before}{why}"
            )

    def source(self) -> Iterator[str]:
        """The lines of the program's files, each behind what is left in it; one of which nothing
        is said costs nothing of that."""
        costs: dict[str, dict[int, list[str]]] = {}
        for kind in KINDS:
            for ((file, number), of_kind), line in self._found.items():
                here = costs.setdefault(file, {}).setdefault(number, [])
                if of_kind == kind and line.behind:
                    name = _ONE[kind] if line.behind == 1 else kind
                    here.append(f"{line.behind} {name}")
        for file in sorted(costs):
            yield f"{file}:"
            for number, text in enumerate(linecache.getlines(file), 1):
                cost = ", ".join(costs[file].get(number, ()))
                yield f"{cost:{_COSTS_WIDTH}}{number:5}  {text}".rstrip()


def place_of(span: Span) -> Span | None:
    """The line of the program that a place is a part of."""
    for frame in span.frames():
        if frame.line > 0 and home_of_file(frame.filename).is_program:
            return frame
    return None


class Remaining:
    """What the optimiser left, and why.  ``remarks``: of the inliner."""

    def __init__(self, remarks: Iterable[Remark]) -> None:
        self._summaries = Summaries()
        self._refused = {(remark.span, remark.callee): remark.text for remark in remarks}

    def of(
        self, graph: FunctionGraph, matters: Callable[[SpaceOperation], bool]
    ) -> Iterator[tuple[str, SpaceOperation, str]]:
        """Of each operation of a graph that matters and counts, barriers excepted: for what, and
        why it is there still."""
        reasons: _Reasons | None = None
        for kind, op in _all_in(graph, self._summaries):
            if kind != "barriers" and matters(op):
                reasons = reasons or _Reasons(graph, self._refused)
                yield kind, op, reasons.of(kind, op)


def _all_in(graph: FunctionGraph, summaries: Summaries) -> Iterator[tuple[str, SpaceOperation]]:
    """The operations that count, and for what."""

    def raises(op: SpaceOperation) -> bool:
        return summaries.of_op(ALWAYS_RAISES, op)

    for block in graph.iterblocks():
        made = {op.result: op for op in block.operations}
        for op in block.operations:
            row = row_of(op)
            if row.unchecked:
                yield "checks", op
            elif makes_object(op):
                yield "boxing" if _makes_box(op) else "allocations", op
            elif row.is_call and not raises(op):
                yield "calls", op
            if writes_pointers(op):
                yield "barriers", op
        test = made.get(block.exitswitch) if isinstance(block.exitswitch, Variable) else None
        if test is not None and any(_fails(link, graph, raises) for link in block.exits):
            yield "checks", test


def _makes_box(op: SpaceOperation) -> bool:
    T = op.result.concretetype
    return isinstance(T, Ptr) and isinstance(T.TO, Struct) and bool(T.TO._hints.get("box"))


def _fails(link: Link, graph: FunctionGraph, raises: Callable[[SpaceOperation], bool]) -> bool:
    """Does a check go there that has failed, not a ``raise`` of the program?"""
    if link.target is graph.exceptblock:
        return isinstance(link.args[0], Constant)
    return any(map(raises, link.target.operations))


class _Reasons:
    """Why something is in a graph still."""

    def __init__(self, graph: FunctionGraph, refused: dict[tuple[Span, str], str]) -> None:
        self._refused = refused
        self._names: dict[SpaceOperation, Name] = {}
        for names in Propagation(graph).names.of_block.values():
            self._names.update({name.op: name for name in names if name.op is not None})
        self._uses: dict[Value, list[SpaceOperation]] = {}
        self._passed: set[Value] = set()
        for _, op in graph.iterblockops():
            for arg in op.args:
                self._uses.setdefault(arg, []).append(op)
        for link in graph.iterlinks():
            self._passed.update(link.args)

    def of(self, kind: str, op: SpaceOperation) -> str:
        if kind == "checks":
            return self._of_check(op)
        return self._of_call(op) if kind == "calls" else self._of_allocation(op)

    def _of_check(self, op: SpaceOperation) -> str:
        name = self._names.get(op)
        operands = [] if name is None else name.operands
        known = [operand.value for operand in operands if operand is not None]
        if not known or len(known) < len(op.args):
            return op.opname
        if isinstance(op.args[0].concretetype, Ptr):
            return f"{op.opname}: it may be null"
        return f"{op.opname} of {' and '.join(map(range_text, known))}"

    def _of_call(self, op: SpaceOperation) -> str:
        called = callees(op)
        if called.direct and called.graphs:
            name = called.graphs[0].name
            text = self._refused.get((op.span, name))
            return name if text is None else f"{name}: {text}"
        if called.external is not None:
            return f"{called.external.c_name} is written in C"
        return f"any of {len(called.graphs)} functions" if called.graphs else "any function"

    def _of_allocation(self, op: SpaceOperation) -> str:
        if len(op.args) > 2:
            return "it has items"
        todo: list[Value] = [op.result]
        for value in todo:
            for use in self._uses.get(value, ()):
                row = row_of(use)
                if row.derives is Derives.SAME:
                    todo.append(use.result)
                elif row.is_call:
                    graphs = callees(use).graphs
                    return f"it is given to {graphs[0].name if graphs else 'a function'}"
                elif not row.private or any(arg is value for arg in use.args[1:]):
                    return "it is stored in an object"
            if value in self._passed:
                return "it is returned, or one of several objects"
        return "it cannot be taken apart"


def range_text(value: Range) -> str:
    """``0..9``, one number, or ``any``."""
    if Range(Signed.min, Signed.max).isa(value):
        return "any"
    if value.is_constant:
        return _number_text(value.lo)
    return f"{_number_text(value.lo)}..{_number_text(value.hi)}"


def _number_text(number: int) -> str:
    """Large numbers by the nearest power of two."""
    size = abs(number)
    if size < 1 << 20:
        return str(number)
    sign = "-" if number < 0 else ""
    for power, rest in ((size.bit_length() - 1, ""), (size.bit_length(), "-1")):
        if size == (1 << power) - bool(rest):
            return f"{sign}2**{power}{rest}"
    return str(number)
