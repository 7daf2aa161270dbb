"""``int(s)``, ``int(s, base)`` and ``float(s)``: what CPython accepts and how it complains.

White space around the number and decimal digits may be any of Unicode's (``zeros``: the
sorted code points of every digit zero; nine more digits follow each).
"""

from __future__ import annotations

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP, llexternal, read_charp
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Array,
    Char,
    Float,
    Int32,
    Ptr,
    Signed,
    _ptr,
    cast_primitive,
    free,
    malloc,
)
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_repr import ll_first, ll_repr
from rpython.rtyper.ll.ll_str import ll_ord_at, ll_strconcat, prebuilt_str
from rpython.rtyper.ll.ll_unicode import IS_SPACE, ll_has_flag

NO_DIGIT = 99
UNDERSCORE = 95
MAX_DIGITS = 4300
"""CPython refuses to convert more digits, except in bases that are powers of two."""

BAD_INT = prebuilt_str("invalid literal for int() with base ")
BEFORE_LITERAL = prebuilt_str(": ")
BAD_FLOAT = prebuilt_str("could not convert string to float: ")
TOO_LONG = prebuilt_str(
    "Exceeds the limit (4300 digits) for integer string conversion: value has "
)
TOO_LONG_HINT = prebuilt_str(" digits; use sys.set_int_max_str_digits() to increase the limit")


def ll_is_space(code: int, table: _ptr) -> bool:
    """White space around a number; the separators U+001C to U+001F do not count."""
    if code < 128:
        return code == 32 or (9 <= code and code <= 13)
    return ll_has_flag(code, IS_SPACE, table)


def ll_digit(code: int, zeros: _ptr) -> int:
    """The value of a digit in base 36, or ``NO_DIGIT``."""
    if code < 128:
        if 48 <= code and code <= 57:
            return code - 48
        code = code | 32
        if 97 <= code and code <= 122:
            return code - 87
        return NO_DIGIT
    return ll_decimal(code, zeros)


def ll_decimal(code: int, zeros: _ptr) -> int:
    """The value of a decimal digit outside ASCII, or ``NO_DIGIT``."""
    low = 0
    high = len(zeros)
    while low < high:
        middle = (low + high) >> 1
        zero = cast_primitive(Signed, zeros[middle])
        if code < zero:
            high = middle
        elif code < zero + 10:
            return code - zero
        else:
            low = middle + 1
    return NO_DIGIT


def ll_str2int(s: _ptr, base: int, table: _ptr, zeros: _ptr) -> int:
    """``int(s, base)``.  Raises ValueError; OverflowError beyond 64 bits."""
    if base != 0 and (base < 2 or base > 36):
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    start = 0
    stop = s.length
    while start < stop and ll_is_space(ll_ord_at(s, start), table):
        start += 1
    while stop > start and ll_is_space(ll_ord_at(s, stop - 1), table):
        stop -= 1
    negative = False
    if start < stop:
        sign = ll_ord_at(s, start)
        negative = sign == 45
        if negative or sign == 43:
            start += 1
    real_base = ll_base_of(s, start, stop, base, zeros)
    if ll_has_prefix(s, start, stop, real_base):
        start += 2
        if start < stop and ll_ord_at(s, start) == UNDERSCORE:
            start += 1
    ll_check_int(s, start, stop, real_base, base, table, zeros)
    return ll_digits2int(s, start, stop, real_base, negative, zeros)


def ll_base_of(s: _ptr, start: int, stop: int, base: int, zeros: _ptr) -> int:
    """What base 0 means here: the prefix says."""
    if base != 0:
        return base
    if stop - start >= 2 and ll_digit(ll_ord_at(s, start), zeros) == 0:
        letter = ll_ord_at(s, start + 1) | 32
        if letter == 120:
            return 16
        if letter == 111:
            return 8
        if letter == 98:
            return 2
    return 10


