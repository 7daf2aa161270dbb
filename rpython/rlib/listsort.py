"""Sorting of anything that has items, in an order of one's own.

    class ByLength(make_timsort_class()):
        def lt(self, a, b):
            return len(a) < len(b)

    ByLength(words).sort()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _getitem(items: Any, i: int) -> Any:
    return items[i]


def _setitem(items: Any, i: int, item: Any) -> None:
    items[i] = item


def _length(items: Any) -> int:
    return len(items)


def _lt(a: Any, b: Any) -> bool:
    smaller: bool = a < b
    return smaller


def make_timsort_class(
    getitem: Callable[[Any, int], Any] = _getitem,
    setitem: Callable[[Any, int, Any], None] = _setitem,
    length: Callable[[Any], int] = _length,
    getitem_slice: Callable[[Any, int, int], Any] | None = None,
    lt: Callable[[Any, Any], bool] = _lt,
) -> Any:
    """A class of sorters, ``C(items, listlength=None)``, whose method ``sort`` sorts the first
    ``listlength`` items in place and is stable.  All of them, if it is None.

    getitem, setitem, length: how to use what is to be sorted.
    getitem_slice: not called; RPython's class does.
    lt: whether an item comes before another one; subclasses may override the method ``lt``.

    Each call makes a class: those that sort different kinds of things must not share one.
    When ``lt`` raises, all items are still there, in any order.
    """

    class TimSort:
        def __init__(self, list: Any, listlength: int | None = None) -> None:
            self.list = list
            self.listlength = length(list) if listlength is None else listlength

        def lt(self, a: Any, b: Any) -> bool:
            """Whether ``a`` comes before ``b``."""
            return lt(a, b)

        def le(self, a: Any, b: Any) -> bool:
            """Whether ``b`` does not come before ``a``."""
            return not self.lt(b, a)

        def sort(self) -> None:
            """Sort the items."""
            members = [Member(self, getitem(self.list, i)) for i in range(self.listlength)]
            try:
                members.sort()
            finally:
                for i in range(len(members)):
                    setitem(self.list, i, members[i].item)

    class Member:
        """An item that is compared as the sorter says."""

        def __init__(self, sorter: TimSort, item: Any) -> None:
            self.sorter = sorter
            self.item = item

        def __lt__(self, other: Member) -> bool:
            return self.sorter.lt(self.item, other.item)

    return TimSort


def min_run(length: int) -> int:
    """How long a run should be at least: such that the number of runs is a power of two or a
    little less."""
    bit = 0
    while length >= 64:
        bit |= length & 1
        length >>= 1
    return length + bit


def powerloop(start: int, first: int, second: int, length: int) -> int:
    """The depth, in a perfectly balanced tree over all items, of the node between two adjacent
    runs of ``first`` and ``second`` items."""
    power = 0
    a = 2 * start + first
    b = a + first + second
    while True:
        power += 1
        if a >= length:
            a -= length
            b -= length
        elif b >= length:
            return power
        a <<= 1
        b <<= 1


TimSort = make_timsort_class()
"""For lists of one kind of items; make a class of your own for each further kind."""
