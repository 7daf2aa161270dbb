"""The iterators of ``itertools`` that a program starts with: a ``count(...)`` or ``cycle(...)`` of
a module or class goes on from where it is when the program is translated.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

from rpython.stdlib._registry import Refused


class cycle:
    def __init__(self, items: list[Any], place: int) -> None:
        self._items = items
        self._place = place

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if not self._items:
            raise StopIteration
        if self._place == len(self._items):
            self._place = 0
        self._place += 1
        return self._items[self._place - 1]


def cycle_for(x: Any) -> cycle:
    """What stands for a cycle.  Raises Refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from 3.12 on
        _, (iterator,), (seen, is_seen_once) = x.__reduce__()
    try:
        rest = list(copy.copy(iterator))
    except TypeError:
        raise Refused("a cycle of a generator cannot be made before the program starts") from None
    items = seen if is_seen_once else seen + rest
    return cycle(list(items), len(items) - len(rest))


class count:
    def __init__(self, start: Any, step: Any) -> None:
        self._next = start
        self._step = step

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        value = self._next
        self._next += self._step
        return value

    def __repr__(self) -> str:
        return f"count({self._next})" if self._step == 1 else f"count({self._next}, {self._step})"


def count_for(x: Any) -> count:
    """What stands for a count."""
    start, *step = x.__reduce__()[1]
    return count(start, step[0] if step else 1)


count.__module__ = cycle.__module__ = "itertools"  # as texts of the classes have it