def ll_has_prefix(s: _ptr, start: int, stop: int, base: int) -> bool:
    """Is there a prefix 0x, 0o or 0b that goes with this base?"""
    if stop - start < 2 or ll_ord_at(s, start) != 48:
        return False
    letter = ll_ord_at(s, start + 1) | 32
    if base == 16:
        return letter == 120
    if base == 8:
        return letter == 111
    return base == 2 and letter == 98


def ll_check_int(
    s: _ptr, start: int, stop: int, real_base: int, base: int, table: _ptr, zeros: _ptr
) -> None:
    """Digits, single underscores between them; no leading zeros where the base is 0."""
    digits = 0
    leading_zeros = False
    nonzero = False
    after_digit = False
    good = True
    i = start
    while i < stop and good:
        code = ll_ord_at(s, i)
        if code == UNDERSCORE:
            good = after_digit
            after_digit = False
        else:
            value = ll_digit(code, zeros)
            good = value < real_base
            after_digit = True
            digits += 1
            if value != 0:
                if not nonzero and digits > 1:
                    leading_zeros = True
                nonzero = True
        i += 1
    if not (good and after_digit):
        ll_raise_bad_int(s, base, table)
    if digits > MAX_DIGITS and real_base & (real_base - 1) != 0:
        message = ll_strconcat(TOO_LONG, ll_int2str(digits))
        raise_with_message(ValueError, ll_strconcat(message, TOO_LONG_HINT))
    if base == 0 and real_base == 10 and leading_zeros:
        ll_raise_bad_int(s, base, table)


def ll_raise_bad_int(s: _ptr, base: int, table: _ptr) -> None:
    message = ll_strconcat(ll_strconcat(BAD_INT, ll_int2str(base)), BEFORE_LITERAL)
    raise_with_message(ValueError, ll_strconcat(message, ll_first(ll_repr(s, table), 200)))


def ll_digits2int(s: _ptr, start: int, stop: int, base: int, negative: bool, zeros: _ptr) -> int:
    """The value of checked digits, summed below zero, where there is room for -2**63."""
    value = 0
    i = start
    while i < stop:
        code = ll_ord_at(s, i)
        if code != UNDERSCORE:
            value = llop.int_mul_ovf(Signed, value, base)
            value = llop.int_sub_ovf(Signed, value, ll_digit(code, zeros))
        i += 1
    if negative:
        return value
    return llop.int_neg_ovf(Signed, value)


# -- float ------------------------------------------------------------------------------------


def host_strtod(chars: _ptr, length: int, ok: _ptr) -> float:
    """What C's ``rpy_strtod`` does, on ASCII."""
    try:
        value = float(read_charp(chars, length).decode("ascii"))
    except ValueError:
        ok[0] = 0
        return 0.0
    ok[0] = 1
    return value


INTS = Array(Int32, hints={"nolength": True})
c_strtod = llexternal(
    "rpy_strtod", [CCHARP, Signed, Ptr(INTS)], Float, host_strtod, ["rpy_float.h"]
)


def ll_str2float(s: _ptr, table: _ptr, zeros: _ptr) -> float:
    """``float(s)``."""
    length = s.length
    chars = malloc(CCHARARRAY, length + 1, flavor="raw")
    i = 0
    while i < length:
        chars[i] = llop.cast_int_to_char(Char, ll_ascii_of(ll_ord_at(s, i), table, zeros))
        i += 1
    ok = malloc(INTS, 1, flavor="raw", zero=True)
    result = c_strtod(chars, length, ok)
    good = cast_primitive(Signed, ok[0]) != 0
    free(chars, flavor="raw")
    free(ok, flavor="raw")
    if not good:
        raise_with_message(ValueError, ll_strconcat(BAD_FLOAT, ll_repr(s, table)))
    return result


def ll_ascii_of(code: int, table: _ptr, zeros: _ptr) -> int:
    """A character as ASCII that means the same in a number; '?' for most."""
    if code < 128:
        return code
    if ll_has_flag(code, IS_SPACE, table):
        return 32
    digit = ll_decimal(code, zeros)
    if digit == NO_DIGIT:
        return 63
    return digit + 48
