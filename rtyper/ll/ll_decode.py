"""bytes to str: UTF-8, Latin-1, ASCII.

UTF-8 is decoded in two passes: the first finds errors, the number of characters and
whether the str is wide, the second writes it.  Errors are told apart and placed as
CPython does it (Unicode 15, section 3.9, "maximal subpart").
"""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Char,
    Signed,
    UniChar,
    Void,
    _ptr,
    cast_pointer,
    cast_primitive,
)
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_decode_error
from rpython.rtyper.ll.ll_str import (
    EMPTY,
    ll_alloc1,
    ll_alloc4,
    ll_slice,
    ll_strconcat,
    prebuilt_str,
)
from rpython.rtyper.ll.ll_strmethods import ll_canonical

# ll_sequence gives  code << 3 | size  for a character and, for an error,
# -(size << 2 | reason): how many bytes are wrong together, and why.
BAD_START = 1
BAD_CONTINUATION = 2
CUT_SHORT = 3

# -- UTF-8 ------------------------------------------------------------------------------------


def ll_byte_at(a: _ptr, i: int) -> int:
    return llop.cast_char_to_int(Signed, a[i])


def ll_is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def ll_sequence(a: _ptr, i: int, length: int) -> int:
    """The character that starts with the byte ``a[i]`` above 127, or the error there; see
    above."""
    first = ll_byte_at(a, i)
    left = length - i
    if first < 0xC2 or first > 0xF4:
        return -(1 << 2 | BAD_START)
    if left < 2:
        return -(1 << 2 | CUT_SHORT)
    second = ll_byte_at(a, i + 1)
    if first < 0xE0:
        if not ll_is_continuation(second):
            return -(1 << 2 | BAD_CONTINUATION)
        return ((first & 0x1F) << 6 | second & 0x3F) << 3 | 2
    if not ll_second_fits(first, second):
        return -(1 << 2 | BAD_CONTINUATION)
    if left < 3:
        return -(2 << 2 | CUT_SHORT)
    third = ll_byte_at(a, i + 2)
    if not ll_is_continuation(third):
        return -(2 << 2 | BAD_CONTINUATION)
    code = (second & 0x3F) << 6 | third & 0x3F
    if first < 0xF0:
        return ((first & 0x0F) << 12 | code) << 3 | 3
    if left < 4:
        return -(3 << 2 | CUT_SHORT)
    fourth = ll_byte_at(a, i + 3)
    if not ll_is_continuation(fourth):
        return -(3 << 2 | BAD_CONTINUATION)
    return ((first & 0x07) << 18 | code << 6 | fourth & 0x3F) << 3 | 4


def ll_second_fits(first: int, second: int) -> bool:
    """May this byte follow the first one of a character of three or four bytes?  Not when
    it would be too long, a surrogate or too big."""
    if not ll_is_continuation(second):
        return False
    if first == 0xE0:
        return second >= 0xA0
    if first == 0xED:
        return second < 0xA0
    if first == 0xF0:
        return second >= 0x90
    if first == 0xF4:
        return second < 0x90
    return True


def ll_ascii_prefix(a: _ptr, length: int) -> int:
    """How many bytes at the start are below 128."""
    i = 0
    while i < length and ll_byte_at(a, i) < 128:
        i += 1
    return i


def ll_decode_utf8(a: _ptr, length: int, escape: bool) -> _ptr:
    """The text of ``a[:length]``.  ``escape``: what is no UTF-8 becomes lone surrogates, a
    byte each, as in file names and arguments; else UnicodeDecodeError."""
    start = ll_ascii_prefix(a, length)
    if start == length:
        return ll_decode_latin1(a, length)
    count = start
    wide = False
    i = start
    while i < length:
        count += 1
        if ll_byte_at(a, i) < 128:
            i += 1
        else:
            found = ll_sequence(a, i, length)
            if found >= 0:
                i += found & 7
                if found >= 256 << 3:
                    wide = True
            else:
                size = llop.int_rshift(Signed, -found, 2)
                if not escape:
                    ll_raise_utf8_error(a, length, i, size, -found & 3)
                wide = True
                count += size - 1
                i += size
    if wide:
        four = ll_alloc4(count)
        ll_write_utf8_wide(a, length, four.chars)
        return cast_pointer(STRPTR, four)
    one = ll_alloc1(count)
    ll_write_utf8_narrow(a, length, one.chars)
    return cast_pointer(STRPTR, one)


def ll_write_utf8_narrow(a: _ptr, length: int, chars: _ptr) -> None:
    """Decode what is right and has no character above U+00FF."""
    i = 0
    at = 0
    while i < length:
        code = ll_byte_at(a, i)
        i += 1
        if code >= 128:
            code = (code & 3) << 6 | ll_byte_at(a, i) & 0x3F
            i += 1
        chars[at] = llop.cast_int_to_char(Char, code)
        at += 1


def ll_write_utf8_wide(a: _ptr, length: int, chars: _ptr) -> None:
    """Decode; what is wrong becomes surrogates."""
    i = 0
    at = 0
    while i < length:
        code = ll_byte_at(a, i)
        if code < 128:
            i += 1
        else:
            found = ll_sequence(a, i, length)
            if found >= 0:
                code = llop.int_rshift(Signed, found, 3)
                i += found & 7
            else:
                # the bytes after the first of several that are wrong are wrong by themselves
                code += 0xDC00
                i += 1
        chars[at] = llop.cast_int_to_unichar(UniChar, code)
        at += 1


