"""Exceptions that leave native code, for tests/unit/boundary/test_extension_errors.py."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass


class Error(Exception):
    """Something is wrong."""

    severity = 3


class Place(Exception):
    def __init__(self, line: int, text: str = "?") -> None:
        super().__init__(line, text)
        self.line = line
        self.where = (line, text)


class Silent(Exception):
    def __init__(self, code: int, reason: str) -> None:
        self.code = code
        self.reason = reason


class Worded(Error):
    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.n = n

    def __str__(self) -> str:
        return f"worded {self.n}"

    def twice(self) -> int:
        return self.n * 2

    @property
    def half(self) -> int:
        return self.n // 2


def _factor() -> int:
    return 2


class Private(Error):
    """Its methods need what Python does not see."""

    def __init__(self, n: int) -> None:
        super().__init__(n * _factor())
        self.n = n

    def twice(self) -> int:
        return self.n * _factor()

    @property
    def half(self) -> int:
        return self.n // 2


def private(n: int) -> None:
    raise Private(n)


class Plain(Error):
    def __str__(self) -> str:
        return "plain"


class Disk(OSError):
    pass


class Full(OSError):
    def __init__(self, free: int) -> None:
        super().__init__(28, "full", "/disk")
        self.free = free


class Lost(KeyError):
    pass


class Node:
    def __init__(self, name: str) -> None:
        self.name = name
        self._notes = ["n"]

    def notes(self) -> list[str]:
        return list(self._notes)


class _Hidden:
    pass


@dataclass(frozen=True)
class Key:
    a: int
    b: str


class About(Exception):
    def __init__(self, node: Node, notes: list[str]) -> None:
        super().__init__(node.name)
        self.node = node
        self.notes = notes


class Details(Exception):
    def __init__(self, found: dict[int, list[str]]) -> None:
        super().__init__(len(found))
        self.found = found


NODE = Node("top")
KEPT = Error("kept", 7)
NOT_FOUND = FileNotFoundError(2, "gone", "kept.txt")


def node() -> Node:
    return NODE


def fail(n: int, m: int = 0) -> int:
    if n == 0:
        raise Error
    if n == 1:
        raise Error("text")
    if n == 2:
        raise Error(m, 2.5, b"x", None, ("a", (m, True)))
    if n == 3:
        raise Place(m)
    if n == 4:
        raise Place(m, "here")
    if n == 5:
        raise Silent(m, "why")
    if n == 6:
        raise Worded(m)
    if n == 7:
        raise Plain(m, "x")
    if n == 8:
        raise KeyError(m, "two")
    if n == 9:
        return {("a", 1.5): 1}[("b", 2.5)]
    if n == 10:
        return {Key(1, "x"): 1}[Key(m, "y")]
    if n == 11:
        return {"a": 1}[str(m)]
    if n == 12:
        return {1.5: 1}[float("inf")]
    if n == 13:
        raise OSError("[Errno 2] no errno: 'x'")
    if n == 14:
        raise OSError(2, "my text", "my: 'file'")
    if n == 15:
        raise OSError(m + 13, "thirteen")
    if n == 16:
        raise Disk(5, "io")
    if n == 17:
        raise Full(m)
    if n == 18:
        raise Lost(m)
    if n == 19:
        sys.exit("4")
    if n == 20:
        sys.exit(m)
    if n == 21:
        raise SystemExit
    if n == 22:
        raise StopIteration(m)
    if n == 23:
        return len(b"ab\xffcd".decode())
    if n == 24:
        return len(b"a\xe4b".decode("ascii"))
    if n == 25:
        return len("a\u20acb".encode("latin-1"))
    if n == 26:
        return len("x\ud800\udc00y".encode())
    if n == 27:
        raise UnicodeDecodeError("mine", b"abc", 1, 2, "because")
    if n == 28:
        return [1, 2][m + 5]
    if n == 29:
        return int("x" * (m + 1))
    if n == 30:
        raise KEPT
    if n == 31:
        raise NOT_FOUND
    if n == 32:
        raise ImportError("no such")
    if n == 33:
        raise Error("ä\u20ac", "\ud800")
    if n == 34:
        raise Error(frozenset((1, m)))
    if n == 35:
        os.rename(f"/nowhere/{m}", "/nowhere/b")
    if n == 36:
        os.mkdir("/proc/self/none/x")
    if n == 37:
        return len({m: 1}.popitem()) + set([m][1:]).pop()
    if n == 38:
        return len(os.environ["NO_SUCH_VARIABLE"])
    if n == 39:
        raise Error(m if m else None, "x")
    if n == 40:
        raise NotImplementedError
    if n == 41:
        raise AttributeError("'X' object has no attribute 'foo'")
    if n == 42:
        return _Unset(m + 3).x
    if n == 43:
        return int((m + 1e300) ** 2.0)
    if n == 44:
        raise OverflowError("(34, 'x')")
    return n


class _Unset:
    def __init__(self, n: int) -> None:
        if n < 3:
            self.x = n


def about(n: int) -> int:
    if n == 0:
        raise About(NODE, NODE._notes)
    if n == 1:
        raise Error(NODE, 1)
    if n == 2:
        raise Error(NODE._notes)
    if n == 3:
        raise Error("x", _Hidden())
    return n


def with_copies(xs: list[float], n: int) -> int:
    if n == 0:
        raise Error("x", [n, 2], {"a": [{1}]}, [(1, [2])])
    if n == 1:
        raise Details({n: [], 2: ["a"]})
    xs.append(1.0)
    raise Error(xs)


def within(n: int) -> str:
    """What the program itself sees stays as it is."""
    try:
        fail(n, 3)
    except (Worded, Plain) as error:
        return f"worded {error}"
    except Error as error:
        return f"error {error}"
    except KeyError as error:
        return f"key {error}"
    except OSError as error:
        return f"os {error}"
    except Exception as error:
        return f"other {error}"
    return "none"


def linked(n: int) -> int:
    """Causes and contexts."""
    try:
        return 1 // (n - n)
    except ZeroDivisionError as error:
        if n == 0:
            raise Error("none") from None
        if n == 1:
            raise Error("other") from KeyError(n)
        if n == 2:
            raise Error("same") from error
        if n == 3:
            raise Error("alone")  # noqa: B904
        try:
            raise ValueError(n)
        except ValueError:
            if n == 4:
                raise Error("deep") from None
            raise Error("deep", n) from error


def own_cause(n: int) -> int:
    """An exception that is its own cause."""
    if n == 0:
        error = Error("own")
        raise error from error
    try:
        raise Error("caught")
    except Error as caught:
        if n == 1:
            raise caught from caught
        raise Error("outer") from caught


def say(text: str, how: int) -> None:
    """Write with what there is for that."""
    if how == 0:
        print(text)
    elif how == 1:
        sys.stdout.write(text)
    elif how == 2:
        sys.stderr.write(text)
    else:
        sys.stdout.flush()


def open_nothing() -> None:
    open("/nonexistent/file")  # noqa: SIM115
