"""Count references.

::

    q: *node = getfield(p, "next")          q: *node = getfield(p, "next")
    setfield(p, "next", r)                  gc_incref(q)
    return q                        ->      gc_incref(r)
                                            old = gc_exchange(p, "next", r)
                                            gc_decref(old)
                                            return q

``translator.lower.ownership`` says who has a reference, and when it is passed on.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import row_of, stores
from rpython.translator.ir.model import FunctionGraph, Link, SpaceOperation, Variable
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import block_of_edge, new_op
from rpython.translator.lower.ownership import LinkCounts, OpCounts, Ownership
from rpython.translator.lower.pointers import in_raw_memory, is_weak, writes_pointers


def count_references(graph: FunctionGraph, context: Context) -> bool:
    """Do that after ``lower_exceptions``."""
    owners = Ownership(graph, context.heap_writes, context.summaries)
    along = [(link, owners.along(link)) for link in graph.iterlinks()]
    for block in list(graph.iterblocks()):
        operations: list[SpaceOperation] = []
        for op in block.operations:
            operations += _counted(op, owners.at(op), owners)
        block.operations = operations
    for link, counts in along:
        _count_along(link, counts)
    return True


def _counted(op: SpaceOperation, counts: OpCounts, owners: Ownership) -> list[SpaceOperation]:
    """The operation with what is to be counted before and after it."""
    if writes_pointers(op):
        operations = _store(op, counts, owners)
    else:
        operations = [*_raise(op), op]
    if counts.acquire:
        operations.append(new_op("gc_incref", [op.result]))
    return [*operations, *(new_op("gc_decref", [v]) for v in counts.release)]


def _store(op: SpaceOperation, counts: OpCounts, owners: Ownership) -> list[SpaceOperation]:
    base = owners.base(op.args[0] if stores(op) else op.args[1])
    if base is None:
        raise in_raw_memory(op)
    if not stores(op):
        return [new_op("gc_copy_items", op.args, span=op.span)]
    if is_weak(op):
        return [new_op("gc_store_weak", [base, *op.args], span=op.span)]
    value = op.args[-1]
    acquired = isinstance(value, Variable) and not counts.moves
    operations = [new_op("gc_incref", [value])] if acquired else []
    if counts.fresh:
        return [*operations, op]
    old = Variable("old", value.concretetype)
    exchange = new_op("gc_exchange", op.args, old, op.span)
    return [*operations, exchange, new_op("gc_decref", [old])]


def _raise(op: SpaceOperation) -> list[SpaceOperation]:
    """What is counted, and noted, of an exception before it is raised."""
    if op.opname == "raised_here":
        return [new_op("gc_note_raised", op.args)]
    if row_of(op).keeps and isinstance(op.args[0], Variable):
        return [new_op("gc_incref", op.args), new_op("gc_note_raised", op.args)]
    return []


def _count_along(link: Link, counts: LinkCounts) -> None:
    operations = [new_op("gc_incref", [value]) for value in counts.acquire]
    operations += [new_op("gc_decref", [v]) for v in counts.release]
    if operations:
        block_of_edge(link).operations += operations
