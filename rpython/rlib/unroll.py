"""Loops that are unrolled when the program is translated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


class unrolling_iterable:
    """What is iterated over, kept for a ``for`` loop that is unrolled: in the copy of the loop's
    body for each item the item is a constant, so that ``getattr(x, name)`` works with an item
    as the name.  Make it at import time.  ``len``, ``list`` and the like see a tuple."""

    _rpython_unrolls_ = True
    _rpython_at_import_ = True

    def __init__(self, iterable: Iterable[Any]) -> None:
        self.items = tuple(iterable)
        self.head = _Step(self.items, 0)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def get_unroller(self) -> _Step:
        """The first of the constants that stand for the places between items."""
        return self.head


class _Step:
    """A place in an unrolling iterable: ``value`` is the next item."""

    def __init__(self, items: tuple[Any, ...], position: int) -> None:
        self._items = items
        self._position = position

    @property
    def value(self) -> Any:
        return self._items[self._position]

    @property
    def next(self) -> _Step:
        return _Step(self._items, self._position + 1)

    def step(self) -> tuple[Any, _Step]:
        """The next item and the place after it; raises StopIteration at the end."""
        if self._position == len(self._items):
            raise StopIteration
        return self.value, self.next
