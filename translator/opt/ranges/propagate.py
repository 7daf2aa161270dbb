"""Which numbers may the variables of a graph be?  Sparse conditional propagation of ranges.

Document 002's algorithm, the optimistic way: every name begins with no number at all (``TOP``), and
is computed again when one that it is made of has changed, until none changes; what is behind a
branch that is never taken is never computed (Wegman and Zadeck, "Constant Propagation with
Conditional Branches", 1991).

An argument of a block at which a loop begins is rounded outwards to numbers that the function
mentions.  That ends loops that count, and, being a function of the value alone, leaves one answer,
whatever the order in which names are computed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from heapq import heappop, heappush
from typing import Any

from rpython.lltypesystem.operations.llop import Derives, callees, row_of
from rpython.lltypesystem.operations.memory import place_of, target_type
from rpython.lltypesystem.operations.ranges import (
    FALSE,
    MANY,
    TOP,
    TRUE,
    UNKNOWN,
    Range,
    compared,
    restricted_by,
)
from rpython.lltypesystem.primitives import Void
from rpython.lltypesystem.types import Ptr, Struct
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.opt.ranges.contents import contents_of
from rpython.translator.opt.ranges.names import Name, Names, number_of, sum_of, value_of

_STOPS = 16
"""Numbers of a function to which ranges are rounded, besides those of _ALWAYS."""
_ALWAYS = (0, 1, -1, 2 * MANY)
"""The last one: more than there are items, also when a loop counts on from there."""


def in_order(place: int) -> float:
    """The order of the graph: where branches meet, names are computed once for all of them."""
    return place


class Propagation:
    """The ranges of a graph.  ``names``: with their values.  ``links``, ``blocks``: those that may
    be reached.  ``priority``: in which order names are computed, by their places in the graph; all
    give the same.  A name behind which the computation has come already waits for the next round,
    so that the start of a loop is not computed anew for each of the ways back to it."""

    def __init__(
        self, graph: FunctionGraph, priority: Callable[[int], float] = in_order
    ) -> None:
        self.names = Names(graph)
        self._contents = contents_of(graph, self.names)
        self.names.given, self.names.loads = {}, {}
        self.links: set[Link] = set()
        self.blocks: set[Block] = set()
        self._priority = priority
        number = {block: i for i, block in enumerate(self.names.order)}
        self._headers = {
            link.target
            for block in self.names.order
            for link in block.exits
            if number[link.target] <= number[block]
        }
        self._stops = self._find_stops()
        for place, name in enumerate(self.names.in_order()):
            name.place = place
        self._waiting: list[tuple[int, float, int, Name]] = []
        self._queued: set[Name] = set()
        self._round, self._place = 0, -1
        self._argument_places: dict[Value, int] = {
            v: place for place, v in enumerate(graph.getargs())
        }
        self._arguments = graph.argument_bounds
        self._reach(graph.startblock)
        self._run()

    def _run(self) -> None:
        """Compute names until none waits."""
        while self._waiting:
            self._round, _, self._place, name = heappop(self._waiting)
            self._queued.discard(name)
            self._update(name)

    def _find_stops(self) -> list[int]:
        """Numbers with which the function compares and with which its loops begin."""
        stops = dict.fromkeys(_ALWAYS)
        for block in self.names.order:
            for op in block.operations:
                if row_of(op).relation:
                    for arg in op.args:
                        if isinstance(arg, Constant) and (n := number_of(arg)) is not None:
                            stops.update(dict.fromkeys((n, n - 1, n + 1)))
            for link in block.exits:
                if link.target in self._headers:
                    for arg in link.args:
                        if isinstance(arg, Constant) and (n := number_of(arg)) is not None:
                            stops[n] = None
        return sorted(list(stops)[: len(_ALWAYS) + _STOPS])

    # -- the fixpoint ------------------------------------------------------------------------------

    def _reach(self, block: Block) -> None:
        """Control may come to the block: compute what is in it."""
        todo = [block]
        while todo:
            block = todo.pop()
            if block in self.blocks:
                continue
            self.blocks.add(block)
            for name in self.names.of_block[block]:
                self._queue(name)
            todo += self._follow(block)

    def _follow(self, block: Block) -> list[Block]:
        """Note which links of a block may be taken by now; the blocks they lead to."""
        reached = []
        for link in self._possible(block):
            if link not in self.links:
                self.links.add(link)
                reached.append(link.target)
                for name in self.names.restricted.get(link, ()):
                    self._queue(name)
                for name in self.names.of_block[link.target]:
                    if name.inputs is not None:
                        self._queue(name)
        return reached

    def _possible(self, block: Block) -> list[Link]:
        if not isinstance(block.exitswitch, Variable):
            return list(block.exits)
        name = self.names.switches[block]
        if name is None:
            return list(block.exits)
        if name.value.is_empty:
            return []
        if name.value.is_constant:
            return [block.exit_for(value_of(name.value.lo, block.exitswitch.concretetype))]
        return list(block.exits)

    def _queue(self, name: Name) -> None:
        if name not in self._queued:
            self._queued.add(name)
            place = name.place
            number = self._round + (place <= self._place)
            heappush(self._waiting, (number, self._priority(place), place, name))

    def _update(self, name: Name) -> None:
        value = self.evaluate(name)
        if value == name.value:
            return
        name.value = name.whole if value == name.whole else value  # not one more of the same
        for user in name.users or ():
            if user.block in self.blocks:
                self._queue(user)
        for block in name.decides:
            if block in self.blocks:
                for target in self._follow(block):
                    self._reach(target)

    # -- what names are ----------------------------------------------------------------------------

    def evaluate(self, name: Name) -> Range:
        """The value of a name by the present ones of those that it is made of."""
        if name.of is not None:
            assert name.other is not None
            return restricted_by(name.relation, name.of.value, name.other.value)
        if name.op is not None:
            if row_of(name.op).is_call:
                return self.result(name, name.op).join(name.whole)
            value = _of_operation(name, name.op)
            contents = self._contents.get(name)
            return value if contents is None or value.is_empty else _both(value, contents.value)
        if name.stored is not None:
            # new memory is zero
            value = reduce(Range.meet, (stored.value for stored in name.stored), FALSE)
            return value.widened(self._stops, name.whole)
        if name.inputs is None:
            return self.argument(name)
        value = TOP
        for link, given in name.inputs.items():
            if link in self.links:
                value = value.meet(name.whole if given is None else given.value)
        return value.widened(self._stops, name.whole) if name.block in self._headers else value


    def argument(self, name: Name) -> Range:
        """An argument of the function, by what is known of its calls."""
        bounds = self._arguments.get(self._argument_places[name.variable])
        return name.whole if bounds is None else Range(*bounds)

    def result(self, name: Name, op: SpaceOperation) -> Range:
        """What a call gives, by what is known of the functions."""
        graphs = callees(op).graphs
        if not graphs:
            return name.whole
        return reduce(Range.meet, (self.result_of(graph, name) for graph in graphs))

    def result_of(self, graph: FunctionGraph, name: Name) -> Range:
        """What the function returns; ``name`` is what a call of it gives."""
        return name.whole if graph.result_bounds is None else Range(*graph.result_bounds)


def _both(value: Range, contents: Range) -> Range:
    """The numbers in both; no number as long as nothing is known of the contents."""
    return TOP if contents.is_empty else value.join(contents)


def _of_operation(name: Name, op: SpaceOperation) -> Range:
    row = row_of(op)
    operands = [operand.value for operand in name.operands if operand is not None]
    if any(operand.is_empty for operand in operands):
        return TOP
    if row.loads:
        return _count(op) or name.whole
    if row.form == "array_size":
        return _size(op) or name.whole
    if row.makes_object:
        return TRUE
    if len(operands) < len(op.args):
        return name.whole  # of others than numbers
    if row.relation:
        pointers = isinstance(op.args[0].concretetype, Ptr)
        if pointers and operands[0] == operands[1] == TRUE:
            return UNKNOWN  # neither is null: they may be equal
        return compared(row.relation, *operands)
    if row.if_zero is not None:
        return compared("eq" if row.if_zero else "ne", operands[0], FALSE)
    if op.opname == "bool_not":
        return Range(1 - operands[0].hi, 1 - operands[0].lo)
    if row.derives is Derives.SAME:
        return operands[0].join(name.whole)
    exact = exact_range(name)
    if exact is None or exact.isa(name.whole):
        return name.whole if exact is None else exact
    return exact.join(name.whole) if row.can_raise or row.exact else name.whole


def exact_range(name: Name) -> Range | None:
    """The range of an operation's result if numbers had no ends; None: not known."""
    assert name.op is not None
    parts = [part.value for part in sum_of(name)]
    if len(parts) == 2 and min(part.lo for part in parts) >= 0:
        a, b = parts  # two numbers that have no sign do not overflow where there is none
        return Range(a.lo + b.lo, a.hi + b.hi)
    bounds = row_of(name.op).bounds
    values = [operand.value for operand in name.operands if operand is not None]
    if bounds is None or len(values) < len(name.operands):
        return None
    return bounds(*values)


def _count(op: SpaceOperation) -> Range | None:
    """Of a field that counts what there is room for."""
    T = op.args[0].concretetype
    if len(op.args) != 2 or not isinstance(T, Ptr) or not isinstance(T.TO, Struct):
        return None
    field = op.args[1]
    counts = isinstance(field, Constant) and field.value in T.TO._hints.get("counts", "").split()
    return Range(0, MANY) if counts else None


def _size(op: SpaceOperation) -> Range | None:
    """Of a number of items."""
    T = target_type(op.args)
    A: Any = place_of(T, op.args[1:]).type
    return None if A.OF is Void else Range(0, MANY)
