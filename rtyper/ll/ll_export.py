"""Values to and from C callers of a shared library.

What a function returns in memory of its own is the C library's (``malloc``), for the caller
to release; ``size`` is where its length goes, or null.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.foreign.external import CCHARARRAY
from rpython.lltypesystem.lltype import Array, Ptr, Signed, _ptr, malloc, nullptr
from rpython.lltypesystem.rstr import BYTES, STR
from rpython.rtyper.ll.ll_decode import ll_decode_utf8
from rpython.rtyper.ll.ll_encode import ll_encode_utf8

SIZE = Array(Signed, hints={"nolength": True})
SIZEPTR = Ptr(SIZE)


def ll_text_length(chars: _ptr, length: int) -> int:
    """The number of characters that the caller means: up to the zero when negative."""
    if not chars:
        raise TypeError("NULL is not a str")
    if length >= 0:
        return length
    length = 0
    while ord(chars[length]) != 0:
        length += 1
    return length


def ll_str_from_c(chars: _ptr, length: int) -> _ptr:
    return ll_decode_utf8(chars, ll_text_length(chars, length), False)


def ll_optional_str_from_c(chars: _ptr, length: int) -> _ptr:
    if not chars:
        return nullptr(STR)
    return ll_str_from_c(chars, length)


def ll_bytes_from_c(chars: _ptr, length: int) -> _ptr:
    length = ll_text_length(chars, length)
    result = malloc(BYTES, length)
    i = 0
    while i < length:
        result.chars[i] = chars[i]
        i += 1
    return result


def ll_optional_bytes_from_c(chars: _ptr, length: int) -> _ptr:
    if not chars:
        return nullptr(BYTES)
    return ll_bytes_from_c(chars, length)


def ll_bytes_to_c(b: _ptr, size: _ptr) -> _ptr:
    """A copy with a zero behind it."""
    if not b:
        return nullptr(CCHARARRAY)
    length = len(b.chars)
    result = malloc(CCHARARRAY, length + 1, flavor="raw")
    i = 0
    while i < length:
        result[i] = b.chars[i]
        i += 1
    result[length] = chr(0)
    ll_put_size(size, length)
    return result


def ll_str_to_c(s: _ptr, size: _ptr) -> _ptr:
    if not s:
        return nullptr(CCHARARRAY)
    return ll_bytes_to_c(ll_encode_utf8(s), size)


def ll_put_size(size: _ptr, length: int) -> None:
    if size:
        size[0] = length


def ll_list_length(items: _ptr, length: int) -> int:
    """The number of items of an array from C."""
    if length < 0:
        raise ValueError("a list cannot have a negative length")
    if not items and length > 0:
        raise TypeError("NULL is not a list")
    return length


def ll_new_items(ITEMS: Any, length: int, size: _ptr) -> _ptr:
    """An array for C with so many items."""
    ll_put_size(size, length)
    return malloc(ITEMS, length, flavor="raw")
