"""Lists: making, growing, slicing, searching.

A list of fixed size is its item array.  One that is resized is a struct of its ``length``
and an array with room for more (``items``); helpers for those take the struct ("``l``"),
helpers that only read take the array and the length ("``items``, ``length``"), so that
they serve both.

``zero`` is the zero value of the item type: what is left in slots that are given up, so
that they keep nothing alive.  ``equal`` is a function of two items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lltypesystem.lloperation import llop
from lltypesystem.lltype import Signed, Void, malloc, typeOf

# -- making -----------------------------------------------------------------------------------


def ll_newlist(LIST: Any, length: int) -> Any:
    """A resizable list of ``length`` zero items.

    ``LIST``: the struct type."""
    l = malloc(LIST)
    l.items = malloc(typeOf(l.items).TO, length)
    l.length = length
    return l


def ll_newlist_empty(LIST: Any, no_items: Any) -> Any:
    """A resizable list without items; ``no_items``: an array of length 0, shared."""
    l = malloc(LIST)
    l.items = no_items
    l.length = 0
    return l


def ll_newlist_from(LIST: Any, items: Any) -> Any:
    """A resizable list of all of ``items``, which nobody else uses."""
    l = malloc(LIST)
    l.items = items
    l.length = len(items)
    return l


def ll_copy_items(items: Any, start: int, length: int) -> Any:
    """A new array of ``length`` items from ``start``."""
    result = malloc(typeOf(items).TO, length)
    llop.copy_array_items(Void, items, result, start, 0, length)
    return result


def ll_repeat(items: Any, length: int, times: int) -> Any:
    """``items`` over and over."""
    if times <= 0:
        return malloc(typeOf(items).TO, 0)
    if length == 1:
        return ll_fill(typeOf(items).TO, items[0], times)
    result = malloc(typeOf(items).TO, ll_size(length, times))
    at = 0
    while times > 0:
        llop.copy_array_items(Void, items, result, 0, at, length)
        at += length
        times -= 1
    return result


def ll_size(length: int, times: int) -> int:
    """``length * times`` (``times > 0``)."""
    if length > llop.int_floordiv(Signed, 9223372036854775807, times):
        raise MemoryError
    return length * times


def ll_fill(ITEMS: Any, item: Any, times: int) -> Any:
    """A new array of ``times`` times the same item."""
    if times < 0:
        times = 0
    result = malloc(ITEMS, times)
    i = 0
    while i < times:
        result[i] = item
        i += 1
    return result


def ll_concat(left: Any, left_length: int, right: Any, right_length: int) -> Any:
    """A new array of the items of both."""
    result = malloc(typeOf(left).TO, left_length + right_length)
    llop.copy_array_items(Void, left, result, 0, 0, left_length)
    llop.copy_array_items(Void, right, result, 0, left_length, right_length)
    return result


def ll_take(items: Any, start: int, step: int, count: int) -> Any:
    """A new array of the items at ``start``, ``start + step``, ..."""
    result = malloc(typeOf(items).TO, count)
    i = 0
    while i < count:
        result[i] = items[start + i * step]
        i += 1
    return result


# -- changing the length ----------------------------------------------------------------------


def ll_room(needed: int) -> int:
    """How many slots to allocate for ``needed`` items: an eighth more, as in CPython."""
    return (needed + llop.int_rshift(Signed, needed, 3) + 6) & -4


def ll_reallocate(l: Any, room: int) -> None:
    """Move the items to an array of ``room >= l.length`` slots."""
    items = l.items
    bigger = malloc(typeOf(items).TO, room)
    llop.copy_array_items(Void, items, bigger, 0, 0, l.length)
    l.items = bigger


def ll_append(l: Any, item: Any) -> None:
    length = l.length
    if length == len(l.items):
        ll_reallocate(l, ll_room(length + 1))
    l.length = length + 1
    l.items[length] = item


def ll_grow(l: Any, count: int) -> None:
    """Add ``count >= 0`` slots at the end, to be written by the caller."""
    length = l.length + count
    if length > len(l.items):
        ll_reallocate(l, ll_room(length))
    l.length = length


def ll_truncate(l: Any, length: int, zero: Any) -> None:
    """Drop the items from ``length`` on."""
    items = l.items
    i = length
    while i < l.length:
        items[i] = zero
        i += 1
    l.length = length
    if length + 16 < llop.int_rshift(Signed, len(items), 1):
        ll_reallocate(l, ll_room(length))


def ll_extend(l: Any, items: Any, length: int) -> None:
    """Append ``length`` items of an array, which may be the list's own."""
    start = l.length
    ll_grow(l, length)
    llop.copy_array_items(Void, items, l.items, 0, start, length)


def ll_insert(l: Any, index: int, item: Any) -> None:
    length = l.length
    if index < 0:
        index += length
        if index < 0:
            index = 0
    if index > length:
        index = length
    ll_grow(l, 1)
    items = l.items
    llop.copy_array_items(Void, items, items, index, index + 1, length - index)
    items[index] = item


