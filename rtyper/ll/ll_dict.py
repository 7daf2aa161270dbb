"""Dicts: insertion-ordered hash tables.

After Raymond Hettinger's compact dict, as in CPython: ``entries`` holds keys and values in
order of insertion, ``indexes`` is the hash table, of small ints:

    0   free        1   was used, probing goes on        n   entry n - 2

The table has a power of two of slots and room for two thirds of that many entries.
Probing follows CPython's: ``i = 5 * i + perturb + 1``, where ``perturb`` is the hash
shifted right by five bits each time.  Sizes and moments of resizing are CPython's too, so
that iteration over a dict that changes behaves alike.

``live``: how many items there are; ``used``: how many entries, deleted ones included;
``room``: how many can be added before the tables grow.
``equal`` and ``hash_of`` are functions of keys.  ``zero_key`` and ``zero_value`` are what
deleted entries are overwritten with, so that they keep nothing alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lltypesystem.lloperation import llop
from lltypesystem.lltype import Int32, Signed, Unsigned, cast_primitive, malloc, nullptr, typeOf

FREE = 0
DELETED = 1
FIRST = 2
MAX_SLOTS = 1 << 30

Hash = Callable[[Any], int]
Equal = Callable[[Any, Any], bool]


def ll_newdict(DICT: Any, no_indexes: Any, no_entries: Any) -> Any:
    """An empty dict.  The tables are shared: one free slot, no entries."""
    d = malloc(DICT)
    d.live = 0
    d.used = 0
    d.room = 0
    d.indexes = no_indexes
    d.entries = no_entries
    return d


# -- finding ----------------------------------------------------------------------------------


def ll_next_perturb(perturb: int) -> int:
    return llop.cast_uint_to_int(
        Signed, llop.uint_rshift(Unsigned, llop.cast_int_to_uint(Unsigned, perturb), 5)
    )


def ll_find(d: Any, key: Any, hash_of: Hash, equal: Equal) -> int:
    """The number of the key's entry, or -1."""
    indexes = d.indexes
    mask = len(indexes) - 1
    perturb = hash_of(key)
    i = perturb & mask
    while True:
        index = cast_primitive(Signed, indexes[i])
        if index == FREE:
            return -1
        if index != DELETED and equal(d.entries[index - FIRST].key, key):
            return index - FIRST
        perturb = ll_next_perturb(perturb)
        i = (i * 5 + perturb + 1) & mask


def ll_free_slot(indexes: Any, hash: int) -> int:
    """The first slot for a hash that holds no entry."""
    mask = len(indexes) - 1
    perturb = hash
    i = perturb & mask
    while cast_primitive(Signed, indexes[i]) >= FIRST:
        perturb = ll_next_perturb(perturb)
        i = (i * 5 + perturb + 1) & mask
    return i


def ll_slot_of(indexes: Any, hash: int, entry: int) -> int:
    """The slot that holds an entry."""
    mask = len(indexes) - 1
    perturb = hash
    i = perturb & mask
    while cast_primitive(Signed, indexes[i]) != entry + FIRST:
        perturb = ll_next_perturb(perturb)
        i = (i * 5 + perturb + 1) & mask
    return i


def ll_contains(d: Any, key: Any, hash_of: Hash, equal: Equal) -> bool:
    return ll_find(d, key, hash_of, equal) >= 0


def ll_get(d: Any, key: Any, default: Any, hash_of: Hash, equal: Equal) -> Any:
    entry = ll_find(d, key, hash_of, equal)
    if entry < 0:
        return default
    return d.entries[entry].value


# -- changing ---------------------------------------------------------------------------------


def ll_setitem(d: Any, key: Any, value: Any, hash_of: Hash, equal: Equal) -> None:
    entry = ll_find(d, key, hash_of, equal)
    if entry < 0:
        ll_insert(d, key, value, hash_of)
    else:
        d.entries[entry].value = value


def ll_insert(d: Any, key: Any, value: Any, hash_of: Hash) -> None:
    """Add an item whose key is not there."""
    if d.room == 0:
        ll_resize(d, ll_slots_for(d.live), hash_of)
    used = d.used
    slot = ll_free_slot(d.indexes, hash_of(key))
    d.indexes[slot] = cast_primitive(Int32, used + FIRST)
    entry = d.entries[used]
    entry.key = key
    entry.value = value
    entry.valid = True
    d.used = used + 1
    d.room -= 1
    d.live += 1


def ll_slots_for(live: int) -> int:
    """The size of the table when it grows with this many items."""
    slots = 8
    while slots < ((live * 3) | 8):
        slots += slots
    return slots


