"""Dicts: insertion-ordered hash tables.

After Raymond Hettinger's compact dict, as in CPython: ``entries`` holds keys and values in
order of insertion, ``indexes`` is the hash table, of small ints:

    0   free        1   was used, probing goes on        n   entry n - 2

The table has a power of two of slots and room for two thirds of that many entries.
Probing follows CPython's: ``i = 5 * i + perturb + 1``, where ``perturb`` is the hash
shifted right by five bits each time.  Sizes and moments of resizing are CPython's too, so
that iteration over a dict that changes behaves alike.

``live``: how many items there are; ``used``: how many entries, deleted ones included;
``first``: where those before have been found deleted; ``room``: how many can be added before the
tables grow.
``keys``: what the table needs to know about keys, a ``Keys``.  ``zero_key`` and ``zero_value``
are what deleted entries are overwritten with, so that they keep nothing alive.

``hash`` of entries is there only for keys that do not tell it quickly.  Comparing and hashing keys
may run code of the program, which may change the very dict; ``keys.careful`` says so.  Prebuilt
dicts of such keys have no ``indexes`` at first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    GcArray,
    Int32,
    Signed,
    Unsigned,
    cast_primitive,
    malloc,
    nullptr,
    typeOf,
)
from rpython.lltypesystem.operations.seldom import seldom_called

INDEXES = GcArray(Int32)
FREE = 0
DELETED = 1
FIRST = 2
MAX_SLOTS = 1 << 30
CHANGED = -2
"""What a search gives when the dict was changed by it."""


class Flag:
    """A host constant that is true: helpers branch on it while they are annotated."""

    _rpython_builtin_ = True


YES = Flag()


class Keys:
    """The functions of keys; ``stored``: entries keep the hash; ``careful``: see the module
    text."""

    _rpython_builtin_ = True
    __slots__ = ("careful", "equal", "hash_of", "stored")

    def __init__(
        self,
        hash_of: Callable[[Any], int],
        equal: Callable[[Any, Any], bool],
        stored: bool,
        careful: bool,
    ) -> None:
        self.hash_of = hash_of
        self.equal = equal
        self.stored = YES if stored else None
        self.careful = YES if careful else None


def ll_newdict(DICT: Any, no_indexes: Any, no_entries: Any) -> Any:
    """An empty dict.  The tables are shared: one free slot, no entries."""
    d = malloc(DICT)
    d.live = 0
    d.used = 0
    d.first = 0
    d.room = 0
    d.indexes = no_indexes
    d.entries = no_entries
    return d


# -- finding ----------------------------------------------------------------------------------


def ll_next_perturb(perturb: int) -> int:
    return llop.cast_uint_to_int(
        Signed, llop.uint_rshift(Unsigned, llop.cast_int_to_uint(Unsigned, perturb), 5)
    )


def ll_find(d: Any, key: Any, keys: Keys) -> int:
    """The number of the key's entry, or -1."""
    return ll_find_hash(d, key, keys.hash_of(key), keys)


def ll_find_hash(d: Any, key: Any, hash: int, keys: Keys) -> int:
    """The number of the entry of a key with this hash, or -1."""
    if keys.careful:
        ll_make_indexes(d, keys)
        entry = CHANGED
        while entry == CHANGED:
            entry = ll_find_careful(d, key, hash, keys)
        return entry
    indexes = d.indexes
    mask = len(indexes) - 1
    perturb = hash
    i = perturb & mask
    while True:
        index = cast_primitive(Signed, indexes[i])
        if index == FREE:
            return -1
        if index != DELETED:
            entry = index - FIRST
            if keys.stored:
                if d.entries[entry].hash == hash and keys.equal(d.entries[entry].key, key):
                    return entry
            elif keys.equal(d.entries[entry].key, key):
                return entry
        perturb = ll_next_perturb(perturb)
        i = (i * 5 + perturb + 1) & mask


def ll_find_careful(d: Any, key: Any, hash: int, keys: Keys) -> int:
    """``ll_find_hash``, or CHANGED when a comparison changed the dict."""
    indexes = d.indexes
    entries = d.entries
    mask = len(indexes) - 1
    perturb = hash
    i = perturb & mask
    while True:
        index = cast_primitive(Signed, indexes[i])
        if index == FREE:
            return -1
        if index != DELETED and entries[index - FIRST].hash == hash:
            known = entries[index - FIRST].key
            same = keys.equal(known, key)
            if d.entries != entries or not entries[index - FIRST].valid:
                return CHANGED
            if entries[index - FIRST].key != known:
                return CHANGED
            if same:
                return index - FIRST
        perturb = ll_next_perturb(perturb)
        i = (i * 5 + perturb + 1) & mask


