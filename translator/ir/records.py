"""``dataclass`` for the toolchain's own classes: the library's, made in a fifth of the time.

The library compiles six functions for each class, which was a quarter of what it took to load the
toolchain.  Here only ``__init__`` is compiled; the others are closures over the names of the
fields.  That nobody assigns to a field of a frozen class is mypy's to see and not checked when it
runs, so that ``__init__`` of frozen classes is as fast as of others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any


def _dataclass(
    cls: type | None = None, /, *,
    frozen: bool = False, eq: bool = True, repr: bool = True, slots: bool = False,
) -> Any:  # fmt: skip
    """``dataclasses.dataclass``, as a decorator with arguments or without."""

    def made(cls: type) -> Any:
        written = vars(cls)
        if not cls.__doc__:
            cls.__doc__ = cls.__name__  # the library would write the signature
        result: Any = dataclasses.dataclass(cls, eq=False, repr=False, slots=slots)
        fields = dataclasses.fields(result)
        if eq:
            if "__eq__" not in written:
                result.__eq__ = _equality(f.name for f in fields if f.compare)
            if written.get("__hash__") is None:
                hashed = (f.name for f in fields if (f.compare if f.hash is None else f.hash))
                result.__hash__ = _hash(hashed) if frozen else None
        if repr and "__repr__" not in written:
            result.__repr__ = _representation([f.name for f in fields if f.repr])
        return result

    return made if cls is None else made(cls)


def _equality(names: Iterable[str]) -> Callable[[Any, Any], bool]:
    values = _values(list(names))

    def __eq__(self: Any, other: Any) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash(names: Iterable[str]) -> Callable[[Any], int]:
    values = _values(list(names))

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _values(names: list[str]) -> Callable[[Any], object]:
    """A function from an instance to a tuple of these fields."""
    if not names:
        return lambda instance: ()
    return attrgetter(*names, names[0])  # of one name alone it would give no tuple


def _representation(names: list[str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return __repr__


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # what it is to type checkers
else:
    dataclass = _dataclass