# -- Latin-1 and ASCII ------------------------------------------------------------------------


def ll_decode_latin1(a: _ptr, length: int) -> _ptr:
    if length == 0:
        return EMPTY
    result = ll_alloc1(length)
    llop.copy_array_items(Void, a, result.chars, 0, 0, length)
    return cast_pointer(STRPTR, result)


def ll_decode_ascii(a: _ptr, length: int) -> _ptr:
    start = ll_ascii_prefix(a, length)
    if start < length:
        message = ll_strconcat(ASCII_ERROR, ll_hex_byte(ll_byte_at(a, start)))
        message = ll_strconcat(ll_strconcat(message, IN_POSITION), ll_int2str(start))
        message = ll_strconcat(message, NOT_ASCII)
        raise_decode_error(message, start, start + 1, a, length)
    return ll_decode_latin1(a, length)


# -- errors -----------------------------------------------------------------------------------

ASCII_ERROR = prebuilt_str("'ascii' codec can't decode byte 0x")
NOT_ASCII = prebuilt_str(": ordinal not in range(128)")
UTF8_ERROR = prebuilt_str("'utf-8' codec can't decode byte 0x")
UTF8_ERRORS = prebuilt_str("'utf-8' codec can't decode bytes in position ")
IN_POSITION = prebuilt_str(" in position ")
TO_POSITION = prebuilt_str("-")
REASON_START = prebuilt_str(": invalid start byte")
REASON_CONTINUATION = prebuilt_str(": invalid continuation byte")
REASON_SHORT = prebuilt_str(": unexpected end of data")


def ll_raise_utf8_error(a: _ptr, length: int, i: int, size: int, reason: int) -> None:
    if size == 1:
        message = ll_strconcat(UTF8_ERROR, ll_hex_byte(ll_byte_at(a, i)))
        message = ll_strconcat(message, IN_POSITION)
    else:
        message = UTF8_ERRORS
    message = ll_strconcat(message, ll_int2str(i))
    if size > 1:
        message = ll_strconcat(ll_strconcat(message, TO_POSITION), ll_int2str(i + size - 1))
    if reason == BAD_START:
        message = ll_strconcat(message, REASON_START)
    elif reason == BAD_CONTINUATION:
        message = ll_strconcat(message, REASON_CONTINUATION)
    else:
        message = ll_strconcat(message, REASON_SHORT)
    raise_decode_error(message, i, i + size, a, length)


def ll_hex_byte(byte: int) -> _ptr:
    """Two hexadecimal digits."""
    result = ll_alloc1(2)
    result.chars[0] = ll_hex_digit(llop.int_rshift(Signed, byte, 4))
    result.chars[1] = ll_hex_digit(byte & 15)
    return cast_pointer(STRPTR, result)


def ll_hex_digit(digit: int) -> str:
    if digit < 10:
        return llop.cast_int_to_char(Char, 48 + digit)
    return llop.cast_int_to_char(Char, 87 + digit)


# -- errors= ----------------------------------------------------------------------------------

IGNORE = 1
REPLACE = 2
BACKSLASHREPLACE = 3
SURROGATEESCAPE = 5
REPLACEMENT = 0xFFFD


def ll_decode_with(a: _ptr, length: int, ascii_only: bool, errors: int) -> _ptr:
    """The text of ``a[:length]`` in ASCII or UTF-8, where something stands for what is wrong."""
    room = length
    if errors == BACKSLASHREPLACE:
        room = llop.int_mul_ovf(Signed, length, 4)
    buffer = ll_alloc4(room)
    chars = buffer.chars
    at = 0
    i = 0
    while i < length:
        byte = ll_byte_at(a, i)
        found = -(1 << 2)
        if byte < 128:
            found = byte << 3 | 1
        elif not ascii_only:
            found = ll_sequence(a, i, length)
        if found >= 0:
            chars[at] = llop.cast_int_to_unichar(UniChar, llop.int_rshift(Signed, found, 3))
            at += 1
            i += found & 7
        else:
            stop = i + llop.int_rshift(Signed, -found, 2)
            if errors == REPLACE:
                chars[at] = llop.cast_int_to_unichar(UniChar, REPLACEMENT)
                at += 1
                i = stop
            while i < stop:
                at = ll_put_undecodable(chars, at, ll_byte_at(a, i), errors)
                i += 1
    return ll_canonical(ll_slice(cast_pointer(STRPTR, buffer), 0, at))


def ll_put_undecodable(chars: _ptr, at: int, byte: int, errors: int) -> int:
    """What stands for a byte that is wrong; where it ends."""
    if errors == SURROGATEESCAPE:
        chars[at] = llop.cast_int_to_unichar(UniChar, 0xDC00 + byte)
        return at + 1
    if errors == BACKSLASHREPLACE:
        chars[at] = "\\"
        chars[at + 1] = "x"
        chars[at + 2] = cast_primitive(UniChar, ll_hex_digit(llop.int_rshift(Signed, byte, 4)))
        chars[at + 3] = cast_primitive(UniChar, ll_hex_digit(byte & 15))
        return at + 4
    return at
