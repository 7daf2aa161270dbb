"""Lists: searching, comparing and sorting."""

from __future__ import annotations

import itertools
import math

import pytest

from rpython.translator.api import interpret
from tests.unit.differential import agree

BOUNDS = [-9, -2, 0, 1, 3, 9]


class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []


class Derived(Node):
    pass


def test_searching():
    def f(x):
        a = [3, 4, 5, 4]
        return x in a, x not in a, a.count(x)

    def index(x, i, j):
        a = [3, 4, 5, 4]
        return a.index(x, i, j), a.index(x, i), a.index(x)

    def remove(x):
        a = [3, 4, 5, 4]
        a.remove(x)
        return a

    def strs(s):
        return ["a", "bc", ""].index(s)

    def floats(x):
        return [0.5, -0.0].index(x)

    agree(f, 3, 4, 6)
    agree(index, *itertools.product([3, 4, 6], BOUNDS, BOUNDS))
    agree(remove, 3, 4, 6)
    agree(strs, "a", "bc", "", "it's", "é€")
    agree(floats, 0.5, 0.0, 2.5)


def test_instances():
    def f(n):
        root = Node(n)
        for i in range(n):
            root.kids.append(Node(i))
        first = root.kids[0]
        every = root.kids + [root, Derived(5)]
        total = 0
        for node in every:
            total += node.value
        return total, first in root.kids, root in root.kids, every.index(root), len(every)

    def missing(n):
        return [Node(1)].index(Node(n))

    agree(f, 0, 1, 4)
    with pytest.raises(ValueError, match="not in list"):
        interpret(missing, [1])


def test_concatenation_converts():
    def f(n):
        nodes = [Node(n)]
        derived = [Derived(n + 1)]
        both = derived + nodes
        both.extend(derived)
        texts = ["a"] + [None]
        ints = [n > 1] + [n > 2]
        return [node.value for node in both], texts, ints

    agree(f, 1, 2)


def test_comparison():
    def f(a, b):
        return a == b, a != b, a < b, a <= b, a > b, a >= b

    lists = [[], [1], [1, 2], [2], [0, 9]]
    agree(f, *itertools.product([[1], *lists], [[1], *lists]))
    agree(f, (["a"], ["b"]), (["a", "b"], ["a"]))
    agree(f, ([0.5], [math.inf]), ([math.nan], [1.0]), ([1.0], [math.nan]))


def test_comparison_of_lists_of_lists():
    def f(n):
        a = [[1, n], [3]]
        b = [[1, 2], [3]]
        return a == b, a[1] == b[1], [2] in a, [3] in a, a.index([3]), [[]] != [[n]]

    agree(f, 2, 3)


def test_equality_of_other_kinds():
    def f(n, x):
        return (
            [n] == [x], [x] != [n], [n] == ["a"], [n] == [None], [[n]] == [[x]], [n, 1] < [x, 2.0],
            (n, 1) == (x, 1), (n,) == ("a",), ((n, 1),) == ((n,),), x in (n, 2), n in ("a", x),
            (n, x) < (x, n), [(n, "a")] == [(x, "a")], [True] == [n],
        )  # fmt: skip

    def strings(b):
        return [b] == [bytearray(b)], (b,) == (bytearray(b),), [b] == ["a"]

    agree(f, (1, 1.0), (1, 1.5), (2, 2.0), (0, -0.0), (3, 1.0))
    agree(strings, b"a")


def test_identity():
    def f(n):
        a = [n]
        b = [n]
        b.append(n)
        c = b
        d = None
        if n:
            d = b
        return a is b, b is c, c is d, d is None, d is not None

    agree(f, 1, 0)


def test_sorting():
    def f(n):
        a = [i * 7919 % (n + 1) for i in range(n)]
        b = a[:]
        a.sort()
        b.sort(reverse=n % 2 == 0)
        return a, b, sorted(b), sorted(b, reverse=True), sorted(range(n, 0, -1))

    def strs(words):
        words.sort()
        return words

    def floats(numbers):
        return sorted(numbers)

    def pairs(n):
        return sorted([(i * 7 % 5, "ab"[i % 2], i) for i in range(n)])

    agree(f, 0, 1, 2, 3, 12, 13, 25, 100, 500)
    agree(strs, ["pear", "apple", "", "fig", "ä", "Zoo", "€"])
    agree(floats, [2.5, -1.0, math.inf, -math.inf, 0.5])
    agree(pairs, 20)


def test_sorting_tuples_refuses_nan():
    def f(x):
        return sorted([1.0, x])

    def pairs(x):
        a = [("a", 1.0), ("a", x)]
        a.sort()
        return a

    agree(f, math.nan, 0.5)
    agree(pairs, 0.5)
    with pytest.raises(ValueError, match="NaN"):
        interpret(pairs, [math.nan])


def test_nan_in_containers():
    def f(x, y):
        return x in [y], [x] == [y], (x,) == (y,), x in (y, y), [y].count(x)

    agree(f, (1.0, math.nan), (math.nan, 1.0), (1.0, 1.0), (0.0, -0.0))
    with pytest.raises(ValueError, match="two NaNs"):
        interpret(f, [math.nan, math.nan])
