"""The low-level helpers of sets, untranslated, against Python's set: the same items in the same
order."""

from __future__ import annotations

import operator

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rpython.annotator.program.prebuilt import set_table
from rpython.lltypesystem.lltype import Bool, GcArray, GcStruct, Ptr, Signed, malloc
from rpython.rtyper.ll import ll_dict, ll_hash, ll_set, ll_set_pairs

ENTRIES = GcArray(("key", Signed), ("valid", Bool), ("deleted", Bool), ("hash", Signed))
SET = GcStruct(
    "set", ("live", Signed), ("filled", Signed), ("finger", Signed), ("entries", Ptr(ENTRIES))
)
NO_ENTRIES = malloc(ENTRIES, 1)
COLLIDING = st.builds(lambda high, low: (high << 40) + low, st.integers(-2, 2), st.integers(-3, 3))
"""Of one hash modulo the size of any table."""
ITEMS = st.integers(-3, 40) | COLLIDING | st.integers(-(2**63), 2**63 - 1)
LISTS = st.lists(ITEMS) | st.integers(0, 25).map(lambda n: list(range(n, 0, -1)))


def slots(s):
    entries = (s.entries[i] for i in range(len(s.entries)))
    return [(e.key,) if e.valid else () if e.deleted else None for e in entries]


def items(s):
    return [slot[0] for slot in slots(s) if slot]


class SetMachine(RuleBasedStateMachine):
    """Any sequence of operations leaves a low-level set like a Python one."""

    keys = ll_dict.Keys(ll_hash.ll_int_hash, operator.eq, False, False)

    @initialize(first=LISTS)
    def start(self, first):
        self.model = set(first)
        self.s = self.new(first)

    def new(self, content):
        s = ll_set.ll_newset(SET, NO_ENTRIES)
        for item in content:
            ll_set.ll_add(s, item, self.keys)
        return s

    def combined(self, helper, *args):
        return items(helper(SET, self.s, *args, NO_ENTRIES, self.keys))

    @rule(item=ITEMS)
    def add(self, item):
        self.model.add(item)
        ll_set.ll_add(self.s, item, self.keys)

    @rule(item=ITEMS)
    def discard(self, item):
        found = ll_set.ll_discard(self.s, item, 0, self.keys)
        assert found == (item in self.model)
        self.model.discard(item)

    @rule(data=st.data())
    def remove_one(self, data):
        if self.model:
            item = data.draw(st.sampled_from(sorted(self.model)))
            assert ll_set.ll_discard(self.s, item, 0, self.keys)
            self.model.remove(item)

    @rule(times=st.integers(1, 9))
    def pop(self, times):
        for _ in range(min(times, len(self.model))):
            slot = ll_set.ll_pop_slot(self.s, self.keys)
            assert self.s.entries[slot].key == self.model.pop()
            ll_set.ll_remove_at(self.s, slot, 0)

    @rule(other=LISTS, kept=st.booleans())
    def combine(self, other, kept):
        low, other = self.new(other), set(other)
        s, model = self.s, self.model
        if kept:  # most items in both
            ll_set.ll_add_all(low, s, self.keys)
            other |= model
        assert self.combined(ll_set.ll_copy) == list(model.copy())
        assert self.combined(ll_set_pairs.ll_union, low) == list(model | other)
        assert self.combined(ll_set_pairs.ll_union, s) == list(model | model)
        assert self.combined(ll_set_pairs.ll_intersection, low) == list(model & other)
        assert self.combined(ll_set_pairs.ll_intersection, s) == list(model & model)
        assert self.combined(ll_set_pairs.ll_difference, low, 0) == list(model - other)
        removed = self.combined(ll_set_pairs.ll_copy_and_remove, low, 0)
        assert removed == list(model.difference(list(other)))
        assert self.combined(ll_set_pairs.ll_symmetric_difference, low, 0) == list(model ^ other)
        assert ll_set_pairs.ll_is_subset(s, low, self.keys) == (model <= other)
        assert ll_set_pairs.ll_is_proper_subset(s, low, self.keys) == (model < other)
        assert ll_set_pairs.ll_same(s, low, self.keys) == (model == other)
        assert ll_set_pairs.ll_is_disjoint(s, low, self.keys) == model.isdisjoint(other)
        assert ll_set_pairs.ll_set_hash(low, self.keys) == hash(frozenset(other))

    @rule(other=LISTS)
    def update(self, other):
        ll_set.ll_add_all(self.s, self.new(other), self.keys)
        ll_set.ll_add_all(self.s, self.s, self.keys)
        self.model |= set(other)

    @rule(other=LISTS)
    def remove_all(self, other):
        ll_set_pairs.ll_remove_all(self.s, self.new(other), 0, NO_ENTRIES, self.keys)
        self.model -= set(other)

    @rule(other=LISTS)
    def toggle_all(self, other):
        ll_set_pairs.ll_toggle_all(self.s, self.new(other), 0, NO_ENTRIES, self.keys)
        self.model ^= set(other)

    @rule(other=LISTS)
    def keep_common(self, other):
        common = ll_set_pairs.ll_intersection(SET, self.s, self.new(other), NO_ENTRIES, self.keys)
        ll_set_pairs.ll_become(self.s, common)
        self.model &= set(other)

    @rule()
    def clear(self):
        ll_set.ll_clear(self.s, NO_ENTRIES)
        self.model.clear()

    @invariant()
    def alike(self):
        if hasattr(self, "model"):
            assert self.s.live == len(self.model)
            table = set_table(self.model)
            if len(self.s.entries) > 1:
                assert slots(self.s) == table.slots
                assert self.s.finger == table.finger
            else:
                assert table.slots == [None] * 8


class StoringSetMachine(SetMachine):
    """The same, with hashes in the entries."""

    keys = ll_dict.Keys(ll_hash.ll_int_hash, operator.eq, True, False)


TestSet = SetMachine.TestCase
TestStoringSet = StoringSetMachine.TestCase
