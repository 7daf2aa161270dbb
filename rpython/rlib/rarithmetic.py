"""Machine integers for restricted programs: see ``lltypesystem.rarithmetic``; functions on
them."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.rarithmetic import (
    LONG_BIT,
    LONG_MASK,
    LONG_TEST,
    LONGLONG_BIT,
    LONGLONG_MASK,
    base_int,
    intmask,
    is_valid_int,
    longlongmask,
    maxint,
    ovfcheck,
    ovfcheck_float_to_int,
    r_int,
    r_int8,
    r_int16,
    r_int32,
    r_int64,
    r_int128,
    r_longlong,
    r_longlonglong,
    r_singlefloat,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint64,
    r_uint128,
    r_ulonglong,
    r_ulonglonglong,
    signed_int,
    unsigned_int,
    widen,
)
from rpython.rlib.rstring import NumberStringParser, ParseStringOverflowError, strip_spaces

__all__ = [
    "LONGLONG_BIT",
    "LONGLONG_MASK",
    "LONG_BIT",
    "LONG_MASK",
    "LONG_TEST",
    "base_int",
    "build_int",
    "byteswap",
    "highest_bit",
    "int_between",
    "intmask",
    "is_valid_int",
    "longlongmask",
    "maxint",
    "most_neg_value_of",
    "most_neg_value_of_same_type",
    "most_pos_value_of_same_type",
    "mulmod",
    "ovfcheck",
    "ovfcheck_float_to_int",
    "ovfcheck_int32_add",
    "ovfcheck_int32_mul",
    "ovfcheck_int32_sub",
    "r_int",
    "r_int8",
    "r_int16",
    "r_int32",
    "r_int64",
    "r_int128",
    "r_longlong",
    "r_longlonglong",
    "r_singlefloat",
    "r_uint",
    "r_uint8",
    "r_uint16",
    "r_uint32",
    "r_uint64",
    "r_uint128",
    "r_ulonglong",
    "r_ulonglonglong",
    "signed_int",
    "string_to_int",
    "uint_mul_high",
    "unsigned_int",
    "widen",
]


def string_to_int(
    s: str, base: int = 10, allow_underscores: bool = False, no_implicit_octal: bool = False
) -> int:
    """The integer that ``s`` is; see ``rstring.NumberStringParser``.

    Raises ParseStringError, and ParseStringOverflowError when it has more than 64 bits.
    """
    parser = NumberStringParser(
        strip_spaces(s), s, base, "int", allow_underscores, no_implicit_octal
    )
    result = 0
    while True:
        digit = parser.next_digit()
        if digit == -1:
            return result
        try:
            result = ovfcheck(result * parser.base)
            result = ovfcheck(result + parser.sign * digit)
        except OverflowError:
            raise ParseStringOverflowError(parser) from None


def int_between(n: int, m: int, p: int) -> bool:
    """Whether ``n <= m < p``."""
    return n <= m < p


def highest_bit(n: int) -> int:
    """The number of the only bit that is set."""
    assert n > 0 and n & (n - 1) == 0
    bit = -1
    while n > 0:
        bit += 1
        n >>= 1
    return bit


def mulmod(a: int, b: int, c: int) -> int:
    """``a * b % c``, where ``c`` is positive; the product may have 128 bits."""
    assert c > 0
    return int(r_longlonglong(a) * r_longlonglong(b) % r_longlonglong(c))


def uint_mul_high(x: r_uint, y: r_uint) -> r_uint:
    """The high 64 bits of the product."""
    return r_uint(r_ulonglonglong(x) * r_ulonglonglong(y) >> 64)


def _check_int32(n: int) -> int:
    if not -0x80000000 <= n <= 0x7FFFFFFF:
        raise OverflowError("integer overflow")
    return n


def ovfcheck_int32_add(x: int, y: int) -> int:
    """The sum of two 32-bit integers.  Raises OverflowError when it has more bits."""
    return _check_int32(x + y)


def ovfcheck_int32_sub(x: int, y: int) -> int:
    """The same for the difference."""
    return _check_int32(x - y)


def ovfcheck_int32_mul(x: int, y: int) -> int:
    """The same for the product."""
    return _check_int32(x * y)


# -- types ------------------------------------------------------------------------------------

_SIZED: dict[tuple[bool, int], type[base_int]] = {
    (cls.SIGNED, cls.BITS): cls
    for cls in (
        r_int8, r_int16, r_int32, r_int64, r_int128, r_uint8, r_uint16, r_uint32, r_uint, r_uint128
    )
}  # fmt: skip


def build_int(name: str | None, sign: bool, bits: int) -> type[base_int]:
    """The class of integers of that size; at import only.  Raises ValueError if there is none."""
    try:
        return _SIZED[bool(sign), bits]
    except KeyError:
        raise ValueError(f"there are no integers of {bits} bits") from None


def most_neg_value_of(tp: Any) -> Any:
    """The least value of a type of integers."""
    if tp is int:
        return -maxint - 1
    return tp(-(tp.MASK >> 1) - 1 if tp.SIGNED else 0)


most_neg_value_of._annspecialcase_ = "specialize:memo"  # type: ignore[attr-defined]


def _most_pos_value_of(tp: Any) -> Any:
    if tp is int:
        return maxint
    return tp(tp.MASK >> 1 if tp.SIGNED else tp.MASK)


_most_pos_value_of._annspecialcase_ = "specialize:memo"  # type: ignore[attr-defined]


def most_neg_value_of_same_type(x: Any) -> Any:
    """The least value of the type of ``x``."""
    return most_neg_value_of(type(x))


most_neg_value_of_same_type._annspecialcase_ = "specialize:argtype(0)"  # type: ignore[attr-defined]


def most_pos_value_of_same_type(x: Any) -> Any:
    """The greatest value of the type of ``x``."""
    return _most_pos_value_of(type(x))


most_pos_value_of_same_type._annspecialcase_ = "specialize:argtype(0)"  # type: ignore[attr-defined]


def byteswap(arg: Any) -> Any:
    """The integer whose bytes are those of ``arg`` in the other order; an ``int`` has eight."""
    if isinstance(arg, r_uint):
        return _swapped(arg)
    if isinstance(arg, r_int64):
        return r_int64(_swapped(r_uint(arg)))
    if isinstance(arg, (r_int8, r_uint8)):
        return arg
    if isinstance(arg, r_int16):
        return r_int16(_swapped(r_uint(arg)) >> 48)
    if isinstance(arg, r_uint16):
        return r_uint16(_swapped(r_uint(arg)) >> 48)
    if isinstance(arg, r_int32):
        return r_int32(_swapped(r_uint(arg)) >> 32)
    if isinstance(arg, r_uint32):
        return r_uint32(_swapped(r_uint(arg)) >> 32)
    return intmask(_swapped(r_uint(arg)))


byteswap._annspecialcase_ = "specialize:argtype(0)"  # type: ignore[attr-defined]


def _swapped(x: r_uint) -> r_uint:
    """Swaps neighbours of 8, then of 16 and of 32 bits."""
    mask = r_uint(0x00FF00FF00FF00FF)
    x = ((x & mask) << 8) | ((x >> 8) & mask)
    mask = r_uint(0x0000FFFF0000FFFF)
    x = ((x & mask) << 16) | ((x >> 16) & mask)
    result: r_uint = (x << 32) | (x >> 32)
    return result
