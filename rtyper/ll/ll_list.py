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

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import GcStruct, Ptr, Signed, Void, malloc, typeOf
from rpython.lltypesystem.operations.lengths import length_is
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.rlib.objectmodel import try_inline
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_strconcat, prebuilt_str

SIZE_MESSAGE = prebuilt_str("attempt to assign sequence of size ")
PLACES_MESSAGE = prebuilt_str(" to extended slice of size ")

# -- making -----------------------------------------------------------------------------------


def resizable_list(ITEMS: Any) -> Any:
    """The type of lists that change their length, with such arrays of items."""
    hints = {} if ITEMS.OF is Void else {"counts": "length"}  # there is room for any number of Void
    return GcStruct("list", ("length", Signed), ("items", Ptr(ITEMS)), hints=hints)


def ll_newlist(LIST: Any, length: int) -> Any:
    """A resizable list of ``length`` zero items.

    ``LIST``: the struct type."""
    lst = malloc(LIST)
    lst.items = malloc(typeOf(lst.items).TO, length)
    lst.length = length
    return lst


def ll_newlist_empty(LIST: Any, no_items: Any) -> Any:
    """A resizable list without items; ``no_items``: an array of length 0, shared."""
    lst = malloc(LIST)
    lst.items = no_items
    lst.length = 0
    return lst


def ll_newlist_from(LIST: Any, items: Any) -> Any:
    """A resizable list of all of ``items``, which nobody else uses."""
    lst = malloc(LIST)
    lst.items = items
    lst.length = len(items)
    return lst


@length_is("length")
def ll_copy_items(items: Any, start: int, length: int) -> Any:
    """A new array of ``length`` items from ``start``."""
    result = malloc(typeOf(items).TO, length)
    llop.copy_array_items(Void, items, result, start, 0, length)
    return result


def ll_items_from(items: Any, start: int) -> Any:
    """A new array of the items from ``start`` on, if there are any."""
    if start > len(items):
        start = len(items)
    return ll_copy_items(items, start, len(items) - start)


def ll_repeated_length(length: int, times: int) -> int:
    """How many items there are ``times`` times."""
    if times <= 0:
        return 0
    return times if length == 1 else ll_size(length, times)


@seldom_called
def ll_size(length: int, times: int) -> int:
    """``length * times`` (``times > 0``)."""
    if length > llop.int_floordiv(Signed, 9223372036854775807, times):
        raise MemoryError
    return length * times


def ll_fill(array: Any, items: Any, length: int) -> None:
    """Put items into an array over and over, until it is full: it holds so many."""
    total = len(array)
    at = 0
    if length == 1:
        item = items[0]
        while at < total:
            array[at] = item
            at += 1
        return
    while at < total:
        llop.copy_array_items(Void, items, array, 0, at, length)
        at += length


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
    """How many slots to allocate for ``needed`` items: twice as many, so that a list that
    grows to n items was copied n times at most."""
    return needed + needed + 2


def ll_wasteful(length: int, room: int) -> bool:
    """Is ``room`` so much more than ``length`` items need that a smaller array pays?  Only
    below a quarter: then many items come or go before the next move."""
    return length + 16 < llop.int_rshift(Signed, room, 2)


@seldom_called
def ll_reallocate(lst: Any, room: int) -> None:
    """Move the items to an array of ``room >= lst.length`` slots."""
    items = lst.items
    bigger = malloc(typeOf(items).TO, room)
    llop.copy_array_items(Void, items, bigger, 0, 0, lst.length)
    lst.items = bigger


def ll_append(lst: Any, item: Any) -> None:
    length = lst.length
    if length == len(lst.items):
        ll_reallocate(lst, ll_room(length + 1))
    lst.length = length + 1
    lst.items[length] = item


def ll_grow(lst: Any, count: int) -> None:
    """Add ``count >= 0`` slots at the end, to be written by the caller."""
    length = lst.length + count
    if length > len(lst.items):
        ll_reallocate(lst, ll_room(length))
    lst.length = length


def ll_truncate(lst: Any, length: int, zero: Any) -> None:
    """Drop the items from ``length`` on."""
    items = lst.items
    i = length
    while i < lst.length:
        items[i] = zero
        i += 1
    lst.length = length
    if ll_wasteful(length, len(items)):
        ll_reallocate(lst, ll_room(length))


def ll_extend(lst: Any, items: Any, length: int) -> None:
    """Append ``length`` items of an array, which may be the list's own."""
    start = lst.length
    ll_grow(lst, length)
    llop.copy_array_items(Void, items, lst.items, 0, start, length)


