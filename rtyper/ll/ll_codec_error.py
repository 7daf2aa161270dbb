"""``str`` of a UnicodeDecodeError or UnicodeEncodeError that the program makes."""

from __future__ import annotations

from rpython.lltypesystem.lltype import _ptr
from rpython.rtyper.ll.ll_decode import IN_POSITION, TO_POSITION, ll_byte_at, ll_hex_byte
from rpython.rtyper.ll.ll_encode import ll_escape
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_str import ll_ord_at, ll_strconcat, prebuilt_str

QUOTE = prebuilt_str("'")
COLON = prebuilt_str(": ")
ONE_BYTE = prebuilt_str("' codec can't decode byte 0x")
MORE_BYTES = prebuilt_str("' codec can't decode bytes in position ")
ONE_CHARACTER = prebuilt_str("' codec can't encode character '")
MORE_CHARACTERS = prebuilt_str("' codec can't encode characters in position ")


def ll_decode_error_text(encoding: _ptr, data: _ptr, start: int, end: int, reason: _ptr) -> _ptr:
    """``str(UnicodeDecodeError(encoding, data, start, end, reason))``"""
    text = ll_strconcat(QUOTE, encoding)
    if 0 <= start < len(data.chars) and end == start + 1:
        text = ll_strconcat(text, ONE_BYTE)
        text = ll_strconcat(text, ll_hex_byte(ll_byte_at(data.chars, start)))
        text = ll_strconcat(ll_strconcat(text, IN_POSITION), ll_int2str(start))
    else:
        text = ll_strconcat(text, MORE_BYTES)
        text = ll_places(text, start, end)
    return ll_strconcat(ll_strconcat(text, COLON), reason)


def ll_encode_error_text(encoding: _ptr, s: _ptr, start: int, end: int, reason: _ptr) -> _ptr:
    """``str(UnicodeEncodeError(encoding, s, start, end, reason))``"""
    text = ll_strconcat(QUOTE, encoding)
    if 0 <= start < s.length and end == start + 1:
        text = ll_strconcat(text, ONE_CHARACTER)
        text = ll_strconcat(ll_strconcat(text, ll_escape(ll_ord_at(s, start))), QUOTE)
        text = ll_strconcat(ll_strconcat(text, IN_POSITION), ll_int2str(start))
    else:
        text = ll_strconcat(text, MORE_CHARACTERS)
        text = ll_places(text, start, end)
    return ll_strconcat(ll_strconcat(text, COLON), reason)


def ll_places(text: _ptr, start: int, end: int) -> _ptr:
    """The text followed by the first and the last place."""
    text = ll_strconcat(ll_strconcat(text, ll_int2str(start)), TO_POSITION)
    return ll_strconcat(text, ll_int2str(end - 1))
