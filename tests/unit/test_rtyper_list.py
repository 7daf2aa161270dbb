"""Lists under CPython and translated."""

from __future__ import annotations

import itertools

import pytest

from rpython.translator.api import interpret
from rpython.translator.ir.errors import TranslationError
from tests.unit.differential import agree

INDICES = [-9, -4, -3, -1, 0, 1, 2, 3, 4, 9, 1 << 62, -(1 << 63)]
BOUNDS = [-9, -2, 0, 1, 3, 9]


class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []


def test_items():
    def get(i):
        return [10, 20, 30][i]

    def put(i):
        a = [10, 20, 30]
        a[i] = 5
        a[-1] += 1
        return a

    def known(n):
        a = [n] * 3
        total = 0
        for i in range(len(a)):
            a[i] = a[-1] + i
            total += a[i]
        return total, a[0], a[-3]

    agree(get, *INDICES)
    agree(put, *INDICES)
    agree(known, 1, 2)


@pytest.mark.parametrize("start", [0, 2])
def test_growing(start):
    def f(n, x):
        a = [x] * n
        for i in range(20):
            a.append(i)
        a += [1, 2]
        a += (3, 4)
        a += range(n)
        a.extend([5])
        a.extend((6, 7))
        a.extend({8: 1, 9: 2})
        a.extend(a)
        a *= 2
        return a, len(a)

    agree(f, *[(n, start) for n in range(-1, 4)])


def test_extend_strs():
    def f(s):
        a = [s]
        a.extend(s)
        a += s
        return a

    agree(f, "", "abc", "é€")


def test_extend_none():
    def f(n):
        other = None
        if n:
            other = [n]
        a = [1]
        a += other
        return a

    agree(f, 3, 0)


def test_in_place_addition_to_none():
    def f(n):
        a = None
        if n > 0:
            a = [1]
        alias = a
        a += [n]
        return a, alias

    agree(f, 1, 0)


def test_insert_and_pop():
    def f(i):
        a = [1, 2, 3]
        a.insert(i, 9)
        a.insert(0, 8)
        return a, a.pop(), a.pop(0), a.pop(-2), a

    def at(n, i):
        a = list(range(n))
        return a.pop(i), a

    def last(n):
        a = list(range(n))
        return a.pop(), a.pop()

    agree(f, *INDICES)
    agree(at, *itertools.product(range(4), INDICES))
    agree(last, 3, 2, 1, 0)


def test_shrinking():
    def f(n):
        a = list(range(n))
        while len(a) > 3:
            a.pop()
        a.append(7)
        del a[1:]
        a.append(8)
        return a

    agree(f, 3, 10, 1000)


def test_slices():
    def f(i, j):
        a = [0, 1, 2, 3]
        return a[i:j], a[i:], a[:j], a[:], a[::2], a[::-1], a[i:j:2], a[j:i:-1]

    def with_step(i, j, k):
        return [0, 1, 2, 3, 4][i:j:k]

    agree(f, *itertools.product(BOUNDS, BOUNDS))
    agree(with_step, *itertools.product(BOUNDS, BOUNDS, [-2, -1, 0, 1, 2, 9]))


def test_slice_assignment():
    def f(i, j):
        a = [0, 1, 2, 3]
        a[i:j] = [7, 8]
        a[j:] = a
        a[:i] = []
        return a

    def with_step(i, k):
        a = [0, 1, 2, 3, 4]
        a[i::k] = [7, 8]
        return a

    agree(f, *itertools.product(BOUNDS, BOUNDS))
    agree(with_step, *itertools.product(BOUNDS, [-3, -2, -1, 0, 1, 2, 3]))


def test_deletion():
    def item(i):
        a = [0, 1, 2]
        del a[i]
        return a

    def part(i, j):
        a = [0, 1, 2, 3]
        del a[i:j]
        return a

    def steps(i, k):
        a = [0, 1, 2, 3, 4, 5]
        del a[i::k]
        return a

    agree(item, *INDICES)
    agree(part, *itertools.product(BOUNDS, BOUNDS))
    agree(steps, *itertools.product(BOUNDS, [-2, -1, 0, 1, 2]))


def test_repetition():
    def f(n):
        return [1, 2] * n, n * [n], [None] * n == n * [None]

    def huge(n):
        return len([1, 2] * n)

    agree(f, -1, 0, 1, 3)
    with pytest.raises(MemoryError):
        interpret(huge, [1 << 62])


def test_copies():
    def f(n):
        a = [n, 2]
        b = a.copy()
        c = list(a)
        d = a[:]
        a[0] = 7
        a.reverse()
        e = [a, a]
        a.clear()
        a.append(1)
        return a, b, c, d, e

    agree(f, 1)


def test_unpacking():
    def f(n):
        a, b, c = list(range(n))
        return a * 100 + b * 10 + c

    agree(f, 3, *range(6))


def test_iteration_sees_changes():
    def f(n):
        seen = []
        a = [1, 2, 3]
        for x in a:
            seen.append(x)
            if len(seen) > 20:
                break
            if n == 0 and len(a) < 6:
                a.append(x * 2)
            elif n == 1:
                a.pop()
            elif n == 2:
                a.insert(0, x)
        return seen, a

    agree(f, 0, 1, 2)


def test_exhausted_iterators_stay_exhausted():
    def f(n):
        a = [1, 2]
        it = iter(a)
        total = 0
        for x in it:
            total += x
        a.append(n)
        for x in it:
            total += 100 * x
        return total

    agree(f, 5)


def test_loops():
    def f(n):
        rows = [[i * j for j in range(n)] for i in range(n)]
        total = 0
        for i, row in enumerate(rows):
            for x, y in zip(row, reversed(row)):
                if x == 6:
                    continue
                if y > 20:
                    break
                total += i * x - y
            else:
                total += 1000
        return total, [x for row in rows for x in row if x % 2]

    agree(f, *range(8))


def test_exceptions_are_caught_where_they_happen():
    def f(a, i):
        try:
            x = a[i]
        except IndexError as error:
            return str(error)
        try:
            a.remove(x + 1)
        except ValueError:
            x += 100
        return str(x)

    agree(f, ([1, 2, 3], 0), ([1, 2, 3], 2), ([1, 2, 3], 3), ([1, 2, 3], -4))


def test_refusals():
    def mixed(n):
        return [1, "a"]

    def unordered(n):
        return sorted([Node(n)])

    def index(n):
        return [n][n + 0.5]

    with pytest.raises(TranslationError):
        interpret(mixed, [1])
    with pytest.raises(TranslationError, match="no order is defined for instance of Node"):
        interpret(unordered, [1])
    with pytest.raises(TranslationError, match="list indices"):
        interpret(index, [1])