@seldom_called
def ll_make_indexes(d: Any, keys: Keys) -> None:
    """Give a prebuilt dict of keys that the program hashes its table, when first used."""
    if d.indexes:
        return
    entries = d.entries
    slots = 8
    while llop.int_floordiv(Signed, slots * 2, 3) < len(entries):
        slots += slots
    indexes = malloc(INDEXES, slots)
    i = 0
    while i < d.used:
        hash = keys.hash_of(entries[i].key)
        entries[i].hash = hash
        indexes[ll_free_slot(indexes, hash)] = cast_primitive(Int32, i + FIRST)
        i += 1
    d.indexes = indexes


def ll_hash_at(d: Any, entry: int, keys: Keys) -> int:
    """The hash of a valid entry's key."""
    if keys.stored:
        if keys.careful:
            ll_make_indexes(d, keys)
        hash: int = d.entries[entry].hash
        return hash
    return keys.hash_of(d.entries[entry].key)


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


def ll_contains(d: Any, key: Any, keys: Keys) -> bool:
    return ll_find(d, key, keys) >= 0


def ll_get(d: Any, key: Any, default: Any, keys: Keys) -> Any:
    entry = ll_find(d, key, keys)
    if entry < 0:
        return default
    return d.entries[entry].value


# -- changing ---------------------------------------------------------------------------------


def ll_setitem(d: Any, key: Any, value: Any, keys: Keys) -> None:
    ll_setitem_hash(d, key, value, keys.hash_of(key), keys)


def ll_setitem_hash(d: Any, key: Any, value: Any, hash: int, keys: Keys) -> None:
    entry = ll_find_hash(d, key, hash, keys)
    if entry < 0:
        ll_insert(d, key, value, hash, keys)
    else:
        d.entries[entry].value = value


def ll_insert(d: Any, key: Any, value: Any, hash: int, keys: Keys) -> None:
    """Add an item whose key is not there."""
    if d.room == 0:
        ll_resize(d, ll_slots_for(d.live), keys)
    used = d.used
    slot = ll_free_slot(d.indexes, hash)
    d.indexes[slot] = cast_primitive(Int32, used + FIRST)
    entry = d.entries[used]
    entry.key = key
    entry.value = value
    entry.valid = True
    if keys.stored:
        entry.hash = hash
    d.used = used + 1
    d.room -= 1
    d.live += 1


def ll_slots_for(live: int) -> int:
    """The size of the table when it grows with this many items."""
    slots = 8
    while slots < ((live * 3) | 8):
        slots += slots
    return slots


@seldom_called
def ll_resize(d: Any, slots: int, keys: Keys) -> None:
    """Give the dict a table of ``slots``; deleted entries disappear."""
    if slots > MAX_SLOTS:
        raise MemoryError
    old_entries = d.entries
    used = d.used
    entries = malloc(typeOf(old_entries).TO, llop.int_floordiv(Signed, slots * 2, 3))
    indexes = malloc(INDEXES, slots)
    count = 0
    i = 0
    while i < used:
        old = old_entries[i]
        if old.valid:
            entry = entries[count]
            entry.key = old.key
            entry.value = old.value
            entry.valid = True
            if keys.stored:
                hash = old.hash
                entry.hash = hash
            else:
                hash = keys.hash_of(old.key)
            slot = ll_free_slot(indexes, hash)
            indexes[slot] = cast_primitive(Int32, count + FIRST)
            count += 1
        i += 1
    d.entries = entries
    d.indexes = indexes
    d.used = count
    d.first = 0
    d.room = len(entries) - count


def ll_delete(d: Any, entry: int, zero_key: Any, zero_value: Any, keys: Keys) -> None:
    """Remove an entry."""
    hash = ll_hash_at(d, entry, keys)
    old = d.entries[entry]
    slot = ll_slot_of(d.indexes, hash, entry)
    d.indexes[slot] = cast_primitive(Int32, DELETED)
    old.key = zero_key
    old.value = zero_value
    old.valid = False
    d.live -= 1


def ll_discard(d: Any, key: Any, zero_key: Any, zero_value: Any, keys: Keys) -> bool:
    """Remove a key; was it there?"""
    entry = ll_find(d, key, keys)
    if entry < 0:
        return False
    ll_delete(d, entry, zero_key, zero_value, keys)
    return True


def ll_pop_entry(d: Any, entry: int, zero_key: Any, zero_value: Any, keys: Keys) -> Any:
    """Remove an entry; its value."""
    value = d.entries[entry].value
    ll_delete(d, entry, zero_key, zero_value, keys)
    return value


