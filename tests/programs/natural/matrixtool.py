"""Matrix arithmetic with operator overloading, fractions and linear solving."""
from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property, total_ordering
from itertools import chain, product
from numbers import Number
from typing import Iterator, Sequence, overload


class Matrix:
    __slots__ = ("rows", "__dict__")

    def __init__(self, rows: Sequence[Sequence[Number]]):
        self.rows = [list(r) for r in rows]
        if len({len(r) for r in self.rows}) > 1:
            raise ValueError("ragged matrix")

    @classmethod
    def identity(cls, n: int) -> Matrix:
        return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])

    @classmethod
    def from_function(cls, h, w, f):
        return cls([[f(i, j) for j in range(w)] for i in range(h)])

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            return self.rows[i][j]
        return self.rows[key]

    def __setitem__(self, key, value):
        i, j = key
        self.rows[i][j] = value

    def __iter__(self) -> Iterator:
        return chain.from_iterable(self.rows)

    def __eq__(self, other):
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.rows == other.rows

    def __add__(self, other):
        if isinstance(other, Matrix):
            if self.shape != other.shape:
                raise ValueError(f"shapes differ: {self.shape} and {other.shape}")
            return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])
        return Matrix([[a + other for a in r] for r in self.rows])

    __radd__ = __add__

    def __mul__(self, k):
        return Matrix([[a * k for a in r] for r in self.rows])

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __matmul__(self, other: Matrix) -> Matrix:
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def __pow__(self, n: int) -> Matrix:
        result = Matrix.identity(self.shape[0])
        base = self
        while n:
            if n & 1:
                result = result @ base
            base = base @ base
            n >>= 1
        return result

    @property
    def T(self):
        return Matrix(list(zip(*self.rows)))

    @cached_property
    def trace(self):
        return sum(self[i, i] for i in range(min(self.shape)))

    def det(self):
        if self.shape == (1, 1):
            return self[0, 0]
        total = 0
        for j, a in enumerate(self.rows[0]):
            minor = Matrix([r[:j] + r[j + 1:] for r in self.rows[1:]])
            total += (-1) ** j * a * minor.det()
        return total

    def solve(self, rhs: list) -> list[Fraction]:
        n = len(self.rows)
        m = [[Fraction(x) for x in row] + [Fraction(b)] for row, b in zip(self.rows, rhs)]
        for i in range(n):
            pivot = next((r for r in range(i, n) if m[r][i] != 0), None)
            if pivot is None:
                raise ArithmeticError("singular")
            m[i], m[pivot] = m[pivot], m[i]
            m[i] = [x / m[i][i] for x in m[i]]
            for r in range(n):
                if r != i:
                    factor = m[r][i]
                    m[r] = [x - factor * y for x, y in zip(m[r], m[i])]
        return [row[-1] for row in m]

    def __str__(self):
        texts = [[f"{x:g}" if isinstance(x, float) else str(x) for x in r] for r in self.rows]
        width = max(map(len, chain(*texts)))
        return "\n".join("[" + " ".join(t.rjust(width) for t in r) + "]" for r in texts)

    def __repr__(self):
        return f"Matrix({self.rows!r})"


def rotation(degrees):
    a = math.radians(degrees)
    return Matrix([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])


def main():
    a = Matrix([[1, 2], [3, 4]])
    b = Matrix.from_function(2, 2, lambda i, j: i * 10 + j)
    print(a + b, a @ b, 2 * a, sep="\n--\n")
    print(repr(a + 1), -a == Matrix([[-1, -2], [-3, -4]]))
    print("fib:", (Matrix([[1, 1], [1, 0]]) ** 40)[0, 1])
    print("det:", a.det(), Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1.5]]).det())
    print("trace:", a.trace, "sum:", sum(a), "max:", max(b))
    print("solve:", ", ".join(str(x) for x in Matrix([[2, 1, -1], [-3, -1, 2], [-2, 1, 2]]).solve([8, -11, -3])))
    r = rotation(90)
    print([round(x, 6) + 0.0 for x in r], [round(x, 3) for x in (r @ r)])
    print(a.T, [p for p in product("ab", a[0])])
    for bad in (lambda: a + Matrix([[1]]), lambda: Matrix([[1], [2, 3]]), lambda: Matrix([[1, 2], [2, 4]]).solve([1, 2])):
        try:
            bad()
        except (ValueError, ArithmeticError) as e:
            print(f"{type(e).__name__}: {e}")
    print(a == 3, a != Matrix.identity(2))


if __name__ == "__main__":
    main()
