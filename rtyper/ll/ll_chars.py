"""Characters and their code points."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lltype import _ptr
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import LATIN1_CHARS, ll_ord_at, ll_strconcat, prebuilt_str

ORD_OF_STRING = prebuilt_str("ord() expected a character, but string of length ")
FOUND = prebuilt_str(" found")


def ll_chr(code: int) -> str:
    """``chr(code)``; a UniChar."""
    if code < -2147483648 or code > 2147483647:
        raise OverflowError("Python int too large to convert to C int")
    if code < 0 or code > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return chr(code)


def ll_format_chr(code: Any) -> str:
    """``'%c' % code``; a UniChar."""
    if code < 0 or code > 0x10FFFF:
        raise OverflowError("%c arg not in range(0x110000)")
    return chr(code)


def ll_ord_of_str(s: _ptr) -> int:
    """``ord(s)`` of a str of any length."""
    if s.length != 1:
        text = ll_strconcat(ORD_OF_STRING, ll_int2str(s.length))
        raise_with_message(TypeError, ll_strconcat(text, FOUND))
    return ll_ord_at(s, 0)


def ll_format_one(s: _ptr) -> _ptr:
    """``'%c' % s`` of a str."""
    if s.length != 1:
        raise TypeError("%c requires int or char")
    return s


def ll_format_byte(code: int) -> _ptr:
    """``b'%c' % code`` as Latin-1 text."""
    if code < 0 or code > 255:
        raise OverflowError("%c arg not in range(256)")
    return LATIN1_CHARS[code]


def ll_format_one_byte(s: _ptr) -> _ptr:
    """``b'%c' % b``; ``s`` is ``b`` as Latin-1 text."""
    if s.length != 1:
        raise TypeError("%c requires an integer in range(256) or a single byte")
    return s
