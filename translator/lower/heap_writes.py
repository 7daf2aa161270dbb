"""Which pointers in the heap an operation may replace: by a fixpoint over the call graph.

    setfield(p, 'next', q)          the field 'next' of such structs
    direct_call(f, p)               what f writes, and what it calls
    indirect_call(p, None)          anything

What is written are places for pointers to objects: fields of structs, items of arrays.  Numbers
do not matter here.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpython.lltypesystem.operations.effects import (
    ANY_FIELD,
    ANY_ITEM,
    EVERYTHING,
    OUTSIDE,
    HeapIndex,
    Location,
)
from rpython.lltypesystem.operations.llop import LLOp, row_of
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.lower.pointers import reads_pointer, writes_pointers
from rpython.translator.opt.summaries import Fact, Summaries


class HeapWrites:
    """For each operation of a program, the set of places it may write (``of(op)``), and of a
    read, the places it may read (``read_by(op)``): bits of an int, a bit for a field of a type of
    structs or for the items of a type of arrays."""

    def __init__(self, graphs: Iterable[FunctionGraph], summaries: Summaries) -> None:
        leaves = dict.fromkeys((ANY_FIELD, ANY_ITEM, OUTSIDE))
        for graph in graphs:
            for _, op in graph.iterblockops():
                if writes_pointers(op) or reads_pointer(op):
                    leaves.update(dict.fromkeys(_touched(op)))
        self._index = HeapIndex(sorted(leaves, key=str))
        self._anything = self._index.bits([EVERYTHING])
        self._summaries = summaries
        self._fact = Fact("heap writes", 0, self._anything, self._by_itself)

    def of(self, op: SpaceOperation) -> int:
        return self._summaries.of_op(self._fact, op)

    def read_by(self, op: SpaceOperation) -> int:
        assert isinstance(op.opdef, LLOp)
        return self._index.bits(op.opdef.effects_of(op).reads)

    def _by_itself(self, op: SpaceOperation) -> int:
        if row_of(op).writes_bytes:
            return self._anything
        if not writes_pointers(op):
            return 0
        assert isinstance(op.opdef, LLOp)
        return self._index.bits(op.opdef.effects_of(op).writes)


def _touched(op: SpaceOperation) -> frozenset[Location]:
    assert isinstance(op.opdef, LLOp)
    effects = op.opdef.effects_of(op)
    return effects.reads | effects.writes
