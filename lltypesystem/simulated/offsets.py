"""Symbolic offsets: distances between places, in terms of types and never in bytes.

    offsetof(S, "x")            FieldOffset(S, "x")
    sizeof(T) * n               ItemOffset(T, n)
    itemoffsetof(A, i)          ArrayItemsOffset(A) + ItemOffset(A.OF, i)

An offset is a chain of steps.  ``-offset`` is the chain backwards.  In C an offset is a
number of bytes.
"""

from __future__ import annotations

from typing import Any, NoReturn

from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    LowLevelType,
    Offset,
    Primitive,
    Signed,
    SingleFloat,
    SymbolicValue,
    UniChar,
    Void,
)
from rpython.lltypesystem.simulated.containers import MemoryFault
from rpython.lltypesystem.types import Array, ContainerType, FixedSizeArray, Ptr, Struct


class AddressOffset(SymbolicValue):
    """A distance: the steps that lead from one place to another."""

    __slots__ = ("steps",)

    _TYPE = Offset
    _rpython_by_value_ = True
    steps: tuple[Step, ...]

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AddressOffset):
            return NotImplemented
        return self.steps == other.steps

    def __hash__(self) -> int:
        return hash(self.steps)

    def __repr__(self) -> str:
        return f"<{' + '.join(map(str, self.steps)) or 'no offset'}>"

    def __add__(self, other: object) -> AddressOffset:
        if isinstance(other, int):
            other = in_bytes(other)
        if not isinstance(other, AddressOffset):
            return NotImplemented
        return AddressOffset(_joined(self.steps, other.steps))

    __radd__ = __add__

    def __sub__(self, other: object) -> AddressOffset:
        if isinstance(other, int):
            other = in_bytes(other)
        if not isinstance(other, AddressOffset):
            return NotImplemented
        return self + -other

    def __neg__(self) -> AddressOffset:
        return AddressOffset(tuple(step.reversed() for step in reversed(self.steps)))

    def __mul__(self, n: object) -> AddressOffset:
        if not isinstance(n, int) or isinstance(n, bool):
            return NotImplemented
        return multiplied(self, int(n))

    __rmul__ = __mul__

    def __bool__(self) -> NoReturn:
        raise TypeError("an offset is no number: its truth is not defined")


class Step:
    """One elementary step: to a field, to the items of an array, to its length, or over
    ``repeat`` items of a type."""

    __slots__ = ("TYPE", "backwards", "kind", "what")

    def __init__(self, kind: str, TYPE: Any, what: Any = None, backwards: bool = False) -> None:
        self.kind = kind
        self.TYPE = TYPE
        self.what = what
        self.backwards = backwards

    def _key(self) -> tuple[Any, ...]:
        return (self.kind, self.TYPE, self.what, self.backwards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.kind, self.what, self.backwards))

    def __str__(self) -> str:
        name = self.TYPE._short_name()
        text = {
            "field": f"offsetof({name}, {self.what})",
            "item": f"{self.what} * sizeof({name})",
            "items": f"items of {name}",
            "length": f"length of {name}",
        }[self.kind]
        return f"-({text})" if self.backwards else text

    def reversed(self) -> Step:
        """The step back."""
        if self.kind == "item":
            return Step("item", self.TYPE, -self.what)
        return Step(self.kind, self.TYPE, self.what, not self.backwards)


