"""What the class of an enum does: looking members up by value and by name.

The functions are translated as a part of the program; each enum has a copy.
"""

from __future__ import annotations

import enum
from typing import Any


def find_member(value: Any, members: list[Any], name: str) -> Any:
    """``Color(value)``."""
    for member in members:
        if member.value == value:
            return member
    raise ValueError(repr(value) + " is not a valid " + name)


def find_named(key: str, members: list[Any], names: list[str]) -> Any:
    """``Color[key]``; ``names`` are those of ``members``, aliases too."""
    for i in range(len(names)):
        if names[i] == key:
            return members[i]
    raise KeyError(key)


class Members:
    """The members of the enums of a program, as lists that are the same each time."""

    def __init__(self) -> None:
        self._by_value: dict[type, list[Any]] = {}
        self._by_name: dict[type, tuple[list[Any], list[str]]] = {}

    def by_value(self, cls: Any) -> tuple[Any, list[Any]]:
        """The arguments of ``find_member`` after the value."""
        members: list[Any] = self._by_value.setdefault(cls, list(cls))
        return find_member, [members, cls.__qualname__]

    def by_name(self, cls: Any) -> tuple[Any, list[Any]]:
        """The arguments of ``find_named`` after the key."""
        if cls not in self._by_name:
            known = cls.__members__
            self._by_name[cls] = (list(known.values()), list(known))
        return find_named, list(self._by_name[cls])


def is_enum(cls: Any) -> bool:
    return isinstance(cls, enum.EnumMeta)
