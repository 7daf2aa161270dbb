"""Two sets: what they have in common, or not, in CPython's order (see ``ll_set``).

Which of two equal items stays is CPython's choice: where a set is kept, its own; the intersection
of two sets has the items of the smaller one.
"""

from __future__ import annotations

from typing import Any

from rpython.rtyper.ll.ll_dict import Keys
from rpython.rtyper.ll.ll_hash import ll_frozenset_end, ll_shuffle
from rpython.rtyper.ll.ll_set import (
    ll_add_all,
    ll_add_hash,
    ll_clear,
    ll_copy,
    ll_discard_hash,
    ll_grown,
    ll_hash_at,
    ll_hash_of_key,
    ll_hash_prebuilt,
    ll_lookup,
    ll_newset,
    ll_resize,
    ll_toggle_hash,
)


def ll_toggle_keys(s: Any, d: Any, zero_item: Any, keys: Keys) -> None:
    """``s.symmetric_difference_update(d)``"""
    i = 0
    while i < d.used:
        if d.entries[i].valid:
            hash = ll_hash_of_key(d, i, keys)
            ll_toggle_hash(s, d.entries[i].key, hash, zero_item, keys)
        i += 1


def ll_remove_all(s: Any, other: Any, zero_item: Any, no_entries: Any, keys: Keys) -> None:
    """``s -= other``"""
    if keys.careful:
        ll_hash_prebuilt(other, keys)
    if s == other:
        ll_clear(s, no_entries)
        return
    i = 0
    while i < len(other.entries):
        entry = other.entries[i]
        if entry.valid:
            ll_discard_hash(s, entry.key, ll_hash_at(other, i, keys), zero_item, keys)
        i += 1
    ll_forget_deleted(s, keys)


def ll_forget_deleted(s: Any, keys: Keys) -> None:
    """Make the table anew when more than a quarter of it are deleted entries."""
    if s.filled - s.live > (len(s.entries) - 1) >> 2:
        ll_resize(s, ll_grown(s.live), keys)


def ll_toggle_all(s: Any, other: Any, zero_item: Any, no_entries: Any, keys: Keys) -> None:
    """``s ^= other``"""
    if keys.careful:
        ll_hash_prebuilt(other, keys)
    if s == other:
        ll_clear(s, no_entries)
        return
    i = 0
    while i < len(other.entries):
        entry = other.entries[i]
        if entry.valid:
            ll_toggle_hash(s, entry.key, ll_hash_at(other, i, keys), zero_item, keys)
        i += 1


def ll_add_others(s: Any, given: Any, other: Any, keys: Keys) -> None:
    """``given.union(other)``, where ``s`` has what is in ``given`` and more."""
    if given != other:
        ll_add_all(s, other, keys)


def ll_union(SET: Any, a: Any, b: Any, no_entries: Any, keys: Keys) -> Any:
    result = ll_copy(SET, a, no_entries, keys)
    ll_add_others(result, a, b, keys)
    return result


def ll_intersection(SET: Any, a: Any, b: Any, no_entries: Any, keys: Keys) -> Any:
    """The items of the smaller set that are in the other one."""
    if keys.careful:
        ll_hash_prebuilt(a, keys)
        ll_hash_prebuilt(b, keys)
    if a == b:
        return ll_copy(SET, a, no_entries, keys)
    result = ll_newset(SET, no_entries)
    if b.live > a.live:
        larger = b
        b = a
        a = larger
    i = 0
    while i < len(b.entries):
        entry = b.entries[i]
        if entry.valid:
            item = entry.key
            ll_add_if_in(result, a, item, ll_hash_at(b, i, keys), keys)
        i += 1
    return result


def ll_add_common(result: Any, s: Any, item: Any, keys: Keys) -> None:
    """Add an item that is in ``s``."""
    ll_add_if_in(result, s, item, keys.hash_of(item), keys)


def ll_add_missing(result: Any, s: Any, item: Any, keys: Keys) -> None:
    """Add an item that is not in ``s``."""
    hash = keys.hash_of(item)
    if ll_lookup(s, item, hash, keys) < 0:
        ll_add_hash(result, item, hash, keys)


def ll_add_if_in(result: Any, s: Any, item: Any, hash: int, keys: Keys) -> None:
    if ll_lookup(s, item, hash, keys) >= 0:
        ll_add_hash(result, item, hash, keys)


def ll_difference(
    SET: Any, a: Any, b: Any, zero_item: Any, no_entries: Any, keys: Keys
) -> Any:
    if keys.careful:
        ll_hash_prebuilt(a, keys)
    if a.live >> 2 > b.live:
        return ll_copy_and_remove(SET, a, b, zero_item, no_entries, keys)
    result = ll_newset(SET, no_entries)
    i = 0
    while i < len(a.entries):
        entry = a.entries[i]
        if entry.valid:
            item = entry.key
            hash = ll_hash_at(a, i, keys)
            if ll_lookup(b, item, hash, keys) < 0:
                ll_add_hash(result, item, hash, keys)
        i += 1
    return result


def ll_copy_and_remove(
    SET: Any, a: Any, b: Any, zero_item: Any, no_entries: Any, keys: Keys
) -> Any:
    """``a - b``, where ``b`` was no set."""
    result = ll_copy(SET, a, no_entries, keys)
    ll_remove_all(result, b, zero_item, no_entries, keys)
    return result


def ll_symmetric_difference(
    SET: Any, a: Any, b: Any, zero_item: Any, no_entries: Any, keys: Keys
) -> Any:
    result = ll_copy(SET, b, no_entries, keys)
    ll_toggle_all(result, a, zero_item, no_entries, keys)
    return result


def ll_become(s: Any, other: Any) -> None:
    """Let ``s`` hold what ``other``, which nobody else has, holds."""
    s.live = other.live
    s.filled = other.filled
    s.entries = other.entries


def ll_is_subset(a: Any, b: Any, keys: Keys) -> bool:
    if keys.careful:
        ll_hash_prebuilt(a, keys)
    if a.live > b.live:
        return False
    i = 0
    while i < len(a.entries):
        entry = a.entries[i]
        if entry.valid and ll_lookup(b, entry.key, ll_hash_at(a, i, keys), keys) < 0:
            return False
        i += 1
    return True


def ll_same(a: Any, b: Any, keys: Keys) -> bool:
    return a.live == b.live and ll_is_subset(a, b, keys)


def ll_is_proper_subset(a: Any, b: Any, keys: Keys) -> bool:
    return a.live < b.live and ll_is_subset(a, b, keys)


def ll_is_disjoint(a: Any, b: Any, keys: Keys) -> bool:
    if keys.careful:
        ll_hash_prebuilt(a, keys)
        ll_hash_prebuilt(b, keys)
    if b.live > a.live:
        larger = b
        b = a
        a = larger
    i = 0
    while i < len(b.entries):
        entry = b.entries[i]
        if entry.valid and ll_lookup(a, entry.key, ll_hash_at(b, i, keys), keys) >= 0:
            return False
        i += 1
    return True


def ll_set_hash(s: Any, keys: Keys) -> int:
    """The hash of a frozenset, whatever the order of its items."""
    if keys.careful:
        ll_hash_prebuilt(s, keys)
    mixed = 0
    i = 0
    while i < len(s.entries):
        if s.entries[i].valid:
            mixed ^= ll_shuffle(ll_hash_at(s, i, keys))
        i += 1
    return ll_frozenset_end(mixed, s.live)