def _joined(left: tuple[Step, ...], right: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps of both; neighbours that are one step, or none, are."""
    result = list(left)
    for step in right:
        last = result[-1] if result else None
        if last is not None and last == step.reversed():
            result.pop()
        elif last is not None and last.kind == step.kind == "item" and last.TYPE == step.TYPE:
            result[-1] = Step("item", step.TYPE, last.what + step.what)
        elif step.kind != "item" or step.what != 0:
            result.append(step)
    return tuple(result)


def multiplied(offset: AddressOffset, n: int) -> AddressOffset:
    """``offset * n``: of a number of items; anything else only by 0 or 1."""
    if n == 0:
        return NO_OFFSET
    if n == 1:
        return offset
    if len(offset.steps) == 1 and offset.steps[0].kind == "item":
        step = offset.steps[0]
        return AddressOffset((Step("item", step.TYPE, step.what * n),))
    if not offset.steps:
        return offset
    raise MemoryFault(f"{offset!r} is not the size of an item: it cannot be multiplied")


NO_OFFSET = AddressOffset(())
Offset._default = NO_OFFSET


def FieldOffset(TYPE: Any, fldname: str) -> AddressOffset:
    """From the start of a struct to one of its fields."""
    if not isinstance(TYPE, Struct) or fldname not in TYPE._flds:
        raise TypeError(f"offsetof: {TYPE!r} has no field {fldname!r}")
    return AddressOffset((Step("field", TYPE, fldname),))


def ItemOffset(TYPE: Any, repeat: int = 1) -> AddressOffset:
    """The size of ``repeat`` items of a type."""
    if not isinstance(TYPE, LowLevelType) or TYPE is Void or TYPE._is_varsize():
        raise TypeError(f"sizeof: {TYPE!r} has no size of its own")
    if isinstance(TYPE, ContainerType) and not isinstance(TYPE, Struct | FixedSizeArray):
        raise TypeError(f"sizeof: {TYPE!r} has no size")
    return NO_OFFSET if repeat == 0 else AddressOffset((Step("item", TYPE, repeat),))


def ArrayItemsOffset(TYPE: Any) -> AddressOffset:
    """From the start of an array to its first item."""
    if not isinstance(TYPE, Array | FixedSizeArray):
        raise TypeError(f"itemoffsetof: {TYPE!r} is not an array")
    return AddressOffset((Step("items", TYPE),))


def ArrayLengthOffset(TYPE: Any) -> AddressOffset:
    """From the start of an array to its length."""
    if not isinstance(TYPE, Array) or not TYPE._has_length():
        raise TypeError(f"{TYPE!r} is not an array with a length")
    return AddressOffset((Step("length", TYPE),))


def in_bytes(n: int) -> AddressOffset:
    """A number of bytes."""
    return ItemOffset(Char, int(n))


def CompositeOffset(*offsets: AddressOffset) -> AddressOffset:
    """The sum of offsets, in their order."""
    result = NO_OFFSET
    for offset in offsets:
        result = result + offset
    return result


def offsetof(TYPE: Any, fldname: str) -> AddressOffset:
    """From the start of a struct to one of its fields."""
    return FieldOffset(TYPE, fldname)


def itemoffsetof(TYPE: Any, n: int = 0) -> AddressOffset:
    """From the start of an array to item ``n``."""
    return ArrayItemsOffset(TYPE) + ItemOffset(TYPE.OF) * n


def sizeof(TYPE: Any, n: int | None = None) -> AddressOffset:
    """The size of a type; of one with a variable part, that with ``n`` items in it."""
    if n is None:
        return ItemOffset(TYPE)
    if isinstance(TYPE, Struct) and TYPE._arrayfld is not None:
        array = TYPE._flds[TYPE._arrayfld]
        return FieldOffset(TYPE, TYPE._arrayfld) + sizeof(array, n)
    if not isinstance(TYPE, Array):
        raise TypeError(f"sizeof: {TYPE!r} has no variable part")
    return itemoffsetof(TYPE, n)


# -- what C makes of it, for the order of places ---------------------------------------------------

_BYTES = {Float: 8, SingleFloat: 4, Char: 1, UniChar: 4, Bool: 1, Void: 0}
_WORD = 8


def size_and_alignment(T: Any) -> tuple[int, int]:
    """The bytes of a value or container (its variable part left out) and their alignment."""
    if isinstance(T, Struct):
        end, alignment = 0, 1
        for name, F in T._flds.items():
            size, align = size_and_alignment(F)
            end = field_place(T, name) + size
            alignment = max(alignment, align)
        return _aligned(max(end, _header(T)), alignment), alignment
    if isinstance(T, FixedSizeArray):
        size, alignment = size_and_alignment(T.OF)
        return size * T.length, alignment
    if isinstance(T, Array):
        return items_place(T), max(size_and_alignment(T.OF)[1], _WORD if T._has_length() else 1)
    if isinstance(T, Primitive) and (T.is_integer or T in _BYTES):
        size = T.bits // 8 or _BYTES[T]
        return size, min(max(size, 1), _WORD)
    assert isinstance(T, Ptr | Primitive | ContainerType)
    return _WORD, _WORD


def _header(T: Any) -> int:
    return _WORD if T._gckind == "gc" and getattr(T, "_parent_field", None) is None else 0


def _aligned(n: int, alignment: int) -> int:
    return -(-n // alignment) * alignment


def field_place(S: Struct, name: str) -> int:
    """Where a field of a struct is, in bytes."""
    end = _header(S)
    for field, F in S._flds.items():
        size, align = size_and_alignment(F)
        end = _aligned(end, align)
        if field == name:
            return end
        end += size
    raise AttributeError(f"{S._short_name()} has no field {name!r}")


def items_place(A: Any) -> int:
    """Where the items of an array start, in bytes."""
    start = _header(A)
    if isinstance(A, Array) and A._has_length():
        start += size_and_alignment(Signed)[0]
    return _aligned(start, size_and_alignment(A.OF)[1])


def step_bytes(step: Step) -> int:
    """The length of a step in C."""
    T: Any = step.TYPE
    if step.kind == "item":
        return int(step.what) * size_and_alignment(T)[0]
    if step.kind == "field":
        length = field_place(T, step.what)
    else:
        length = items_place(T)
        if step.kind == "length":
            length -= size_and_alignment(Signed)[0]
    return -length if step.backwards else length
