"""Numbers and strs in a field of some width: what ``format`` and ``%`` do.

``fill``, ``align`` (one of ``<>^=``) and ``separator`` (0: none) are code points.
"""

from __future__ import annotations

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP, llexternal
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Char,
    Float,
    Signed,
    UniChar,
    Void,
    _ptr,
    cast_pointer,
    cast_primitive,
    free,
    malloc,
)
from rpython.lltypesystem.rarithmetic import r_uint
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_str import (
    EMPTY,
    LATIN1_CHARS,
    ll_alloc,
    ll_alloc1,
    ll_char_at,
    ll_copy,
    ll_find_char,
    ll_narrow,
    ll_ord_at,
    ll_put,
    ll_put_char,
    ll_slice,
    ll_strconcat,
)

LEFT = 60
RIGHT = 62
CENTRE = 94
AFTER_SIGN = 61
ZERO = 48
MINUS = 45
UNSIGNED_ZERO = r_uint(0)


def ll_fill(target: _ptr, at: int, code: int, count: int) -> int:
    """Write a character ``count`` times; where it ends."""
    while count > 0:
        ll_put_char(target, at, cast_primitive(UniChar, code))
        at += 1
        count -= 1
    return at


def ll_fill_char(fill: _ptr) -> str:
    """The fill character (UniChar) given to ``center`` and the like."""
    if fill.length != 1:
        raise TypeError("The fill character must be exactly one character long")
    return ll_char_at(fill, 0)


def ll_pad(s: _ptr, fill: int, align: int, width: int) -> _ptr:
    """``s`` in a field of at least ``width`` characters."""
    padding = width - s.length
    if padding <= 0:
        return s
    before = padding
    if align == LEFT:
        before = 0
    elif align == CENTRE:
        before = padding >> 1
    result = ll_alloc(width, s.wide or fill > 255)
    at = ll_fill(result, 0, fill, before)
    at = ll_put(result, at, s)
    ll_fill(result, at, fill, padding - before)
    return result


def ll_truncate(s: _ptr, length: int) -> _ptr:
    if s.length <= length:
        return s
    return ll_slice(s, 0, length)


def ll_sign(negative: bool, plus: int) -> _ptr:
    """The sign as a str; ``plus``: what stands before other numbers (0: nothing)."""
    if negative:
        return LATIN1_CHARS[MINUS]
    if plus != 0:
        return LATIN1_CHARS[plus]
    return EMPTY


def ll_number_field(
    lead: _ptr, body: _ptr, digits: int, fill: int, align: int, width: int, separator: int,
    group: int,
) -> _ptr:  # fmt: skip
    """``lead`` (sign and prefix), then ``body``, whose first ``digits`` characters are
    digits to be grouped, padded.  Zeros after the sign are grouped, too."""
    if digits == 0:
        separator = 0  # inf and nan
    count = digits
    tail = body.length - digits
    zeros = align == AFTER_SIGN and fill == ZERO
    room = width - lead.length - tail
    if zeros:
        while count + ll_separators(count, separator, group) < room:
            count += 1
    separators = ll_separators(count, separator, group)
    length = lead.length + count + separators + tail
    padding = width - length
    if padding < 0:
        padding = 0
    before = 0
    inside = 0
    if align == RIGHT:
        before = padding
    elif align == CENTRE:
        before = padding >> 1
    elif align == AFTER_SIGN:
        inside = padding
    result = ll_alloc(length + padding, fill > 255 and padding > 0)
    at = ll_fill(result, 0, fill, before)
    at = ll_put(result, at, lead)
    at = ll_fill(result, at, fill, inside)
    i = 0
    while i < count:
        left = count - i
        if separator != 0 and i > 0 and llop.int_mod(Signed, left, group) == 0:
            at = ll_fill(result, at, separator, 1)
        code = ZERO
        if left <= digits:
            code = ll_ord_at(body, digits - left)
        at = ll_fill(result, at, code, 1)
        i += 1
    ll_copy(body, digits, result, at, tail)
    ll_fill(result, at + tail, fill, padding - before - inside)
    return result


def ll_separators(count: int, separator: int, group: int) -> int:
    """How many separators stand between ``count`` digits."""
    if separator == 0 or count == 0:
        return 0
    return llop.int_floordiv(Signed, count - 1, group)


# -- float ------------------------------------------------------------------------------------

ADD_DOT_0 = 8
BIGGEST_C_INT = 2147483647
ALTERNATE = 4


def host_float_format(
    x: float, kind: str, precision: int, flags: int, buffer: _ptr, size: int
) -> int:
    """What C's ``rpy_float_format`` does: ``x`` is not negative."""
    alternate = "#" if flags & ALTERNATE else ""
    if kind == "r":
        text = repr(x)
    else:
        text = format(x, f"{alternate}.{6 if precision < 0 else precision}{kind}")
    if flags & ADD_DOT_0 and not set(text) & set(".en"):
        text += ".0"
    shown = text[: size - 1] + "\0"
    buffer._obj.items[: len(shown)] = shown
    return len(text)


