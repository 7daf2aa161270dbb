"""``repr`` of a str: quotes and escapes as CPython chooses them."""

from __future__ import annotations

from rpython.lltypesystem.lltype import UniChar, _ptr, cast_primitive
from rpython.rtyper.ll.ll_str import ll_alloc, ll_contains_char, ll_ord_at, ll_put_char, ll_slice
from rpython.rtyper.ll.ll_unicode import IS_PRINTABLE, ll_has_flag

BACKSLASH = 92
SINGLE_QUOTE = 39
DOUBLE_QUOTE = 34


def ll_repr(s: _ptr, table: _ptr) -> _ptr:
    """``repr(s)``; ``table``: the character flags."""
    quote = SINGLE_QUOTE
    if ll_contains_char(s, "'") and not ll_contains_char(s, '"'):
        quote = DOUBLE_QUOTE
    length = 2
    wide = False
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        size = ll_escaped_size(code, quote, table)
        length += size
        if size == 1 and code > 255:
            wide = True
        i += 1
    result = ll_alloc(length, wide)
    ll_put_code(result, 0, quote)
    at = 1
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        size = ll_escaped_size(code, quote, table)
        if size == 1:
            ll_put_code(result, at, code)
        else:
            ll_put_escape(result, at, code, size)
        at += size
        i += 1
    ll_put_code(result, at, quote)
    return result


def ll_chr_repr(char: str, table: _ptr) -> _ptr:
    """``repr`` of a character (UniChar)."""
    from_char = ll_alloc(1, ord(char) > 255)
    ll_put_char(from_char, 0, char)
    return ll_repr(from_char, table)


def ll_ascii(s: _ptr) -> _ptr:
    """``s``, a ``repr``, with escapes for all but ASCII characters."""
    length = 0
    i = 0
    while i < s.length:
        length += ll_ascii_size(ll_ord_at(s, i))
        i += 1
    if length == s.length:
        return s
    result = ll_alloc(length, False)
    at = 0
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        size = ll_ascii_size(code)
        if size == 1:
            ll_put_code(result, at, code)
        else:
            ll_put_escape(result, at, code, size)
        at += size
        i += 1
    return result


def ll_ascii_size(code: int) -> int:
    if code < 128:
        return 1
    if code < 256:
        return 4
    if code < 65536:
        return 6
    return 10


def ll_put_code(target: _ptr, at: int, code: int) -> None:
    ll_put_char(target, at, cast_primitive(UniChar, code))


def ll_escaped_size(code: int, quote: int, table: _ptr) -> int:
    """How many characters a character takes in a ``repr``."""
    if code == quote or code == BACKSLASH:
        return 2
    if code < 127:
        if code >= 32:
            return 1
        if code == 9 or code == 10 or code == 13:
            return 2
        return 4
    if ll_has_flag(code, IS_PRINTABLE, table):
        return 1
    if code < 256:
        return 4
    if code < 65536:
        return 6
    return 10


def ll_put_escape(target: _ptr, at: int, code: int, size: int) -> None:
    """Write the escape sequence of ``size`` characters."""
    ll_put_code(target, at, BACKSLASH)
    if size == 2:
        letter = code
        if code == 9:
            letter = 116
        elif code == 10:
            letter = 110
        elif code == 13:
            letter = 114
        ll_put_code(target, at + 1, letter)
        return
    letter = 120
    if size == 6:
        letter = 117
    elif size == 10:
        letter = 85
    ll_put_code(target, at + 1, letter)
    place = at + size
    while place > at + 2:
        place -= 1
        digit = code & 15
        if digit < 10:
            ll_put_code(target, place, 48 + digit)
        else:
            ll_put_code(target, place, 87 + digit)
        code = code >> 4


def ll_first(s: _ptr, count: int) -> _ptr:
    """``s[:count]``."""
    if s.length <= count:
        return s
    return ll_slice(s, 0, count)
