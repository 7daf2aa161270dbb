"""The low-level shape of str, bytes and bytearray.

A str is a ``Ptr(STR)``: length and hash, then one byte per character while every
character is at most U+00FF (``STR1``), four bytes otherwise (``STR4``, ``wide`` set).
The choice is canonical, so equal strings have equal storage.  ``hash`` is 0 until it was
computed.
"""

from __future__ import annotations

from rpython.lltypesystem.primitives import Bool, Char, Signed, UniChar
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr, malloc
from rpython.lltypesystem.types import Array, GcArray, GcStruct, Ptr

STR = GcStruct(
    "rpy_string", ("hash", Signed), ("length", Signed), ("wide", Bool),
    hints={"constant_fields": ("length", "wide")},
)  # fmt: skip
STR1 = GcStruct("rpy_string1", ("base", STR), ("chars", Array(Char)))
STR4 = GcStruct("rpy_string4", ("base", STR), ("chars", Array(UniChar)))
BYTES = GcStruct("rpy_bytes", ("hash", Signed), ("chars", Array(Char)))

STRPTR = Ptr(STR)
STR1PTR = Ptr(STR1)
STR4PTR = Ptr(STR4)
BYTESPTR = Ptr(BYTES)

BYTEARRAY_ITEMS = GcArray(Char)
BYTEARRAY = GcStruct(
    "bytearray", ("length", Signed), ("items", Ptr(BYTEARRAY_ITEMS)), hints={"counts": "length"}
)
"""The first ``length`` of ``items`` are the contents, the others room to grow."""
BYTEARRAYPTR = Ptr(BYTEARRAY)


def make_str(text: str) -> _ptr:
    """``text`` as a new STRPTR in simulated memory."""
    wide = any(char > "\xff" for char in text)
    p = malloc(STR4 if wide else STR1, len(text))
    p.chars._obj.items[:] = text
    result = cast_pointer(STRPTR, p)
    result.length = len(text)
    result.wide = wide
    return result


def read_str(p: _ptr) -> str:
    """The host str that a non-null STRPTR stands for."""
    exact = cast_pointer(STR4PTR if p.wide else STR1PTR, p)
    return "".join(exact.chars._obj.items)


def make_bytes(data: bytes) -> _ptr:
    """``data`` as a new BYTESPTR in simulated memory."""
    p = malloc(BYTES, len(data))
    p.chars._obj.items[:] = data.decode("latin-1")
    return make_ptr(BYTESPTR, p._obj)


def read_bytes(p: _ptr) -> bytes:
    """The host bytes that a non-null BYTESPTR stands for."""
    return "".join(p.chars._obj.items).encode("latin-1")


def mallocbytes(length: int) -> _ptr:
    """A new BYTESPTR of so many zeros, to be filled before anything else sees it."""
    return malloc(BYTES, length)


def copy_bytes_contents(src: _ptr, dst: _ptr, srcstart: int, dststart: int, length: int) -> None:
    """Copy ``length`` characters between two BYTESPTRs, which may be the same one."""
    if srcstart < dststart:
        for i in range(length - 1, -1, -1):
            dst.chars[dststart + i] = src.chars[srcstart + i]
    else:
        for i in range(length):
            dst.chars[dststart + i] = src.chars[srcstart + i]


def make_bytearray(data: bytes | bytearray) -> _ptr:
    """``data`` as a new BYTEARRAYPTR in simulated memory."""
    p = malloc(BYTEARRAY)
    fill_bytearray(p, data)
    return p


def fill_bytearray(p: _ptr, data: bytes | bytearray, immortal: bool = False) -> None:
    """Let the bytearray ``p`` hold ``data``."""
    items = malloc(BYTEARRAY_ITEMS, len(data), immortal=immortal)
    items._obj.items[:] = data.decode("latin-1")
    p.length = len(data)
    p.items = items


def read_bytearray(p: _ptr) -> bytearray:
    """The host bytearray that a non-null BYTEARRAYPTR stands for."""
    return bytearray("".join(p.items._obj.items[: p.length]), "latin-1")
