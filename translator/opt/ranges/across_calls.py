"""Which numbers are given to functions, and which do they give?  Ranges over the call graph.

::

    graph place(row: Signed) -> Signed        row: 0..8, as it is called with 0 and row + 1
    b0(row):
        t0 = int_eq(row, 8)
        if t0 return 1 else b1()              returns 0 or more
    b1():
        row1 = int_add_ovf(row, 1)            never overflows
        v = direct_call(@place, row1)

    graph main() -> Signed
    b0():
        v = direct_call(@place, 0)

The propagation of ``propagate`` in all functions at once.  What is given at several places, an
argument of a function or its result, is a ``Cell``: any number that is given at one of them,
rounded outwards as at the start of a loop, as functions call each other in circles.  A function is
computed when the first call of it is, and the names that read a cell again when that has changed.

An argument may be anything where not every call is known: of the functions at which the program is
entered, of those whose address is taken (methods in tables, finalizers, starts of threads,
callbacks), and of what helpers that are known from elsewhere call.  Whether a pointer is null is
such a number, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from rpython.lltypesystem.operations.llop import callees, row_of
from rpython.lltypesystem.operations.ranges import MANY, TOP, TRUE, Range, range_of
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import FunctionGraph, SpaceOperation, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.opt.summaries import Summaries

_STOPS = (
    -(1 << 31), -1, 0, 1, 0xFF, 0x10FFFF, (1 << 31) - 1, (1 << 32) - 1, MANY, 2 * MANY, 4 * MANY
)  # fmt: skip
"""Numbers to which cells are rounded, besides those with which the function compares."""

Choose = Callable[[Mapping["_Function", None]], "_Function"]


def find_ranges(
    calls: CallGraph, summaries: Summaries, choose: Choose = lambda waiting: next(iter(waiting))
) -> list[FunctionGraph]:
    """Note in each graph what is known of its arguments and its result, and keep the ranges inside
    for who asks next.  No graph changes.  ``choose``: which function comes next of those that wait
    to be computed; all orders give the same."""
    program = _Program(calls, choose)
    program.note()
    summaries.ranges.update(program.functions)
    return []


def ranges_of(graph: FunctionGraph, summaries: Summaries) -> Propagation:
    """The ranges of a graph."""
    known: Propagation | None = summaries.ranges.pop(graph, None)
    return Propagation(graph) if known is None else known


def never_null(graph: FunctionGraph) -> Iterator[Variable]:
    """The pointers that are not null from where they are made: new objects, and arguments and
    results of which that is known."""
    not_null = (TRUE.lo, TRUE.hi)
    for place, v in enumerate(graph.getargs()):
        if isinstance(v.concretetype, Ptr) and graph.argument_bounds.get(place) == not_null:
            yield v
    for _, op in graph.iterblockops():
        row = row_of(op)
        if row.makes_object:
            yield op.result
        elif row.is_call and isinstance(op.result.concretetype, Ptr):
            graphs = callees(op).graphs
            if graphs and all(called.result_bounds == not_null for called in graphs):
                yield op.result


@dataclass(eq=False, slots=True)
class Cell:
    """``value``: any number that was received.  ``readers``: the names that are computed from it,
    and in which functions they are."""

    whole: Range
    stops: list[int]
    value: Range = TOP
    readers: dict[Name, _Function] = field(default_factory=dict)

    def receive(self, value: Range) -> bool:
        """Is there more to know?"""
        met = self.value.meet(value)
        if not met.is_empty and not met.is_constant:
            met = met.widened(self.stops, self.whole)
        changed = met != self.value
        self.value = met
        return changed

    def bounds(self) -> tuple[int, int] | None:
        """What is known, if it is anything."""
        known = not self.value.is_empty and self.value != self.whole
        return (self.value.lo, self.value.hi) if known else None


class _Program:
    """``functions``: those that are computed here and may be called.  ``arguments``, ``results``:
    the cells of all that are computed here."""

    def __init__(self, calls: CallGraph, choose: Choose) -> None:
        own = dict.fromkeys(graph for graph in calls.graphs if graph.stage != "optimised")
        entered = {*calls.roots, *calls.taken}
        for graph in calls.graphs:
            if graph not in own:
                entered.update(calls.calls[graph])
        self.arguments: dict[FunctionGraph, dict[int, Cell]] = {}
        self.results: dict[FunctionGraph, Cell] = {}
        self.functions: dict[FunctionGraph, _Function] = {}
        self._todo: dict[_Function, None] = {}
        for graph in own:
            self._make_cells(graph)
        for graph in own:
            if graph in entered:
                for cell in self.arguments[graph].values():
                    cell.value = cell.whole
                self.reach(graph)
        while self._todo:
            function = choose(self._todo)
            del self._todo[function]
            function.work()

    def _make_cells(self, graph: FunctionGraph) -> None:
        cells = self.arguments[graph] = {}
        for place, v in enumerate(graph.getargs()):
            whole = range_of(v.concretetype)
            if whole is not None:
                cells[place] = Cell(whole, sorted(_STOPS))
        whole = range_of(graph.getreturnvar().concretetype)
        if whole is not None:
            self.results[graph] = Cell(whole, sorted(_STOPS))

    def reach(self, graph: FunctionGraph) -> None:
        """The function is called, or entered."""
        if graph in self.arguments and graph not in self.functions:
            function = self.functions[graph] = _Function(graph, self)
            self._todo[function] = None

    def give(self, cell: Cell, value: Range) -> None:
        """One more place gives a value, or gives another one than before."""
        if not value.is_empty and cell.receive(value):
            for name, function in cell.readers.items():
                function.again(name)
                self._todo[function] = None

    def note(self) -> None:
        for graph in self.functions:
            cells = self.arguments[graph]
            known = {place: cell.bounds() for place, cell in cells.items()}
            graph.argument_bounds = {
                place: bounds for place, bounds in known.items() if bounds is not None
            }
            if graph in self.results:
                graph.result_bounds = self.results[graph].bounds()


class _Function(Propagation):
    """The ranges of one function, given those of others."""

    def __init__(self, graph: FunctionGraph, program: _Program) -> None:
        self._program = program
        self._cells = program.arguments[graph]
        self._result = program.results.get(graph)
        self._graph = graph
        super().__init__(graph)
        for cell in self._cells.values():
            cell.stops = sorted({*_STOPS, *self._stops})

    def again(self, name: Name) -> None:
        """A cell that the name reads has changed."""
        self._queue(name)

    def work(self) -> None:
        """Compute what waits, and give to others what they are given."""
        self._run()
        for block, op, operands in self.names.calls:
            if block in self.blocks:
                self._call(op, operands)
        if self._result is not None and self._graph.returnblock in self.blocks:
            (name,) = self.names.of_block[self._graph.returnblock]
            self._program.give(self._result, name.value)

    def _call(self, op: SpaceOperation, operands: list[Name | None]) -> None:
        for graph in callees(op).graphs:
            self._program.reach(graph)
            cells = self._program.arguments.get(graph, {})
            for place, cell in cells.items():
                given = operands[place + 1]
                self._program.give(cell, cell.whole if given is None else given.value)

    def argument(self, name: Name) -> Range:
        return self._read(self._cells[self._argument_places[name.variable]], name)

    def result_of(self, graph: FunctionGraph, name: Name) -> Range:
        cell = self._program.results.get(graph)
        return super().result_of(graph, name) if cell is None else self._read(cell, name)

    def _read(self, cell: Cell, name: Name) -> Range:
        cell.readers.setdefault(name, self)
        return cell.value
