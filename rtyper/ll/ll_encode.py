"""str to bytes: UTF-8, Latin-1, ASCII; errors as CPython words them."""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Char, Void, _ptr, malloc
from rpython.lltypesystem.rstr import BYTES
from rpython.rtyper.ll.ll_bytearray import (
    ll_append,
    ll_bytearray_to_bytes,
    ll_new_bytearray,
    ll_reserve,
)
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_encode_error
from rpython.rtyper.ll.ll_repr import ll_put_escape
from rpython.rtyper.ll.ll_str import (
    ll_alloc,
    ll_narrow,
    ll_ord_at,
    ll_strconcat,
    ll_wide,
    prebuilt_str,
)

UTF8_CODEC = prebuilt_str("'utf-8' codec can't encode character")
LATIN1_CODEC = prebuilt_str("'latin-1' codec can't encode character")
ASCII_CODEC = prebuilt_str("'ascii' codec can't encode character")
SURROGATES = prebuilt_str(": surrogates not allowed")
NOT_LATIN1 = prebuilt_str(": ordinal not in range(256)")
NOT_ASCII = prebuilt_str(": ordinal not in range(128)")
ONE_CHARACTER = prebuilt_str(" '")
AFTER_CHARACTER = prebuilt_str("' in position ")
MORE_CHARACTERS = prebuilt_str("s in position ")
DASH = prebuilt_str("-")


def ll_encode_utf8(s: _ptr) -> _ptr:
    """``s.encode()``: BYTESPTR."""
    size = ll_utf8_size(s)
    result = malloc(BYTES, size)
    if size == s.length:
        llop.copy_array_items(Void, ll_narrow(s).chars, result.chars, 0, 0, size)
        return result
    at = 0
    i = 0
    while i < s.length:
        at = ll_put_utf8(result.chars, at, ll_ord_at(s, i))
        i += 1
    return result


def ll_utf8_size(s: _ptr) -> int:
    """How many bytes ``s`` is in UTF-8.  Raises UnicodeEncodeError for lone surrogates."""
    size = s.length
    i = 0
    if s.wide:
        p = ll_wide(s)
        while i < s.length:
            code = ord(p.chars[i])
            if code >= 128:
                size += 1
                if code >= 0x800:
                    size += 1
                    if code >= 0x10000:
                        size += 1
                    elif ll_is_surrogate(code):
                        ll_raise_surrogates(s, i)
            i += 1
        return size
    n = ll_narrow(s)
    while i < s.length:
        if ord(n.chars[i]) >= 128:
            size += 1
        i += 1
    return size


def ll_is_surrogate(code: int) -> bool:
    return 0xD800 <= code and code < 0xE000


def ll_put_utf8(chars: _ptr, at: int, code: int) -> int:
    """Write a character to an array of Char; where it ends."""
    if code < 0x80:
        ll_put_byte(chars, at, code)
        return at + 1
    if code < 0x800:
        ll_put_byte(chars, at, 0xC0 | (code >> 6))
        ll_put_byte(chars, at + 1, 0x80 | (code & 0x3F))
        return at + 2
    if code < 0x10000:
        ll_put_byte(chars, at, 0xE0 | (code >> 12))
        ll_put_byte(chars, at + 1, 0x80 | ((code >> 6) & 0x3F))
        ll_put_byte(chars, at + 2, 0x80 | (code & 0x3F))
        return at + 3
    ll_put_byte(chars, at, 0xF0 | (code >> 18))
    ll_put_byte(chars, at + 1, 0x80 | ((code >> 12) & 0x3F))
    ll_put_byte(chars, at + 2, 0x80 | ((code >> 6) & 0x3F))
    ll_put_byte(chars, at + 3, 0x80 | (code & 0x3F))
    return at + 4


def ll_put_byte(chars: _ptr, at: int, byte: int) -> None:
    chars[at] = llop.cast_int_to_char(Char, byte)


def ll_encode_latin1(s: _ptr) -> _ptr:
    if s.wide:
        ll_raise_unencodable(s, 256, LATIN1_CODEC, NOT_LATIN1)
    length = s.length
    result = malloc(BYTES, length)
    llop.copy_array_items(Void, ll_narrow(s).chars, result.chars, 0, 0, length)
    return result


def ll_encode_ascii(s: _ptr) -> _ptr:
    i = 0
    while i < s.length:
        if ll_ord_at(s, i) >= 128:
            ll_raise_unencodable(s, 128, ASCII_CODEC, NOT_ASCII)
        i += 1
    return ll_encode_latin1(s)