def ll_insert(lst: Any, index: int, item: Any) -> None:
    length = lst.length
    if index < 0:
        index += length
        if index < 0:
            index = 0
    if index > length:
        index = length
    ll_grow(lst, 1)
    items = lst.items
    llop.copy_array_items(Void, items, items, index, index + 1, length - index)
    items[index] = item


def ll_pop_last(lst: Any, zero: Any) -> Any:
    last = lst.length - 1
    if last < 0:
        raise IndexError("pop from empty list")
    items = lst.items
    item = items[last]
    items[last] = zero
    lst.length = last
    if ll_wasteful(last, len(items)):
        ll_reallocate(lst, ll_room(last))
    return item


def ll_pop(lst: Any, index: int, zero: Any) -> Any:
    length = lst.length
    if length == 0:
        raise IndexError("pop from empty list")
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError("pop index out of range")
    item = lst.items[index]
    ll_delete(lst, index, index + 1, zero)
    return item


def ll_delete(lst: Any, start: int, stop: int, zero: Any) -> None:
    """Remove the items from ``start`` up to ``stop`` (0 <= start <= stop <= length)."""
    items = lst.items
    length = lst.length
    llop.copy_array_items(Void, items, items, stop, start, length - stop)
    ll_truncate(lst, length - (stop - start), zero)


def ll_delete_steps(lst: Any, start: int, step: int, count: int, zero: Any) -> None:
    """Remove the items at ``start``, ``start + step``, ... (``count`` of them)."""
    if step < 0:
        start += (count - 1) * step
        step = -step
    items = lst.items
    length = lst.length
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
    ll_truncate(lst, length - count, zero)


def ll_replace(lst: Any, start: int, stop: int, items: Any, count: int, zero: Any) -> None:
    """``l[start:stop] = items``; the items are not those of ``l`` itself."""
    tail = lst.length - stop
    if count <= stop - start:
        own = lst.items
        llop.copy_array_items(Void, own, own, stop, start + count, tail)
        llop.copy_array_items(Void, items, own, 0, start, count)
        ll_truncate(lst, start + count + tail, zero)
        return
    ll_grow(lst, count - (stop - start))
    own = lst.items
    llop.copy_array_items(Void, own, own, stop, start + count, tail)
    llop.copy_array_items(Void, items, own, 0, start, count)


def ll_put_steps(own: Any, start: int, step: int, items: Any, count: int) -> None:
    """``own[start], own[start + step], ... = items``."""
    i = 0
    while i < count:
        own[start + i * step] = items[i]
        i += 1


def ll_repeat_in_place(lst: Any, times: int, zero: Any) -> None:
    """``lst *= times``."""
    length = lst.length
    if times <= 0:
        ll_truncate(lst, 0, zero)
        return
    ll_grow(lst, ll_size(length, times) - length)
    items = lst.items
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


def ll_remove(lst: Any, item: Any, equal: Callable[[Any, Any], bool], zero: Any) -> None:
    at = ll_find(lst.items, 0, lst.length, item, equal)
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    ll_delete(lst, at, at + 1, zero)


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


def ll_ordered(
    left: Any,
    left_length: int,
    right: Any,
    right_length: int,
    equal: Callable[[Any, Any], bool],
    ordered: Callable[[Any, Any], bool],
    lengths_ordered: Callable[[int, int], bool],
) -> bool:
    """Lexicographic order: ``ordered`` of the first items that differ, else of the lengths."""
    i = 0
    while i < left_length and i < right_length:
        if not equal(left[i], right[i]):
            return ordered(left[i], right[i])
        i += 1
    return lengths_ordered(left_length, right_length)


# The same of resizable lists where ``equal`` runs methods of the program, which may change the
# lists: items and lengths are read anew each time.


def ll_find_live(
    lst: Any, start: int, stop: int, item: Any, equal: Callable[[Any, Any], bool]
) -> int:
    i = start
    while i < stop and i < lst.length:
        if equal(lst.items[i], item):
            return i
        i += 1
    return -1


def ll_count_live(lst: Any, item: Any, equal: Callable[[Any, Any], bool]) -> int:
    found = 0
    i = 0
    while i < lst.length:
        if equal(lst.items[i], item):
            found += 1
        i += 1
    return found


def ll_remove_live(
    lst: Any, item: Any, equal: Callable[[Any, Any], bool], zero: Any
) -> None:
    at = ll_find_live(lst, 0, lst.length, item, equal)
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    if at < lst.length:
        ll_delete(lst, at, at + 1, zero)


def ll_equal_live(left: Any, right: Any, equal: Callable[[Any, Any], bool]) -> bool:
    if left.length != right.length:
        return False
    i = 0
    while i < left.length and i < right.length:
        if not equal(left.items[i], right.items[i]):
            shortened = i >= left.length or i >= right.length
            return shortened and left.length == right.length
        i += 1
    return left.length == right.length


