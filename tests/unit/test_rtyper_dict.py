"""Dicts under CPython and translated."""

from __future__ import annotations

import itertools

import pytest

from rpython.translator.api import interpret
from rpython.translator.ir.errors import TranslationError
from rpython.translator.nativecall import compile
from tests.unit.differential import agree


class Scope:
    def __init__(self, parent):
        self.parent = parent
        self.names = {}

    def find(self, name):
        scope = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


def test_int_keys():
    def f(n):
        d = {}
        for i in range(n):
            d[i * 7] = i
        total = 0
        for key in d:
            total += key
        for key, value in d.items():
            total += key - value * 3
        for value in d.values():
            total += value
        for i in range(0, n, 2):
            del d[i * 7]
        for i in range(n):
            d[i - 3] = 1
        return (
            total, len(d), list(d), list(d.keys()), list(d.values()), list(d.items()), d,
            7 in d, 8 not in d, bool(d), not d, len(d.items()), bool(d.keys()),
        )  # fmt: skip

    agree(f, 0, 1, 3, 5, 6, 12, 50, 200)


def test_extreme_int_keys():
    def f(k):
        d = {0: 1, -1: 2, (1 << 63) - 1: 3, -(1 << 63): 4, 1 << 32: 5}
        d[k] = d.get(k, 0) + 10
        del d[0]
        return list(d.items())

    agree(f, 0, -1, (1 << 63) - 1, -(1 << 63), 1 << 32, 8, 16)


def test_str_keys():
    def f(k):
        d = {"a": 1, "b": 2, "": 3, "é": 4, "€uro": 5}
        d["c"] = d["a"] + 5
        d["a" + k] = 7
        return d[k], list(d)

    agree(f, "a", "b", "", "é", "€uro", "c", "d", "it's", "aa")


def test_char_keys():
    def f(text):
        count = {}
        for char in text:
            count[char] = count.get(char, 0) + 1
        return list(count.items()), text in count

    agree(f, "", "a", "abca", "aé€a€")


def test_get():
    def nullable(k):
        d = {1: "x", 2: "y"}
        found = d.get(k)
        if found is None:
            return "none"
        return found + d.get(k, "z") + d.get(k + 1, "z")

    def default_none(k):
        return {1: [1]}.get(k, None)

    agree(nullable, 0, 1, 2, 3)
    agree(default_none, 0, 1)


def test_missing_keys():
    def get(k):
        return {1: 2}[k]

    def delete(k):
        d = {1: 2, 2: 3}
        del d[k]
        return d

    def pop(k):
        d = {1: 2, 2: 3}
        return d.pop(k), d

    def empty(k):
        return k in {}, {}.get(k), {}[k]

    def caught(k):
        try:
            return {"a": 1}[k]
        except KeyError as error:
            return len(str(error))

    for f in (get, delete, pop, empty):
        agree(f, 1, -5)
    agree(caught, "a", "b'c")


def test_methods():
    def f(k):
        d = {1: 10, 2: 20, 3: 30}
        popped = d.pop(k, 0)
        e = d.copy()
        e[5] = 6
        d.update(e)
        d.update(d)
        pair = d.popitem()
        second = d.pop(k + 1)
        equal = d == e
        other = dict(e)
        other |= d
        size = len(d)
        d.clear()
        d[9] = e.setdefault(5, 0) + e.setdefault(k, 8)
        return popped, pair, second, equal, e != d, d, e, size, other, 1 in e.keys()

    agree(f, 1, 2, 3, 4)


def test_popitem():
    def f(n):
        d = {}
        for i in range(n):
            d[i] = i
        pairs = []
        while d:
            pairs.append(d.popitem())
        for i in range(n * 3):
            d[i] = 1
            d.popitem()
        d[5] = 5
        return pairs, d

    def empty(n):
        d = {1: 2}
        del d[n]
        return d.popitem()

    def never(n):
        return {}.popitem()

    agree(f, 0, 1, 5, 20)
    agree(empty, 1)
    agree(never, 1)


def test_equality():
    def f(a, b):
        x = {1: "a", 2: "b"}
        y = {a: "a"}
        y[b] = "b"
        return x == y, x != y, x is y, x is x

    agree(f, *itertools.product([1, 2, 3], repeat=2))


