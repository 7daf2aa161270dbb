"""Ranges, iterators and the built-in functions over them, under CPython and translated."""

from __future__ import annotations

import itertools
import math

import pytest

from rpython.rlib.rarithmetic import r_uint
from rpython.translator.api import interpret
from rpython.translator.ir.errors import TranslationError
from tests.unit.differential import agree

BIG = (1 << 63) - 1
STARTS = [0, 3, -2]
STOPS = [0, 5, -6]
STEPS = [1, 2, -1, -3]


def test_loops_with_constant_steps():
    def f(n):
        total = 0
        for i in range(n):
            total = total * 2 + i
        for i in range(2, n):
            total += i * 5
        for i in range(n, -1, -1):
            total += i * 3
        for i in range(0, n, 3):
            total = total * 2 + i
        for i in range(n, 0, -2):
            total = total * 2 + i
        for i in range(5, n, -1):
            total += i
        return total

    agree(f, *range(-2, 9))


def test_any_range():
    def f(a, b, c):
        r = range(a, b, c)
        total = 0
        for i in r:
            total = total * 2 + i
        for i in reversed(r):
            total = total * 3 + i
        return total, len(r), bool(r), not r, list(r)

    agree(f, *itertools.product(STARTS, STOPS, [*STEPS, 0]))


def test_items():
    def f(a, b, c, i):
        r = range(a, b, c)
        return i in r, r[i]

    def simple(n, i):
        return i in range(n), range(n)[i]

    agree(f, *itertools.product(STARTS, STOPS, STEPS, [-3, -1, 0, 1, 4]))
    agree(simple, *itertools.product([0, 1, 4], [-5, -4, -1, 0, 3, 4]))


def test_comparison():
    def f(a, b, c):
        return range(a, b, c) == range(a, b + 1, c), range(a, b) != range(b), range(a) == range(a)

    agree(f, *itertools.product(STARTS, STOPS, STEPS))


def test_at_the_edge_of_64_bits():
    def f(low, high):
        count = 0
        for i in range(high - 7, high):
            count += i & 1
        for i in range(high - 7, high, 5):
            count += i & 7
        for i in range(low + 7, low, -5):
            count += i & 7
        for i in range(low, high, high):
            count += i & 7
        for i in reversed(range(low, high, high)):
            count += i & 7
        for i in reversed(range(low + 7, low, -5)):
            count += i & 7
        for i in range(low, high, low):
            count += 1
        return count

    def once_around(low, high):
        return [i for i in range(high, low, low)]

    def length(a, b):
        return len(range(a, b))

    agree(f, (-BIG - 1, BIG), (-BIG, BIG))
    with pytest.raises(OverflowError):
        interpret(once_around, [-BIG - 1, BIG])
    agree(length, (0, BIG), (-5, BIG), (-BIG - 1, BIG), (BIG, -5))


def test_a_range_is_a_value():
    def f(n):
        r = range(3)
        if n > 2:
            r = range(n, 0, -2)
        last = None
        if n > 3:
            last = r
        total = 0
        for i in r:
            total += i * i
        return total, len(r), last is None

    chosen = range(7, 1, -2)

    def prebuilt(i):
        return chosen[i], len(chosen), [x for x in chosen]

    agree(f, *range(6))
    agree(prebuilt, 0, -1)


def test_unsigned_bounds():
    def f(n):
        return len(range(r_uint(n)))

    assert interpret(f, [5]) == 5
    with pytest.raises(OverflowError):
        interpret(f, [-1])


def test_enumerate_and_zip():
    def f(n):
        total = 0
        for i, x in enumerate(range(n)):
            total = total * 2 + i * x
        for i, x in enumerate([n, n + 1], 5):
            total = total * 2 + i * x
        for i, x in enumerate((n, 2), start=n):
            total += i - x
        for a, b in zip(range(n), range(3, 20)):
            total = total * 2 + a * b
        for a, (b, c) in zip(range(n), zip(range(5), (7, 8, 9))):
            total = total * 3 + a * b * c
        for (x,) in zip([n, 4]):
            total += x
        return total, list(enumerate("ab")), list(zip([1], "ab", (n, n, n)))

    agree(f, *range(6))


