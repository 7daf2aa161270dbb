"""Lists of all kinds of items."""

from __future__ import annotations

from rpython.translator.api import interpret
from tests.unit.differential import agree

PREBUILT = [1, 2, 3]
NESTED = [[1], [2, 3], []]
SHARED = [PREBUILT, PREBUILT]
CYCLIC = [[None], ["x"]]


class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []


class Derived(Node):
    pass


def test_item_is_none():
    def f(a, i):
        if i > 3:
            a = None
        return a[i]

    agree(f, ([1, 2], 1), ([1, 2], 7))


def test_extend_nothing_but_none():
    def f(n):
        a = [n]
        a += None
        return a

    agree(f, 3)


def test_conversions():
    def f(n):
        return (
            list(range(n)), list(range(n, 0, -2)), list((n, 2)), list([n, n]), list("aé€"),
            list({1: 2, n: 3}), list(enumerate([n, 5])), list(zip([n, 1], "xy")), list(b"ab"),
            list(reversed([n, 2, 3])),
        )  # fmt: skip

    agree(f, 0, 3)


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
