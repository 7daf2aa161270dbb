"""Tell a generational collector what is stored in old objects.

::

    setfield(p, "next", q)      ->      gc_write_barrier(p, q)
                                        setfield(p, "next", q)

A young object needs none: one of fixed size made on the straight way to the store, with nothing
between that may collect.  Nor do null and prebuilt objects that are stored, which are not young,
nor static data that is no object, which the collector looks at each time.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import stores
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import new_op, only_predecessors
from rpython.translator.lower.pointers import (
    Pointers,
    in_raw_memory,
    is_gc_pointer,
    is_weak,
    writes_pointers,
)
from rpython.translator.opt.facts import MAY_COLLECT


def insert_write_barriers(graph: FunctionGraph, context: Context) -> bool:
    """Do that before ``split_allocations``; was there anything to tell?"""
    writes = [(block, op) for block, op in graph.iterblockops() if writes_pointers(op)]
    if not writes:
        return False
    pointers = Pointers(graph, context.inner_parameters(graph))
    young = _young_targets(graph, context)
    for block in {block: None for block, _ in writes}:
        operations = []
        for op in block.operations:
            barrier = _barrier(op, pointers, young) if writes_pointers(op) else None
            if barrier is not None and not stores(op):
                operations += [op, barrier]
            elif barrier is not None:
                operations += [barrier, op]
            else:
                operations.append(op)
        block.operations = operations
    return True


def _barrier(
    op: SpaceOperation, pointers: Pointers, young: set[tuple[SpaceOperation, Value]]
) -> SpaceOperation | None:
    single = stores(op)
    target = op.args[0] if single else op.args[1]
    if single and isinstance(op.args[-1], Constant):
        return None
    base = pointers.base(target)
    if base is None:
        if isinstance(target, Constant):
            return None
        raise in_raw_memory(op)
    if (op, base) in young:
        return None
    if not single:
        src, dst, srcstart, dststart, length = op.args
        return new_op("gc_wrote_items", [base, dst, dststart, src, srcstart, length], span=op.span)
    T = base.concretetype
    assert isinstance(T, Ptr)
    if T.TO._is_varsize() and not is_weak(op):
        return new_op("gc_slot_barrier", [base, op.args[-1], *op.args[:-1]], span=op.span)
    return new_op("gc_write_barrier", [base, op.args[-1]], span=op.span)


def _young_targets(
    graph: FunctionGraph, context: Context
) -> set[tuple[SpaceOperation, Value]]:
    """(operation that stores, object known to be young there)."""
    result: set[tuple[SpaceOperation, Value]] = set()
    at_end: dict[Block, set[Variable]] = {}
    for block, before in only_predecessors(graph):
        young = set() if before is None else set(at_end[before])
        for op in block.operations:
            if writes_pointers(op):
                result.update((op, v) for v in young)
            if context.summaries.of_op(MAY_COLLECT, op):
                young.clear()
            made = op.opname == "malloc" and is_gc_pointer(op.result.concretetype)
            if made or (op.opname == "cast_pointer" and op.args[0] in young):
                young.add(op.result)
        at_end[block] = young
    return result
