"""Transfer rules for ``sum`` and ``math.prod``.

What begins with an int (as both do by themselves) and has items of another kind gives that kind;
of no items CPython gives the int, so that is an error at run time (``annotator.library_sums``).
"""

from __future__ import annotations

import math

from rpython.annotator.builtins.calling import operation_inside
from rpython.annotator.builtins.library import call_in_python
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_INT,
    K_STR,
    SomeObject,
    s_Bottom,
    s_Int,
    s_NonNeg,
)
from rpython.annotator.lattice.parts import representable
from rpython.annotator.library_sums import product, product_of_others, sum_of_others
from rpython.annotator.rules.comparing import find_binary
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import integer_type, require_one_type
from rpython.annotator.rules.registry import FUNCTIONS

_INTEGER = K_INT | K_BOOL


def is_of_others(s_result: SomeObject, s_start: SomeObject) -> bool:
    """Does it begin with an int, and is the result of another kind?"""
    return not s_start.kinds & ~_INTEGER and bool(s_result.kinds & ~_INTEGER)


@FUNCTIONS.register(sum)
def builtin_sum(ctx: OpContext, s: SomeObject, s_start: SomeObject = s_NonNeg) -> SomeObject:
    s_item = item_of(ctx, s).without_const()
    s_start = s_start.without_const()
    if s_start.kinds & (K_STR | K_BYTES | K_BYTEARRAY):
        raise ctx.error("sum() can't add text", hint="use join")
    if s_start.kinds & ~_INTEGER:
        return _generic_sum(ctx, s_item, s_start)
    if not s_item.kinds and ctx.waits_for_items():
        return s_Bottom
    if is_of_others(s_item, s_start):
        if find_binary("add", [s_start, s_item]) is None:
            raise ctx.error(
                f"unsupported operands for +: int and {s_item.describe()}",
                hint="give a start of the kind of the items",
            )
        given = () if len(ctx.op.args) == 2 else (s_start,)
        return call_in_python(ctx, sum_of_others, {}, (s, *given), {})
    for s_number in (s_item, s_start):
        require_one_type(ctx, s_number, "sum() gives the like")
        if s_number.kinds and integer_type(s_number) is not int:
            raise ctx.error(f"sum() adds plain ints, not {s_number.describe()}")
    return s_Int


def _generic_sum(ctx: OpContext, s_item: SomeObject, s_start: SomeObject) -> SomeObject:
    s_sum = s_start
    while s_item.kinds:
        part = operation_inside(ctx, "sum", "add", s_sum, s_item)
        found = find_binary("add", [s_sum, s_item])
        if found is None:
            raise ctx.error(
                f"unsupported operands for +: {s_sum.describe()} and {s_item.describe()}"
            )
        s_more = ctx.join(s_sum, found[0](part, *found[1]).without_const())
        if not representable(s_more):
            raise ctx.error(
                f"sum() would give {s_more.describe()}",
                hint="give a start of the kind of the result: sum(xs, 0.0)",
            )
        if s_more == s_sum:
            break
        s_sum = s_more
    return s_sum


@FUNCTIONS.register(math.prod)
def math_prod(ctx: OpContext, s: SomeObject, *, s_start: SomeObject = s_NonNeg) -> SomeObject:
    s_item = item_of(ctx, s).without_const()
    function = product
    if not s_start.kinds & ~_INTEGER:
        if not s_item.kinds and ctx.waits_for_items():
            return s_Bottom
        if is_of_others(s_item, s_start):
            function = product_of_others
    given = {} if len(ctx.op.args) == 2 else {"s_start": s_start}
    return call_in_python(ctx, function, {}, (s,), given)
