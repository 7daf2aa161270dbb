"""The objects that C callers of a shared library have, by handle.

A handle is the number of the object and, in the upper half, how often that number was given back
before: so one that was released is known.  An object has one handle, in its field
``library_handle``, and as many references as C was given and has not released.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import GcArray, GcStruct, Ptr, Signed, Void, malloc, nullptr
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR

OBJECTS = GcArray(OBJECTPTR)
NUMBERS = GcArray(Signed)
STATE = GcStruct(
    "library_handles",
    ("objects", Ptr(OBJECTS)), ("counts", Ptr(NUMBERS)), ("ages", Ptr(NUMBERS)),
    ("used", Signed), ("free", Signed),
)  # fmt: skip
STATEPTR = Ptr(STATE)


def ll_give(state: Any, home: Any, instance: Any) -> int:
    """The handle, with one more reference; ``home``: the instance, with the field."""
    number = home.library_handle
    if number == 0:
        number = ll_new_number(state)
        state.objects[number] = instance
        home.library_handle = number
    state.counts[number] += 1
    return number | llop.int_lshift(Signed, state.ages[number], 32)


def ll_new_number(state: Any) -> int:
    number = state.free
    if number != 0:
        state.free = -state.counts[number]
        state.counts[number] = 0
        return number
    if not state.objects:
        state.objects = malloc(OBJECTS, 64)
        state.counts = malloc(NUMBERS, 64)
        state.ages = malloc(NUMBERS, 64)
        state.used = 1
    number = state.used
    if number == len(state.objects):
        ll_grow(state, number)
    state.used = number + 1
    state.counts[number] = 0
    state.ages[number] = 0
    return number


def ll_grow(state: Any, size: int) -> None:
    objects = malloc(OBJECTS, 2 * size)
    counts = malloc(NUMBERS, 2 * size)
    ages = malloc(NUMBERS, 2 * size)
    llop.copy_array_items(Void, state.objects, objects, 0, 0, size)
    llop.copy_array_items(Void, state.counts, counts, 0, 0, size)
    llop.copy_array_items(Void, state.ages, ages, 0, 0, size)
    state.objects, state.counts, state.ages = objects, counts, ages


def ll_number(state: Any, handle: int) -> int:
    """The number in a handle that is not released."""
    number = handle & 0xFFFFFFFF
    if number <= 0 or number >= state.used:
        raise ValueError("not a handle of this library")
    if state.counts[number] <= 0 or state.ages[number] != llop.int_rshift(Signed, handle, 32):
        raise ValueError("the handle has been released")
    return number


def ll_object(state: Any, handle: int) -> Any:
    return state.objects[ll_number(state, handle)]


def ll_retain(state: Any, handle: int) -> None:
    state.counts[ll_number(state, handle)] += 1


def ll_release(state: Any, handle: int) -> Any:
    """The object, where that was its last reference; else null."""
    number = ll_number(state, handle)
    count = state.counts[number] - 1
    state.counts[number] = count
    if count > 0:
        return nullptr(OBJECT)
    released = state.objects[number]
    state.objects[number] = nullptr(OBJECT)
    state.ages[number] += 1
    state.counts[number] = -state.free
    state.free = number
    return released


def ll_forget(home: Any) -> None:
    home.library_handle = 0
