"""How soon the loops of a graph that count are over: by what they begin with, count by and end at.

::

    for i in range(4):              short: four turns
    for i in range(n, 4):           not, if ``n`` may be far below zero
    for i in range(len(items)):     looks through items, if it does nothing else
"""

from __future__ import annotations

from functools import cached_property, reduce

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.ranges import TOP, Range
from rpython.lltypesystem.primitives import Signed
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
)
from rpython.translator.ir.traversal import natural_loops, predecessors
from rpython.translator.opt.loops import Count, adding, count_of, producers
from rpython.translator.opt.predicates import effects_of
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation, exact_range

SHORT = 64
"""Turns after which nobody waits for a loop in vain."""


class CountedLoops:
    """What is known of those loops, which are named by their headers."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._graph = graph
        self.made = producers(graph)
        self.bodies = dict(natural_loops(graph))
        self.counts: dict[Block, Count] = {}
        for header, body in self.bodies.items():
            count = count_of(header, body, self.made)
            if count is not None:
                self.counts[header] = count

    def is_short(self, header: Block) -> bool:
        """Is it ``for i in range(a, b, c)`` of a few turns, and so are those in it?  (Others may go
        round a thousand times before they look for signals.)"""
        inner = self.bodies.keys() & self.bodies[header]
        return all(map(self._has_few_turns, inner))

    def _has_few_turns(self, header: Block) -> bool:
        count = self.counts.get(header)
        if count is None or not count.is_plain or not isinstance(count.limit, Constant):
            return False
        assert isinstance(count.step, Constant)
        limit, step = count.limit.value, count.step.value
        if count.wraps and limit + step > Signed.max:
            return False
        return self._least(header) >= int(limit - SHORT * step)

    def looks_through(self, header: Block, threaded: bool) -> bool:
        """Does the loop no more than look at items, which do not change meanwhile?"""
        count = self.counts.get(header)
        limit = self.made.get(count.limit) if count is not None and count.is_plain else None
        if limit is None or not _is_length(limit):
            return False
        for block in self.bodies[header]:
            for op in block.operations:
                effects = effects_of(op)
                reads = threaded and effects.reads
                if reads or effects.writes or effects.collects or effects.raises:
                    return False
        return self._least(header) >= -SHORT and not self.may_wrap(header)

    def may_wrap(self, header: Block) -> bool:
        """May a counter go on from the other end of the numbers?"""
        count = self.counts[header]
        return count.wraps and not all(map(_stays, self._added(header)))

    def steps(self, header: Block) -> Range:
        """By what a loop may count."""
        step = self.counts[header].step
        if isinstance(step, Constant):
            return Range(step.value, step.value)
        by = [name.operands[1] for name in self._added(header) if len(name.operands) == 2]
        return reduce(Range.meet, (name.value for name in by if name is not None), TOP)

    def _least(self, header: Block) -> int:
        """The least number that a loop may begin with."""
        counter = self.counts[header].counter
        place = header.inputargs.index(counter)
        body = self.bodies[header]
        links = [link for link in self._entering[header] if link.prevblock not in body]
        first = [link.args[place] for link in links]
        if all(isinstance(value, Constant) for value in first):
            return min((value.value for value in first if isinstance(value, Constant)), default=0)
        inputs = self._names[counter].inputs or {}
        given = [inputs.get(link) for link in links]
        return min(Signed.min if name is None else name.value.lo for name in given)

    def _added(self, header: Block) -> list[Name]:
        """The names of what the loop may begin its next turn with."""
        counter = self.counts[header].counter
        ops = adding(header, self.bodies[header], self.made, counter)
        return [self._names[op.result] for op in ops if op is not None]

    @cached_property
    def _entering(self) -> dict[Block, list[Link]]:
        return predecessors(self._graph)

    @cached_property
    def _names(self) -> dict[Value, Name]:
        names = Propagation(self._graph).names
        return {name.variable: name for made in names.of_block.values() for name in made}


def _stays(name: Name) -> bool:
    """Is the sum or difference known to be a number of its type?"""
    exact = exact_range(name)
    return exact is not None and exact.isa(name.whole)


def _is_length(op: SpaceOperation) -> bool:
    if op.opname != "getfield":
        return row_of(op).form == "array_size"
    name = op.args[1]
    return isinstance(name, Constant) and name.value == "length"