def test_changed_during_iteration():
    def grows(n):
        d = {1: 1}
        for key in d:
            d[key + n] = 1
        return len(d)

    def same_size(n):
        d = {}
        for i in range(5):
            d[i] = i
        seen = []
        for key in d:
            seen.append(key)
            del d[key]
            d[key + n] = key
            if len(seen) > 30:
                break
        return seen

    def cleared(n):
        d = {1: 1, 2: 2}
        for key, value in d.items():
            d.clear()
        return n

    agree(grows, 0, 1)
    agree(same_size, 0, 1, 5, 10)
    agree(cleared, 0)


def test_values_of_all_kinds():
    def f(n):
        lists = {}
        for i in range(n):
            lists.setdefault(str(i % 3), []).append(i)
        total = 0.0
        for x in {1: 0.5, n: 1.5}.values():
            total += x
        flags = {1: True}
        flags[n] = n > 1
        nothing = {1: None}
        nothing[n] = None
        maybe = {1: "x"}
        maybe[n] = None
        return lists, total, flags, nothing, maybe, maybe.get(n), maybe.get(7), nothing.get(1)

    agree(f, 0, 1, 7)


def test_instances():
    def f(name):
        outer = Scope(None)
        inner = Scope(outer)
        outer.names["x"] = inner
        inner.names["y"] = outer
        found = inner.find(name)
        return found is outer, found is inner, found is None, len(inner.names)

    agree(f, "x", "y", "z")


def test_dicts_that_contain_themselves():
    def f(n):
        d = {}
        d[1] = d
        d[2] = {n: d}
        return len(d[1][1]), d[2][n] is d, d[2] is d

    agree(f, 3)


def test_iterators_of_views():
    def f(n):
        d = {n: "a", 2: "b"}
        it = iter(d.items())
        first = next(it)
        rest = [key for key, _ in it]
        return first, rest, list(zip(d, d.values())), list(enumerate(d)), sorted(d), max(d)

    agree(f, 1, 5)


WORDS = {"one": 1, "two": 2, "three": 3, "éé": 4, "€uro": 5, "x": 6}
SQUARES = {i * i: str(i) for i in range(30)}
NESTED = {"a": {1: [1]}, "b": {}}
MIXED_STR = {"a": "x", "b": None}


def test_prebuilt():
    def f(word, n):
        return (
            WORDS[word], len(WORDS), word in WORDS, SQUARES[n * n], len(SQUARES), n in SQUARES,
            list(WORDS), list(SQUARES.items()), NESTED["a"], len(NESTED["b"]),
        )  # fmt: skip

    agree(f, ("one", 6), ("éé", 0), ("€uro", 29), ("x", 30), ("y", 1))


def test_prebuilt_dict_changes():
    table = {"a": 1}

    def f(n):
        for i in range(n):
            table[str(i)] = i
            table["a"] += i
        return table["a"], len(table), list(table)

    assert interpret(f, [9]) == (37, 10, ["a", *map(str, range(9))])
    assert table == {"a": 1}


def test_nullable_dict():
    def f(n):
        d = None
        if n > 0:
            d = {1: n}
        if n < 5:
            return len(d)
        return d[1]

    agree(f, 1, 7, 0)


def test_refusals():
    def key_list(n):
        return {[n]: 1}

    def key_set(n):
        return {{n}: 1}

    def mixed(n):
        return {1: 2, "a": 3}

    for f in (key_list, key_set, mixed):
        with pytest.raises(TranslationError):
            interpret(f, [1])


def crossing(d: dict[str, list[int]], s: set[tuple[int, str]], f: frozenset[float]):
    d["new"] = [len(s)]
    s.add((9, "z"))
    return d, s, f | {0.5}, len(f)


def test_dicts_and_sets_cross_to_native_code_and_back():
    native = compile(crossing)
    for make in (
        lambda: ({"a": [1]}, {(1, "x"), (2, "y")}, frozenset([1.5])),
        lambda: ({}, set(), frozenset()),
    ):
        expected = crossing(*make())
        assert native(*make()) == expected
        assert interpret(crossing, list(make())) == expected
    given = make()
    native(*given)
    assert given == make(), "arguments are copied"
    with pytest.raises(TypeError, match="expected dict"):
        native([], set(), frozenset())
    with pytest.raises(TypeError, match="expected frozenset"):
        native({}, set(), set())
    with pytest.raises(TypeError, match="expected str"):
        native({1: []}, set(), frozenset())
