"""What tests/unit/boundary/test_extension.py imports twice: as it is, and native."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

__version__ = "1.5"
SIZE = 3
WORDS = frozenset(["only"])
LIMITS = (1, "two", b"three", None, 2.5, float("inf"))
_SECRET = 4
TABLE = [1, 2, 3]


class Error(Exception):
    """What goes wrong here."""


class CodeError(Error):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.where = ("here", code)


class TextError(Error):
    def __init__(self, n: int) -> None:
        self.n = n

    def __str__(self) -> str:
        return f"text {self.n}"


# -- numbers ----------------------------------------------------------------------------------


def add(a: int, b: int = 2) -> int:
    """The sum."""
    return a + b


def scale(x: float, *, by: float = 2.0, times: int = 1) -> float:
    return x * by * times


def first(a: int, /, b: int, c: int = 5) -> tuple[int, int, int]:
    return a, b, c


def invert(flag: bool) -> bool:
    return not flag


def nothing() -> None:
    pass


def maybe(n: int | None = None, text: str | None = "none") -> str:
    return f"{n} {text}"


def half(n: int) -> float | None:
    return None if n % 2 else n / 2


def forever(xs: list[int]) -> None:
    while xs[0] > 0:
        xs[0] = xs[0] % 1000 + 1


def forever_in(xs: list[int]) -> None:
    try:
        forever(xs)
    except KeyboardInterrupt:
        xs[0] = 0
        raise


def divide(a: int, b: int) -> int:
    return a // b


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


# -- text, containers -------------------------------------------------------------------------


def shout(text: str) -> str:
    return text.upper() + "!"


def echo(text: str, data: bytes) -> tuple[str, bytes]:
    return text, data


def everything(
    t: tuple[int, float, bool, str, bytes, None],
    xs: list[tuple[int, str]],
    d: dict[str, list[float]],
    s: set[int],
    f: frozenset[str],
    b: bytearray,
) -> tuple[int, list[tuple[int, str]], dict[str, list[float]], set[int], frozenset[str], bytearray]:
    return t[0], xs, d, s, f, b


def total(xs: list[int]) -> int:
    result = 0
    for x in xs:
        result += x
    return result


def matrix(rows: int, columns: int) -> list[list[float]]:
    return [[float(i * j) for j in range(columns)] for i in range(rows)]


def repeated(n: int) -> list[list[int]]:
    row = [n]
    return [row, row, [n]]


def count(words: list[str]) -> dict[str, int]:
    result: dict[str, int] = {}
    for word in words:
        result[word] = result.get(word, 0) + 1
    return result


# -- arguments that change --------------------------------------------------------------------


def push(xs: list[int], x: int) -> None:
    xs.append(x)


def push_and_fail(xs: list[int], x: int) -> None:
    xs.append(x)
    raise ValueError(f"no {x}")


def sort_rows(rows: list[list[int]]) -> None:
    rows.sort()
    rows[0].append(99)


def same(xs: list[int], ys: list[int]) -> bool:
    xs.append(1)
    return xs is ys


def given(xs: list[int]) -> list[int]:
    return xs


def larger(xs: list[int], ys: list[int]) -> list[int]:
    return xs if len(xs) > len(ys) else ys


def fill(d: dict[str, int], s: set[int], b: bytearray) -> None:
    d["new"] = 7
    d.pop("old", 0)
    s.add(7)
    b.append(7)


def move(xs: list[Shape], ys: list[Shape]) -> Shape:
    shape = xs.pop()
    ys.append(shape)
    return shape


# -- exceptions -------------------------------------------------------------------------------


def fail(n: int) -> int:
    if n == 9:
        raise TextError(n)
    if n > 3:
        raise CodeError(n, "too much")
    if n == 3:
        raise Error("three")
    if n == 2:
        raise Error
    return {1: 2}[n]


def no_file(path: str) -> str:
    with open(path) as file:
        return file.read()


def decode(data: bytes) -> str:
    return data.decode()


def outer(n: int) -> int:
    return _inner(n) + 1


def _inner(n: int) -> int:
    if n > 2:
        raise ValueError("inner")
    return n


def chained(n: int) -> int:
    try:
        return _inner(n)
    except ValueError as error:
        if n == 3:
            raise CodeError(n, "caused") from error
        if n == 4:
            raise CodeError(n, "alone") from None
        raise Error("later")  # noqa: B904


def deep(n: int) -> int:
    return deep(n + 1) + 1


def caught(n: int) -> str:
    try:
        return str(fail(n))
    except CodeError as error:
        return f"code {error.code}"
    except Error as error:
        return f"error {error}"


# -- output -----------------------------------------------------------------------------------


def hello(name: str) -> None:
    print("hello", name)


def say(words: list[str], points: list[Point]) -> list[str]:
    print(" ".join(words))
    for point in points:
        print(point.x)
    words.reverse()
    return words


# -- classes ----------------------------------------------------------------------------------


@dataclass
class Point:
    """A point."""

    x: int
    y: float = 0.5

    def norm(self) -> float:
        """Its distance from the origin."""
        return math.sqrt(self.x * self.x + self.y * self.y)

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __bool__(self) -> bool:
        return self.x != 0


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int


@dataclass
class Margins:
    top: int
    left: int = field(default=1, kw_only=True)
    right: int = field(kw_only=True)


@dataclass
class Basket:
    owner: str
    things: list[int] = field(default_factory=list)
    price: float = 1.5

    def put(self, thing: int) -> list[int]:
        self.things.append(thing)
        return list(self.things)


class Shape:
    """Something with an area."""

    KIND = "shape"

    def __init__(self, name: str) -> None:
        self.name = name
        self.partner: Shape | None = None
        self._items: list[int] = []

    def area(self) -> float:
        return 0.0

    def describe(self, times: int = 1) -> str:
        return f"{self.name} {self.area()} " * times

    def add(self, n: int) -> int:
        self._items.append(n)
        return len(self._items)

    def items(self) -> list[int]:
        return list(self._items)

    def grow(self) -> Shape:
        self._items.append(0)
        return self

    @property
    def title(self) -> str:
        """The name, larger."""
        return self.name.upper()

    @title.setter
    def title(self, value: str) -> None:
        self.name = value.lower()

    @staticmethod
    def unit(n: int) -> int:
        return n * 10

    @classmethod
    def named(cls, name: str, *, mark: str = ":") -> str:
        return f"{cls.KIND}{mark}{name}"


class Square(Shape):
    KIND = "square"

    def __init__(self, side: float) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> float:
        return self.side * self.side

    def __len__(self) -> int:
        return 4

    def __getitem__(self, i: int) -> float:
        if i >= 4:
            raise IndexError("no such side")
        return self.side

    def __contains__(self, n: float) -> bool:
        return n == self.side

    def __call__(self, n: int, extra: int = 1) -> int:
        return n + extra

    def __repr__(self) -> str:
        return f"Square({self.side})"


class _Hidden(Square):
    def __init__(self, a, b):
        super().__init__(a * b)

    def area(self):
        return -1.0


class Stack:
    def __init__(self) -> None:
        self.shapes: list[Shape] = []

    def push(self, shape: Shape) -> None:
        self.shapes.append(shape)

    def __enter__(self) -> Stack:
        return self

    def __exit__(self, *args):
        self.shapes = []

    def __iter__(self):
        return iter(self.shapes)

    def __format__(self, spec: str) -> str:
        return f"{len(self.shapes)} shapes {spec}"

    def __bytes__(self) -> bytes:
        return bytes(len(self.shapes))

    def __round__(self, digits: int = 0) -> int:
        return digits

    def __floor__(self) -> int:
        return len(self.shapes)

    def __divmod__(self, n: int) -> tuple[int, int]:
        return divmod(len(self.shapes), n)

    def top(self) -> Shape | None:
        return self.shapes[-1] if self.shapes else None

    def all(self) -> list[Shape]:
        return list(self.shapes)


class Asking:
    def __enter__(self) -> Asking:
        return self

    def __exit__(self, kind, error, traceback):
        return kind is not None


class Vector:
    def __init__(self, x: float) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vector):
            return NotImplemented
        return self.x == other.x

    def __lt__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.x < other.x

    def __add__(self, other: object) -> Vector:
        if isinstance(other, Vector):
            return Vector(self.x + other.x)
        return NotImplemented

    def __matmul__(self, other: Vector) -> float:
        return self.x * other.x

    def __pow__(self, n: int) -> Vector:
        return Vector(self.x**n)

    def __repr__(self) -> str:
        return f"<{self.x}>"


class Defaults:
    x = 0
    y: int = 5
    only = "class"

    def __init__(self) -> None:
        self.z = 3

    def set(self, n: int) -> Defaults:
        self.x = self.y = n
        return self


class Others(Defaults):
    x = 7
    only = "other"
    q = 3


class Third(Others):
    def __init__(self) -> None:
        super().__init__()
        self.q = 5


class Down:
    """From n to 1."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.sign = "+"

    def __iter__(self) -> Down:
        return self

    def __next__(self) -> int:
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1

    def letters(self) -> list[str]:
        return [self.sign, "x"]


def make(n: int) -> Shape:
    if n == 0:
        return Shape("plain")
    if n == 1:
        return Square(2.0)
    return _Hidden(1.5, 2.0)


def areas(shapes: list[Shape]) -> float:
    result = 0.0
    for shape in shapes:
        result += shape.area()
    return result


def best(shapes: list[Shape]) -> Shape | None:
    result = None
    for shape in shapes:
        if result is None or shape.area() > result.area():
            result = shape
    return result


class Node(ABC):
    @abstractmethod
    def value(self) -> int: ...

    def twice(self) -> int:
        return self.value() * 2


class Leaf(Node):
    def value(self) -> int:
        return 3


def node() -> Node:
    return Leaf()


ORIGIN = Point(0, 0.0)


def origin() -> Point:
    return ORIGIN


def pairs(n: int) -> list[tuple[Point, int]]:
    return [(Point(i, 1.0), i) for i in range(n)]
