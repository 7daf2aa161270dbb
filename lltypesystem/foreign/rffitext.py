"""Text and buffers of C in ``rffi``: copies of a ``str`` in raw memory, and back.

The functions are restricted Python.  ``str`` where RPython has 8-bit strings: characters up to
U+00FF; C's wide characters have four bytes.
"""

from __future__ import annotations

from typing import Any, TypeVar

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP
from rpython.lltypesystem.primitives import Char, UniChar
from rpython.lltypesystem.simulated.casts import cast_primitive
from rpython.lltypesystem.simulated.memory import _ptr, free, malloc
from rpython.lltypesystem.types import Array, Ptr

F = TypeVar("F", bound=Any)

_CCHARPARRAY = Array(CCHARP, hints={"nolength": True})
CCHARPP = Ptr(_CCHARPARRAY)
_CWCHARARRAY = Array(UniChar, hints={"nolength": True})
CWCHARP = Ptr(_CWCHARARRAY)


def _per_arguments(function: F) -> F:
    """Decorator: the function is for narrow and for wide characters."""
    vars(function)["_rpython_per_arguments_"] = True
    return function


def str2charp(s: str) -> _ptr:
    """A zero-terminated copy of ``s``, whose characters are at most U+00FF; to be freed with
    ``free_charp``."""
    size = len(s)
    p = malloc(CCHARARRAY, size + 1, flavor="raw")
    for i in range(size):
        number = ord(s[i])
        if number > 255:
            free(p, flavor="raw")
            raise ValueError("a character beyond 255 does not fit in a C string")
        p[i] = cast_primitive(Char, number)
    p[size] = cast_primitive(Char, 0)
    return p


def bytes2charp(data: bytes) -> _ptr:
    """The same of bytes."""
    size = len(data)
    p = malloc(CCHARARRAY, size + 1, flavor="raw")
    for i in range(size):
        p[i] = cast_primitive(Char, data[i])
    p[size] = cast_primitive(Char, 0)
    return p


@_per_arguments
def free_charp(p: _ptr) -> None:
    free(p, flavor="raw")


@_per_arguments
def charp2str(p: _ptr) -> str:
    """The characters before the first zero."""
    chars = []
    i = 0
    while ord(p[i]) != 0:
        chars.append(chr(ord(p[i])))
        i += 1
    return "".join(chars)


@_per_arguments
def charp2strn(p: _ptr, maxlen: int) -> str:
    """The same, at most ``maxlen`` of them."""
    chars = []
    i = 0
    while i < maxlen and ord(p[i]) != 0:
        chars.append(chr(ord(p[i])))
        i += 1
    return "".join(chars)


@_per_arguments
def charpsize2str(p: _ptr, size: int) -> str:
    """``size`` characters, zeros among them."""
    chars = []
    for i in range(size):
        chars.append(chr(ord(p[i])))
    return "".join(chars)


class scoped_str2charp:
    """``with scoped_str2charp(s) as p:`` a copy of ``s`` for the block."""

    def __init__(self, s: str) -> None:
        self.buf = str2charp(s)

    def __enter__(self) -> _ptr:
        return self.buf

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free_charp(self.buf)


class scoped_nonmovingbuffer(scoped_str2charp):
    """The same; C must not change what it sees."""


class scoped_alloc_buffer:
    """``with scoped_alloc_buffer(n) as b:`` room for ``n`` characters, ``b.raw``; ``b.str(k)``
    gives the first ``k``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw = malloc(CCHARARRAY, size, flavor="raw")

    def __enter__(self) -> scoped_alloc_buffer:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free(self.raw, flavor="raw")

    def str(self, length: int) -> str:
        return charpsize2str(self.raw, length)


def str2chararray(s: str, array: _ptr, maxsize: int) -> int:
    """Copy at most ``maxsize`` characters, and no zero, to an array; the result is how many."""
    size = min(len(s), maxsize)
    for i in range(size):
        number = ord(s[i])
        if number > 255:
            raise ValueError("a character beyond 255 does not fit in a C string")
        array[i] = cast_primitive(Char, number)
    return size


# -- buffers, in RPython's older form


def get_nonmovingbuffer(data: str) -> tuple[_ptr, bool]:
    """A copy of ``data`` that C must not change, and what ``free_nonmovingbuffer`` wants."""
    return str2charp(data), True


def free_nonmovingbuffer(data: str, buf: _ptr, flag: bool) -> None:
    """Free what ``get_nonmovingbuffer`` gave."""
    free(buf, flavor="raw")


def get_nonmovingbuffer_ll(data: str) -> tuple[_ptr, str, bool]:
    """The same in RPython's newer form, for ``free_nonmovingbuffer_ll``."""
    return str2charp(data), data, True


