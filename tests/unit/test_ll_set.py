"""The low-level helpers of sets, untranslated, against Python's set."""

from __future__ import annotations

import operator

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rpython.lltypesystem.lltype import Bool, GcArray, GcStruct, Ptr, Signed, malloc
from rpython.rtyper.ll import ll_dict, ll_set

ENTRIES = GcArray(("key", Signed), ("value", Bool), ("valid", Bool), ("hash", Signed))
SET = GcStruct(
    "dict", ("live", Signed), ("used", Signed), ("first", Signed), ("room", Signed),
    ("indexes", Ptr(ll_dict.INDEXES)), ("entries", Ptr(ENTRIES)),
)  # fmt: skip
NO_TABLES = malloc(ll_dict.INDEXES, 1), malloc(ENTRIES, 0)
ITEMS = st.integers(-3, 12)


def items(s):
    return [s.entries[i].key for i in range(s.used) if s.entries[i].valid]


class SetMachine(RuleBasedStateMachine):
    """Any sequence of operations leaves a low-level set equal to a Python one."""

    keys = ll_dict.Keys(lambda item: item, operator.eq, False, False)

    @initialize(first=st.sets(ITEMS))
    def start(self, first):
        self.model = set(first)
        self.s = self.new(first)

    def new(self, content):
        s = ll_dict.ll_newdict(SET, *NO_TABLES)
        for item in content:
            ll_set.ll_add(s, item, self.keys)
        return s

    @rule(item=ITEMS)
    def add(self, item):
        self.model.add(item)
        ll_set.ll_add(self.s, item, self.keys)

    @rule(item=ITEMS)
    def discard(self, item):
        found = ll_dict.ll_discard(self.s, item, 0, False, self.keys)
        assert found == (item in self.model)
        self.model.discard(item)

    @rule()
    def pop(self):
        if self.model:
            entry = ll_set.ll_pop_number(self.s)
            item = self.s.entries[entry].key
            ll_set.ll_remove_last(self.s, entry, 0, self.keys)
            self.model.remove(item)

    @rule(other=st.sets(ITEMS), swap=st.booleans())
    def combine(self, other, swap):
        low = self.new(other)
        tables = (*NO_TABLES, self.keys)
        s, model = self.s, self.model
        assert set(items(ll_set.ll_union(SET, s, low, *tables))) == model | other
        common = ll_set.ll_intersection(SET, s, low, swap, *tables)
        assert set(items(common)) == model & other
        assert set(items(ll_set.ll_difference(SET, s, low, *tables))) == model - other
        mixed = ll_set.ll_symmetric_difference(SET, s, low, *tables)
        assert set(items(mixed)) == model ^ other
        assert ll_set.ll_is_subset(s, low, self.keys) == (model <= other)
        assert ll_set.ll_is_proper_subset(s, low, self.keys) == (model < other)
        assert ll_set.ll_same(s, low, self.keys) == (model == other)
        assert ll_set.ll_is_disjoint(s, low, self.keys) == model.isdisjoint(other)
        expected = hash(frozenset(other)) if -1 not in other else None
        if expected is not None:
            assert ll_set.ll_set_hash(low, self.keys) == expected
        ll_set.ll_become(self.s, mixed)
        self.model ^= other

    @rule(other=st.sets(ITEMS))
    def update(self, other):
        ll_set.ll_add_all(self.s, self.new(other), self.keys)
        ll_set.ll_add_all(self.s, self.s, self.keys)
        self.model |= other

    @invariant()
    def equal(self):
        if hasattr(self, "model"):
            assert sorted(items(self.s)) == sorted(self.model)
            assert self.s.live == len(self.model)


class CollidingSetMachine(SetMachine):
    keys = ll_dict.Keys(lambda item: item & 1 if item != -1 else 1, operator.eq, True, False)

    def combine(self, other, swap):
        """Without the hash of frozensets, which depends on that of the items."""


TestSet = SetMachine.TestCase
TestCollidingSet = CollidingSetMachine.TestCase
