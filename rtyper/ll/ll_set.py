"""Sets: hash tables whose order is CPython's.

After ``Objects/setobject.c``: ``entries`` is the table, of a power of two of slots; iterating goes
from slot to slot.  A slot is free, or has an item (``valid``), or had one (``deleted``), and then
probing goes on.  Probing looks at the slot for the hash and at nine behind it, where the
table has them, then it jumps as dicts do.  When and to what size a table grows, and which of
two sets is copied, are CPython's choices, too, so that with equal hashes the items come in the same
order; the hashes of numbers, and of tuples and frozensets of numbers, are equal.

``live``: how many items there are; ``filled``: how many slots are not free, -1 for a prebuilt set
whose items the program hashes, when first used; ``finger``: where ``pop`` goes on.  Empty sets
share a table of one free slot, which counts as eight.

``hash`` of entries is there only for keys that do not tell it quickly.  Comparing and hashing may
run code of the program, which may change the set: ``keys.careful`` says so (see ``ll_dict.Keys``).
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lltype import malloc, nullptr, typeOf
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.rtyper.ll import ll_dict
from rpython.rtyper.ll.ll_dict import Keys, ll_next_perturb

LEAST_SLOTS = 8
MAX_SLOTS = 1 << 30
LINEAR_PROBES = 9
LARGE = 50000
"""Of more items than these a table grows by two, not by four."""
CHANGED = -1 << 62
"""What a search gives when the set was changed by it."""


def ll_newset(SET: Any, no_entries: Any) -> Any:
    """An empty set, with the table that empty sets share."""
    s = malloc(SET)
    s.live = 0
    s.filled = 0
    s.finger = 0
    s.entries = no_entries
    return s


# -- finding ----------------------------------------------------------------------------------


def ll_lookup(s: Any, item: Any, hash: int, keys: Keys) -> int:
    """The slot that has the item; or, inverted (``~slot``), where it belongs: the last slot on the
    way that had one, else the free one at the end of the way."""
    if keys.careful:
        ll_hash_prebuilt(s, keys)
        slot = CHANGED
        while slot == CHANGED:
            slot = ll_lookup_careful(s, item, hash, keys)
        return slot
    entries = s.entries
    mask = len(entries) - 1
    perturb = hash
    start = perturb & mask
    deleted = -1
    while True:
        slot = start
        last = ll_last_probe(start, mask)
        while slot <= last:
            entry = entries[slot]
            if entry.valid:
                if keys.stored:
                    if entry.hash == hash and keys.equal(entry.key, item):
                        return slot
                elif keys.equal(entry.key, item):
                    return slot
            elif entry.deleted:
                deleted = slot
            else:
                return ~(slot if deleted < 0 else deleted)
            slot += 1
        perturb = ll_next_perturb(perturb)
        start = (start * 5 + 1 + perturb) & mask


def ll_last_probe(start: int, mask: int) -> int:
    """The last of the slots in a row that are looked at."""
    if start + LINEAR_PROBES <= mask:
        return start + LINEAR_PROBES
    return start


def ll_lookup_careful(s: Any, item: Any, hash: int, keys: Keys) -> int:
    """``ll_lookup``, or CHANGED when a comparison changed the set."""
    entries = s.entries
    mask = len(entries) - 1
    perturb = hash
    start = perturb & mask
    deleted = -1
    while True:
        slot = start
        last = ll_last_probe(start, mask)
        while slot <= last:
            entry = entries[slot]
            if not entry.valid:
                if not entry.deleted:
                    return ~(slot if deleted < 0 else deleted)
                deleted = slot
            elif entry.hash == hash:
                known = entry.key
                same = keys.equal(known, item)
                if s.entries != entries or not entries[slot].valid:
                    return CHANGED
                if entries[slot].key != known:
                    return CHANGED
                if same:
                    return slot
            slot += 1
        perturb = ll_next_perturb(perturb)
        start = (start * 5 + 1 + perturb) & mask


def ll_free_slot(entries: Any, hash: int) -> int:
    """The first free slot for a hash, in a table without deleted entries."""
    mask = len(entries) - 1
    perturb = hash
    start = perturb & mask
    while True:
        slot = start
        last = ll_last_probe(start, mask)
        while slot <= last:
            if not entries[slot].valid:
                return slot
            slot += 1
        perturb = ll_next_perturb(perturb)
        start = (start * 5 + 1 + perturb) & mask


@seldom_called
def ll_hash_prebuilt(s: Any, keys: Keys) -> None:
    """Put the items of a prebuilt set that the program hashes where they belong, once: before
    anything goes through its slots."""
    if s.filled >= 0:
        return
    old = s.entries
    entries = malloc(typeOf(old).TO, len(old))
    i = 0
    while i < len(old):
        if old[i].valid:
            ll_place(entries, old[i].key, keys.hash_of(old[i].key), keys)
        i += 1
    s.entries = entries
    s.filled = s.live


def ll_hash_at(s: Any, slot: int, keys: Keys) -> int:
    """The hash of a valid entry's item, of a set that is hashed."""
    if keys.stored:
        hash: int = s.entries[slot].hash
        return hash
    return keys.hash_of(s.entries[slot].key)