def ll_pop_last(l: Any, zero: Any) -> Any:
    last = l.length - 1
    if last < 0:
        raise IndexError("pop from empty list")
    items = l.items
    item = items[last]
    items[last] = zero
    l.length = last
    if last + 16 < llop.int_rshift(Signed, len(items), 1):
        ll_reallocate(l, ll_room(last))
    return item


def ll_pop(l: Any, index: int, zero: Any) -> Any:
    length = l.length
    if length == 0:
        raise IndexError("pop from empty list")
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError("pop index out of range")
    item = l.items[index]
    ll_delete(l, index, index + 1, zero)
    return item


def ll_delete(l: Any, start: int, stop: int, zero: Any) -> None:
    """Remove the items from ``start`` up to ``stop`` (0 <= start <= stop <= length)."""
    items = l.items
    length = l.length
    llop.copy_array_items(Void, items, items, stop, start, length - stop)
    ll_truncate(l, length - (stop - start), zero)


def ll_delete_steps(l: Any, start: int, step: int, count: int, zero: Any) -> None:
    """Remove the items at ``start``, ``start + step``, ... (``count`` of them)."""
    if step < 0:
        start += (count - 1) * step
        step = -step
    items = l.items
    length = l.length
    target = start
    removed = 0
    i = start
    while i < length:
        if removed < count and i == start + removed * step:
            removed += 1
        else:
            items[target] = items[i]
            target += 1
        i += 1
    ll_truncate(l, length - count, zero)


def ll_replace(l: Any, start: int, stop: int, items: Any, count: int, zero: Any) -> None:
    """``l[start:stop] = items``; the items are not those of ``l`` itself."""
    tail = l.length - stop
    if count <= stop - start:
        own = l.items
        llop.copy_array_items(Void, own, own, stop, start + count, tail)
        llop.copy_array_items(Void, items, own, 0, start, count)
        ll_truncate(l, start + count + tail, zero)
        return
    ll_grow(l, count - (stop - start))
    own = l.items
    llop.copy_array_items(Void, own, own, stop, start + count, tail)
    llop.copy_array_items(Void, items, own, 0, start, count)


def ll_put_steps(own: Any, start: int, step: int, items: Any, count: int) -> None:
    """``own[start], own[start + step], ... = items``."""
    i = 0
    while i < count:
        own[start + i * step] = items[i]
        i += 1


def ll_repeat_in_place(l: Any, times: int, zero: Any) -> None:
    """``l *= times``."""
    length = l.length
    if times <= 0:
        ll_truncate(l, 0, zero)
        return
    ll_grow(l, ll_size(length, times) - length)
    items = l.items
    at = length
    while times > 1:
        llop.copy_array_items(Void, items, items, 0, at, length)
        at += length
        times -= 1


# -- reading ----------------------------------------------------------------------------------


def ll_find(
    items: Any, start: int, length: int, item: Any, equal: Callable[[Any, Any], bool]
) -> int:
    """The index of the first item from ``start`` that equals ``item``, or -1."""
    i = start
    while i < length:
        if equal(items[i], item):
            return i
        i += 1
    return -1


def ll_contains(
    items: Any, length: int, item: Any, equal: Callable[[Any, Any], bool]
) -> bool:
    return ll_find(items, 0, length, item, equal) >= 0


def ll_count(items: Any, length: int, item: Any, equal: Callable[[Any, Any], bool]) -> int:
    found = 0
    i = 0
    while i < length:
        if equal(items[i], item):
            found += 1
        i += 1
    return found


def ll_remove(l: Any, item: Any, equal: Callable[[Any, Any], bool], zero: Any) -> None:
    at = ll_find(l.items, 0, l.length, item, equal)
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    ll_delete(l, at, at + 1, zero)


def ll_equal(
    left: Any,
    left_length: int,
    right: Any,
    right_length: int,
    equal: Callable[[Any, Any], bool],
) -> bool:
    if left_length != right_length:
        return False
    i = 0
    while i < left_length:
        if not equal(left[i], right[i]):
            return False
        i += 1
    return True


def ll_compare(
    left: Any,
    left_length: int,
    right: Any,
    right_length: int,
    equal: Callable[[Any, Any], bool],
    less: Callable[[Any, Any], bool],
) -> int:
    """-1, 0 or 1: lexicographic order."""
    i = 0
    while i < left_length and i < right_length:
        if not equal(left[i], right[i]):
            if less(left[i], right[i]):
                return -1
            return 1
        i += 1
    if left_length < right_length:
        return -1
    if left_length > right_length:
        return 1
    return 0


def ll_reverse(items: Any, length: int) -> None:
    i = 0
    j = length - 1
    while i < j:
        item = items[i]
        items[i] = items[j]
        items[j] = item
        i += 1
        j -= 1


def ll_index_in_range(index: int, length: int) -> bool:
    return index >= 0 and index < length
