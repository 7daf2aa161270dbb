"""The low-level helpers of ranges, untranslated, against Python's range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.lltype import GcArray, Signed
from rpython.lltypesystem.rarithmetic import intmask
from rpython.rtyper.ll import ll_range

EDGES = [-(1 << 63), -(1 << 63) + 1, -(1 << 62), 1 << 62, (1 << 63) - 2, (1 << 63) - 1]
number = st.one_of(st.integers(-20, 20), st.sampled_from(EDGES))
steps = number.filter(bool)
small = st.tuples(*[st.integers(-20, 20)] * 2, st.integers(-5, 5).filter(bool))


@given(number, number, steps)
def test_count_and_end(start, stop, step):
    model = range(start, stop, step)
    # len() itself cannot count beyond the range of Signed
    count = (model[-1] - start) // step + 1 if model else 0
    assert int(ll_range.ll_range_count(start, stop, step)) == count
    if count and count * step % (1 << 64) == 0:
        with pytest.raises(OverflowError):
            ll_range.ll_range_end(start, stop, step)
    else:
        assert ll_range.ll_range_end(start, stop, step) == intmask(start + count * step)
    if count < 1 << 63:
        assert ll_range.ll_range_len(start, stop, step) == count
    else:
        with pytest.raises(OverflowError):
            ll_range.ll_range_len(start, stop, step)


@given(number, number, steps, number)
def test_item_and_contains(start, stop, step, i):
    model = range(start, stop, step)
    assert ll_range.ll_range_contains(start, stop, step, i) == (i in model)
    try:
        expected = model[i]
    except IndexError as error:
        with pytest.raises(IndexError, match=str(error)):
            ll_range.ll_range_item(start, stop, step, i)
    else:
        assert ll_range.ll_range_item(start, stop, step, i) == expected


@given(small, small)
def test_equal(a, b):
    assert ll_range.ll_range_equal(*a, *b) == (range(*a) == range(*b))


@given(small)
def test_items(a):
    assert list(ll_range.ll_range_items(GcArray(Signed), *a)) == list(range(*a))


@given(number, number)
def test_length_of_step_1(start, stop):
    if max(0, stop - start) < 1 << 63:
        assert ll_range.ll_range_len_1(start, stop) == max(0, stop - start)
    else:
        with pytest.raises(OverflowError):
            ll_range.ll_range_len_1(start, stop)


def test_once_around():
    with pytest.raises(OverflowError):
        ll_range.ll_range_end((1 << 63) - 1, -(1 << 63), -(1 << 63))


def test_step_0():
    with pytest.raises(ValueError, match="must not be zero"):
        ll_range.ll_range_step(0)
