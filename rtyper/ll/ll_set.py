"""Sets: dicts to nothing (``ll_dict``), combined and compared.

Which of two equal items stays is CPython's choice: where a set is kept, its own; the
intersection of two sets has the items of the smaller one.
"""

from __future__ import annotations

from typing import Any

from rpython.rtyper.ll.ll_dict import (
    Keys,
    ll_copy,
    ll_delete,
    ll_delete_last,
    ll_find_hash,
    ll_hash_at,
    ll_insert,
    ll_newdict,
    ll_setitem_hash,
)
from rpython.rtyper.ll.ll_hash import ll_frozenset_end, ll_shuffle


def ll_add(s: Any, item: Any, keys: Keys) -> None:
    ll_setitem_hash(s, item, False, keys.hash_of(item), keys)


def ll_pop_number(s: Any) -> int:
    """The number of the entry that ``pop`` takes."""
    if s.live == 0:
        raise KeyError("'pop from an empty set'")
    entry = s.used - 1
    while not s.entries[entry].valid:
        entry -= 1
    return entry


def ll_remove_last(s: Any, entry: int, zero_item: Any, keys: Keys) -> None:
    ll_delete_last(s, entry, zero_item, False, keys)


def ll_add_all(s: Any, other: Any, keys: Keys) -> None:
    """``s |= other``, a set or a dict."""
    i = 0
    while i < other.used:
        entry = other.entries[i]
        if entry.valid:
            ll_setitem_hash(s, entry.key, False, ll_hash_at(other, i, keys), keys)
        i += 1


def ll_remove_all(s: Any, other: Any, zero_item: Any, keys: Keys) -> None:
    """``s -= other``"""
    i = 0
    while i < other.used:
        entry = other.entries[i]
        if entry.valid:
            found = ll_find_hash(s, entry.key, ll_hash_at(other, i, keys), keys)
            if found >= 0:
                ll_delete(s, found, zero_item, False, keys)
        i += 1


def ll_intersection(
    SET: Any, a: Any, b: Any, swap: bool, no_indexes: Any, no_entries: Any, keys: Keys
) -> Any:
    """The items of ``b`` that are in ``a``; with ``swap``, of the smaller of both."""
    result = ll_newdict(SET, no_indexes, no_entries)
    if swap and b.live > a.live:
        larger = b
        b = a
        a = larger
    i = 0
    while i < b.used:
        entry = b.entries[i]
        if entry.valid:
            item = entry.key
            hash = ll_hash_at(b, i, keys)
            if ll_find_hash(a, item, hash, keys) >= 0:
                ll_setitem_hash(result, item, False, hash, keys)
        i += 1
    return result


def ll_difference(
    SET: Any, a: Any, b: Any, no_indexes: Any, no_entries: Any, keys: Keys
) -> Any:
    result = ll_newdict(SET, no_indexes, no_entries)
    ll_add_missing(result, a, b, keys)
    return result


def ll_add_missing(result: Any, a: Any, b: Any, keys: Keys) -> None:
    """Add what is in ``a`` and not in ``b``; ``result`` has nothing of that yet."""
    i = 0
    while i < a.used:
        entry = a.entries[i]
        if entry.valid:
            item = entry.key
            hash = ll_hash_at(a, i, keys)
            if ll_find_hash(b, item, hash, keys) < 0:
                ll_insert(result, item, False, hash, keys)
        i += 1


def ll_symmetric_difference(
    SET: Any, a: Any, b: Any, no_indexes: Any, no_entries: Any, keys: Keys
) -> Any:
    result = ll_difference(SET, a, b, no_indexes, no_entries, keys)
    ll_add_missing(result, b, a, keys)
    return result


def ll_become(s: Any, other: Any) -> None:
    """Let ``s`` hold what ``other``, which nobody else has, holds."""
    s.live = other.live
    s.used = other.used
    s.first = other.first
    s.room = other.room
    s.indexes = other.indexes
    s.entries = other.entries


def ll_union(SET: Any, a: Any, b: Any, no_indexes: Any, no_entries: Any, keys: Keys) -> Any:
    result = ll_copy(SET, a, no_indexes, no_entries, keys)
    ll_add_all(result, b, keys)
    return result


def ll_is_subset(a: Any, b: Any, keys: Keys) -> bool:
    if a.live > b.live:
        return False
    i = 0
    while i < a.used:
        entry = a.entries[i]
        if entry.valid and ll_find_hash(b, entry.key, ll_hash_at(a, i, keys), keys) < 0:
            return False
        i += 1
    return True


def ll_same(a: Any, b: Any, keys: Keys) -> bool:
    return a.live == b.live and ll_is_subset(a, b, keys)


def ll_is_proper_subset(a: Any, b: Any, keys: Keys) -> bool:
    return a.live < b.live and ll_is_subset(a, b, keys)


def ll_is_disjoint(a: Any, b: Any, keys: Keys) -> bool:
    if b.live > a.live:
        larger = b
        b = a
        a = larger
    i = 0
    while i < b.used:
        entry = b.entries[i]
        if entry.valid and ll_find_hash(a, entry.key, ll_hash_at(b, i, keys), keys) >= 0:
            return False
        i += 1
    return True


def ll_set_hash(s: Any, keys: Keys) -> int:
    """The hash of a frozenset, whatever the order of its items."""
    mixed = 0
    i = 0
    while i < s.used:
        if s.entries[i].valid:
            mixed ^= ll_shuffle(ll_hash_at(s, i, keys))
        i += 1
    return ll_frozenset_end(mixed, s.live)