def ll_contains(s: Any, item: Any, keys: Keys) -> bool:
    return ll_lookup(s, item, keys.hash_of(item), keys) >= 0


# -- changing ---------------------------------------------------------------------------------


def ll_add(s: Any, item: Any, keys: Keys) -> None:
    ll_add_hash(s, item, keys.hash_of(item), keys)


def ll_add_hash(s: Any, item: Any, hash: int, keys: Keys) -> None:
    slot = ll_lookup(s, item, hash, keys)
    if slot < 0:
        ll_put(s, ~slot, item, hash, keys)


def ll_put(s: Any, slot: int, item: Any, hash: int, keys: Keys) -> None:
    """Add an item that is not there, at the slot where it belongs."""
    if len(s.entries) < LEAST_SLOTS:
        ll_own_table(s)
        slot = hash & (LEAST_SLOTS - 1)
    entry = s.entries[slot]
    ll_write(entry, item, hash, keys)
    s.live += 1
    if entry.deleted:
        entry.deleted = False
        return
    s.filled += 1
    if s.filled * 5 >= (len(s.entries) - 1) * 3:
        ll_resize(s, ll_grown(s.live), keys)


@seldom_called
def ll_own_table(s: Any) -> None:
    """Give an empty set a table of its own."""
    s.entries = malloc(typeOf(s.entries).TO, LEAST_SLOTS)


def ll_grown(live: int) -> int:
    """More slots than these has a new table for so many items."""
    if live > LARGE:
        return live * 2
    return live * 4


@seldom_called
def ll_resize(s: Any, least: int, keys: Keys) -> None:
    """Give the set a table of more than ``least`` slots; deleted entries disappear."""
    slots = LEAST_SLOTS
    while slots <= least:
        slots += slots
    if slots > MAX_SLOTS:
        raise MemoryError
    old = s.entries
    if slots == len(old) == LEAST_SLOTS and s.filled == s.live:
        return
    entries = malloc(typeOf(old).TO, slots)
    i = 0
    while i < len(old):
        entry = old[i]
        if entry.valid:
            hash = entry.hash if keys.stored else keys.hash_of(entry.key)
            ll_place(entries, entry.key, hash, keys)
        i += 1
    s.entries = entries
    s.filled = s.live


def ll_place(entries: Any, item: Any, hash: int, keys: Keys) -> None:
    """Put an item in a table that does not have it, and no deleted entries."""
    ll_write(entries[ll_free_slot(entries, hash)], item, hash, keys)


def ll_write(entry: Any, item: Any, hash: int, keys: Keys) -> None:
    entry.key = item
    entry.valid = True
    if keys.stored:
        entry.hash = hash


def ll_make_room(s: Any, count: int, keys: Keys) -> None:
    """Grow at once for so many items, which may not be there."""
    slots = len(s.entries)
    if slots < LEAST_SLOTS:
        slots = LEAST_SLOTS
    if (s.filled + count) * 5 >= (slots - 1) * 3:
        ll_resize(s, (s.live + count) * 2, keys)


def ll_remove_at(s: Any, slot: int, zero_item: Any) -> None:
    entry = s.entries[slot]
    entry.key = zero_item
    entry.valid = False
    entry.deleted = True
    s.live -= 1


def ll_discard_hash(s: Any, item: Any, hash: int, zero_item: Any, keys: Keys) -> bool:
    slot = ll_lookup(s, item, hash, keys)
    if slot < 0:
        return False
    ll_remove_at(s, slot, zero_item)
    return True


