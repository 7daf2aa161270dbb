"""Machine integers for restricted programs: see ``lltypesystem.rarithmetic``."""

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
    "intmask",
    "is_valid_int",
    "longlongmask",
    "maxint",
    "ovfcheck",
    "ovfcheck_float_to_int",
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
