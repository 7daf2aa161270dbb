"""Operators as methods of containers, ``known = names.__contains__``, and methods of slices."""

from __future__ import annotations

from typing import Any

from rpython.stdlib._registry import method_of


@method_of(list, dict, set, frozenset, name="__contains__")
def contains(a: Any, b: Any, /) -> Any:
    return b in a


@method_of(list, dict, set, frozenset, name="__getitem__")
def getitem(a: Any, b: Any, /) -> Any:
    return a[b]


@method_of(list, dict, set, frozenset, name="__setitem__")
def setitem(a: Any, b: Any, c: Any, /) -> None:
    a[b] = c


@method_of(list, dict, set, frozenset, name="__delitem__")
def delitem(a: Any, b: Any, /) -> None:
    del a[b]


@method_of(list, dict, set, frozenset, str, bytes, bytearray, name="__len__")
def length(a: Any, /) -> int:
    return len(a)


@method_of(slice)
def indices(self: Any, length: int, /) -> tuple[int, int, int]:
    """Start, stop and step for a sequence of that length, as in CPython's ``sliceobject.c``."""
    start, stop, step = self.start, self.stop, self.step
    if length < 0:
        raise ValueError("length should not be negative")
    by = 1 if step is None else step
    if by == 0:
        raise ValueError("slice step cannot be zero")
    first, last = (length - 1, -1) if by < 0 else (0, length)
    first = first if start is None else _within(start, length, by < 0)
    last = last if stop is None else _within(stop, length, by < 0)
    return first, last, by


def _within(bound: int, length: int, backwards: bool) -> int:
    """A bound as the number of an item, or of a place before the first or behind the last."""
    if bound < 0:
        return max(bound + length, -1 if backwards else 0)
    return min(bound, length - 1 if backwards else length)