c_float_format = llexternal(
    "rpy_float_format", [Float, Char, Signed, Signed, CCHARP, Signed], Signed,
    host_float_format, ["rpy_float.h"],
)  # fmt: skip


def ll_format_float(x: float, kind: int, precision: int, flags: int) -> _ptr:
    """``x`` (not negative) as text; ``kind``: the code point of the format's letter."""
    size = 400
    if precision > BIGGEST_C_INT:
        raise ValueError("precision too big")
    if precision > 60:
        size = precision + 340
    buffer = malloc(CCHARARRAY, size, flavor="raw")
    letter = llop.cast_int_to_char(Char, kind)
    length = c_float_format(x, letter, precision, flags, buffer, size)
    p = ll_alloc1(length)
    llop.copy_array_items(Void, buffer, p.chars, 0, 0, length)
    free(buffer, flavor="raw")
    return cast_pointer(STRPTR, p)


def ll_leading_digits(s: _ptr) -> int:
    """How many characters at the start of a narrow str are digits."""
    p = ll_narrow(s)
    i = 0
    while i < s.length and 48 <= ord(p.chars[i]) and ord(p.chars[i]) <= 57:
        i += 1
    return i


def ll_is_negative(x: float) -> bool:
    """Has the float a minus sign?  NaN never shows one."""
    if x != x:
        return False
    return llop.convert_float_bytes_to_longlong(Signed, x) < 0


def ll_keeps_sign(negative: bool, body: _ptr) -> bool:
    """Is a minus sign left after the option ``z``?  Not before a zero."""
    if not negative:
        return False
    p = ll_narrow(body)
    i = 0
    while i < body.length:
        code = ord(p.chars[i])
        if code == 101 or code == 69:
            return False
        if code != ZERO and code != POINT and code != PERCENT:
            return True
        i += 1
    return False


POINT = 46
PERCENT = 37


def ll_format_general(x: float, precision: int, flags: int) -> _ptr:
    """A precision without a type: like ``g``, but what is not in exponential notation has a
    digit after the point.  ``x`` is not negative."""
    if x - x != 0.0:  # inf and nan
        return ll_format_float(x, 103, precision, flags)
    if precision == 0:
        precision = 1
    body = ll_format_float(x, 101, precision - 1, flags)
    exponent = ll_exponent(body)
    if exponent < -4 or exponent >= precision - 1:
        if flags & ALTERNATE != 0:
            return body
        mark = ll_find_char(body, "e", 0, body.length)
        mantissa = ll_without_zeros(body, mark, 0)
        return ll_strconcat(mantissa, ll_slice(body, mark, body.length))
    body = ll_format_float(x, 102, precision - 1 - exponent, flags)
    if flags & ALTERNATE != 0:
        return body
    return ll_without_zeros(body, body.length, 1)


def ll_with_point(body: _ptr) -> _ptr:
    """The alternate form of a ``repr``: ``1.e+16``."""
    mark = ll_find_char(body, "e", 0, body.length)
    if mark < 0 or ll_find_char(body, ".", 0, mark) >= 0:
        return body
    whole = ll_strconcat(ll_slice(body, 0, mark), LATIN1_CHARS[POINT])
    return ll_strconcat(whole, ll_slice(body, mark, body.length))


def ll_without_zeros(body: _ptr, stop: int, least: int) -> _ptr:
    """``body[:stop]`` without the zeros at its end, but with ``least`` digits after the point;
    without digits there, without the point."""
    point = ll_find_char(body, ".", 0, stop)
    if point < 0:
        return ll_slice(body, 0, stop)
    while stop - 1 - point > least and ll_ord_at(body, stop - 1) == ZERO:
        stop -= 1
    if stop - 1 == point:
        stop = point
    return ll_slice(body, 0, stop)


def ll_exponent(body: _ptr) -> int:
    """The exponent of a float written with ``e``."""
    p = ll_narrow(body)
    i = 0
    while ord(p.chars[i]) != 101:
        i += 1
    negative = ord(p.chars[i + 1]) == MINUS
    exponent = 0
    i += 2
    while i < body.length:
        exponent = exponent * 10 + ord(p.chars[i]) - ZERO
        i += 1
    if negative:
        return -exponent
    return exponent


# -- widths and precisions taken from arguments ----------------------------------------------------


def ll_star_width(width: int) -> int:
    """The width of a field; a negative one puts the text on the left."""
    if width < 0:
        return llop.int_neg_ovf(Signed, width)
    return width


def ll_star_align(width: int, align: int) -> int:
    if width < 0:
        return LEFT
    return align


def ll_star_fill(width: int, fill: int) -> int:
    if width < 0:
        return SPACE
    return fill


SPACE = 32


def ll_star_precision(precision: int) -> int:
    if precision > BIGGEST_C_INT or precision < -BIGGEST_C_INT - 1:
        raise OverflowError("Python int too large to convert to C int")
    if precision < 0:
        return 0
    return precision


def ll_least_digits(precision: int) -> int:
    if precision < 1:
        return 1
    return precision