def ll_pop(
    d: Any, key: Any, default: Any, zero_key: Any, zero_value: Any, keys: Keys
) -> Any:
    entry = ll_find(d, key, keys)
    if entry < 0:
        return default
    return ll_pop_entry(d, entry, zero_key, zero_value, keys)


def ll_setdefault(d: Any, key: Any, default: Any, keys: Keys) -> Any:
    hash = keys.hash_of(key)
    entry = ll_find_hash(d, key, hash, keys)
    if entry >= 0:
        return d.entries[entry].value
    ll_insert(d, key, default, hash, keys)
    return default


def ll_clear(d: Any, no_indexes: Any, no_entries: Any) -> None:
    d.live = 0
    d.used = 0
    d.first = 0
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


def ll_delete_last(d: Any, entry: int, zero_key: Any, zero_value: Any, keys: Keys) -> None:
    """Remove the last entry and let its place be used again.  There is no more ``room``
    for that: the slot of the table is still taken."""
    ll_delete(d, entry, zero_key, zero_value, keys)
    d.used = entry
    if d.first > entry:
        d.first = entry


# -- whole dicts ------------------------------------------------------------------------------


def ll_copy(DICT: Any, source: Any, no_indexes: Any, no_entries: Any, keys: Keys) -> Any:
    d = ll_newdict(DICT, no_indexes, no_entries)
    if source.live > 0:
        slots = 8
        while llop.int_floordiv(Signed, slots * 2, 3) < source.live:
            slots += slots
        ll_resize(d, slots, keys)
        i = 0
        while i < source.used:
            entry = source.entries[i]
            if entry.valid:
                ll_insert(d, entry.key, entry.value, ll_hash_at(source, i, keys), keys)
            i += 1
    return d


def ll_update(d: Any, source: Any, keys: Keys) -> None:
    if d == source:
        return
    used = source.used
    i = 0
    while i < source.used:
        entry = source.entries[i]
        if entry.valid:
            ll_setitem_hash(d, entry.key, entry.value, ll_hash_at(source, i, keys), keys)
            if keys.careful and source.used != used:
                raise RuntimeError("dict mutated during update")
        i += 1


def ll_equal(a: Any, b: Any, keys: Keys, values_equal: Callable[[Any, Any], bool]) -> bool:
    """Have both the same keys, with equal values?"""
    if a.live != b.live:
        return False
    i = 0
    while i < a.used:
        entry = a.entries[i]
        if entry.valid:
            hash = ll_hash_at(a, i, keys)
            value = entry.value
            other = ll_find_hash(b, entry.key, hash, keys)
            if other < 0 or not values_equal(value, b.entries[other].value):
                return False
        i += 1
    return True


def ll_same_keys(a: Any, b: Any, keys: Keys) -> bool:
    """Have both the same keys?"""
    if a.live != b.live:
        return False
    i = 0
    while i < a.used:
        entry = a.entries[i]
        if entry.valid and ll_find_hash(b, entry.key, ll_hash_at(a, i, keys), keys) < 0:
            return False
        i += 1
    return True


# -- iteration --------------------------------------------------------------------------------


def ll_newiter(ITER: Any, d: Any) -> Any:
    iterator = malloc(ITER)
    iterator.dict = d
    iterator.position = d.first
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
    if i < used and not entries[i].valid:
        i = ll_skip_deleted(entries, i, used)
    if i >= used:
        iterator.dict = nullptr(typeOf(d).TO)
        return -1
    if iterator.left == 0:
        iterator.dict = nullptr(typeOf(d).TO)
        raise RuntimeError("dictionary keys changed during iteration")
    iterator.left -= 1
    iterator.position = i + 1
    return i


@seldom_called
def ll_skip_deleted(entries: Any, i: int, used: int) -> int:
    """The number of the first entry from ``i`` on that is not deleted, or ``used``."""
    while i < used and not entries[i].valid:
        i += 1
    return i


def ll_newiter_back(ITER: Any, d: Any) -> Any:
    """For ``reversed``."""
    iterator = ll_newiter(ITER, d)
    iterator.position = d.used - 1
    return iterator


def ll_next_back(iterator: Any) -> int:
    """The number of the entry before, or -1 at the end."""
    d = iterator.dict
    if not d:
        return -1
    if d.live != iterator.expected:
        iterator.expected = -1
        raise RuntimeError("dictionary changed size during iteration")
    i = iterator.position
    if i >= d.used:
        i = d.used - 1
    while i >= 0 and not d.entries[i].valid:
        i -= 1
    iterator.position = i - 1
    if i < 0:
        iterator.dict = nullptr(typeOf(d).TO)
    return i
