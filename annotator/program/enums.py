"""What the class of an enum does: looking members up by value and by name.

The functions are translated as a part of the program; each enum has a copy.
"""

from __future__ import annotations

import enum
from typing import Any

from rpython.annotator.lattice.enumints import member_attribute
from rpython.stdlib.enum import all_combinations, find_flags


def find_member(value: Any, members: list[Any], name: str) -> Any:
    """``Color(value)``."""
    for member in members:
        if member.value == value:
            return member
    raise ValueError(repr(value) + " is not a valid " + name)


def find_member_or(value: Any, members: list[Any], name: str, cls: type, missing: Any) -> Any:
    """The same for an enum with a ``_missing_``; see ``Enum.__new__`` of CPython."""
    for member in members:
        if member.value == value:
            return member
    raised: Exception | None = None
    found = None
    try:
        found = missing(value)
    except Exception as error:
        raised = error
    if found is not None and isinstance(found, cls):
        return found
    invalid = ValueError(repr(value) + " is not a valid " + name)
    if raised is None:
        if found is None:
            raise invalid
        text = "_missing_: returned " + repr(found) + " instead of None or a valid member"
        raised = TypeError("error in " + cls.__name__ + "." + text)
    if not isinstance(raised, ValueError):
        raised.__context__ = invalid
    raise raised


def find_number(value: int, members: dict[int, Any], name: str) -> Any:
    """``Level(value)``, where the members of ``Level`` are ints."""
    if value in members:
        return members[value]
    raise ValueError(str(value) + " is not a valid " + name)


def find_named(key: str, members: list[Any], names: list[str]) -> Any:
    """``Color[key]``; ``names`` are those of ``members``, aliases too."""
    for i in range(len(names)):
        if names[i] == key:
            return members[i]
    raise KeyError(key)


def attribute_of(member: int, values: Any) -> Any:
    """``Level.LOW.name``, where members are ints."""
    return values[member]


class Members:
    """The members of the enums of a program, as lists that are the same each time."""

    def __init__(self) -> None:
        self._all: dict[type, list[Any]] = {}
        self._by_number: dict[type, dict[int, Any]] = {}
        self._combinations: dict[type, dict[int, Any]] = {}
        self._missing: dict[type, Any] = {}
        self._named: dict[type, Any] = {}
        self._by_name: dict[type, tuple[list[Any], list[str]]] = {}
        self._attributes: dict[tuple[type, str], Any] = {}

    def all(self, cls: Any) -> list[Any]:
        """The members, without aliases."""
        return self._all.setdefault(cls, list(cls))

    def by_value(self, cls: Any) -> tuple[Any, list[Any]]:
        """The function that finds a member, and its arguments after the value."""
        if issubclass(cls, enum.Flag):
            mask = cls._flag_mask_
            conforms = cls._boundary_ is enum.CONFORM
            more = [cls.__qualname__, mask, conforms]
            return find_flags, [self.combinations(cls), *more]
        arguments = [self.all(cls), cls.__qualname__]
        if not has_missing(cls):
            return find_member, arguments
        if cls not in self._missing:
            self._missing[cls] = cls._missing_
        return find_member_or, [*arguments, cls, self._missing[cls]]

    def combinations(self, cls: Any) -> dict[int, Any]:
        """The members of an ``enum.Flag`` by value."""
        return self._combinations.setdefault(cls, all_combinations(cls))

    def by_number(self, cls: Any) -> tuple[Any, list[Any]]:
        """The arguments of ``find_number`` after the value."""
        if has_missing(cls):
            return self.by_value(cls)
        members = self._by_number.setdefault(cls, {int(member): member for member in cls})
        return find_number, [members, cls.__qualname__]

    def by_name(self, cls: Any) -> tuple[Any, list[Any]]:
        """The arguments of ``find_named`` after the key."""
        if cls not in self._by_name:
            known = cls.__members__
            self._by_name[cls] = (list(known.values()), list(known))
        return find_named, list(self._by_name[cls])

    def named(self, cls: Any) -> Any:
        """``cls.__members__``, the same object each time."""
        return self._named.setdefault(cls, cls.__members__)

    def attribute(self, cls: Any, name: str) -> Any:
        """That attribute of all members, if they are ints, as ``attribute_of`` takes it; None
        where some have none."""
        key = (cls, name)
        if key not in self._attributes:
            self._attributes[key] = member_attribute(cls, name)
        return self._attributes[key]


def has_missing(cls: Any) -> bool:
    """Does the program say what becomes of values that no member has?"""
    return any("_missing_" in vars(base) for base in cls.__mro__ if base.__module__ != "enum")


def is_enum(cls: Any) -> bool:
    return isinstance(cls, enum.EnumMeta)
