"""What ``collections.OrderedDict`` does besides: both ends, order, and the checks of iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lltype import malloc, nullptr, typeOf
from rpython.rtyper.ll.ll_dict import (
    Keys,
    ll_clear,
    ll_delete,
    ll_delete_last,
    ll_equal,
    ll_hash_at,
    ll_insert,
    ll_last_entry,
    ll_resize,
)


def ll_end_entry(d: Any, last: bool) -> int:
    """The number of the last entry, or of the first.  Deleted entries before that are passed
    once, so that taking all items from the front takes linear time."""
    if d.live == 0:
        raise KeyError("'dictionary is empty'")
    if last:
        return ll_last_entry(d)
    entry = d.first
    while not d.entries[entry].valid:
        entry += 1
    d.first = entry
    return entry


def ll_move_to_end(
    d: Any, entry: int, last: bool, zero_key: Any, zero_value: Any, no_indexes: Any,
    no_entries: Any, keys: Keys,
) -> None:  # fmt: skip
    """Make an entry the last, or the first: that takes linear time."""
    if entry == ll_end_entry(d, last):
        return
    hash = ll_hash_at(d, entry, keys)
    key = d.entries[entry].key
    value = d.entries[entry].value
    if last:
        ll_delete(d, entry, zero_key, zero_value, keys)
        ll_insert(d, key, value, hash, keys)
        return
    others = d.entries
    used = d.used
    slots = len(d.indexes)
    ll_clear(d, no_indexes, no_entries)
    ll_resize(d, slots, keys)
    ll_insert(d, key, value, hash, keys)
    i = 0
    while i < used:
        other = others[i]
        if other.valid and i != entry:
            if keys.stored:
                ll_insert(d, other.key, other.value, other.hash, keys)
            else:
                ll_insert(d, other.key, other.value, keys.hash_of(other.key), keys)
        i += 1


def ll_delete_end(d: Any, entry: int, zero_key: Any, zero_value: Any, keys: Keys) -> None:
    """Remove the last entry, or the first."""
    if entry == d.used - 1:
        ll_delete_last(d, entry, zero_key, zero_value, keys)
    else:
        ll_delete(d, entry, zero_key, zero_value, keys)


def ll_equal_in_order(
    a: Any, b: Any, keys: Keys, values_equal: Callable[[Any, Any], bool]
) -> bool:
    """Have both the same keys in the same order, with equal values?"""
    if not ll_equal(a, b, keys, values_equal):
        return False
    i = 0
    j = 0
    while i < a.used:
        if a.entries[i].valid:
            while j < b.used and not b.entries[j].valid:
                j += 1
            if j >= b.used or not keys.equal(a.entries[i].key, b.entries[j].key):
                return False
            j += 1
        i += 1
    return True


# -- iteration --------------------------------------------------------------------------------
#
# An iterator knows its next entry beforehand, as CPython's does: what happens to the dict once it
# has given the last one does not matter.


def ll_newiter(ITER: Any, d: Any) -> Any:
    iterator = malloc(ITER)
    iterator.dict = d
    iterator.position = ll_entry_from(d, d.first)
    iterator.expected = d.live
    iterator.left = d.room
    iterator.entries = d.entries
    return iterator


def ll_newiter_back(ITER: Any, d: Any) -> Any:
    """For ``reversed``."""
    iterator = ll_newiter(ITER, d)
    iterator.position = ll_entry_before(d, d.used)
    return iterator


def ll_next(iterator: Any) -> int:
    """The number of the next entry, or -1 at the end."""
    i = ll_position(iterator)
    if i >= 0:
        iterator.position = ll_entry_from(iterator.dict, i + 1)
    return i


def ll_next_back(iterator: Any) -> int:
    """The number of the entry before, or -1 at the end."""
    i = ll_position(iterator)
    if i >= 0:
        iterator.position = ll_entry_before(iterator.dict, i)
    return i


def ll_position(iterator: Any) -> int:
    """Where the iterator is, -1 at the end.  Each item that is added takes ``room``, or new
    entries, and each that is taken away is one less."""
    d = iterator.dict
    if not d:
        return -1
    i: int = iterator.position
    if i < 0:
        iterator.dict = nullptr(typeOf(d).TO)
    elif d.live != iterator.expected or d.room != iterator.left or d.entries != iterator.entries:
        if len(d.entries) == 0:
            raise RuntimeError("OrderedDict changed size during iteration")
        iterator.dict = nullptr(typeOf(d).TO)
        raise RuntimeError("OrderedDict mutated during iteration")
    return i


def ll_entry_from(d: Any, i: int) -> int:
    """The first entry from ``i`` on that is not deleted, or -1."""
    while i < d.used:
        if d.entries[i].valid:
            return i
        i += 1
    return -1


def ll_entry_before(d: Any, i: int) -> int:
    """The last entry before ``i`` that is not deleted, or -1."""
    i -= 1
    while i >= 0 and not d.entries[i].valid:
        i -= 1
    return i
