"""Compute at translation time what only depends on constants.

::

    b0(n):                          b0(n):
        t0 = int_add(2, 3)              v0 = int_mul(n, 5)
        t1 = int_gt(t0, 4)              return v0
        if t1 goto b1() else b2()
    b1():
        v0 = int_mul(n, t0)    ->
        return v0
    b2():
        return n

A branch on a constant becomes a goto; ``same_as`` and ``x + 0`` (``algebra``) vanish; the length of
a new array is the number that it was made with (``lltypesystem.operations.lengths``); an operation
that turns out not to raise loses its exception links, and an exception link that the operation can
never take is dropped.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.lengths import length_of_result
from rpython.lltypesystem.operations.llop import row_of
from rpython.translator.ir.model import Block, FunctionGraph, Value
from rpython.translator.ir.traversal import reverse_postorder
from rpython.translator.opt.algebra import simplified
from rpython.translator.opt.predicates import catches, fold
from rpython.translator.opt.rewrite import Substitution, become_goto, may_rewrite
from rpython.translator.opt.summaries import Summaries


def fold_constants(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Replace operations on constants by their results, in one walk over the graph."""
    known = Substitution()
    lengths: dict[Value, Value] = {}
    changed = False
    for block in reverse_postorder(graph):  # definitions before uses
        _fold_operations(graph, block, known, lengths)
        if block.canraise:
            changed |= _drop_impossible_handlers(block, summaries)
    known.apply(graph)
    return changed or bool(known)


def _fold_operations(
    graph: FunctionGraph, block: Block, known: Substitution, lengths: dict[Value, Value]
) -> None:
    """``lengths``: of arrays that were made."""
    kept = []
    for op in block.operations:
        op.args = known.values(op.args)
        row = row_of(op)
        if (length := length_of_result(op)) is not None:
            lengths[op.result] = length
        result: Value | None = op.args[0] if op.opname == "same_as" else fold(op) or simplified(op)
        if row.form == "array_size" and len(op.args) == 1 and op.args[0] in lengths:
            result = lengths[op.args[0]]
        if result is None or not may_rewrite(graph, op):
            kept.append(op)
            continue
        known.add(op.result, result)
        if block.canraise and op is block.raising_op:
            become_goto(block, block.exits[0])
    block.operations = kept


def _drop_impossible_handlers(block: Block, summaries: Summaries) -> bool:
    normal, *handlers = block.exits
    op = block.raising_op
    possible = [link for link in handlers if catches(link.exitcase, op, summaries)]
    if not possible:
        become_goto(block, normal)
    elif len(possible) < len(handlers):
        block.recloseblock(normal, *possible)
    return len(possible) < len(handlers)
