"""The low-level helpers of dicts, untranslated, against Python's dict."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from rpython.lltypesystem.lltype import Bool, GcArray, GcStruct, Int32, Ptr, Signed, malloc
from rpython.rtyper.ll import ll_dict

INDEXES = GcArray(Int32)
ENTRIES = GcArray(("key", Signed), ("value", Signed), ("valid", Bool), ("hash", Signed))
DICT = GcStruct(
    "dict", ("live", Signed), ("used", Signed), ("first", Signed), ("room", Signed),
    ("indexes", Ptr(INDEXES)),
    ("entries", Ptr(ENTRIES)),
)  # fmt: skip
ITER = GcStruct(
    "dictiter", ("dict", Ptr(DICT)), ("position", Signed), ("expected", Signed),
    ("left", Signed),
)  # fmt: skip
NO_TABLES = malloc(INDEXES, 1), malloc(ENTRIES, 0)

keys = st.one_of(st.integers(-3, 12), st.sampled_from([1 << 40, -(1 << 63), 8, 16, 24, 32]))


def bad_hash(key):
    """Collides a lot."""
    return key & 3


HASHES = [lambda key: key, bad_hash]


def functions(hash_of, stored=False):
    return ll_dict.Keys(hash_of, operator.eq, stored, False)


def new():
    return ll_dict.ll_newdict(DICT, *NO_TABLES)


def items(d):
    entries = (d.entries[i] for i in range(d.used))
    return [(e.key, e.value) for e in entries if e.valid]


class DictMachine(RuleBasedStateMachine):
    """Any sequence of operations leaves a low-level dict equal to a Python one, in order."""

    functions = functions(HASHES[0])

    def __init__(self):
        super().__init__()
        self.model: dict[int, int] = {}
        self.d = new()

    @rule(key=keys, value=st.integers(0, 99))
    def setitem(self, key, value):
        self.model[key] = value
        ll_dict.ll_setitem(self.d, key, value, self.functions)

    @rule(start=st.integers(0, 100), count=st.integers(0, 40))
    def set_many(self, start, count):
        for key in range(start, start + count):
            self.setitem(key, 1)

    @rule(key=keys)
    def delitem(self, key):
        entry = ll_dict.ll_find(self.d, key, self.functions)
        assert (entry >= 0) == (key in self.model)
        if entry >= 0:
            del self.model[key]
            ll_dict.ll_delete(self.d, entry, 0, 0, self.functions)

    @rule(key=keys)
    def pop(self, key):
        popped = ll_dict.ll_pop(self.d, key, -1, 0, 0, self.functions)
        assert popped == self.model.pop(key, -1)

    @rule()
    def popitem(self):
        if not self.model:
            with pytest.raises(KeyError):
                ll_dict.ll_last_entry(self.d)
            return
        entry = ll_dict.ll_last_entry(self.d)
        pair = self.d.entries[entry].key, self.d.entries[entry].value
        ll_dict.ll_delete_last(self.d, entry, 0, 0, self.functions)
        assert pair == self.model.popitem()

    @rule(key=keys)
    def read(self, key):
        assert ll_dict.ll_contains(self.d, key, self.functions) == (key in self.model)
        assert ll_dict.ll_get(self.d, key, -7, self.functions) == self.model.get(key, -7)

    @rule(key=keys, value=st.integers(0, 99))
    def setdefault(self, key, value):
        got = ll_dict.ll_setdefault(self.d, key, value, self.functions)
        assert got == self.model.setdefault(key, value)

    @rule()
    def clear(self):
        self.model.clear()
        ll_dict.ll_clear(self.d, *NO_TABLES)

    @rule()
    def copy(self):
        copied = ll_dict.ll_copy(DICT, self.d, *NO_TABLES, self.functions)
        assert ll_dict.ll_equal(copied, self.d, self.functions, operator.eq)
        self.d = copied

    @rule(other=st.dictionaries(keys, st.integers(0, 9)))
    def update(self, other):
        source = new()
        for key, value in other.items():
            ll_dict.ll_setitem(source, key, value, self.functions)
        self.model.update(other)
        ll_dict.ll_update(self.d, source, self.functions)
        ll_dict.ll_update(self.d, self.d, self.functions)
        equal = ll_dict.ll_equal(self.d, source, self.functions, operator.eq)
        assert equal == (self.model == other)

    @invariant()
    def equal(self):
        assert items(self.d) == list(self.model.items())
        assert self.d.live == len(self.model)

    @invariant()
    def a_slot_is_free(self):
        indexes = self.d.indexes
        assert any(indexes[i] == ll_dict.FREE for i in range(len(indexes)))

    @invariant()
    def iteration(self):
        iterator = ll_dict.ll_newiter(ITER, self.d)
        seen = []
        while (entry := ll_dict.ll_next(iterator)) >= 0:
            seen.append(self.d.entries[entry].key)
        assert seen == list(self.model)
        assert ll_dict.ll_next(iterator) == -1


class CollidingDictMachine(DictMachine):
    functions = functions(HASHES[1])


class StoringDictMachine(DictMachine):
    functions = functions(HASHES[1], True)


TestStoringDict = StoringDictMachine.TestCase
TestDict = DictMachine.TestCase
TestCollidingDict = CollidingDictMachine.TestCase


@given(st.lists(st.tuples(st.sampled_from("set del".split()), st.integers(0, 9)), max_size=12))
def test_changes_during_iteration(changes):
    """One change after each item: the same keys are seen, or the same error is raised."""
    model = {i: i for i in range(6)}
    d = new()
    for key in model:
        ll_dict.ll_setitem(d, key, key, DictMachine.functions)

    def change_model(kind, key):
        if kind == "set":
            model[key] = key
        else:
            model.pop(key, None)

    def change(kind, key):
        if kind == "set":
            ll_dict.ll_setitem(d, key, key, DictMachine.functions)
        else:
            ll_dict.ll_pop(d, key, 0, 0, 0, DictMachine.functions)

    def walk(next_key, apply):
        seen = []
        for kind, key in [*changes, *[("del", 99)] * 99]:
            try:
                current = next_key()
            except StopIteration:
                return seen
            except RuntimeError as error:
                return [*seen, str(error)]
            seen.append(current)
            apply(kind, key)
        raise AssertionError("endless")

    iterator = ll_dict.ll_newiter(ITER, d)

    def next_key():
        entry = ll_dict.ll_next(iterator)
        if entry < 0:
            raise StopIteration
        return d.entries[entry].key

    model_iterator = iter(model)
    assert walk(next_key, change) == walk(lambda: next(model_iterator), change_model)


def test_too_large():
    d = new()
    with pytest.raises(MemoryError):
        ll_dict.ll_resize(d, 1 << 31, DictMachine.functions)
