"""Sorting of anything that has items, in an order of one's own.

The algorithm is Tim Peters' (described in CPython's ``Objects/listsort.txt``): runs that are in
order are found, short ones are lengthened by binary insertion, and merged, galloping where one
run wins many times; which runs are merged when is decided by the powersort of Munro and Wild.

    class ByLength(make_timsort_class()):
        def lt(self, a, b):
            return len(a) < len(b)

    ByLength(words).sort()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MIN_GALLOP = 7
"""How often in a row a run must win before galloping pays."""


def _getitem(items: Any, i: int) -> Any:
    return items[i]


def _setitem(items: Any, i: int, item: Any) -> None:
    items[i] = item


def _length(items: Any) -> int:
    return len(items)


def _getitem_slice(items: Any, start: int, stop: int) -> Any:
    return items[start:stop]


def _lt(a: Any, b: Any) -> bool:
    smaller: bool = a < b
    return smaller


def make_timsort_class(
    getitem: Callable[[Any, int], Any] = _getitem,
    setitem: Callable[[Any, int, Any], None] = _setitem,
    length: Callable[[Any], int] = _length,
    getitem_slice: Callable[[Any, int, int], Any] = _getitem_slice,
    lt: Callable[[Any, Any], bool] = _lt,
) -> Any:
    """A class of sorters, ``C(items, listlength=None)``, whose method ``sort`` sorts the first
    ``listlength`` items in place and is stable.  All of them, if it is None.

    getitem, setitem, length, getitem_slice: how to use what is to be sorted; a slice, which
        must be new, is used in the same way.
    lt: whether an item comes before another one; subclasses may override the method ``lt``.

    Each call makes a class: those that sort different kinds of things must not share one.
    When ``lt`` raises, all items are still there, in any order.
    """

    class TimSort:
        def __init__(self, list: Any, listlength: int | None = None) -> None:
            self.list = list
            self.listlength = length(list) if listlength is None else listlength
            self._starts = [0]
            self._lengths = [0]
            self._powers = [0]

        def lt(self, a: Any, b: Any) -> bool:
            """Whether ``a`` comes before ``b``."""
            return lt(a, b)

        def le(self, a: Any, b: Any) -> bool:
            """Whether ``b`` does not come before ``a``."""
            return not self.lt(b, a)

        def sort(self) -> None:
            """Sort the items."""
            self._starts = []
            self._lengths = []
            self._powers = []
            minimum = min_run(self.listlength)
            start = 0
            while start < self.listlength:
                count = self._count_run(start)
                if count < minimum:
                    wanted = min(minimum, self.listlength - start)
                    self._binary_sort(start, start + wanted, start + count)
                    count = wanted
                self._push_run(start, count)
                start += count
            while len(self._starts) > 1:
                at = len(self._starts) - 2
                if at > 0 and self._lengths[at - 1] < self._lengths[at + 1]:
                    at -= 1
                self._merge_at(at)

        def _count_run(self, start: int) -> int:
            """The length of the run at ``start``; one that descends (strictly) is reversed."""
            items, stop = self.list, self.listlength
            i = start + 1
            if i < stop and self.lt(getitem(items, i), getitem(items, start)):
                i += 1
                while i < stop and self.lt(getitem(items, i), getitem(items, i - 1)):
                    i += 1
                self._reverse(start, i - 1)
            else:
                while i < stop and not self.lt(getitem(items, i), getitem(items, i - 1)):
                    i += 1
            return i - start

        def _reverse(self, low: int, high: int) -> None:
            items = self.list
            while low < high:
                item = getitem(items, low)
                setitem(items, low, getitem(items, high))
                setitem(items, high, item)
                low += 1
                high -= 1

        def _binary_sort(self, low: int, high: int, start: int) -> None:
            """Sort ``low`` to ``high``; up to ``start`` they are."""
            items = self.list
            for at in range(start, high):
                pivot = getitem(items, at)
                left, right = low, at
                while left < right:
                    middle = (left + right) >> 1
                    if self.lt(pivot, getitem(items, middle)):
                        right = middle
                    else:
                        left = middle + 1
                i = at
                while i > left:
                    setitem(items, i, getitem(items, i - 1))
                    i -= 1
                setitem(items, left, pivot)

        # -- which runs are merged when

        def _push_run(self, start: int, count: int) -> None:
            """Let the run that follows the others wait, those before of a higher power be
            merged."""
            if self._starts:
                power = powerloop(self._starts[-1], self._lengths[-1], count, self.listlength)
                while len(self._starts) > 1 and self._powers[-2] > power:
                    self._merge_at(len(self._starts) - 2)
                self._powers[-1] = power
            self._starts.append(start)
            self._lengths.append(count)
            self._powers.append(0)

        def _merge_at(self, at: int) -> None:
            """Merge the waiting runs ``at`` and ``at + 1``."""
            items = self.list
            left, left_count = self._starts[at], self._lengths[at]
            right, right_count = self._starts[at + 1], self._lengths[at + 1]
            self._lengths[at] = left_count + right_count
            self._powers[at] = self._powers[at + 1]
            del self._starts[at + 1]
            del self._lengths[at + 1]
            del self._powers[at + 1]
            # what is in place already, at both ends, takes no part
            skipped = self._first_above(getitem(items, right), items, left, left + left_count)
            left_count -= skipped - left
            left = skipped
            if left_count == 0:
                return
            last = getitem(items, right - 1)
            right_count = self._last_below(last, items, right, right + right_count) - right
            if right_count == 0:
                return
            if left_count <= right_count:
                self._merge_low(left, left_count, right, right_count)
            else:
                self._merge_high(left, left_count, right, right_count)

        # -- galloping

        def _first_above(self, key: Any, items: Any, low: int, high: int) -> int:
            """The first of the sorted items that ``key`` is less than, ``high`` if there is
            none; fast when it is near ``low``."""
            step = 1
            while low + step <= high and not self.lt(key, getitem(items, low + step - 1)):
                low += step
                step <<= 1
            return self._bisect_above(key, items, low, min(low + step - 1, high))

        def _last_above(self, key: Any, items: Any, low: int, high: int) -> int:
            """The same; fast when it is near ``high``."""
            step = 1
            while high - step >= low and self.lt(key, getitem(items, high - step)):
                high -= step
                step <<= 1
            return self._bisect_above(key, items, max(high - step + 1, low), high)

        def _bisect_above(self, key: Any, items: Any, low: int, high: int) -> int:
            while low < high:
                middle = (low + high) >> 1
                if self.lt(key, getitem(items, middle)):
                    high = middle
                else:
                    low = middle + 1
            return low

        def _first_below(self, key: Any, items: Any, low: int, high: int) -> int:
            """The first of the sorted items that is not less than ``key``, ``high`` if there is
            none; fast when it is near ``low``."""
            step = 1
            while low + step <= high and self.lt(getitem(items, low + step - 1), key):
                low += step
                step <<= 1
            return self._bisect_below(key, items, low, min(low + step - 1, high))

        def _last_below(self, key: Any, items: Any, low: int, high: int) -> int:
            """The same; fast when it is near ``high``."""
            step = 1
            while high - step >= low and not self.lt(getitem(items, high - step), key):
                high -= step
                step <<= 1
            return self._bisect_below(key, items, max(high - step + 1, low), high)

        def _bisect_below(self, key: Any, items: Any, low: int, high: int) -> int:
            while low < high:
                middle = (low + high) >> 1
                if self.lt(getitem(items, middle), key):
                    low = middle + 1
                else:
                    high = middle
            return low

        # -- merging

        def _merge_low(self, left: int, left_count: int, right: int, right_count: int) -> None:
            """Merge two adjacent runs from the front; the left one, the shorter, is moved
            away.  All along, as many places before ``right`` are free as there are items left
            in ``moved``."""
            items = self.list
            moved = getitem_slice(items, left, left + left_count)
            target, at, stop = left, 0, right + right_count
            left_wins, right_wins = 0, 0
            try:
                while at < left_count and right < stop:
                    if left_wins >= MIN_GALLOP:
                        next_at = self._first_above(getitem(items, right), moved, at, left_count)
                        left_wins = next_at - at
                        self._copy_up(moved, at, next_at, target)
                        target += next_at - at
                        at = next_at
                    elif right_wins >= MIN_GALLOP:
                        next_right = self._first_below(getitem(moved, at), items, right, stop)
                        right_wins = next_right - right
                        self._copy_up(items, right, next_right, target)
                        target += next_right - right
                        right = next_right
                    elif self.lt(getitem(items, right), getitem(moved, at)):
                        setitem(items, target, getitem(items, right))
                        target += 1
                        right += 1
                        right_wins += 1
                        left_wins = 0
                    else:
                        setitem(items, target, getitem(moved, at))
                        target += 1
                        at += 1
                        left_wins += 1
                        right_wins = 0
            except BaseException:
                self._copy_up(moved, at, left_count, target)
                raise
            self._copy_up(moved, at, left_count, target)

        def _merge_high(self, left: int, left_count: int, right: int, right_count: int) -> None:
            """Merge two adjacent runs from the back; the right one, the shorter, is moved away.
            The free places are behind the first ``stop`` items, as many as are left in
            ``moved``."""
            items = self.list
            moved = getitem_slice(items, right, right + right_count)
            stop = left + left_count
            left_wins, right_wins = 0, 0
            try:
                while stop > left and right_count > 0:
                    if left_wins >= MIN_GALLOP:
                        last = getitem(moved, right_count - 1)
                        next_stop = self._last_above(last, items, left, stop)
                        left_wins = stop - next_stop
                        self._copy_down(items, next_stop, stop, stop + right_count)
                        stop = next_stop
                    elif right_wins >= MIN_GALLOP:
                        last = getitem(items, stop - 1)
                        next_count = self._last_below(last, moved, 0, right_count)
                        right_wins = right_count - next_count
                        self._copy_down(moved, next_count, right_count, stop + right_count)
                        right_count = next_count
                    elif self.lt(getitem(moved, right_count - 1), getitem(items, stop - 1)):
                        stop -= 1
                        setitem(items, stop + right_count, getitem(items, stop))
                        left_wins += 1
                        right_wins = 0
                    else:
                        right_count -= 1
                        setitem(items, stop + right_count, getitem(moved, right_count))
                        right_wins += 1
                        left_wins = 0
            except BaseException:
                self._copy_up(moved, 0, right_count, stop)
                raise
            self._copy_up(moved, 0, right_count, stop)

        def _copy_up(self, source: Any, start: int, stop: int, target: int) -> None:
            """Copy items to ``target`` on, the first one first."""
            for i in range(start, stop):
                setitem(self.list, target, getitem(source, i))
                target += 1

        def _copy_down(self, source: Any, start: int, stop: int, target_stop: int) -> None:
            """Copy items to the places before ``target_stop``, the last one first."""
            while stop > start:
                stop -= 1
                target_stop -= 1
                setitem(self.list, target_stop, getitem(source, stop))

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
