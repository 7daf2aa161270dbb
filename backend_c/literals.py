"""Primitive low-level values as C literals."""

from __future__ import annotations

import math
import struct
from typing import Any

from rpython.backend_c.names import c_string
from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    Int32,
    Int128,
    LowLevelType,
    Primitive,
    Signed,
    SingleFloat,
    UInt32,
    UInt128,
    UniChar,
    Unsigned,
)

_SUFFIX = {Signed: "L", Unsigned: "UL", Int32: "", UInt32: "U"}


def literal(value: Any, T: LowLevelType) -> str:
    """A C expression of type ``T`` (primitive, not Void) for a low-level value."""
    assert isinstance(T, Primitive)
    if T.is_integer:
        return _integer(int(value), T)
    if T is Bool:
        return "1" if value else "0"
    if T is Float:
        return float_literal(value)
    if T is SingleFloat:
        return f"((SingleFloat){float_literal(value)})"
    if T is Char:
        return _char(value)
    if T is UniChar:
        return f"{ord(value):#x}U"
    raise TypeError(f"no C literal for {value!r} of type {T}")


def _integer(value: int, T: Primitive) -> str:
    if T in (Int128, UInt128):
        bits = value & ((1 << 128) - 1)
        return f"(({T})(((UInt128){bits >> 64:#x}UL << 64) | {bits & (1 << 64) - 1:#x}UL))"
    suffix = _SUFFIX.get(T)
    if suffix is None:
        return f"(({T}){value})"
    if T is Signed and value == T.min:
        return "RPY_SIGNED_MIN"
    if T is Int32 and value == T.min:
        return "(-2147483647 - 1)"
    text = f"{value}{suffix}"
    return f"({text})" if value < 0 else text


def float_literal(value: float) -> str:
    """The shortest decimal that C reads back as the same double."""
    if math.isnan(value):
        text = f'__builtin_nan("{_payload(value)}")'
        return f"(-{text})" if math.copysign(1.0, value) < 0 else text
    if math.isinf(value):
        return "__builtin_inf()" if value > 0 else "(-__builtin_inf())"
    text = repr(value)
    return f"({text})" if text.startswith("-") else text


def _payload(nan: float) -> str:
    """The bits of a nan that no other nan need have, in hexadecimal; "" where none is set."""
    low = int.from_bytes(struct.pack(">d", nan), "big") & (1 << 51) - 1
    return f"{low:#x}" if low else ""


def _char(value: str) -> str:
    if value in "'\\":
        return f"'\\{value}'"
    if " " <= value <= "~":
        return f"'{value}'"
    return f"((Char){ord(value):#04x})"


def initialiser(value: Any, T: LowLevelType) -> str:
    """As ``literal``, without the suffixes and casts that a static initialiser can do
    without."""
    assert isinstance(T, Primitive)
    if T.is_integer and -(1 << 31) < value < (1 << 31):
        return str(int(value))
    if T is Char or T is UniChar:
        return literal(value, T) if " " <= value <= "~" and T is Char else str(ord(value))
    return literal(value, T)


def is_zero(value: Any, T: LowLevelType) -> bool:
    """Is the value all zero bits, what static memory holds anyway?"""
    if T is Char or T is UniChar:
        return bool(value == "\0")
    if T is Float or T is SingleFloat:
        return bool(value == 0.0 and math.copysign(1.0, value) > 0)
    return not value


def char_items(items: list[str]) -> str:
    """Latin-1 characters as C string literals, on lines of their own when there are many.
    Zeros at the end go without saying."""
    data = "".join(items).rstrip("\0").encode("latin-1")
    pieces = [c_string(data[i : i + 72]) for i in range(0, len(data), 72)]
    return "\n    ".join(pieces)