def ll_ordered_live(
    left: Any,
    right: Any,
    equal: Callable[[Any, Any], bool],
    ordered: Callable[[Any, Any], bool],
    lengths_ordered: Callable[[int, int], bool],
) -> bool:
    i = 0
    while i < left.length and i < right.length:
        if not equal(left.items[i], right.items[i]):
            if i >= left.length or i >= right.length:
                return lengths_ordered(left.length, right.length)
            return ordered(left.items[i], right.items[i])
        i += 1
    return lengths_ordered(left.length, right.length)


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


def ll_search_bound(index: int, length: int) -> int:
    """A bound of ``index(x, start, stop)``: counted from the end when negative."""
    if index < 0:
        index += length
        if index < 0:
            return 0
    if index > length:
        return length
    return index


# -- slice assignment -------------------------------------------------------------------------


def ll_setslice(
    lst: Any, start: int, stop: int, items: Any, count: int, zero: Any
) -> None:
    """``l[start:stop] = items``, which may be those of ``l`` itself."""
    if items == lst.items:
        items = ll_copy_items(items, 0, count)
    length = lst.length
    if start > length:  # shortened since the bounds were found
        start = length
    if stop > length:
        stop = length
    ll_replace(lst, start, stop, items, count, zero)


def ll_setslice_steps(
    lst: Any, start: int, step: int, places: int, items: Any, count: int, zero: Any
) -> None:
    """``l[start::step] = items`` with ``places`` to fill."""
    if step == 1:
        ll_setslice(lst, start, start + places, items, count, zero)
        return
    if count != places:
        ll_wrong_size(count, places)
    if count == 0:
        return
    last = start + (count - 1) * step
    if start >= lst.length or last >= lst.length:
        raise IndexError("list assignment index out of range")
    if items == lst.items:
        items = ll_copy_items(items, 0, count)
    ll_put_steps(lst.items, start, step, items, count)


def ll_wrong_size(have: int, count: int) -> None:
    message = ll_strconcat(SIZE_MESSAGE, ll_int2str(have))
    message = ll_strconcat(message, PLACES_MESSAGE)
    raise_with_message(ValueError, ll_strconcat(message, ll_int2str(count)))


# -- collecting -------------------------------------------------------------------------------


def ll_newlist_room(LIST: Any, room: int) -> Any:
    """An empty resizable list with room for ``room`` items."""
    lst = malloc(LIST)
    lst.items = malloc(typeOf(lst.items).TO, room)
    lst.length = 0
    return lst


@length_is("length")
def ll_exact_items(items: Any, length: int) -> Any:
    """The first items of an array that nobody else uses, without room for more."""
    if length == len(items):
        return items
    return ll_copy_items(items, 0, length)


# -- comprehensions ---------------------------------------------------------------------------

MOST_ROOM = 1 << 16
"""More room than that is not made before there are items: the first may raise an exception."""


def ll_remaining(start: int, stop: int) -> int:
    """How many ints are from ``start`` up to ``stop``, as far as it matters for making room."""
    if start >= stop:
        return 0
    count = llop.int_sub(Signed, stop, start)
    return count if count >= 0 else MOST_ROOM


@try_inline
def ll_builder_room(LIST: Any, room: int) -> Any:
    """A builder that will probably have ``room`` items.  Inlined whatever it costs: only so does
    the builder become two variables, and only so is it known how long the list is."""
    builder = malloc(LIST)
    builder.items = malloc(typeOf(builder.items).TO, room if room < MOST_ROOM else MOST_ROOM)
    builder.length = 0
    return builder


def ll_builder_append(builder: Any, item: Any) -> None:
    """``ll_append``, but nothing takes the builder itself: it becomes two variables."""
    items = builder.items
    length = builder.length
    if length == len(items):
        items = ll_more_room(items)
        builder.items = items
    builder.length = length + 1
    items[length] = item


@seldom_called
def ll_more_room(items: Any) -> Any:
    """A larger array with the same items."""
    length = len(items)
    bigger = malloc(typeOf(items).TO, ll_room(length + 1))
    llop.copy_array_items(Void, items, bigger, 0, 0, length)
    return bigger


@length_is("length")
def ll_own_exact_items(items: Any, length: int) -> Any:
    """The first items of an array that nobody else uses, or of one that empty lists share."""
    if length == 0:
        return malloc(typeOf(items).TO, 0)
    return ll_exact_items(items, length)


def ll_newlist_of_room(LIST: Any, items: Any, length: int) -> Any:
    """A resizable list of the first items of an array that nobody else uses."""
    lst = malloc(LIST)
    lst.items = items
    lst.length = length
    return lst
