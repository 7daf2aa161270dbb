"""Sorting: a stable merge sort.

Bottom up: runs of ``RUN`` items are sorted by insertion, then merged pairwise between the
array and a buffer (von Neumann's merge sort; the order of two equal items never changes).
Runs that are already in order are not moved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lltypesystem.lloperation import llop
from lltypesystem.lltype import Void, malloc, typeOf
from rtyper.ll.ll_list import ll_reverse

RUN = 12


def ll_sort(items: Any, length: int, less: Callable[[Any, Any], bool]) -> None:
    """Sort the first ``length`` of ``items``; ``less``: a strict weak order."""
    start = 0
    while start < length:
        stop = start + RUN
        if stop > length:
            stop = length
        ll_insertion_sort(items, start, stop, less)
        start = stop
    if length > RUN:
        ll_merge_runs(items, length, less)


def ll_insertion_sort(
    items: Any, start: int, stop: int, less: Callable[[Any, Any], bool]
) -> None:
    i = start + 1
    while i < stop:
        item = items[i]
        j = i
        while j > start and less(item, items[j - 1]):
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
        i += 1


def ll_merge_runs(items: Any, length: int, less: Callable[[Any, Any], bool]) -> None:
    """Merge sorted runs of ``RUN`` items."""
    source = items
    target = malloc(typeOf(items).TO, length)
    width = RUN
    while width < length:
        start = 0
        while start < length:
            middle = start + width
            if middle > length:
                middle = length
            stop = middle + width
            if stop > length:
                stop = length
            ll_merge(source, target, start, middle, stop, less)
            start = stop
        swapped = source
        source = target
        target = swapped
        width += width
    if source != items:
        llop.copy_array_items(Void, source, items, 0, 0, length)


def ll_merge(
    source: Any,
    target: Any,
    start: int,
    middle: int,
    stop: int,
    less: Callable[[Any, Any], bool],
) -> None:
    """Merge two sorted runs, ``start`` to ``middle`` and ``middle`` to ``stop``."""
    if middle == stop or not less(source[middle], source[middle - 1]):
        llop.copy_array_items(Void, source, target, start, start, stop - start)
        return
    left = start
    right = middle
    at = start
    while left < middle and right < stop:
        if less(source[right], source[left]):
            target[at] = source[right]
            right += 1
        else:
            target[at] = source[left]
            left += 1
        at += 1
    llop.copy_array_items(Void, source, target, left, at, middle - left)
    at += middle - left
    llop.copy_array_items(Void, source, target, right, at, stop - right)


def ll_refuse_nan(items: Any, length: int, has_nan: Callable[[Any], bool]) -> None:
    """Where NaNs end up depends on the algorithm: not sorted at all."""
    i = 0
    while i < length:
        if has_nan(items[i]):
            raise ValueError("a list that contains NaN cannot be sorted")
        i += 1


def ll_sort_reverse(
    items: Any, length: int, less: Callable[[Any, Any], bool], backwards: bool
) -> None:
    """Sort, the largest first when ``backwards``; equal items keep their order."""
    if backwards:
        ll_reverse(items, length)
        ll_sort(items, length, less)
        ll_reverse(items, length)
    else:
        ll_sort(items, length, less)


def ll_sort_detached(
    lst: Any,
    no_items: Any,
    backwards: bool,
    key: Any,
    sort: Callable[[Any, int, bool, Any], None],
) -> None:
    """Sort a resizable list, which is empty for what ``sort`` calls; ValueError when that
    puts something into it, which is lost then.

    ``no_items``: an array of length 0 that is the list's meanwhile, and nobody else's."""
    items = lst.items
    length = lst.length
    lst.items = no_items
    lst.length = 0
    try:
        sort(items, length, backwards, key)
    except BaseException:
        lst.items = items
        lst.length = length
        raise
    changed = lst.items != no_items
    lst.items = items
    lst.length = length
    if changed:
        raise ValueError("list modified during sort")
