"""Lists under CPython and translated."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.unit.differential import agree
from translator.interactive import interpret
from translator.ir.errors import TranslationError

INDICES = [-9, -4, -3, -1, 0, 1, 2, 3, 4, 9, 1 << 62, -(1 << 63)]
BOUNDS = [-9, -2, 0, 1, 3, 9]


class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []


class Derived(Node):
    pass


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


def test_item_is_none():
    def f(a, i):
        if i > 3:
            a = None
        return a[i]

    agree(f, ([1, 2], 1), ([1, 2], 7))


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


def test_extend_nothing_but_none():
    def f(n):
        a = [n]
        a += None
        return a

    agree(f, 3)


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


def test_repetition():
    def f(n):
        return [1, 2] * n, n * [n], [None] * n == n * [None]

    def huge(n):
        return len([1, 2] * n)

    agree(f, -1, 0, 1, 3)
    with pytest.raises(MemoryError):
        interpret(huge, [1 << 62])


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


def test_conversions():
    def f(n):
        return (
            list(range(n)), list(range(n, 0, -2)), list((n, 2)), list([n, n]), list("aé€"),
            list({1: 2, n: 3}), list(enumerate([n, 5])), list(zip([n, 1], "xy")), list(b"ab"),
            list(reversed([n, 2, 3])),
        )  # fmt: skip

    agree(f, 0, 3)


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


def test_empty_lists():
    def f(n):
        never = []
        for x in never:
            n += x
        also = []
        return len(never), never == also, not never, bool(also), never + also == [], n

    def pop(n):
        a = []
        return a.pop()

    def get(n):
        return [][n]

    agree(f, 1)
    agree(pop, 1)
    agree(get, 0)


def test_lists_of_none():
    def f(n):
        a = [None] * n
        a.append(None)
        return len(a), a[0], a.count(None), a == [None], a

    agree(f, 0, 3)


def test_bools_and_nullable_items():
    def f(n):
        flags = [True, n > 2]
        flags.append(n > 3)
        words = ["a", None]
        words.append("b" if n > 2 else None)
        return flags, sum(flags), words, words.count(None), words.index(None)

    agree(f, 1, 3, 5)


def test_lists_that_contain_themselves():
    def f(n):
        a = []
        a.append(a)
        b = a
        for _ in range(n):
            b = b[0]
        return b is a, len(a)

    agree(f, 3)


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


PREBUILT = [1, 2, 3]
NESTED = [[1], [2, 3], []]
SHARED = [PREBUILT, PREBUILT]
CYCLIC = [[None], ["x"]]


def twice(n):
    return n * 2


def square(n):
    return n * n


FUNCTIONS = [twice, square]
CLASSES = [Node, Derived]


def test_callables_as_items():
    def f(i, n):
        other = [square]
        other.append(twice)
        total = 0
        for each in other + FUNCTIONS:
            total = total * 10 + each(n)
        methods = [Node(n).kids.append, Node(n).kids.append][:0]
        return FUNCTIONS[i](n), total, CLASSES[i](n).value, len(methods), square in other

    agree(f, (0, 3), (1, 3))


def test_empty_tuples():
    def f(n):
        for x in ():
            n += x
        return n, list(()), sum(()), list(enumerate(())), list(zip((), [n]))

    agree(f, 3)


def test_prebuilt():
    def f(i):
        return PREBUILT[i], NESTED[i], SHARED[0] is SHARED[1], SHARED[0] is PREBUILT, CYCLIC

    def grown(i):
        local = NESTED
        return len(local) + i, NESTED is local, [len(row) for row in local]

    agree(f, 0, 1, -1)
    agree(grown, 1)


def test_prebuilt_list_changes():
    counter = [0]

    def f(n):
        for _ in range(n):
            counter[0] += 1
            counter.append(n)
        return counter[0], len(counter)

    assert interpret(f, [3]) == (3, 4)
    assert counter == [0]


def test_text():
    def f(n):
        a = list(range(n))
        return (
            str(a), repr([[x, x + 1] for x in a]), str(["a'b"] * n), str([None] * n),
            f"{[1.5] * n}", str([(1, "é€")] * n), str([b"x"]), str([True]), str([r for r in [a]]),
        )  # fmt: skip

    agree(f, 0, 1, 3)


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
