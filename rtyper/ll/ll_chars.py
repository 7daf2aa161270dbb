"""Characters and their code points."""

from __future__ import annotations

from lltypesystem.lltype import _ptr
from rtyper.ll.ll_number import ll_int2str
from rtyper.ll.ll_raise import raise_with_message
from rtyper.ll.ll_str import ll_ord_at, ll_strconcat, prebuilt_str

ORD_OF_STRING = prebuilt_str("ord() expected a character, but string of length ")
FOUND = prebuilt_str(" found")


def ll_chr(code: int) -> str:
    """``chr(code)``; a UniChar."""
    if code < 0 or code > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return chr(code)


def ll_format_chr(code: int) -> str:
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
