"""Methods chosen by the classes of two objects, and classes that are written in several places.

    class __extend__(pairtype(Circle, Square)):
        def touch(pair_of_them):            # called as pair(a, b).touch()
            circle, square = pair_of_them

For programs that compute with classes while they are imported; it is not translated.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

_NOT_EXTENDED = frozenset(["__module__", "__qualname__", "__doc__", "__dict__", "__weakref__"])


class extendabletype(type):
    """The metaclass of classes that a statement ``class __extend__(cls)`` adds attributes to."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **keywords: Any
    ) -> Any:
        if name != "__extend__":
            return super().__new__(cls, name, bases, namespace, **keywords)
        for base in bases:
            for attribute, value in namespace.items():
                if attribute not in _NOT_EXTENDED:
                    setattr(base, attribute, value)
        return None


def pair(a: Any, b: Any) -> Any:
    """The two objects as a tuple that has the methods of ``pairtype`` of their classes."""
    return pairtype(type(a), type(b))((a, b))  # type: ignore[arg-type]


@functools.cache
def pairtype(first: type, second: type) -> Any:
    """The class of the pairs of instances of two classes.  It inherits from those of a base of
    the one and the other."""
    bases = [pairtype(base, second) for base in first.__bases__]
    bases += [pairtype(first, base) for base in second.__bases__]
    name = f"pairtype({first.__name__}, {second.__name__})"
    return extendabletype(name, tuple(bases) or (tuple,), {})


def pairmro(first: type, second: type) -> Iterator[tuple[type, type]]:
    """The pairs of classes in which methods are looked for, in that order."""
    for one in first.__mro__:
        for other in second.__mro__:
            yield one, other


class DoubleDispatchRegistry:
    """A table by pairs of classes; of a pair without an entry the first of ``pairmro`` that has
    one counts."""

    def __init__(self) -> None:
        self._entries: dict[tuple[type, type], Any] = {}

    def __getitem__(self, classes: tuple[type, type]) -> Any:
        for known in pairmro(*classes):
            if known in self._entries:
                return self._entries[known]
        raise KeyError(classes)

    def __setitem__(self, classes: tuple[type, type], value: Any) -> None:
        self._entries[classes] = value
