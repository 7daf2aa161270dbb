"""bytearray: the length and an array that may have room for more.

Growing allocates half as much again, so that n appends copy O(n) bytes in total.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed, Void, malloc
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.lltypesystem.rstr import BYTEARRAY, BYTEARRAY_ITEMS, BYTES
from rpython.rtyper.ll.ll_bytes import (
    ll_byte,
    ll_byte_count,
    ll_fill_repeated,
    ll_find_byte,
    ll_repeated_length,
)
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_strconcat, prebuilt_str

NO_ITEMS = malloc(BYTEARRAY_ITEMS, 0, immortal=True)
"""What every empty bytearray starts with."""


# -- construction -----------------------------------------------------------------------------


def ll_new_bytearray(length: int) -> Any:
    """A bytearray of that many zeros, without room to spare."""
    result = malloc(BYTEARRAY)
    result.length = length
    if length == 0:
        result.items = NO_ITEMS
    else:
        result.items = malloc(BYTEARRAY_ITEMS, length)
    return result


def ll_bytes_to_bytearray(b: Any) -> Any:
    n = len(b.chars)
    result = ll_new_bytearray(n)
    llop.copy_array_items(Void, b.chars, result.items, 0, 0, n)
    return result


def ll_bytearray_to_bytes(a: Any) -> Any:
    return ll_bytearray_slice_to_bytes(a, 0, a.length)


def ll_bytearray_slice_to_bytes(a: Any, start: int, stop: int) -> Any:
    """``bytes(a[start:stop])``."""
    n = stop - start
    result = malloc(BYTES, n)
    llop.copy_array_items(Void, a.items, result.chars, start, 0, n)
    return result


def ll_bytearray_slice(a: Any, start: int, stop: int) -> Any:
    n = stop - start
    result = ll_new_bytearray(n)
    llop.copy_array_items(Void, a.items, result.items, start, 0, n)
    return result


def ll_zeros(count: int) -> Any:
    """``bytearray(n)``."""
    return ll_new_bytearray(ll_byte_count(count))


# -- growing and shrinking --------------------------------------------------------------------


@seldom_called
def ll_grow(a: Any, needed: int) -> None:
    """Make room for at least ``needed`` items, more than there is room for now."""
    items = malloc(BYTEARRAY_ITEMS, needed + llop.int_rshift(Signed, needed, 1) + 16)
    llop.copy_array_items(Void, a.items, items, 0, 0, a.length)
    a.items = items


def ll_reserve(a: Any, needed: int) -> None:
    if needed > len(a.items):
        ll_grow(a, needed)


@seldom_called
def ll_append_slow(a: Any, char: Any) -> None:
    """``append`` when there is no room left."""
    n = a.length
    ll_grow(a, n + 1)
    a.items[n] = char
    a.length = n + 1


def ll_append(a: Any, value: int) -> None:
    char = ll_byte(value)
    n = a.length
    if n < len(a.items):
        a.items[n] = char
        a.length = n + 1
    else:
        ll_append_slow(a, char)


def ll_extend_bytes(a: Any, b: Any) -> None:
    n = len(b.chars)
    length = a.length
    ll_reserve(a, length + n)
    llop.copy_array_items(Void, b.chars, a.items, 0, length, n)
    a.length = length + n


def ll_extend_bytearray(a: Any, b: Any) -> None:
    """``b`` may be ``a`` itself."""
    n = b.length
    length = a.length
    ll_reserve(a, length + n)
    llop.copy_array_items(Void, b.items, a.items, 0, length, n)
    a.length = length + n


def ll_iadd_bytearray(a: Any, b: Any) -> None:
    """``a += b``.  CPython refuses ``a += a`` while it reads ``a``."""
    if a == b and b.length != 0:
        raise BufferError("Existing exports of data: object cannot be re-sized")
    ll_extend_bytearray(a, b)


def ll_repeat_in_place(a: Any, count: int) -> None:
    """``a *= count``"""
    length = a.length
    total = ll_repeated_length(length, count, False)
    ll_reserve(a, total)
    if total != 0:
        ll_fill_repeated(a.items, total, a.items, length)
    a.length = total


def ll_pop(a: Any, index: int) -> int:
    length = a.length
    if length == 0:
        raise IndexError("pop from empty bytearray")
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError("pop index out of range")
    items = a.items
    char = items[index]
    llop.copy_array_items(Void, items, items, index + 1, index, length - index - 1)
    a.length = length - 1
    return llop.cast_char_to_int(Signed, char)


def ll_clear(a: Any) -> None:
    a.length = 0
    a.items = NO_ITEMS


def ll_reverse(a: Any) -> None:
    items = a.items
    i = 0
    j = a.length - 1
    while i < j:
        char = items[i]
        items[i] = items[j]
        items[j] = char
        i += 1
        j -= 1


def ll_insert(a: Any, index: int, value: int) -> None:
    char = ll_byte(value)
    length = a.length
    if index < 0:
        index += length
        if index < 0:
            index = 0
    if index > length:
        index = length
    ll_reserve(a, length + 1)
    items = a.items
    llop.copy_array_items(Void, items, items, index, index + 1, length - index)
    items[index] = char
    a.length = length + 1


def ll_delete(a: Any, start: int, stop: int) -> None:
    """``del a[start:stop]``, bounds clamped."""
    length = a.length
    items = a.items
    llop.copy_array_items(Void, items, items, stop, start, length - stop)
    a.length = length - (stop - start)


def ll_delete_strided(a: Any, start: int, step: int, count: int) -> None:
    """Delete ``count`` items, those at ``start + i * step``."""
    if count == 0:
        return
    if step < 0:
        start += step * (count - 1)
        step = -step
    items = a.items
    length = a.length
    target = start
    source = start
    skip = start
    while source < length:
        if source == skip and count > 0:
            count -= 1
            skip += step
        else:
            items[target] = items[source]
            target += 1
        source += 1
    a.length = target


def ll_remove(a: Any, char: Any) -> None:
    at = ll_find_byte(a.items, char, 0, a.length)
    if at < 0:
        raise ValueError("value not found in bytearray")
    ll_delete(a, at, at + 1)


def ll_assign_strided(a: Any, start: int, step: int, count: int, b: Any) -> None:
    """Assign to the slice of the ``count`` items at ``start + i * step``; ``b`` is a bytearray.
    Without items to put there, and for step 1, that may change the length."""
    if step == 1:
        ll_assign_bytearray(a, start, start + count, b)
        return
    length = b.length
    if length == 0:
        ll_delete_strided(a, start, step, count)
        return
    if length != count:
        ll_raise_length(length, count)
    source = b.items
    if b == a:
        source = ll_bytearray_slice(a, 0, length).items
    i = 0
    while i < count:
        a.items[start] = source[i]
        start += step
        i += 1


def ll_raise_length(length: int, count: int) -> None:
    message = ll_strconcat(ASSIGN, ll_int2str(length))
    message = ll_strconcat(ll_strconcat(message, TO_SLICE), ll_int2str(count))
    raise_with_message(ValueError, message)


ASSIGN = prebuilt_str("attempt to assign bytes of size ")
TO_SLICE = prebuilt_str(" to extended slice of size ")


def ll_open_gap(a: Any, start: int, stop: int, n: int) -> None:
    """Make ``a[start:stop]`` ``n`` items long; what they are is left to the caller."""
    length = a.length
    ll_reserve(a, length - (stop - start) + n)
    items = a.items
    llop.copy_array_items(Void, items, items, stop, start + n, length - stop)
    a.length = length - (stop - start) + n


def ll_assign_bytes(a: Any, start: int, stop: int, b: Any) -> None:
    """``a[start:stop] = b``, bounds clamped."""
    n = len(b.chars)
    if n != stop - start:
        ll_open_gap(a, start, stop, n)
    llop.copy_array_items(Void, b.chars, a.items, 0, start, n)


def ll_assign_bytearray(a: Any, start: int, stop: int, b: Any) -> None:
    """``a[start:stop] = b``, bounds clamped; ``b`` may be ``a`` itself."""
    n = b.length
    source = b.items
    if n != stop - start:
        if source == a.items:
            source = ll_bytearray_slice(b, 0, n).items
        ll_open_gap(a, start, stop, n)
    llop.copy_array_items(Void, source, a.items, 0, start, n)
