"""Slice bounds, clamped to a sequence's length as CPython's ``slice.indices`` does it."""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed


def ll_clamp(index: int, length: int) -> int:
    """A slice bound for step 1: counted from the end when negative, then 0 <= it <= length."""
    if index < 0:
        index += length
        if index < 0:
            return 0
        return index
    if index > length:
        return length
    return index


def ll_clamp_nonneg(index: int, length: int) -> int:
    """``ll_clamp`` where ``index >= 0``."""
    if index > length:
        return length
    return index


def ll_search_start(index: int, length: int) -> int:
    """Where a search begins: counted from the end when negative; may be beyond the end."""
    if index < 0:
        index += length
        if index < 0:
            return 0
    return index


def ll_at_least(stop: int, start: int) -> int:
    """The end of an empty slice is its start."""
    if stop < start:
        return start
    return stop


def ll_check_step(step: int) -> int:
    """The step, which must not be 0; the most negative int is as good as the one after it."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step == -9223372036854775808:
        return -9223372036854775807
    return step


def ll_clamp_for_step(index: int, length: int, step: int) -> int:
    """A slice bound for any step: -1 <= it <= length."""
    if index < 0:
        index += length
        if index < 0:
            if step < 0:
                return -1
            return 0
        return index
    if index >= length:
        if step < 0:
            return length - 1
        return length
    return index


def ll_default_start(length: int, step: int) -> int:
    if step < 0:
        return length - 1
    return 0


def ll_default_stop(length: int, step: int) -> int:
    if step < 0:
        return -1
    return length


def ll_slice_count(start: int, stop: int, step: int) -> int:
    """How many items a slice with these clamped bounds has."""
    if step < 0:
        if stop < start:
            return llop.int_floordiv(Signed, start - stop - 1, -step) + 1
        return 0
    if start < stop:
        return llop.int_floordiv(Signed, stop - start - 1, step) + 1
    return 0
