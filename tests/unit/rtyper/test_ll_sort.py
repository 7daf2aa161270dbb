"""Sorting makes the same comparisons as CPython 3.11, and leaves the same items.

3.13 finds runs with equal items in them that 3.11 does not: there the number of comparisons is
smaller, and only results of real orders are compared.
"""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.lltype import GcArray, Signed, malloc
from rpython.rtyper.ll import ll_sort

ITEMS = GcArray(Signed)
SAME_ALGORITHM = sys.version_info < (3, 13)

run = st.lists(st.integers(0, 40), max_size=90)
ordered = run.map(sorted)
descending = ordered.map(lambda xs: xs[::-1])
runs = st.lists(run | ordered | descending, max_size=8)
many = runs.map(lambda runs: [x for run in runs for x in run])


class Broken(Exception):
    pass


class Comparisons:
    """Compares numbers, notes what it compared, raises at comparison number ``fails_at``."""

    def __init__(self, is_less, fails_at=0):
        self.is_less = is_less
        self.fails_at = fails_at
        self.made = []

    def less(self, a, b):
        self.made.append((a, b))
        if len(self.made) == self.fails_at:
            raise Broken
        return self.is_less(a, b, len(self.made))


class Item:
    def __init__(self, number, comparisons):
        self.number = number
        self.comparisons = comparisons

    def __lt__(self, other):
        return self.comparisons.less(self.number, other.number)


def sorted_by_host(numbers, comparisons, backwards):
    items = [Item(number, comparisons) for number in numbers]
    try:
        items.sort(reverse=backwards)
        ended = "done"
    except Broken:
        ended = "raised"
    return ended, [item.number for item in items]


def sorted_by_helper(numbers, comparisons, backwards):
    items = malloc(ITEMS, len(numbers))
    for i, number in enumerate(numbers):
        items[i] = number
    try:
        ll_sort.ll_sort_reverse(items, len(numbers), comparisons.less, backwards)
        ended = "done"
    except Broken:
        ended = "raised"
    return ended, list(items)


def agree(numbers, is_less, backwards, fails_at=0):
    host, helper = Comparisons(is_less, fails_at), Comparisons(is_less, fails_at)
    expected = sorted_by_host(numbers, host, backwards)
    assert sorted_by_helper(numbers, helper, backwards) == expected
    if SAME_ALGORITHM:
        assert helper.made == host.made


def by_tens(a, b, count):
    return a // 1000 < b // 1000


def no_order(a, b, count):
    return (a * 7919 + b * 104729 + count) % 3 == 0


def numbered(keys):
    """Numbers that tell which item it was: only the thousands are compared."""
    return [key * 1000 + i for i, key in enumerate(keys)]


@given(many, st.booleans())
def test_an_order(keys, backwards):
    agree(numbered(keys), by_tens, backwards)


@pytest.mark.skipif(not SAME_ALGORITHM, reason="3.13 makes fewer comparisons")
@given(many, st.booleans())
def test_what_is_no_order(keys, backwards):
    agree(numbered(keys), no_order, backwards)


@pytest.mark.skipif(not SAME_ALGORITHM, reason="3.13 makes fewer comparisons")
@given(many, st.booleans(), st.integers(1, 1500))
def test_an_exception_half_way(keys, backwards, fails_at):
    agree(numbered(keys), by_tens, backwards, fails_at)


@given(many, st.integers(1, 1500))
def test_no_item_is_lost(keys, fails_at):
    numbers = numbered(keys)
    _, left = sorted_by_helper(numbers, Comparisons(no_order, fails_at), False)
    assert sorted(left) == sorted(numbers)


def test_galloping():
    """Long stretches that one run wins, from either side."""
    keys = [*range(0, 4000, 4), *range(1000, 1100), *range(3990), *range(500, 0, -1)]
    agree(numbered(keys), by_tens, False)
    agree(numbered(keys[::-1]), by_tens, True)


def test_a_great_many_runs():
    keys = [(i * 7919) % 64 // (1 + i % 5) for i in range(20_000)]
    agree(numbered(keys), by_tens, False)
