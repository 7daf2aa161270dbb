"""Copies between lists and raw arrays."""

from __future__ import annotations

from typing import Any

from rpython.rlib.objectmodel import specialize


@specialize.ll()
def copy_list_to_raw_array(lst: Any, array: Any) -> None:
    """Store the items of a list at the start of an array."""
    for i in range(len(lst)):
        array[i] = lst[i]


@specialize.ll()
def populate_list_from_raw_array(lst: Any, array: Any, length: int) -> None:
    """Let a list have the first ``length`` items of an array, and no others."""
    del lst[:]
    for i in range(length):
        lst.append(array[i])
