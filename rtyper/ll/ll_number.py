"""Integers and floats as text: what ``str`` gives."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP, llexternal
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Char,
    Float,
    Int128,
    Signed,
    UInt128,
    Void,
    _ptr,
    cast_pointer,
    cast_primitive,
    free,
    malloc,
    typeOf,
)
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_str import ll_alloc1, ll_strconcat, prebuilt_str

TRUE = prebuilt_str("True")
FALSE = prebuilt_str("False")
MINUS = prebuilt_str("-")
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


def ll_uint2str(n: Any) -> _ptr:
    """``str(n)`` of an Unsigned or UInt128."""
    return ll_digits(n, 10, 0, 1)


def ll_lllong2str(n: Any) -> _ptr:
    """``str(n)`` of an Int128."""
    digits = ll_uint2str(llop.cast_primitive(UInt128, llop.lllong_abs(Int128, n)))
    if n < 0:
        return ll_strconcat(MINUS, digits)
    return digits


def ll_digits(n: Any, base: int, letters: int, least: int) -> _ptr:
    """The digits of an Unsigned or UInt128, at least ``least`` of them; ``letters``: the code
    point of the digit ten."""
    ubase = cast_primitive(typeOf(n), base)
    length = 1
    rest = n // ubase
    while rest:
        rest = rest // ubase
        length += 1
    if length < least:
        length = least
    p = ll_alloc1(length)
    at = length
    while at > 0:
        at -= 1
        digit = cast_primitive(Signed, n % ubase)
        n = n // ubase
        if digit < 10:
            p.chars[at] = llop.cast_int_to_char(Char, 48 + digit)
        else:
            p.chars[at] = llop.cast_int_to_char(Char, letters + digit - 10)
    return cast_pointer(STRPTR, p)


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
