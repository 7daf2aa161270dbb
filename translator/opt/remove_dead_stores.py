"""Store nothing that nobody sees.

::

    setfield(p, "n", 1)
    x = direct_call(@f, q)          ->    x = direct_call(@f, q)
    setfield(p, "n", x)                   setfield(p, "n", x)

A store is dead where each way from it stores in the same place again before anything may load from
there: by the summaries, what is called neither reads it, raises nor runs the collector (and with it
finalizers).  Dead stores as Muchnick describes them, "Advanced Compiler Design and Implementation"
(1997), backwards and without going around loops: where one begins again, signals are looked for.

Only of numbers: whatever pointer is overwritten, that may be when an object dies and its finalizer
runs.  Not in a program with threads, where others look.
"""

from __future__ import annotations

from collections.abc import Hashable

from rpython.lltypesystem.operations.effects import Location, overlap
from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.primitives import Primitive
from rpython.lltypesystem.types import Struct
from rpython.translator.ir.model import (
    Block,
    FunctionGraph,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.traversal import natural_loops, postorder
from rpython.translator.opt.facts import EFFECTS, escaping
from rpython.translator.opt.number_values import value_key
from rpython.translator.opt.rewrite import may_rewrite
from rpython.translator.opt.summaries import Summaries

Place = tuple[Location, tuple[Hashable, ...]]
"""A leaf of memory, and what the pointer and the indices are by which it is reached."""


def remove_dead_stores(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Remove stores of numbers that are overwritten before anybody may look."""
    if summaries.threaded:
        return False
    return _Backwards(graph, summaries).run()


class _Backwards:
    """One walk from the ends of a graph to its begin."""

    def __init__(self, graph: FunctionGraph, summaries: Summaries) -> None:
        self._graph = graph
        self._summaries = summaries
        self._same = {
            op.result: op.args[0]
            for _, op in graph.iterblockops() if row_of(op).derives is Derives.SAME
        }  # fmt: skip

    def run(self) -> bool:
        headers = {header for header, _ in natural_loops(self._graph)}
        overwritten: dict[Block, set[Place]] = {}
        """What each block overwrites, or those behind it, before anybody may look."""
        changed = False
        for block in postorder(self._graph):
            places = [overwritten.get(link.target, set()) for link in block.exits]
            dead: set[Place] = set.intersection(*places) if places else set()
            changed |= self._walk(block, dead)
            for v in block.inputargs:
                _forget(dead, v)
            overwritten[block] = set() if block in headers else dead
        return changed

    def _walk(self, block: Block, dead: set[Place]) -> bool:
        """Remove what is dead of a block; ``dead``: the places overwritten behind it, and then
        those overwritten from its begin on."""
        kept = []
        for op in reversed(block.operations):
            place = self._place(op)
            if place in dead and may_rewrite(self._graph, op):
                continue
            kept.append(op)
            self._pass(block, op, dead)
            if place is not None:
                dead.add(place)
            _forget(dead, op.result)
        changed = len(kept) < len(block.operations)
        block.operations = kept[::-1]
        return changed

    def _pass(self, block: Block, op: SpaceOperation, dead: set[Place]) -> None:
        """Take away what may be looked at during the operation, or where it is caught."""
        if not dead:
            return
        effects = self._summaries.of_op(EFFECTS, op)
        raises = effects.raises
        if block.canraise and op is block.raising_op:
            raises = escaping(block, raises)
        if raises or effects.collects or row_of(op).probe:
            dead.clear()
        elif effects.reads:
            dead -= {place for place in dead if overlap(effects.reads, (place[0],))}

    def _place(self, op: SpaceOperation) -> Place | None:
        """Where the operation stores a number; None: nowhere, or others may look at any time."""
        row = row_of(op)
        if row.form != "write_place" or not isinstance(op.args[-1].concretetype, Primitive):
            return None
        T = op.args[0].concretetype.TO
        if T._gckind != "gc" or (isinstance(T, Struct) and "weak_fields" in T._hints):
            return None
        (location,) = row.effects_of(op).writes
        if location.type is None:
            return None  # of a union
        pointer = op.args[0]
        while pointer in self._same:
            pointer = self._same[pointer]
        return location, tuple(map(value_key, (pointer, *op.args[1:-1])))


def _forget(dead: set[Place], v: Variable) -> None:
    """Before ``v`` is made, the places that it leads to are others."""
    dead -= {place for place in dead if v in place[1]}