def test_iterators_are_shared():
    def pairs(n):
        it = iter(range(n))
        return list(zip(it, it))

    def rest(n):
        a = [1, 2, 3, 4]
        it = iter(a)
        taken = [x for x, _ in zip(it, range(n))]
        left = list(it)
        return taken, left

    def following(n):
        it = iter([n, n + 1])
        return next(it) + next(it) * 10

    agree(pairs, *range(6))
    agree(rest, *range(6))
    agree(following, 1)


def test_next_at_the_end():
    def f(n):
        it = iter(range(n))
        try:
            return next(it)
        except StopIteration:
            return -1

    agree(f, 1, 0)


def test_tuples():
    def f(n):
        total = 0
        for x in (1, n, 3):
            total = total * 2 + x
        for x in reversed((1, n, 3)):
            total = total * 2 + x
        for s in ("a", "bc"):
            total += len(s)
        return total, [x + 1 for x in (n, 5)]

    def index(i):
        return (10, 20, 30)[i]

    agree(f, 1, 7)
    agree(index, *range(-5, 6), 1 << 62, -(1 << 63))


def test_order_of_tuples():
    def f(a, b, c):
        x, y = (a, b), (b, c)
        return (
            x < y, x <= y, x > y, x >= y, x == y, (a,) < x, x < (a, b, c), ("a", a) < ("a", b),
            min(x, y), max([x, y]), sorted([x, y, (c, a)]), (a, 1.5) < (b, 0.5),
        )  # fmt: skip

    agree(f, *itertools.product(range(3), repeat=3))


def test_sum():
    def f(n):
        return (
            sum([n, 2]), sum((n, 2), 10), sum(range(n)), sum([], n), sum([n > 1, True]),
            sum({n: 1}), sum([x for x in range(n)], start=n),
        )  # fmt: skip

    def overflowing(n):
        return sum([BIG, n])

    agree(f, 0, 1, 5)
    agree(overflowing, 0, -1)
    with pytest.raises(OverflowError):
        interpret(overflowing, [1])


def test_min_and_max():
    def f(a, b):
        return min(a, b), max(a, b, 3), min((a, b, 5)), max([a, b]), max("a", "b")

    def floats(x, y):
        return min(x, y), max(x, y), min([x, y]), max((x, y, 1.0))

    def empty_max(n):
        return max([x for x in range(n)])

    def empty_min(n):
        return min(range(n))

    agree(f, *itertools.product(STARTS, STOPS))
    agree(floats, *itertools.product([0.0, -0.0, 2.5, math.nan, -math.inf], repeat=2))
    agree(empty_max, 2, 0)
    agree(empty_min, 2, 0)


def test_any_and_all():
    def f(n):
        return (
            any([n, 0]), all([n, 1]), any([]), all([]), any(range(n)), all(range(1, n)),
            any(["", str(n)]), all((0.0, n * 1.0)), any([[n][:n]]), any([None, "a"][:n]),
        )  # fmt: skip

    def stops_early(n):
        it = iter([0, n, 5])
        return any(it), list(it)

    agree(f, 0, 1, 2)
    agree(stops_early, 0, 1)


def test_none_is_not_iterable():
    def pick(n):
        return None if n else [1, 2]

    def listed(n):
        return list(pick(n))

    def zipped(n):
        return list(zip([1], pick(n)))

    def counted(n):
        return list(enumerate(pick(n)))

    def added(n):
        return sum(pick(n))

    def looped(n):
        return [x for x in pick(n)]

    def turned(n):
        return list(reversed(pick(n)))

    for f in (listed, zipped, counted, added, looped):
        agree(f, 0, 1)
    agree(turned, 0)
    with pytest.raises(TypeError):
        interpret(turned, [1])


def test_non_negative_indices():
    """Counting down to 0 gives indices that need no test for a negative one."""

    def f(n):
        a = list(range(n))
        total = 0
        for i in range(n - 1, -1, -1):
            total = total * 3 + a[i]
        for i in range(-1, n - 1):
            total += a[i]
        return total

    agree(f, *range(5))


def test_refusals():
    def mixed(n):
        return max(n, 1.5)

    def nothing(n):
        return list(zip())

    def number(n):
        for x in n:
            return x

    for f in (mixed, nothing, number):
        with pytest.raises(TranslationError):
            interpret(f, [1])
