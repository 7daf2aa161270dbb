"""Operations on Float and characters, and conversions between primitives."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Iterator
from typing import Any

from rpython.lltypesystem.operations.effects import PURE
from rpython.lltypesystem.operations.integers import (
    WIDE,
    comparison_rows,
    is_divisor,
    restricted,
    simple_row,
)
from rpython.lltypesystem.operations.llop import ANY_PRIMITIVE, ANY_VALUE, Derives, LLOp
from rpython.lltypesystem.operations.ranges import unchanged
from rpython.lltypesystem.primitives import (
    Address,
    Bool,
    Char,
    Float,
    LowLevelType,
    Offset,
    Primitive,
    Signed,
    SingleFloat,
    UniChar,
    Unsigned,
)
from rpython.lltypesystem.rarithmetic import round_to_single
from rpython.lltypesystem.simulated.casts import convert_primitive, float_converts


def float_truediv(x: float, y: float) -> float:
    """IEEE division: a zero divisor gives an infinity or a nan, as in C."""
    if y != 0.0:
        return x / y
    if x == 0.0 or x != x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def float_to_bits(x: float) -> int:
    """The 64 bits of a float as a Signed."""
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def bits_to_float(n: int) -> float:
    """The float with these 64 bits."""
    return float(struct.unpack("<d", struct.pack("<q", n))[0])


def _float_rows() -> Iterator[LLOp]:
    for name, symbol, function in [
        ("add", "+", operator.add), ("sub", "-", operator.sub), ("mul", "*", operator.mul),
    ]:  # fmt: skip
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(f"float_{name}", (Float, Float), Float, function, text, text)
    yield simple_row("float_truediv", (Float, Float), Float, float_truediv, "{0} / {1}", None)
    for T, prefix in WIDE.items():
        yield simple_row(
            f"{prefix}_truediv", (T, T), Float, operator.truediv,
            f"rpy_{prefix}_truediv({{0}}, {{1}})", None, domain=is_divisor,
        )  # fmt: skip
    yield simple_row("float_neg", (Float,), Float, operator.neg, "-{0}", "-{0}")
    yield simple_row("float_abs", (Float,), Float, abs, "__builtin_fabs({0})", None)
    yield simple_row("float_is_true", (Float,), Bool, bool, "{0} != 0.0", "{0} != 0.0")
    yield from comparison_rows("float", Float)


def _float_fits(T: Primitive) -> Callable[[float], bool]:
    """The domain of conversions to ``T``: numbers whose integer part is in its range."""
    lowest, end = float(T.min), float(T.max + 1)

    def fits_signed(x: float) -> bool:
        return lowest <= x < end

    def fits_unsigned(x: float) -> bool:
        return -1.0 < x < end

    return fits_signed if T.signed else fits_unsigned


def _is_narrow(n: int) -> bool:
    return 0 <= n <= 0xFF


def _is_code_point(n: int) -> bool:
    return 0 <= n <= 0x10FFFF


def _conversion_rows() -> Iterator[LLOp]:
    def row(name: str, A: LowLevelType, R: LowLevelType, eval: Any, **kwds: Any) -> LLOp:
        return simple_row(name, (A,), R, eval, kwds.pop("c", "({R}){0}"), None, **kwds)

    for T, prefix in WIDE.items():
        yield row(f"cast_bool_to_{prefix}", Bool, T, int, bounds=unchanged)
        yield row(f"cast_{prefix}_to_float", T, Float, float, slope="same")
        yield row(f"cast_float_to_{prefix}", Float, T, int, domain=_float_fits(T))
    yield row("cast_bool_to_float", Bool, Float, float)
    yield row(
        "cast_int_to_uint", Signed, Unsigned, Unsigned.wrap, bounds=unchanged, slope="same"
    )
    yield row("cast_uint_to_int", Unsigned, Signed, Signed.wrap, bounds=unchanged)
    yield row("cast_float_to_singlefloat", Float, SingleFloat, round_to_single)
    yield row("cast_singlefloat_to_float", SingleFloat, Float, float)
    yield row("cast_char_to_int", Char, Signed, ord, bounds=unchanged)
    yield row("cast_int_to_char", Signed, Char, chr, domain=_is_narrow, bounds=unchanged)
    yield row("cast_unichar_to_int", UniChar, Signed, ord, bounds=unchanged)
    yield row("cast_int_to_unichar", Signed, UniChar, chr, domain=_is_code_point, bounds=unchanged)
    yield row(
        "convert_float_bytes_to_longlong", Float, Signed, float_to_bits,
        c="rpy_float_to_bits({0})",
    )  # fmt: skip
    yield row(
        "convert_longlong_bytes_to_float", Signed, Float, bits_to_float,
        c="rpy_bits_to_float({0})",
    )  # fmt: skip


def _check_cast_primitive(args: Any, RESULT: LowLevelType) -> str | None:
    for T in (args[0].concretetype, RESULT):
        if not ANY_PRIMITIVE.accepts(T) or T in (Address, Offset):
            return f"cannot convert {args[0].concretetype} to {RESULT}"
    return None


def primitive_converts(TARGET: LowLevelType, value: Any) -> bool:
    """The domain of ``cast_primitive``: C leaves floats out of range undefined, and
    characters end at U+10FFFF."""
    assert isinstance(TARGET, Primitive)
    if isinstance(value, float) and not float_converts(TARGET, value):
        return False
    if TARGET is UniChar and isinstance(value, int):
        return 0 <= value <= 0x10FFFF
    return True


def _same_type(args: Any, RESULT: LowLevelType) -> str | None:
    T = args[0].concretetype
    return None if T == RESULT else f"turns {T} into {RESULT}"


def _identity(value: Any) -> Any:
    return value


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield from _float_rows()
    yield from comparison_rows("char", Char)
    yield from comparison_rows("unichar", UniChar)
    for row in comparison_rows("singlefloat", SingleFloat):
        if row.if_equal is not None:
            yield row
    yield from _conversion_rows()
    yield LLOp(
        "cast_primitive", (ANY_PRIMITIVE,), None, PURE,
        restricted("cast_primitive", convert_primitive, primitive_converts),
        "({R}){0}", None, _check_cast_primitive, None, primitive_converts, True,
        bounds=unchanged,
    )  # fmt: skip
    yield LLOp(
        "same_as",
        (ANY_VALUE,),
        None,
        PURE,
        _identity,
        "{0}",
        "{0}",
        _same_type,
        None,
        None,
        False,
        derives=Derives.SAME,
    )
