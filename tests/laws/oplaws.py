"""What the laws of the operation table share: values of every type, and the C code that
evaluates one row's template on values passed through memory."""

from __future__ import annotations

import math
import struct
from typing import Any

from hypothesis import strategies as st

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.operations.llops import LLOPS

INTEGERS = [T for T in L.PRIMITIVES if T.is_integer]
PRIMITIVES = [T for T in L.PRIMITIVES if T not in (L.Void, L.Address, L.Offset)]
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 1e-310, 5e-324, 1.7976931348623157e308,
    -1.7976931348623157e308, 2.0**31, 2.0**53, 2.0**63, -(2.0**63), 2.0**64, 9.2e18, 127.5,
    255.5, 1e30, math.inf, -math.inf, math.nan,
]  # fmt: skip
SINGLES = [0.0, -0.0, 1.0, -1.5, 2.0**-149, 3.4028234663852886e38, math.inf, -math.inf, math.nan]


def edges(T: Any) -> list[Any]:
    """The values of a primitive type where things go wrong."""
    if T.is_integer:
        around = {0, 1, 2, 3, 7, 63, 64, 127, 128, 255, 256, 0xD800, 0x10FFFF, 0x110000, 65535}
        around |= {2**31, 2**32, 2**53 + 1, 2**63, 2**60 + 2**36 + 1, 2**62 + 2**38 + 1}
        both = {sign * (n + d) for n in around for d in (-1, 0) for sign in (1, -1)}
        both |= {T.min, T.min + 1, T.max, T.max - 1, T.max // 2, T.min // 2, T.max // 3}
        return sorted(n for n in both if T.min <= n <= T.max)
    if T is L.Bool:
        return [False, True]
    if T is L.Float:
        return FLOATS
    if T is L.SingleFloat:
        return SINGLES
    if T is L.Char:
        return ["\0", "\x01", "A", "z", "\x7f", "\x80", "\xff"]
    assert T is L.UniChar
    return ["\0", "A", "\xff", "\u0100", "\ud800", "\uffff", "\U00010000", "\U0010ffff"]


def values(T: Any) -> Any:
    """A hypothesis strategy for the values of a primitive type."""
    if T.is_integer:
        small = st.integers(max(T.min, -100), min(T.max, 100))
        return st.one_of(small, st.integers(T.min, T.max), st.sampled_from(edges(T)))
    if T is L.Bool:
        return st.booleans()
    if T is L.Float:
        return st.one_of(st.floats(), st.sampled_from(FLOATS))
    if T is L.SingleFloat:
        return st.floats(width=32)
    if T is L.Char:
        return st.characters(max_codepoint=255)
    return st.characters(exclude_categories=())


def size(T: Any) -> int:
    """Bytes of a value in C."""
    if T.is_integer:
        return int(T.bits) // 8
    return {L.Bool: 1, L.Char: 1, L.UniChar: 4, L.Float: 8, L.SingleFloat: 4}[T]


def pack(T: Any, value: Any) -> bytes:
    """The bytes of a value in C."""
    if T is L.Float:
        return struct.pack("<d", value)
    if T is L.SingleFloat:
        return struct.pack("<f", value)
    n = ord(value) if isinstance(value, str) else int(value)
    return (n & ((1 << 8 * size(T)) - 1)).to_bytes(size(T), "little")


def unpack(T: Any, data: bytes) -> Any:
    """The value those bytes stand for."""
    if T is L.Float:
        return struct.unpack("<d", data)[0]
    if T is L.SingleFloat:
        return struct.unpack("<f", data)[0]
    n = int.from_bytes(data, "little")
    if T.is_integer:
        return T.wrap(n)
    return bool(n) if T is L.Bool else chr(n)


def same(a: Any, b: Any) -> bool:
    """Equal, of one type, signs of zeros included; all nans are one."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return bool(a == b)


class Instance:
    """One row on operands of given types."""

    def __init__(self, row: LLOp, args: tuple[Any, ...], result: Any) -> None:
        self.row = row
        self.args = args
        self.result = result
        self.name = "_".join([row.name, *(T._name for T in args), "to", result._name])

    def __repr__(self) -> str:
        return self.name

    def eval(self, operands: Any) -> Any:
        assert self.row.eval is not None
        first = (self.result,) if self.row.typed else ()
        return self.row.eval(*first, *operands)

    def in_domain(self, operands: Any) -> bool:
        if self.row.domain is None:
            return True
        first = (self.result,) if self.row.typed else ()
        return self.row.domain(*first, *operands)

    def c_function(self) -> str:
        """``int law_NAME(const char *a, char *r)``: true when the row raises."""
        assert self.row.c is not None
        lines = [f"int law_{self.name}(const char *a, char *result)", "{"]
        offset = 0
        for i, T in enumerate(self.args):
            lines.append(f"    {T._name} a{i};")
            lines.append(f"    __builtin_memcpy(&a{i}, a + {offset}, sizeof a{i});")
            offset += size(T)
        operands = [f"a{i}" for i in range(len(self.args))]
        text = self.row.c.format(*operands, R=self.result._name, r="r")
        lines.append(f"    {self.result._name} r;")
        if self.row.raises:
            lines.append(f"    int raised = {text};")
        else:
            lines += [f"    r = {text};", "    int raised = 0;"]
        lines += [
            "    __builtin_memcpy(result, &r, sizeof r);",
            "    return raised;",
            "}",
        ]
        return "\n".join(lines)


def primitive_instances() -> list[Instance]:
    """Every row on primitives, generic rows once per combination of types; none that reads or
    writes anything, which takes a runtime."""
    result = []
    for row in LLOPS:
        if row.c is None or row.effects.reads or row.effects.writes:
            continue
        if row.name == "cast_primitive":
            result += [Instance(row, (A,), R) for A in PRIMITIVES for R in PRIMITIVES]
        elif row.name == "same_as":
            result += [Instance(row, (T,), T) for T in PRIMITIVES]
        elif row.args and row.result in PRIMITIVES and all(T in PRIMITIVES for T in row.args):
            result.append(Instance(row, row.args, row.result))
    return result
