"""Every check of promise P1; ``checks.py NAME`` lets one fail, and says whether it was caught."""

import math
import sys

SMALL = 3
BIG = 9223372036854775807
LEAST = -9223372036854775807 - 1


class Point:
    def __init__(self, x: int, set_y: bool) -> None:
        self.x = x
        if set_y:
            self.y = x

    def get(self) -> int:
        return self.x


def find(n: int) -> Point | None:
    return Point(n, True) if n > 100 else None


def pair(n: int) -> tuple[int, int]:
    items = [1] * n
    a, b = items
    return a, b


def variable(n: int) -> int:
    if n > 100:
        x = n
    return x


def local_after_del(n: int) -> int:
    x = n
    if n < 100:
        del x
    return x


def nothing() -> int | None:
    return None if len(sys.argv) + 1 == SMALL else 3


CHECKS = {
    "list index": lambda n: [1, 2][n],
    "list negative index": lambda n: [1, 2][-n],
    "list store": lambda n: store([1, 2], n),
    "list delete": lambda n: delete([1, 2], n),
    "list pop": lambda n: [1, 2].pop(n),
    "empty list pop": lambda n: [1][:n - 3].pop(),
    "list remove": lambda n: removed([1, 2], n),
    "list index of": lambda n: [1, 2].index(n),
    "tuple index": lambda n: (1, 2)[n],
    "str index": lambda n: len("ab"[n]),
    "bytes index": lambda n: b"ab"[n],
    "bytearray index": lambda n: bytearray(b"ab")[n],
    "bytearray store": lambda n: stored_byte(n),
    "range index": lambda n: range(2)[n],
    "dict key": lambda n: {1: 2}[n],
    "dict str key": lambda n: {"a": 2}[str(n)],
    "dict delete": lambda n: forget({1: 2}, n),
    "dict pop": lambda n: {1: 2}.pop(n),
    "empty dict popitem": lambda n: popped(n),
    "set remove": lambda n: discard({1}, n),
    "empty set pop": lambda n: emptied(n),
    "None attribute": lambda n: find(n).x,
    "None method": lambda n: find(n).get(),
    "None index": lambda n: maybe_list(n)[0],
    "None iteration": lambda n: sum([x + 1 for x in maybe_list(n)]),
    "None length": lambda n: len(maybe_list(n)),
    "None arithmetic": lambda n: nothing() + n,
    "attribute never set": lambda n: Point(n, False).y,
    "unbound local": variable,
    "deleted local": local_after_del,
    "floordiv by zero": lambda n: 1 // (n - 3),
    "mod by zero": lambda n: 1 % (n - 3),
    "divmod by zero": lambda n: divmod(1, n - 3)[0],
    "truediv by zero": lambda n: int(1 / (n - 3)),
    "float div by zero": lambda n: int(1.5 / float(n - 3)),
    "float mod by zero": lambda n: int(1.5 % float(n - 3)),
    "zero to a negative power": lambda n: int(0.0 ** -n),
    "negative shift left": lambda n: 1 << -n,
    "negative shift right": lambda n: 1 >> -n,
    "int of nan": lambda n: int(float("nan") * n),
    "int of infinity": lambda n: int(float("inf") * n),
    "int of text": lambda n: int("1x" * n),
    "int of empty text": lambda n: int("x"[n:]),
    "int of bad base": lambda n: int("zz", n + 30),
    "float of text": lambda n: int(float("1x" * n)),
    "chr out of range": lambda n: len(chr(n + 1114112)),
    "chr negative": lambda n: len(chr(-n)),
    "ord of text": lambda n: ord("ab" * n),
    "bytes out of range": lambda n: bytes([n + 300])[0],
    "bytes of negative": lambda n: len(bytes(-n)),
    "unpack too few": lambda n: pair(n - 2)[0],
    "unpack too many": lambda n: pair(n)[0],
    "max of nothing": lambda n: max([1][n:]),
    "next of nothing": lambda n: next(iter([1][n:])),
    "range step zero": lambda n: len(range(0, 5, n - 3)),
    "slice step zero": lambda n: len([1, 2][::n - 3]),
    "str index of": lambda n: "ab".index("c" * n),
    "split by nothing": lambda n: len("ab".split("x"[n:])),
    "encode": lambda n: len(chr(n + 200).encode("ascii")),
    "decode": lambda n: len(bytes([n + 250]).decode("utf-8")),
    "math domain": lambda n: int((-1.0 * n) ** 0.5 if n > 100 else square_root(-n)),
    "assertion": lambda n: asserted(n),
    "abstract": lambda n: unfinished(n),
    "wrong class": lambda n: typed(n),
}
OVERFLOWS = {
    "add": lambda n: BIG + n,
    "sub": lambda n: LEAST - n,
    "mul": lambda n: BIG * n,
    "neg": lambda n: -(LEAST + n - 3),
    "abs": lambda n: abs(LEAST + n - 3),
    "floordiv": lambda n: (LEAST + n - 3) // (2 - n),
    "shift": lambda n: n << 62,
    "wide shift": lambda n: n << (61 + n),
    "power": lambda n: n ** 60,
    "sum": lambda n: sum([BIG, n]),
    "text": lambda n: int("9" * (n * 10)),
    "float": lambda n: int(1e300 * n),
    "counter": lambda n: counted(n),
}
"""CPython's ints are larger."""


def store(items: list[int], n: int) -> int:
    items[n] = 1
    return 0


def delete(items: list[int], n: int) -> int:
    del items[n]
    return 0


def removed(items: list[int], n: int) -> int:
    items.remove(n)
    return 0


def stored_byte(n: int) -> int:
    data = bytearray(b"ab")
    data[0] = n + 300
    return 0


def forget(table: dict[int, int], n: int) -> int:
    del table[n]
    return 0


def popped(n: int) -> int:
    table = {n: n}
    table.popitem()
    return table.popitem()[0]


def discard(items: set[int], n: int) -> int:
    items.remove(n)
    return 0


def emptied(n: int) -> int:
    items = {n}
    items.pop()
    return items.pop()


def maybe_list(n: int) -> list[int] | None:
    return [n] if n > 100 else None


def square_root(n: int) -> float:
    return math.sqrt(n)


def asserted(n: int) -> int:
    assert n > 100, "too small"
    return n


def unfinished(n: int) -> int:
    raise NotImplementedError("later")


def typed(n: int) -> int:
    raise TypeError("wrong")


def counted(n: int) -> int:
    total = BIG - 10
    for i in range(n * 10):
        total += i
    return total


def check(name: str) -> int:
    n = len(sys.argv) + 1
    return OVERFLOWS[name](n) if name in OVERFLOWS else CHECKS[name](n)


def entry_point(argv: list[str]) -> int:
    name = argv[1]
    try:
        print(check(name))
    except Exception as e:
        print(type(e).__name__, str(e))
    return check(name)


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
