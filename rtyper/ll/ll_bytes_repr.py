"""``repr`` of bytes."""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Char, Signed, _ptr, cast_pointer
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_decode import ll_byte_at, ll_hex_digit
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_alloc1, ll_strconcat, prebuilt_str

SINGLE_QUOTE = 39
DOUBLE_QUOTE = 34
BACKSLASH = 92

ORD_OF_BYTES = prebuilt_str("ord() expected a character, but string of length ")
FOUND = prebuilt_str(" found")


def ll_bytes_repr(a: _ptr, length: int, of_bytes: bool) -> _ptr:
    """``b'...'``, in double quotes when there are single but no double ones.

    CPython's bytearray escapes single quotes even then (not ``of_bytes``).
    """
    quote = ll_choose_quote(a, length)
    escaped = SINGLE_QUOTE
    if of_bytes:
        escaped = quote
    size = 3
    i = 0
    while i < length:
        size += ll_escaped_size(ll_byte_at(a, i), escaped)
        i += 1
    result = ll_alloc1(size)
    chars = result.chars
    chars[0] = "b"
    chars[1] = llop.cast_int_to_char(Char, quote)
    at = 2
    i = 0
    while i < length:
        at = ll_put_escaped(chars, at, ll_byte_at(a, i), escaped)
        i += 1
    chars[at] = llop.cast_int_to_char(Char, quote)
    return cast_pointer(STRPTR, result)


def ll_choose_quote(a: _ptr, length: int) -> int:
    quote = SINGLE_QUOTE
    i = 0
    while i < length:
        byte = ll_byte_at(a, i)
        if byte == DOUBLE_QUOTE:
            return SINGLE_QUOTE
        if byte == SINGLE_QUOTE:
            quote = DOUBLE_QUOTE
        i += 1
    return quote


def ll_short_escape(byte: int, escaped: int) -> int:
    """The character after the backslash in an escape of two characters, 0 if there is none."""
    if byte == escaped or byte == BACKSLASH:
        return byte
    if byte == 9:
        return 116
    if byte == 10:
        return 110
    if byte == 13:
        return 114
    return 0


def ll_escaped_size(byte: int, escaped: int) -> int:
    if ll_short_escape(byte, escaped) != 0:
        return 2
    if byte < 32 or byte >= 127:
        return 4
    return 1


def ll_put_escaped(chars: _ptr, at: int, byte: int, escaped: int) -> int:
    """Write a byte; where it ends."""
    short = ll_short_escape(byte, escaped)
    if short != 0:
        chars[at] = "\\"
        chars[at + 1] = llop.cast_int_to_char(Char, short)
        return at + 2
    if byte < 32 or byte >= 127:
        chars[at] = "\\"
        chars[at + 1] = "x"
        chars[at + 2] = ll_hex_digit(llop.int_rshift(Signed, byte, 4))
        chars[at + 3] = ll_hex_digit(byte & 15)
        return at + 4
    chars[at] = llop.cast_int_to_char(Char, byte)
    return at + 1


def ll_ord(a: _ptr, length: int) -> int:
    """``ord`` of bytes of length one."""
    if length != 1:
        message = ll_strconcat(ll_strconcat(ORD_OF_BYTES, ll_int2str(length)), FOUND)
        raise_with_message(TypeError, message)
    return ll_byte_at(a, 0)
