"""``enum``: what members of an ``enum.Flag`` do, and texts of members with a format.

All combinations of the flags of an enum are made when the program is translated: they are members
that are there already.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import expanded, methods_in_place_of, per_arguments

MOST_FLAGS = 10
"""An enum with more has too many combinations."""


@expanded
def _class(member: Any) -> Any:
    return type(member)


@methods_in_place_of(enum.Enum)
class Enum:
    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@methods_in_place_of(enum.Flag)
class Flag:
    _name_: str | None
    _value_: int
    _inverted_: Any

    @per_arguments
    def __or__(self, other: Any) -> Any:
        if isinstance(other, type(self)):
            return _class(self)(self._value_ | other._value_)
        return NotImplemented

    @per_arguments
    def __and__(self, other: Any) -> Any:
        if isinstance(other, type(self)):
            return _class(self)(self._value_ & other._value_)
        return NotImplemented

    @per_arguments
    def __xor__(self, other: Any) -> Any:
        if isinstance(other, type(self)):
            return _class(self)(self._value_ ^ other._value_)
        return NotImplemented

    def __invert__(self) -> Any:
        return self._inverted_

    @per_arguments
    def __contains__(self, other: Any) -> bool:
        if isinstance(other, type(self)):
            return other._value_ & self._value_ == other._value_
        names = f"{type(other).__name__!r} and {type(self).__name__!r}"
        raise TypeError(f"unsupported operand type(s) for 'in': {names}")

    def __iter__(self) -> Iterator[Any]:
        for flag in _class(self):
            if flag._value_ & self._value_:
                yield flag

    def __len__(self) -> int:
        return self._value_.bit_count()

    def __bool__(self) -> bool:
        return self._value_ != 0

    def __repr__(self) -> str:
        name = "" if self._name_ is None else f".{self._name_}"
        return f"<{type(self).__name__}{name}: {self._value_}>"

    def __str__(self) -> str:
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_})"
        return f"{type(self).__name__}.{self._name_}"


def find_flags(
    value: int, members: dict[int, Any], name: str, mask: int, conforms: bool
) -> Any:
    """``Permission(value)``.

    Args:
        members: all combinations, by their values and by those below 0 that stand for one.
        mask: the flags there are.
        conforms: are other bits left out?  (Else there must be none: ``enum.STRICT``.)
    """
    if conforms:
        return members[value & mask]
    if value in members:
        return members[value]
    size = max(value.bit_length(), mask.bit_length())
    raise ValueError(
        f"<flag {name!r}> invalid value {value}\n    given {_bits(value, size)}\n"
        f"  allowed {_bits(mask, size)}"
    )


def _bits(value: int, size: int) -> str:
    digits = ""
    for i in range(size):
        digits = str(value >> i & 1) + digits
    return f"0b{'1' if value < 0 else '0'} {digits}"


def all_combinations(cls: Any) -> dict[int, Any]:
    """The members of an enum with as many flags as may be, made by the host."""
    found = {}
    top = 1 << cls._flag_mask_.bit_length()
    for value in range(-top, top):
        try:
            found[value] = cls(value)
        except ValueError:
            continue
    for member in found.values():
        assert ~member is not None  # the host keeps it with the member
    return found
