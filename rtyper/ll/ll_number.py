"""Integers and floats as text: what ``str`` gives."""

from __future__ import annotations

from lltypesystem.lloperation import llop
from lltypesystem.lltype import (
    Char,
    Float,
    Signed,
    Unsigned,
    Void,
    _ptr,
    cast_pointer,
    free,
    malloc,
)
from lltypesystem.rarithmetic import r_uint
from lltypesystem.rffi import CCHARARRAY, CCHARP, llexternal
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_str import ll_alloc1, prebuilt_str

TRUE = prebuilt_str("True")
FALSE = prebuilt_str("False")
TEN = r_uint(10)
FLOAT_REPR_SIZE = 32


def ll_int2str(n: int) -> _ptr:
    """``str(n)``: digits from the right, of the number's negation if it is positive (the
    smallest int has no positive counterpart)."""
    negative = n < 0
    if not negative:
        n = -n
    length = ll_count_digits(n)
    if negative:
        length += 1
    p = ll_alloc1(length)
    at = length
    while True:
        at -= 1
        tens = llop.int_floordiv(Signed, n, 10)
        p.chars[at] = llop.cast_int_to_char(Char, 48 + tens * 10 - n)
        n = tens
        if n == 0:
            break
    if negative:
        p.chars[0] = "-"
    return cast_pointer(STRPTR, p)


def ll_count_digits(n: int) -> int:
    """The number of decimal digits of ``n <= 0``."""
    digits = 1
    while n <= -10:
        n = llop.int_floordiv(Signed, n, 10)
        digits += 1
    return digits


def ll_uint2str(n: int) -> _ptr:
    """``str(n)`` of an Unsigned."""
    last = llop.cast_uint_to_int(Signed, llop.uint_mod(Unsigned, n, TEN))
    rest = llop.cast_uint_to_int(Signed, llop.uint_floordiv(Unsigned, n, TEN))
    if rest == 0:
        return ll_int2str(last)
    length = ll_count_digits(-rest) + 1
    p = ll_alloc1(length)
    at = length - 1
    p.chars[at] = llop.cast_int_to_char(Char, 48 + last)
    while rest != 0:
        at -= 1
        tens = llop.int_floordiv(Signed, rest, 10)
        p.chars[at] = llop.cast_int_to_char(Char, 48 + rest - tens * 10)
        rest = tens
    return cast_pointer(STRPTR, p)


def ll_uint2int(n: int) -> int:
    """``int(n)`` of an Unsigned.  Raises OverflowError beyond the range of Signed."""
    result = llop.cast_uint_to_int(Signed, n)
    if result < 0:
        raise OverflowError("unsigned integer too large for a 64-bit int")
    return result


def ll_bool2str(b: bool) -> _ptr:
    if b:
        return TRUE
    return FALSE


def host_float_repr(x: float, buffer: _ptr) -> int:
    """What C's ``rpy_float_repr`` does."""
    text = repr(x)
    buffer._obj.items[: len(text)] = text
    return len(text)


c_float_repr = llexternal(
    "rpy_float_repr", [Float, CCHARP], Signed, host_float_repr, ["rpy_float.h"]
)


def ll_float2str(x: float) -> _ptr:
    """``repr(x)``, which is ``str(x)``: the shortest text that reads back as ``x``."""
    buffer = malloc(CCHARARRAY, FLOAT_REPR_SIZE, flavor="raw")
    length = c_float_repr(x, buffer)
    p = ll_alloc1(length)
    llop.copy_array_items(Void, buffer, p.chars, 0, 0, length)
    free(buffer, flavor="raw")
    return cast_pointer(STRPTR, p)
