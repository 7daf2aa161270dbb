"""Transfer rules for ``min``, ``max``, ``sum`` and ``math.prod``: they check the arguments and
choose the function of ``rpython.stdlib.builtins`` that the call is expanded to.

What adds or multiplies, begins with an int (as both do by themselves) and has items of another
kind gives that kind; of no items CPython gives the int, so that is an error at run time.
"""

from __future__ import annotations

import math
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_INT,
    K_STR,
    SomeObject,
    s_Bottom,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.parts import takes_box
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.comparing import find_binary, flow_comparison
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import integer_type, require_one_type
from rpython.annotator.rules.registry import FUNCTIONS, Looks
from rpython.stdlib.builtins import (
    larger,
    largest,
    largest_or,
    product,
    product_of_others,
    smaller,
    smallest,
    smallest_or,
    total,
    total_of_others,
)

_INTEGER = K_INT | K_BOOL


def _expand(
    ctx: OpContext, function: Any, args_s: tuple[SomeObject, ...], **keywords: SomeObject
) -> SomeObject:
    """The result of calling the function instead; ``keywords``: those that are given."""
    given = {name: s for name, s in keywords.items() if s.kinds}
    return call_chosen(ctx, function, args_s, given)


@FUNCTIONS.register(min, max, looks=Looks.ITEMS)
def builtin_min_max(
    ctx: OpContext, *args_s: SomeObject, s_key: SomeObject = s_Bottom,
    s_default: SomeObject = s_Bottom,
) -> SomeObject:  # fmt: skip
    if not args_s:
        raise ctx.error("min() and max() need an argument")
    largest_wanted = ctx.annotator.binding(ctx.op.args[0]).value is max
    s_item: SomeObject = s_Bottom
    choices: tuple[Any, Any]
    if len(args_s) == 1:
        s_item = item_of(ctx, args_s[0]).without_const()
        choices = (largest_or, smallest_or) if s_default.kinds else (largest, smallest)
    else:
        for s in args_s:
            s_item = ctx.join(s_item, s.without_const())
        args_s, choices = (s_item,) * len(args_s), (larger, smaller)
        if s_default.kinds:
            name = "max" if largest_wanted else "min"
            raise ctx.error(
                f"Cannot specify a default for {name}() with multiple positional arguments"
            )
    s_result = ctx.join(s_item, s_default.without_const())
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(
            f"min() and max() cannot give {s_result.describe()}",
            hint="convert the arguments to one kind" if len(args_s) > 1 else "",
        )
    if s_key.kinds == 0 or s_key == s_None:
        flow_comparison(ctx, "gt" if largest_wanted else "lt", s_item, s_item)
    function = choices[0] if largest_wanted else choices[1]
    return _expand(ctx, function, args_s, s_key=s_key, s_default=s_default)


def _is_of_others(s_result: SomeObject, s_start: SomeObject) -> bool:
    """Does it begin with an int, and is the result of another kind?"""
    return not s_start.kinds & ~_INTEGER and bool(s_result.kinds & ~_INTEGER)


@FUNCTIONS.register(sum, looks=Looks.ITEMS)
def builtin_sum(ctx: OpContext, s: SomeObject, s_start: SomeObject = s_Bottom) -> SomeObject:
    s_item = item_of(ctx, s).without_const()
    args_s = (s, s_start) if s_start.kinds else (s,)
    s_start = s_start.without_const() if s_start.kinds else s_NonNeg
    if s_start.kinds & (K_STR | K_BYTES | K_BYTEARRAY):
        raise ctx.error("sum() can't add text", hint="use join")
    if s_start.kinds & ~_INTEGER:
        _check_additions(ctx, s_item, s_start)
        return _expand(ctx, total, args_s)
    if not s_item.kinds and ctx.waits_for_items():
        return s_Bottom
    if _is_of_others(s_item, s_start):
        if takes_box(s_item) or ctx.is_member:
            return _expand(ctx, total, args_s)  # it raises TypeError if there are items
        if find_binary("add", [s_start, s_item]) is None:
            raise ctx.error(
                f"unsupported operands for +: int and {s_item.describe()}",
                hint="give a start of the kind of the items",
            )
        return _expand(ctx, total_of_others, args_s)
    for s_number in (s_item, s_start):
        require_one_type(ctx, s_number, "sum() gives the like")
        if s_number.kinds and integer_type(s_number) is not int:
            raise ctx.error(f"sum() adds plain ints, not {s_number.describe()}")
    return _expand(ctx, total, args_s)


def _check_additions(ctx: OpContext, s_item: SomeObject, s_start: SomeObject) -> None:
    s_sum = s_start
    while s_item.kinds:
        found = find_binary("add", [s_sum, s_item])
        if found is None:
            raise ctx.error(
                f"unsupported operands for +: {s_sum.describe()} and {s_item.describe()}"
            )
        part = ctx.suboperation("add", s_sum, s_item)
        s_more = ctx.join(s_sum, found[0](part, *found[1]).without_const())
        if not ctx.annotator.representable(s_more):
            raise ctx.conflict(
                f"sum() would give {s_more.describe()}",
                hint="give a start of the kind of the result: sum(xs, 0.0)",
            )
        if s_more == s_sum:
            break
        s_sum = s_more


@FUNCTIONS.register(math.prod, looks=Looks.VALUES)
def math_prod(ctx: OpContext, s: SomeObject, *, s_start: SomeObject = s_Bottom) -> SomeObject:
    s_item = item_of(ctx, s).without_const()
    function = product
    if not s_start.kinds & ~_INTEGER and not takes_box(s_item):
        if not s_item.kinds and ctx.waits_for_items():
            return s_Bottom
        if _is_of_others(s_item, s_start):
            function = product_of_others
    return _expand(ctx, function, (s,), s_start=s_start)
