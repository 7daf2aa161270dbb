"""Literals of more than 64 bits, where a sized type or a comparison says what becomes of them.

    v1 = simple_call(r_uint, 0x9E3779B97F4A7C15)   ->   v1 = simple_call(r_uint, r_uint(0x9E37...))
    v2 = and_(v1, 0xFFFFFFFFFFFFFFFF)              ->   v2 = and_(v1, r_uint(0xFFFFFFFFFFFFFFFF))
    v3 = lt(n, 0x10000000000000000)                ->   v3 = lt(n, 18446744073709551616.0)

An ``int`` of the program has 64 bits, so anywhere else such a literal is refused.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_BOOL, K_FLOAT, K_INT, SomeInteger, SomeObject
from rpython.lltypesystem.rarithmetic import LONG_TEST, base_int, intmask, longlongmask
from rpython.translator.ir.hlops import HLOPS, Group, Wrapping, plain_name
from rpython.translator.ir.model import Constant, Value


def fit_wide_literals(ctx: OpContext) -> None:
    """Give the operation literals of the sized type that decides about them."""
    for number, arg in enumerate(ctx.op.args):
        if is_wide_literal(arg):
            assert isinstance(arg, Constant)
            fitted = _fitted(ctx, number, arg.value)
            if fitted is not None:
                ctx.op.args[number] = Constant(fitted)
                ctx.annotator.refinement.flow_graphs.note_change(ctx.graph)


def is_wide_literal(arg: Value) -> bool:
    """Is it a constant int outside the range of Signed?"""
    return (
        isinstance(arg, Constant) and type(arg.value) is int
        and not -LONG_TEST <= arg.value < LONG_TEST
    )  # fmt: skip


def _fitted(ctx: OpContext, number: int, value: int) -> int | float | None:
    """What operand ``number`` amounts to; None where no sized type decides."""
    name = ctx.op.opname
    if name == "simple_call" and number == 1 and len(ctx.op.args) == 2:
        return _converted(ctx.op.args[0], value)
    row = HLOPS.get(name)
    if row is None or row.arity != 2:
        return None
    wraps = row.wrapping is Wrapping.ALL
    by_value = row.group is Group.COMPARISON or plain_name(name) in ("floordiv", "mod")
    if not wraps and not by_value:
        return None
    other = ctx.op.args[1 - number]
    s_other = None if is_wide_literal(other) else ctx.annotator.binding(other)
    if s_other is not None and row.group is Group.COMPARISON and _is_plain(s_other):
        return _bound(name if number == 1 else row.reflected, value)
    if not isinstance(s_other, SomeInteger) or not issubclass(s_other.knowntype, base_int):
        return None
    fitted = s_other.knowntype(value)
    return fitted if wraps or fitted == value else None


def _is_plain(s: SomeObject) -> bool:
    """Is it an int of 64 bits, a float or a bool?"""
    sized = isinstance(s, SomeInteger) and s.knowntype is not int
    return not sized and bool(s.kinds) and not s.kinds & ~(K_BOOL | K_INT | K_FLOAT)


def _bound(name: str, value: int) -> float:
    """The float with which ints of 64 bits and floats compare (``x < value``) as they do with an
    int that is larger, or smaller, than the former are."""
    near = float(max(-_LARGEST, min(value, _LARGEST)))
    if near == value:
        return near
    if name in ("eq", "ne"):
        return math.nan
    upwards = name in ("lt", "ge")
    if upwards == (near > value):
        return near
    return math.nextafter(near, math.inf if upwards else -math.inf)


_LARGEST = int(sys.float_info.max)


def _converted(function: Value, value: int) -> int | None:
    """The result of calling a sized type, ``intmask`` or ``longlongmask``."""
    called: Any = function.value if isinstance(function, Constant) else None
    converts = called in (intmask, longlongmask) or (
        isinstance(called, type) and issubclass(called, base_int) and called.BITS > 0
    )
    result: int | None = called(value) if converts else None
    return result