def ll_discard(s: Any, item: Any, zero_item: Any, keys: Keys) -> bool:
    """Remove an item; was it there?"""
    return ll_discard_hash(s, item, keys.hash_of(item), zero_item, keys)


def ll_toggle_hash(s: Any, item: Any, hash: int, zero_item: Any, keys: Keys) -> None:
    """Remove an item that is there, add one that is not."""
    slot = ll_lookup(s, item, hash, keys)
    if slot < 0:
        ll_put(s, ~slot, item, hash, keys)
    else:
        ll_remove_at(s, slot, zero_item)


def ll_pop_slot(s: Any, keys: Keys) -> int:
    """The slot whose item ``pop`` takes."""
    if s.live == 0:
        raise KeyError("'pop from an empty set'")
    if keys.careful:
        ll_hash_prebuilt(s, keys)
    mask = len(s.entries) - 1
    slot = s.finger & mask
    while not s.entries[slot].valid:
        slot = (slot + 1) & mask
    s.finger = slot + 1
    return slot


def ll_clear(s: Any, no_entries: Any) -> None:
    s.live = 0
    s.filled = 0
    s.entries = no_entries


# -- whole sets -------------------------------------------------------------------------------


def ll_copy(SET: Any, other: Any, no_entries: Any, keys: Keys) -> Any:
    s = ll_newset(SET, no_entries)
    ll_add_all(s, other, keys)
    return s


def ll_add_all(s: Any, other: Any, keys: Keys) -> None:
    """``s |= other``, a set."""
    if s == other or other.live == 0:
        return
    if keys.careful:
        ll_hash_prebuilt(s, keys)
        ll_hash_prebuilt(other, keys)
    ll_make_room(s, other.live, keys)
    if s.filled == 0:
        ll_fill(s, other, keys)
        return
    i = 0
    while i < len(other.entries):
        entry = other.entries[i]
        if entry.valid:
            ll_add_hash(s, entry.key, ll_hash_at(other, i, keys), keys)
        i += 1


def ll_hash_of_key(d: Any, entry: int, keys: Keys) -> int:
    """The hash of a key of a dict, which keeps those that the program makes."""
    if keys.careful:
        return ll_dict.ll_hash_at(d, entry, keys)
    return keys.hash_of(d.entries[entry].key)


def ll_add_keys(s: Any, d: Any, keys: Keys) -> None:
    """``s.update(d)``, where ``d`` is a dict of such keys."""
    i = 0
    while i < d.used:
        if d.entries[i].valid:
            hash = ll_hash_of_key(d, i, keys)
            ll_add_hash(s, d.entries[i].key, hash, keys)
        i += 1


def ll_fill(s: Any, other: Any, keys: Keys) -> None:
    """Copy what another set has to one whose slots are all free."""
    source = other.entries
    if len(s.entries) < LEAST_SLOTS:
        ll_own_table(s)
    entries = s.entries
    same = len(entries) == len(source) and other.filled == other.live
    i = 0
    while i < len(source):
        if source[i].valid:
            hash = ll_hash_at(other, i, keys)
            if same:
                ll_write(entries[i], source[i].key, hash, keys)
            else:
                ll_place(entries, source[i].key, hash, keys)
        i += 1
    s.filled = other.live
    s.live = other.live


# -- iteration --------------------------------------------------------------------------------


def ll_newiter(ITER: Any, s: Any, keys: Keys) -> Any:
    if keys.careful:
        ll_hash_prebuilt(s, keys)
    iterator = malloc(ITER)
    iterator.set = s
    iterator.position = 0
    iterator.expected = s.live
    return iterator


def ll_next(iterator: Any) -> int:
    """The slot of the next item, or -1 at the end; the check is CPython's."""
    s = iterator.set
    if not s:
        return -1
    if s.live != iterator.expected:
        iterator.expected = -1
        raise RuntimeError("Set changed size during iteration")
    entries = s.entries
    slot = iterator.position
    while slot < len(entries) and not entries[slot].valid:
        slot += 1
    iterator.position = slot + 1
    if slot >= len(entries):
        iterator.set = nullptr(typeOf(s).TO)
        return -1
    return slot