# -- errors -----------------------------------------------------------------------------------


def ll_raise_surrogates(s: _ptr, start: int) -> None:
    """Complain about the surrogates from ``start`` on."""
    stop = start + 1
    while stop < s.length and ll_is_surrogate(ll_ord_at(s, stop)):
        stop += 1
    ll_raise_encode_error(s, start, stop, UTF8_CODEC, SURROGATES)


def ll_raise_unencodable(s: _ptr, limit: int, codec: _ptr, reason: _ptr) -> None:
    """Complain about the first characters that are not below the limit."""
    start = 0
    while ll_ord_at(s, start) < limit:
        start += 1
    stop = start + 1
    while stop < s.length and ll_ord_at(s, stop) >= limit:
        stop += 1
    ll_raise_encode_error(s, start, stop, codec, reason)


def ll_raise_encode_error(s: _ptr, start: int, stop: int, codec: _ptr, reason: _ptr) -> None:
    if stop - start == 1:
        message = ll_strconcat(codec, ONE_CHARACTER)
        message = ll_strconcat(message, ll_escape(ll_ord_at(s, start)))
        message = ll_strconcat(message, AFTER_CHARACTER)
        message = ll_strconcat(message, ll_int2str(start))
    else:
        message = ll_strconcat(codec, MORE_CHARACTERS)
        message = ll_strconcat(message, ll_int2str(start))
        message = ll_strconcat(message, DASH)
        message = ll_strconcat(message, ll_int2str(stop - 1))
    raise_encode_error(ll_strconcat(message, reason), start, stop, s)


def ll_escape(code: int) -> _ptr:
    """A code point as ``\\xff``, ``\\uffff`` or ``\\U0010ffff``."""
    size = 10
    if code < 256:
        size = 4
    elif code < 65536:
        size = 6
    result = ll_alloc(size, False)
    ll_put_escape(result, 0, code, size)
    return result


# -- errors= ----------------------------------------------------------------------------------

STRICT = 0
IGNORE = 1
REPLACE = 2
BACKSLASHREPLACE = 3
XMLCHARREFREPLACE = 4
SURROGATEESCAPE = 5
QUESTION_MARK = 63
XML_START = prebuilt_str("&#")


def ll_fits(code: int, limit: int) -> bool:
    """Can the codec encode it?  ``limit``: the first code point beyond it, 0 for UTF-8."""
    if limit == 0:
        return not ll_is_surrogate(code)
    return code < limit


def ll_encode_with(s: _ptr, limit: int, errors: int) -> _ptr:
    """``s.encode(codec, errors)``: BYTESPTR.  ``limit``: 128 ASCII, 256 Latin-1, 0 UTF-8."""
    out = ll_new_bytearray(0)
    ll_reserve(out, s.length)
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        if not ll_fits(code, limit):
            ll_put_unencodable(out, s, i, limit, errors)
        elif limit == 0:
            ll_reserve(out, out.length + 4)
            out.length = ll_put_utf8(out.items, out.length, code)
        else:
            ll_append(out, code)
        i += 1
    return ll_bytearray_to_bytes(out)


def ll_put_unencodable(out: _ptr, s: _ptr, i: int, limit: int, errors: int) -> None:
    """What stands for a character that the codec cannot encode."""
    code = ll_ord_at(s, i)
    if errors == IGNORE:
        return
    if errors == REPLACE:
        ll_append(out, QUESTION_MARK)
    elif errors == BACKSLASHREPLACE:
        ll_put_text(out, ll_escape(code))
    elif errors == XMLCHARREFREPLACE:
        ll_put_text(out, XML_START)
        ll_put_text(out, ll_int2str(code))
        ll_append(out, 59)
    elif 0xDC80 <= code and code <= 0xDCFF:
        ll_append(out, code - 0xDC00)
    else:
        stop = i + 1
        while stop < s.length and not ll_fits(ll_ord_at(s, stop), limit):
            stop += 1
        if limit == 0:
            ll_raise_encode_error(s, i, stop, UTF8_CODEC, SURROGATES)
        elif limit == 128:
            ll_raise_encode_error(s, i, stop, ASCII_CODEC, NOT_ASCII)
        else:
            ll_raise_encode_error(s, i, stop, LATIN1_CODEC, NOT_LATIN1)


def ll_put_text(out: _ptr, text: _ptr) -> None:
    """Append a str of ASCII characters."""
    i = 0
    while i < text.length:
        ll_append(out, ll_ord_at(text, i))
        i += 1
