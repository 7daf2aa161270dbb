"""Machine integers for restricted programs: see ``lltypesystem.rarithmetic``; functions on
them."""

from __future__ import annotations

from lltypesystem.rarithmetic import (
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
    "highest_bit",
    "int_between",
    "intmask",
    "is_valid_int",
    "longlongmask",
    "maxint",
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
