"""Say of divisions that nothing in them is negative.

::

    b1():                                       b1():
        s = int_add_exact(i, 1)                     s = int_add_exact(i, 1)
        p = int_mul_exact(i, s)           ->        p = int_mul_exact(i, s)
        n = int_floordiv(p, 2)                      n = int_floordiv_nonneg(p, 2)

C rounds towards zero.  So a C compiler that does not know the sign corrects what a shift gives, and
multiplies in place of dividing with one correction more.  It believes what is said here, which is
shorter than what it finds out by itself.

``remove_checks`` does it where ranges tell, as it has them.  What is left are numbers that
``version_loops`` has proved to fit since then.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.opt.rewrite import may_rewrite

_WITHOUT_SIGN = {row.total: row for row in LLOPS if row.name.endswith("_nonneg")}
"""The rows of divisions of what is not negative, by those of the same of anything."""


def divide_positive(graph: FunctionGraph) -> bool:
    """Do that to divisions of what is known to fit; was there any?"""
    divided = {op.args[0] for _, op in graph.iterblockops() if op.opname in _WITHOUT_SIGN}
    if not any(op.result in divided and row_of(op).exact for _, op in graph.iterblockops()):
        return False
    changed = False
    known = Propagation(graph)
    for block in known.names.order:
        if block in known.blocks:
            for name in known.names.of_block[block]:
                changed |= say_positive(graph, name)
    return changed


def say_positive(graph: FunctionGraph, name: Name) -> bool:
    """Do that where the name is the result of such a division; was it?"""
    op = name.op
    if op is None or op.opname not in _WITHOUT_SIGN or len(name.operands) != 2:
        return False
    for operand, least in zip(name.operands, (0, 1)):
        if operand is None or operand.value.is_empty or operand.value.lo < least:
            return False
    if not may_rewrite(graph, op):
        return False
    op.opdef = _WITHOUT_SIGN[op.opname]
    return True