def ll_resize(d: Any, slots: int, hash_of: Hash) -> None:
    """Give the dict a table of ``slots``; deleted entries disappear."""
    if slots > MAX_SLOTS:
        raise MemoryError
    old_entries = d.entries
    used = d.used
    entries = malloc(typeOf(old_entries).TO, llop.int_floordiv(Signed, slots * 2, 3))
    indexes = malloc(typeOf(d.indexes).TO, slots)
    count = 0
    i = 0
    while i < used:
        old = old_entries[i]
        if old.valid:
            entry = entries[count]
            entry.key = old.key
            entry.value = old.value
            entry.valid = True
            slot = ll_free_slot(indexes, hash_of(old.key))
            indexes[slot] = cast_primitive(Int32, count + FIRST)
            count += 1
        i += 1
    d.entries = entries
    d.indexes = indexes
    d.used = count
    d.room = len(entries) - count


def ll_delete(d: Any, entry: int, zero_key: Any, zero_value: Any, hash_of: Hash) -> None:
    """Remove an entry."""
    old = d.entries[entry]
    slot = ll_slot_of(d.indexes, hash_of(old.key), entry)
    d.indexes[slot] = cast_primitive(Int32, DELETED)
    old.key = zero_key
    old.value = zero_value
    old.valid = False
    d.live -= 1


def ll_pop_entry(d: Any, entry: int, zero_key: Any, zero_value: Any, hash_of: Hash) -> Any:
    """Remove an entry; its value."""
    value = d.entries[entry].value
    ll_delete(d, entry, zero_key, zero_value, hash_of)
    return value


def ll_pop(
    d: Any, key: Any, default: Any, zero_key: Any, zero_value: Any, hash_of: Hash, equal: Equal
) -> Any:
    entry = ll_find(d, key, hash_of, equal)
    if entry < 0:
        return default
    return ll_pop_entry(d, entry, zero_key, zero_value, hash_of)


def ll_setdefault(d: Any, key: Any, default: Any, hash_of: Hash, equal: Equal) -> Any:
    entry = ll_find(d, key, hash_of, equal)
    if entry >= 0:
        return d.entries[entry].value
    ll_insert(d, key, default, hash_of)
    return default


def ll_clear(d: Any, no_indexes: Any, no_entries: Any) -> None:
    d.live = 0
    d.used = 0
    d.room = 0
    d.indexes = no_indexes
    d.entries = no_entries


def ll_last_entry(d: Any) -> int:
    """The number of the last entry, for ``popitem``."""
    if d.live == 0:
        raise KeyError("'popitem(): dictionary is empty'")
    entry = d.used - 1
    while not d.entries[entry].valid:
        entry -= 1
    return entry


def ll_delete_last(d: Any, entry: int, zero_key: Any, zero_value: Any, hash_of: Hash) -> None:
    """Remove the last entry and let its place be used again.  There is no more ``room``
    for that: the slot of the table is still taken."""
    ll_delete(d, entry, zero_key, zero_value, hash_of)
    d.used = entry


# -- whole dicts ------------------------------------------------------------------------------


def ll_copy(DICT: Any, source: Any, no_indexes: Any, no_entries: Any, hash_of: Hash) -> Any:
    d = ll_newdict(DICT, no_indexes, no_entries)
    if source.live > 0:
        slots = 8
        while llop.int_floordiv(Signed, slots * 2, 3) < source.live:
            slots += slots
        ll_resize(d, slots, hash_of)
        i = 0
        while i < source.used:
            entry = source.entries[i]
            if entry.valid:
                ll_insert(d, entry.key, entry.value, hash_of)
            i += 1
    return d


def ll_update(d: Any, source: Any, hash_of: Hash, equal: Equal) -> None:
    if d == source:
        return
    i = 0
    while i < source.used:
        entry = source.entries[i]
        if entry.valid:
            ll_setitem(d, entry.key, entry.value, hash_of, equal)
        i += 1


def ll_equal(
    a: Any, b: Any, hash_of: Hash, equal: Equal, values_equal: Equal
) -> bool:
    """Have both the same keys, with equal values?"""
    if a.live != b.live:
        return False
    i = 0
    while i < a.used:
        entry = a.entries[i]
        if entry.valid:
            other = ll_find(b, entry.key, hash_of, equal)
            if other < 0 or not values_equal(entry.value, b.entries[other].value):
                return False
        i += 1
    return True


# -- iteration --------------------------------------------------------------------------------


def ll_newiter(ITER: Any, d: Any) -> Any:
    iterator = malloc(ITER)
    iterator.dict = d
    iterator.position = 0
    iterator.expected = d.live
    iterator.left = d.live
    return iterator


def ll_next(iterator: Any) -> int:
    """The number of the next entry, or -1 at the end; the checks are CPython's."""
    d = iterator.dict
    if not d:
        return -1
    if d.live != iterator.expected:
        iterator.expected = -1
        raise RuntimeError("dictionary changed size during iteration")
    entries = d.entries
    used = d.used
    i = iterator.position
    while i < used and not entries[i].valid:
        i += 1
    if i >= used:
        iterator.dict = nullptr(typeOf(d).TO)
        return -1
    if iterator.left == 0:
        iterator.dict = nullptr(typeOf(d).TO)
        raise RuntimeError("dictionary keys changed during iteration")
    iterator.left -= 1
    iterator.position = i + 1
    return i
