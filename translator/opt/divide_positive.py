"""Say of divisions that nothing in them is negative.

::

    b1(i: Signed):                              b1(i: Signed):
        t0 = int_ge(i, 0)                           t0 = int_ge(i, 0)
        if t0 goto b2() else return i     ->        if t0 goto b2() else return i
    b2():                                       b2():
        n = int_floordiv(i, 2)                      n = int_floordiv_nonneg(i, 2)
        return n                                    return n

C rounds towards zero.  So a C compiler that does not know the sign corrects what a shift gives, and
multiplies in place of dividing with one correction more.  It believes what is said here, which is
shorter than what it finds out by itself: by the ranges of numbers, those of lengths, of arguments
and of what versions of loops do not check among them.
"""

from __future__ import annotations

from rpython.lltypesystem.llops import LLOPS
from rpython.lltypesystem.ranges import Range
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.opt.rewrite import may_rewrite

_WITHOUT_SIGN = {row.total: row for row in LLOPS if row.name.endswith("_nonneg")}
"""The rows of divisions of what is not negative, by those of the same of anything."""


def divide_positive(graph: FunctionGraph) -> bool:
    """Do that, where both operands are known; was there any?"""
    if not any(op.opname in _WITHOUT_SIGN for _, op in graph.iterblockops()):
        return False
    changed = False
    known = Propagation(graph)
    for block in known.names.order:
        if block not in known.blocks:
            continue
        for name in known.names.of_block[block]:
            op = name.op
            if op is not None and _has_no_sign(op, name) and may_rewrite(graph, op):
                op.opdef = _WITHOUT_SIGN[op.opname]
                changed = True
    return changed


def _has_no_sign(op: SpaceOperation, name: Name) -> bool:
    if op.opname not in _WITHOUT_SIGN or len(name.operands) != 2:
        return False
    return all(
        operand is not None and not operand.value.is_empty
        and operand.value.isa(Range(least, operand.whole.hi))
        for operand, least in zip(name.operands, (0, 1))
    )  # fmt: skip