def free_nonmovingbuffer_ll(buf: _ptr, llobj: str, flag: bool) -> None:
    """Free what ``get_nonmovingbuffer_ll`` gave."""
    free(buf, flavor="raw")


def alloc_buffer(count: int) -> tuple[_ptr, None]:
    """Room for ``count`` characters; its second part means nothing."""
    return malloc(CCHARARRAY, count, flavor="raw"), None


def str_from_buffer(raw_buf: _ptr, gc_buf: None, allocated_size: int, needed_size: int) -> str:
    """The first ``needed_size`` characters of an ``alloc_buffer``."""
    assert needed_size <= allocated_size
    return charpsize2str(raw_buf, needed_size)


def keep_buffer_alive_until_here(raw_buf: _ptr, gc_buf: None) -> None:
    """The end of an ``alloc_buffer``: it is freed."""
    free(raw_buf, flavor="raw")


# -- char **


def liststr2charpp(texts: list[str]) -> _ptr:
    """Copies of the strs, and a null pointer at the end; for ``free_charpp``."""
    array = malloc(_CCHARPARRAY, len(texts) + 1, flavor="raw")
    for i in range(len(texts)):
        array[i] = str2charp(texts[i])
    array[len(texts)] = _NO_CHARP
    return array


_NO_CHARP = CCHARP._defl()


def free_charpp(array: _ptr) -> None:
    """Free the strs and the array."""
    i = 0
    while array[i]:
        free(array[i], flavor="raw")
        i += 1
    free(array, flavor="raw")


# -- wchar_t *


def unicode2wcharp(s: str) -> _ptr:
    """A zero-terminated copy of ``s``; to be freed with ``free_wcharp``."""
    size = len(s)
    p = malloc(_CWCHARARRAY, size + 1, flavor="raw")
    for i in range(size):
        p[i] = cast_primitive(UniChar, ord(s[i]))
    p[size] = cast_primitive(UniChar, 0)
    return p


free_wcharp = free_charp
wcharp2unicode, wcharp2unicoden, wcharpsize2unicode = charp2str, charp2strn, charpsize2str


def wcharpsize2utf8(p: _ptr, size: int) -> str:
    """The same as UTF-8, each byte a character; surrogates, too."""
    chars: list[str] = []
    for i in range(size):
        code = ord(p[i])
        if code < 0x80:
            chars.append(chr(code))
            continue
        if code < 0x800:
            chars.append(chr(0xC0 | code >> 6))
        elif code < 0x10000:
            chars += [chr(0xE0 | code >> 12), chr(0x80 | code >> 6 & 63)]
        else:
            chars += [chr(0xF0 | code >> 18), chr(0x80 | code >> 12 & 63)]
            chars.append(chr(0x80 | code >> 6 & 63))
        chars.append(chr(0x80 | code & 63))
    return "".join(chars)


class scoped_alloc_unicodebuffer:
    """``with scoped_alloc_unicodebuffer(n) as b:`` room for ``n`` wide characters, ``b.raw``;
    ``b.str(k)`` gives the first ``k``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw = malloc(_CWCHARARRAY, size, flavor="raw")

    def __enter__(self) -> scoped_alloc_unicodebuffer:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free(self.raw, flavor="raw")

    def str(self, length: int) -> str:
        return wcharpsize2unicode(self.raw, length)
