"""Memory layout as C has it: sizes, offsets of fields, the bytes of values."""

from __future__ import annotations

import struct
from typing import Any

from rpython.lltypesystem.primitives import (
    Address,
    Bool,
    Char,
    Float,
    Int8,
    Int16,
    Int32,
    LowLevelType,
    Primitive,
    Signed,
    SingleFloat,
    UInt8,
    UInt16,
    UInt32,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, Ptr, Struct

_BYTES = {Float: 8, SingleFloat: 4, Char: 1, UniChar: 4, Bool: 1, Address: 8}


def layout(T: LowLevelType) -> tuple[int, int]:
    """Size and alignment in C; the size of one item for arrays without a length."""
    if isinstance(T, Ptr):
        return 8, 8
    if isinstance(T, Primitive) and (T.is_integer or T in _BYTES):
        size = T.bits // 8 or _BYTES[T]
        return size, min(size, 8)
    if isinstance(T, Struct):
        end, alignment = 0, 1
        if T._is_union:
            sizes, alignments = zip(*map(layout, T._flds.values()))
            return _aligned(max(sizes), max(alignments)), max(alignments)
        for F in T._flds.values():
            size, align = layout(F)
            end = _aligned(end, align) + size
            alignment = max(alignment, align)
        return _aligned(end, alignment), alignment
    if isinstance(T, FixedSizeArray):
        size, align = layout(T.OF)
        return size * T.length, align
    if isinstance(T, Array) and not T._has_length():
        return layout(T.OF)
    raise TypeError(f"C has no layout for {T}")


def _aligned(n: int, alignment: int) -> int:
    return -(-n // alignment) * alignment


def field_offset(S: Struct, name: str) -> int:
    """Where a field is."""
    end = 0
    if S._is_union:
        return 0
    for field, F in S._flds.items():
        size, align = layout(F)
        end = _aligned(end, align)
        if field == name:
            return end
        end += size
    raise AttributeError(f"{S} has no field {name!r}")


def packed(T: Any, value: Any) -> bytes:
    """A primitive, or an address, as it is in memory."""
    if isinstance(value, str):
        value = ord(value)
    if T is Float or T is SingleFloat:
        return struct.pack("=d" if T is Float else "=f", value)
    size = layout(T)[0]
    return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def unpacked(T: Any, data: bytes) -> Any:
    """The low-level value of a primitive type that is in memory like that."""
    if T is Float or T is SingleFloat:
        return struct.unpack("=d" if T is Float else "=f", data)[0]
    n = int.from_bytes(data, "little")
    if T is Bool:
        return n != 0
    return chr(n) if T is Char or T is UniChar else T.wrap(n)


_C_NAMES: dict[LowLevelType, str] = {
    Signed: "long", Unsigned: "unsigned long", Int8: "signed char", Int16: "short",
    Int32: "int", UInt8: "unsigned char", UInt16: "unsigned short", UInt32: "unsigned int",
    Float: "double", SingleFloat: "float", Char: "unsigned char", UniChar: "unsigned int",
    Bool: "_Bool", Void: "void",
}  # fmt: skip


def c_name(T: LowLevelType) -> str:
    """The C type of a value.  Raises TypeError."""
    if isinstance(T, Ptr):
        return "void *"
    if T not in _C_NAMES:
        raise TypeError(f"{T} cannot be given to C")
    return _C_NAMES[T]


def c_type(F: FuncType) -> str:
    """The C type of a function.  Raises TypeError."""
    return f"{c_name(F.RESULT)}(*)({', '.join(map(c_name, F.ARGS)) or 'void'})"


def holds_pointers(T: LowLevelType) -> bool:
    """Can there be a pointer in memory of type ``T`` (what it points to left out)?"""
    if isinstance(T, Struct):
        return any(holds_pointers(F) for F in T._flds.values())
    if isinstance(T, Array | FixedSizeArray):
        return holds_pointers(T.OF)
    return isinstance(T, Ptr) or T is Address
