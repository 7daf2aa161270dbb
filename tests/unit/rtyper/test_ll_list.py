"""The low-level helpers of lists and sorting, untranslated, against Python's list."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from rpython.lltypesystem.lltype import GcArray, Signed, malloc
from rpython.rtyper.ll import ll_list, ll_slice, ll_sort

ITEMS = GcArray(Signed)
LIST = ll_list.resizable_list(ITEMS)

numbers = st.integers(-5, 5)
some = st.lists(numbers, max_size=12)
position = st.integers(-15, 15)
step = st.integers(-4, 4).filter(bool)


def array(values):
    p = malloc(ITEMS, len(values))
    for i, value in enumerate(values):
        p[i] = value
    return p


def low(values):
    return ll_list.ll_newlist_from(LIST, array(values))


def contents(lst):
    return [lst.items[i] for i in range(lst.length)]


def bounds(start, stop, length):
    """Clamped bounds of a simple slice."""
    first = ll_slice.ll_clamp(start, length)
    return first, ll_slice.ll_at_least(ll_slice.ll_clamp(stop, length), first)


def places(start, by, length):
    """First place, step and number of places of ``[start::by]``."""
    first = ll_slice.ll_clamp_for_step(start, length, by)
    return first, by, ll_slice.ll_slice_count(first, ll_slice.ll_default_stop(length, by), by)


def outcome(run):
    try:
        return run()
    except (IndexError, ValueError) as error:
        return type(error), str(error)


class ListMachine(RuleBasedStateMachine):
    """Any sequence of operations leaves a low-level list equal to a Python one."""

    def __init__(self):
        super().__init__()
        self.model: list[int] = []
        self.lst = ll_list.ll_newlist_empty(LIST, array([]))

    @rule(x=numbers)
    def append(self, x):
        self.model.append(x)
        ll_list.ll_append(self.lst, x)

    @rule(xs=some)
    def extend(self, xs):
        self.model.extend(xs)
        ll_list.ll_extend(self.lst, array(xs), len(xs))

    @rule()
    def extend_by_itself(self):
        if len(self.model) < 200:
            self.model.extend(self.model)
            ll_list.ll_extend(self.lst, self.lst.items, self.lst.length)

    @rule(i=position, x=numbers)
    def insert(self, i, x):
        self.model.insert(i, x)
        ll_list.ll_insert(self.lst, i, x)

    @rule()
    def pop_last(self):
        self.same_outcome(self.model.pop, lambda: ll_list.ll_pop_last(self.lst, 0))

    @rule(i=position)
    def pop(self, i):
        self.same_outcome(lambda: self.model.pop(i), lambda: ll_list.ll_pop(self.lst, i, 0))

    @rule(x=numbers)
    def remove(self, x):
        self.same_outcome(
            lambda: self.model.remove(x), lambda: ll_list.ll_remove(self.lst, x, operator.eq, 0)
        )

    @rule(i=position, j=position)
    def delete(self, i, j):
        start, stop = bounds(i, j, len(self.model))
        del self.model[i:j]
        ll_list.ll_delete(self.lst, start, stop, 0)

    @rule(i=position, by=step)
    def delete_steps(self, i, by):
        chosen = places(i, by, len(self.model))
        del self.model[i::by]
        ll_list.ll_delete_steps(self.lst, *chosen, 0)

    @rule(i=position, j=position, xs=some)
    def replace(self, i, j, xs):
        start, stop = bounds(i, j, len(self.model))
        self.model[i:j] = xs
        ll_list.ll_setslice(self.lst, start, stop, array(xs), len(xs), 0)

    @rule(i=position)
    def replace_by_itself(self, i):
        if len(self.model) < 200:
            start, stop = bounds(i, len(self.model), len(self.model))
            self.model[i:] = self.model
            ll_list.ll_setslice(self.lst, start, stop, self.lst.items, self.lst.length, 0)

    @rule(i=position, by=step, xs=some)
    def put_steps(self, i, by, xs):
        chosen = places(i, by, len(self.model))

        def model():
            self.model[i::by] = xs

        self.same_outcome(
            model, lambda: ll_list.ll_setslice_steps(self.lst, *chosen, array(xs), len(xs), 0)
        )

    @rule(times=st.integers(-1, 3))
    def repeat(self, times):
        if len(self.model) < 100:
            self.model *= times
            ll_list.ll_repeat_in_place(self.lst, times, 0)

    @rule()
    def clear(self):
        self.model.clear()
        ll_list.ll_truncate(self.lst, 0, 0)

    @rule()
    def reverse(self):
        self.model.reverse()
        ll_list.ll_reverse(self.lst.items, self.lst.length)

    @rule()
    def sort(self):
        self.model.sort()
        ll_sort.ll_sort(self.lst.items, self.lst.length, operator.lt)

    def same_outcome(self, model, helper):
        assert outcome(helper) == outcome(model)

    @invariant()
    def equal(self):
        assert contents(self.lst) == self.model

    @invariant()
    def given_up_slots_hold_nothing(self):
        items = self.lst.items
        assert all(items[i] == 0 for i in range(self.lst.length, len(items)))


TestListMachine = ListMachine.TestCase


@given(some, position, position, step)
def test_slices(xs, i, j, by):
    start, stop = bounds(i, j, len(xs))
    items = array(xs)
    assert list(ll_list.ll_copy_items(items, start, stop - start)) == xs[i:j]
    assert list(ll_list.ll_take(items, *places(i, by, len(xs)))) == xs[i::by]


@given(some, some)
def test_two_lists(xs, ys):
    both = array(xs), len(xs), array(ys), len(ys)
    assert list(ll_list.ll_concat(*both)) == xs + ys
    assert ll_list.ll_equal(*both, operator.eq) == (xs == ys)
    for ordered in (operator.lt, operator.le, operator.gt, operator.ge):
        assert ll_list.ll_ordered(*both, operator.eq, ordered, ordered) == ordered(xs, ys)


@given(some, st.integers(-2, 5))
def test_repeat(xs, times):
    filled = array([0] * ll_list.ll_repeated_length(len(xs), times))
    ll_list.ll_fill(filled, array(xs), len(xs))
    assert list(filled) == xs * times


@given(some, numbers, position, position)
def test_search(xs, x, i, j):
    assert ll_list.ll_contains(array(xs), len(xs), x, operator.eq) == (x in xs)
    assert ll_list.ll_count(array(xs), len(xs), x, operator.eq) == xs.count(x)
    start, stop = (ll_list.ll_search_bound(k, len(xs)) for k in (i, j))
    found = ll_list.ll_find(array(xs), start, stop, x, operator.eq)
    try:
        assert found == xs.index(x, i, j)
    except ValueError:
        assert found == -1


def test_huge_repetition_is_a_memory_error():
    with pytest.raises(MemoryError):
        ll_list.ll_size(3, 1 << 62)


def test_growing_and_shrinking_are_amortised():
    lst = ll_list.ll_newlist_empty(LIST, array([]))
    copied = 0

    def measure(change, *args):
        nonlocal copied
        before, length = lst.items, lst.length
        change(lst, *args)
        copied += length if before != lst.items else 0

    for i in range(2000):
        measure(ll_list.ll_append, i)
    assert contents(lst) == list(range(2000))
    for _ in range(50):
        measure(ll_list.ll_pop_last, 0)
        measure(ll_list.ll_append, 7)
    for _ in range(2000):
        measure(ll_list.ll_pop_last, 0)
    assert copied <= 3 * 2000
