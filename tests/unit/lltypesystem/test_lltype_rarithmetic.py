"""Sized integers against exact arithmetic, and RPython's mixing rules."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.rarithmetic import (
    base_int,
    intmask,
    is_valid_int,
    maxint,
    ovfcheck,
    ovfcheck_float_to_int,
    r_int8,
    r_int16,
    r_int32,
    r_int64,
    r_longlong,
    r_singlefloat,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    widen,
)
from rpython.rlib import objectmodel
from rpython.rlib import rarithmetic as public

CLASSES = [r_int8, r_int16, r_int32, r_int64, r_uint8, r_uint16, r_uint32, r_uint]
BINARY = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod,
    operator.and_, operator.or_, operator.xor,
]  # fmt: skip
ANY = st.integers(-(2**70), 2**70) | st.integers(-300, 300)


def wrapped(cls: type[base_int], n: int) -> int:
    n &= cls.MASK
    return n - cls.MASK - 1 if cls.SIGNED and n > cls.MASK >> 1 else n


@pytest.mark.parametrize("cls", CLASSES)
@given(a=ANY, b=ANY)
def test_operators_wrap(cls: type[base_int], a: int, b: int) -> None:
    x, y = cls(a), cls(b)
    for operation in BINARY:
        if operation in (operator.floordiv, operator.mod) and int(y) == 0:
            continue
        expected = wrapped(cls, operation(int(x), int(y)))
        for result in (operation(x, y), operation(x, int(y)), operation(int(x), y)):
            assert type(result) is cls
            assert result == expected
    for unary in (operator.neg, operator.pos, operator.invert, abs):
        assert type(unary(x)) is cls
        assert unary(x) == wrapped(cls, unary(int(x)))
    count = b % cls.BITS
    assert x << count == wrapped(cls, int(x) << count)
    assert x >> cls(3) == int(x) >> 3
    assert type(x << count) is type(x >> count) is cls
    assert (x < y, x == y, x >= y) == (int(x) < int(y), int(x) == int(y), int(x) >= int(y))


@pytest.mark.parametrize(
    ("a", "b", "cls"),
    [
        (r_uint(1), 1, r_uint),
        (1, r_uint(1), r_uint),
        (r_uint(1), True, r_uint),
        (r_uint8(1), r_uint16(1), r_uint16),
        (r_int32(1), r_uint8(1), r_int32),
        (r_int32(1), r_uint32(1), r_uint32),
        (r_uint32(1), r_int32(1), r_uint32),
        (r_longlong(1), r_uint(1), r_uint),
        (r_int8(1), r_int8(1), r_int8),
    ],
)
def test_mixing(a: Any, b: Any, cls: type) -> None:
    for operation in BINARY:
        assert type(operation(a, b)) is cls


def test_shifts_take_the_left_class() -> None:
    assert type(r_uint(1) << r_int8(3)) is r_uint
    assert type(1 << r_uint(3)) is int
    assert 1 << r_uint(70) == 1 << 70
    assert r_uint(1) << 64 == 0


def test_other_operands_are_refused() -> None:
    with pytest.raises(TypeError):
        r_uint(1) + "x"
    with pytest.raises(ZeroDivisionError):
        r_uint(1) // 0


@given(ANY)
def test_intmask(n: int) -> None:
    assert intmask(n) == wrapped(r_int64, n)
    assert type(intmask(r_uint(n))) is int
    assert is_valid_int(intmask(n))


def test_ovfcheck() -> None:
    assert ovfcheck(maxint) == maxint
    assert ovfcheck(-maxint - 1) == -maxint - 1
    for n in (maxint + 1, -maxint - 2, maxint * maxint):
        with pytest.raises(OverflowError):
            ovfcheck(n)
    with pytest.raises(TypeError, match="plain int"):
        ovfcheck(r_uint(1))
    assert ovfcheck_float_to_int(-3.7) == -3
    for x in (2.0**63, -1e300, float("nan"), float("inf")):
        with pytest.raises(OverflowError):
            ovfcheck_float_to_int(x)
    assert not is_valid_int(2**63)


def test_widen() -> None:
    assert type(widen(r_int8(3))) is type(widen(True)) is type(widen(3)) is int
    assert type(widen(r_uint(3))) is r_uint


def test_text_and_singlefloat() -> None:
    assert repr(r_uint8(300)) == "r_uint8(44)"
    assert str(r_uint8(300)) == f"{r_uint8(44)}" == "44"
    assert float(r_singlefloat(0.1)) == 0.10000000149011612
    assert r_singlefloat(0.1) == r_singlefloat(0.1)
    assert float(r_singlefloat(1e300)) == float("inf")


def test_what_programs_import() -> None:
    assert public.r_uint is r_uint
    assert public.intmask is intmask
    assert objectmodel.we_are_translated() is False
    assert objectmodel.we_are_translated._rpython_fold_ is True
