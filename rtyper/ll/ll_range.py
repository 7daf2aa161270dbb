"""Ranges: lengths, bounds and membership, for every start, stop and step of 64 bits.

The distance between two Signed numbers fits an Unsigned one, so counts are Unsigned.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Bool, Signed, Unsigned, malloc

# The host sees Unsigned values as r_uint, whose operators wrap like Unsigned ones.


def ll_range_step(step: int) -> int:
    if step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return step


def ll_range_count(start: int, stop: int, step: int) -> Any:
    """How many numbers the range has (Unsigned)."""
    if step > 0:
        if start >= stop:
            return llop.cast_int_to_uint(Unsigned, 0)
        distance = ll_distance(start, stop)
        if step == 1:
            return distance
        return ll_ceil_div(distance, llop.cast_int_to_uint(Unsigned, step))
    if start <= stop:
        return llop.cast_int_to_uint(Unsigned, 0)
    distance = ll_distance(stop, start)
    if step == -1:
        return distance
    return ll_ceil_div(distance, llop.cast_int_to_uint(Unsigned, llop.int_neg(Signed, step)))


def ll_distance(low: int, high: int) -> Any:
    """``high - low``, which is not negative, as Unsigned."""
    return llop.uint_sub(
        Unsigned, llop.cast_int_to_uint(Unsigned, high), llop.cast_int_to_uint(Unsigned, low)
    )


def ll_ceil_div(distance: Any, step: Any) -> Any:
    """``distance / step`` rounded up; ``distance > 0``."""
    one = llop.cast_int_to_uint(Unsigned, 1)
    quotient = llop.uint_floordiv(Unsigned, llop.uint_sub(Unsigned, distance, one), step)
    return llop.uint_add(Unsigned, quotient, one)


def ll_range_len(start: int, stop: int, step: int) -> int:
    count = ll_range_count(start, stop, step)
    length = llop.cast_uint_to_int(Signed, count)
    if length < 0:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return length


def ll_range_len_1(start: int, stop: int) -> int:
    """``ll_range_len`` for step 1."""
    if start >= stop:
        return 0
    length = llop.int_sub(Signed, stop, start)
    if length < 0:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return length


def ll_range_end(start: int, stop: int, step: int) -> int:
    """The number after the last one: where counting in steps ends (it may have wrapped).

    Raises OverflowError for the ranges whose numbers go once around all of 64 bits, back
    to the start.
    """
    count = llop.cast_uint_to_int(Signed, ll_range_count(start, stop, step))
    if count == 0:
        return start
    end = llop.int_add(Signed, start, llop.int_mul(Signed, count, step))
    if end == start:
        raise OverflowError("integer overflow")
    return end


def ll_range_item(start: int, stop: int, step: int, index: int) -> int:
    """``range(start, stop, step)[index]``."""
    count = ll_range_count(start, stop, step)
    place = llop.cast_int_to_uint(Unsigned, index)
    if index < 0:
        # wraps to the place, or stays beyond every count
        place = llop.uint_add(Unsigned, place, count)
    if not llop.uint_lt(Bool, place, count):
        raise IndexError("range object index out of range")
    offset = llop.int_mul(Signed, llop.cast_uint_to_int(Signed, place), step)
    return llop.int_add(Signed, start, offset)


def ll_range_contains(start: int, stop: int, step: int, number: int) -> bool:
    if step > 0:
        if number < start or number >= stop:
            return False
        distance = ll_distance(start, number)
        size = llop.cast_int_to_uint(Unsigned, step)
    else:
        if number > start or number <= stop:
            return False
        distance = ll_distance(number, start)
        size = llop.cast_int_to_uint(Unsigned, llop.int_neg(Signed, step))
    return not llop.uint_is_true(Bool, llop.uint_mod(Unsigned, distance, size))


def ll_range_index(start: int, stop: int, step: int, number: int) -> int:
    """Where ``number`` is, which the range contains."""
    if step > 0:
        distance = ll_distance(start, number)
        size = llop.cast_int_to_uint(Unsigned, step)
    else:
        distance = ll_distance(number, start)
        size = llop.cast_int_to_uint(Unsigned, llop.int_neg(Signed, step))
    place = llop.cast_uint_to_int(Signed, llop.uint_floordiv(Unsigned, distance, size))
    if place < 0:
        raise OverflowError("integer overflow")
    return place


def ll_range_items(ITEMS: Any, start: int, stop: int, step: int) -> Any:
    """An array of all the numbers."""
    length = ll_range_len(start, stop, step)
    items = malloc(ITEMS, length)
    number = start
    i = 0
    while i < length:
        items[i] = number
        number = llop.int_add(Signed, number, step)
        i += 1
    return items


def ll_range_equal(
    start: int, stop: int, step: int, other_start: int, other_stop: int, other_step: int
) -> bool:
    """Do the ranges have the same numbers?"""
    count = ll_range_count(start, stop, step)
    if llop.uint_ne(Bool, count, ll_range_count(other_start, other_stop, other_step)):
        return False
    if not llop.uint_is_true(Bool, count):
        return True
    if start != other_start:
        return False
    one = llop.cast_int_to_uint(Unsigned, 1)
    return llop.uint_eq(Bool, count, one) or step == other_step
