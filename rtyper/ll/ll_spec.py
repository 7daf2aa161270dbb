"""Format specifications that are known at run time only: ``format(x, spec)``.

    [[fill]align][sign][z][#][0][width][grouping][.precision][type]

Read as CPython's ``formatter_unicode.c`` does it, with its messages.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Bool,
    Float,
    GcStruct,
    Signed,
    Unsigned,
    _ptr,
    cast_primitive,
    malloc,
)
from rpython.rtyper.ll.ll_chars import ll_format_chr
from rpython.rtyper.ll.ll_format import (
    ADD_DOT_0,
    AFTER_SIGN,
    ALTERNATE,
    CENTRE,
    LEFT,
    MINUS,
    RIGHT,
    ZERO,
    ll_format_float,
    ll_format_general,
    ll_is_negative,
    ll_keeps_sign,
    ll_leading_digits,
    ll_number_field,
    ll_pad,
    ll_sign,
    ll_truncate,
    ll_with_point,
)
from rpython.rtyper.ll.ll_int import ll_saturate
from rpython.rtyper.ll.ll_number import ll_bool2str, ll_digits
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import (
    ll_chr2str,
    ll_contains_char,
    ll_ord_at,
    ll_strconcat,
    prebuilt_str,
)

SPEC = GcStruct(
    "format_spec", ("fill", Signed), ("align", Signed), ("sign", Signed), ("no_minus_zero", Bool),
    ("alternate", Bool), ("width", Signed), ("grouping", Signed), ("precision", Signed),
    ("type", Signed),
)  # fmt: skip
"""Code points; 0 where nothing is given, -1 for a width or precision that is not."""

INT = prebuilt_str("int")
BOOL = prebuilt_str("bool")
FLOAT = prebuilt_str("float")
STR = prebuilt_str("str")
NONE = prebuilt_str("None")
INVALID = prebuilt_str("Invalid format specifier '")
UNKNOWN = prebuilt_str("Unknown format code '")
FOR_TYPE = prebuilt_str("' for object of type '")
QUOTE = prebuilt_str("'")
CANNOT = prebuilt_str("Cannot specify '")
WITH = prebuilt_str("' with '")
BACKSLASH_X = prebuilt_str("\\x")
FLOAT_TYPES = prebuilt_str("eEfFgG%")
GROUPED_TYPES = prebuilt_str("deEfFgG%")
COMMA = 44
UNDERSCORE = 95


def ll_is_align(code: int) -> bool:
    return code == LEFT or code == RIGHT or code == CENTRE or code == AFTER_SIGN


def ll_at(s: _ptr, i: int) -> int:
    """The code point at ``i``, -1 after the end."""
    if i < s.length:
        return ll_ord_at(s, i)
    return -1


def ll_digits_end(s: _ptr, i: int) -> int:
    while 48 <= ll_at(s, i) and ll_at(s, i) <= 57:
        i += 1
    return i


def ll_number(s: _ptr, i: int, end: int) -> int:
    """The decimal number between the two places; -1 when there is none."""
    if i == end:
        return -1
    number = 0
    while i < end:
        digit = ll_ord_at(s, i) - 48
        if number > llop.int_floordiv(Signed, 9223372036854775807 - digit, 10):
            raise ValueError("Too many decimal digits in format string")
        number = number * 10 + digit
        i += 1
    return number


def ll_parse_spec(s: _ptr, name: _ptr, is_text: bool) -> _ptr:
    """A specification for an object of the type that is called ``name``."""
    spec = malloc(SPEC)
    spec.fill = 32
    i = 0
    filled = False
    if ll_is_align(ll_at(s, 1)):
        spec.fill = ll_at(s, 0)
        spec.align = ll_at(s, 1)
        filled = True
        i = 2
    elif ll_is_align(ll_at(s, 0)):
        spec.align = ll_at(s, 0)
        i = 1
    code = ll_at(s, i)
    if code == 32 or code == 43 or code == MINUS:
        spec.sign = code
        i += 1
    if ll_at(s, i) == 122:
        spec.no_minus_zero = True
        i += 1
    if ll_at(s, i) == 35:
        spec.alternate = True
        i += 1
    if not filled and ll_at(s, i) == ZERO:
        spec.fill = ZERO
        if spec.align == 0 and not is_text:
            spec.align = AFTER_SIGN
        i += 1
    end = ll_digits_end(s, i)
    spec.width = ll_number(s, i, end)
    i = end
    code = ll_at(s, i)
    if code == COMMA or code == UNDERSCORE:
        spec.grouping = code
        i += 1
        other = ll_at(s, i)
        if (other == COMMA or other == UNDERSCORE) and other != code:
            raise ValueError("Cannot specify both ',' and '_'.")
    spec.precision = -1
    if ll_at(s, i) == 46:
        i += 1
        end = ll_digits_end(s, i)
        if end == i:
            raise ValueError("Format specifier missing precision")
        spec.precision = ll_number(s, i, end)
        i = end
    if s.length - i > 1:
        ll_complain(INVALID, s, name)
    if i < s.length:
        spec.type = ll_ord_at(s, i)
    return spec


def ll_complain(start: _ptr, what: _ptr, name: _ptr) -> None:
    message = ll_strconcat(ll_strconcat(start, what), FOR_TYPE)
    raise_with_message(ValueError, ll_strconcat(ll_strconcat(message, name), QUOTE))


def ll_shown_type(code: int) -> _ptr:
    """A presentation type as messages show it."""
    if 32 < code and code < 128:
        return ll_chr2str(chr(code))
    magnitude = llop.cast_int_to_uint(Unsigned, code)
    return ll_strconcat(BACKSLASH_X, ll_digits(magnitude, 16, 97, 1))


def ll_unknown_type(spec: _ptr, name: _ptr) -> None:
    ll_complain(UNKNOWN, ll_shown_type(spec.type), name)


def ll_check_grouping(spec: _ptr, default: int) -> None:
    """Refuse separators of thousands that do not go with the type."""
    if spec.grouping == 0:
        return
    code = spec.type
    if code == 0:
        code = default
    if ll_contains_char(GROUPED_TYPES, chr(code)):
        return
    if spec.grouping == UNDERSCORE and (code == 98 or code == 111 or code == 120 or code == 88):
        return
    message = ll_strconcat(CANNOT, ll_chr2str(chr(spec.grouping)))
    message = ll_strconcat(ll_strconcat(message, WITH), ll_shown_type(code))
    raise_with_message(ValueError, ll_strconcat(message, END))


END = prebuilt_str("'.")


# -- str --------------------------------------------------------------------------------------


def ll_format_str_by(s: _ptr, text: _ptr) -> _ptr:
    """``format(s, text)`` of a str."""
    if text.length == 0:
        return s
    spec = ll_parse_spec(text, STR, True)
    ll_check_grouping(spec, 115)
    if spec.type != 0 and spec.type != 115:
        ll_unknown_type(spec, STR)
    if spec.sign == 32:
        raise ValueError("Space not allowed in string format specifier")
    if spec.sign != 0:
        raise ValueError("Sign not allowed in string format specifier")
    if spec.no_minus_zero:
        raise ValueError("Negative zero coercion (z) not allowed in string format specifier")
    if spec.alternate:
        raise ValueError("Alternate form (#) not allowed in string format specifier")
    if spec.align == AFTER_SIGN:
        raise ValueError("'=' alignment not allowed in string format specifier")
    if spec.precision >= 0:
        s = ll_truncate(s, spec.precision)
    align = spec.align
    if align == 0:
        align = LEFT
    return ll_pad(s, spec.fill, align, spec.width)


# -- numbers ----------------------------------------------------------------------------------


def ll_put_number(spec: _ptr, lead: _ptr, body: _ptr, digits: int, group: int) -> _ptr:
    """A number in its field."""
    align = spec.align
    if align == 0:
        align = RIGHT
    return ll_number_field(lead, body, digits, spec.fill, align, spec.width, spec.grouping, group)


def ll_plus(spec: _ptr) -> int:
    """What stands before numbers that are not negative."""
    if spec.sign == MINUS:
        return 0
    return spec.sign


def ll_format_none_by(text: _ptr, message: _ptr) -> _ptr:
    """``message``: what the TypeError says."""
    if text.length == 0:
        return NONE
    raise_with_message(TypeError, message)


def ll_format_bool_by(b: bool, text: _ptr) -> _ptr:
    if text.length == 0:
        return ll_bool2str(b)
    number = llop.cast_bool_to_int(Signed, b)
    return ll_format_whole(llop.cast_int_to_uint(Unsigned, number), False, text, BOOL)


def ll_format_int_by(magnitude: Any, negative: bool, text: _ptr) -> _ptr:
    """``format(n, text)`` of an integer."""
    return ll_format_whole(magnitude, negative, text, INT)


def ll_format_whole(magnitude: Any, negative: bool, text: _ptr, name: _ptr) -> _ptr:
    """An integer; ``magnitude`` is Unsigned or UInt128."""
    spec = ll_parse_spec(text, name, False)
    ll_check_grouping(spec, 100)
    code = spec.type
    if code != 0 and code <= 127 and ll_contains_char(FLOAT_TYPES, chr(code)):
        x = cast_primitive(Float, magnitude)
        if negative:
            x = -x
        return ll_format_float_spec(x, spec)
    base = 10
    group = 3
    prefix = NO_PREFIX
    letters = 97
    if code == 98:
        base = 2
        prefix = BINARY
    elif code == 111:
        base = 8
        prefix = OCTAL
    elif code == 120:
        base = 16
        prefix = HEXADECIMAL
    elif code == 88:
        base = 16
        prefix = HEXADECIMAL_UPPER
        letters = 65
    elif code != 0 and code != 100 and code != 110 and code != 99:
        ll_unknown_type(spec, name)
    if base != 10:
        group = 4
    if spec.precision >= 0:
        raise ValueError("Precision not allowed in integer format specifier")
    if spec.no_minus_zero:
        raise ValueError("Negative zero coercion (z) not allowed in integer format specifier")
    if code == 99:
        return ll_format_char(spec, magnitude, negative)
    body = ll_digits(magnitude, base, letters, 1)
    lead = ll_sign(negative, ll_plus(spec))
    if spec.alternate:
        lead = ll_strconcat(lead, prefix)
    return ll_put_number(spec, lead, body, body.length, group)


NO_PREFIX = prebuilt_str("")
BINARY = prebuilt_str("0b")
OCTAL = prebuilt_str("0o")
HEXADECIMAL = prebuilt_str("0x")
HEXADECIMAL_UPPER = prebuilt_str("0X")


def ll_format_char(spec: _ptr, magnitude: Any, negative: bool) -> _ptr:
    """An integer as a character (type ``c``)."""
    if spec.sign != 0:
        raise ValueError("Sign not allowed with integer format specifier 'c'")
    if spec.alternate:
        raise ValueError("Alternate form (#) not allowed with integer format specifier 'c'")
    code = ll_saturate(magnitude)
    if negative:
        code = -1
    char = ll_chr2str(ll_format_chr(code))
    align = spec.align
    if align == 0 or align == AFTER_SIGN:
        align = RIGHT
    return ll_pad(char, spec.fill, align, spec.width)


def ll_format_float_by(x: float, text: _ptr) -> _ptr:
    """``format(x, text)`` of a float."""
    spec = ll_parse_spec(text, FLOAT, False)
    ll_check_grouping(spec, 103)
    code = spec.type
    if code == 110:
        spec.type = 103
    elif code != 0 and (code > 127 or not ll_contains_char(FLOAT_TYPES, chr(code))):
        ll_unknown_type(spec, FLOAT)
    return ll_format_float_spec(x, spec)


def ll_format_float_spec(x: float, spec: _ptr) -> _ptr:
    flags = 0
    if spec.alternate:
        flags = ALTERNATE
    magnitude = llop.float_abs(Float, x)
    if spec.type != 0:
        body = ll_format_float(magnitude, spec.type, spec.precision, flags)
    elif spec.precision >= 0:
        body = ll_format_general(magnitude, spec.precision, flags)
    else:
        body = ll_format_float(magnitude, 114, -1, ADD_DOT_0)
        if spec.alternate:
            body = ll_with_point(body)
    negative = ll_is_negative(x)
    if spec.no_minus_zero:
        negative = ll_keeps_sign(negative, body)
    lead = ll_sign(negative, ll_plus(spec))
    return ll_put_number(spec, lead, body, ll_leading_digits(body), 3)
