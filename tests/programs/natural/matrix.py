"""A matrix class with the usual operators, determinant, inverse."""
from fractions import Fraction
from functools import reduce


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        if len({len(r) for r in self.rows}) != 1:
            raise ValueError("ragged matrix")

    @classmethod
    def identity(cls, n):
        return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def __getitem__(self, index):
        i, j = index
        return self.rows[i][j]

    def __setitem__(self, index, value):
        i, j = index
        self.rows[i][j] = value

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __add__(self, other):
        return Matrix([a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        if isinstance(other, Matrix):
            return self @ other
        return Matrix([x * other for x in row] for row in self.rows)

    __rmul__ = __mul__

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"cannot multiply {self.shape} by {other.shape}")
        cols = list(zip(*other.rows))
        return Matrix([sum(a * b for a, b in zip(row, col)) for col in cols] for row in self.rows)

    def __pow__(self, n):
        return reduce(Matrix.__matmul__, [self] * n, Matrix.identity(len(self.rows)))

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def det(self):
        n, m = self.shape
        if n != m:
            raise ValueError("not square")
        a = [[Fraction(x) for x in row] for row in self.rows]
        sign = 1
        for c in range(n):
            pivot = next((r for r in range(c, n) if a[r][c] != 0), None)
            if pivot is None:
                return Fraction(0)
            if pivot != c:
                a[c], a[pivot] = a[pivot], a[c]
                sign = -sign
            for r in range(c + 1, n):
                factor = a[r][c] / a[c][c]
                a[r] = [x - factor * y for x, y in zip(a[r], a[c])]
        result = Fraction(sign)
        for i in range(n):
            result *= a[i][i]
        return result

    def inverse(self):
        n = len(self.rows)
        work = [[Fraction(x) for x in row] + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(self.rows)]
        for c in range(n):
            pivot = max(range(c, n), key=lambda r: abs(work[r][c]))
            if work[pivot][c] == 0:
                raise ZeroDivisionError("singular matrix")
            work[c], work[pivot] = work[pivot], work[c]
            p = work[c][c]
            work[c] = [x / p for x in work[c]]
            for r in range(n):
                if r != c:
                    f = work[r][c]
                    work[r] = [x - f * y for x, y in zip(work[r], work[c])]
        return Matrix(row[n:] for row in work)

    def __str__(self):
        cells = [[str(x) for x in row] for row in self.rows]
        width = max(len(c) for row in cells for c in row)
        return "\n".join("[" + " ".join(c.rjust(width) for c in row) + "]" for row in cells)


def main():
    a = Matrix([[2, 1, 3], [0, -1, 4], [1, 2, 5]])
    print(a)
    print("shape", a.shape, "det", a.det())
    print("transpose:", a.T, sep="\n")
    inv = a.inverse()
    print("inverse:", inv, sep="\n")
    print("check:", a @ inv == Matrix.identity(3))
    fib = Matrix([[1, 1], [1, 0]])
    print("fib(30) =", (fib ** 30)[0, 1])
    print(2 * a - a * 2 == a + -a)
    half = a * 0.5
    print(half)
    half[0, 0] = 100
    print(half.rows[0])
    for bad in (lambda: a @ fib, lambda: Matrix([[1, 2], [3]]), lambda: Matrix([[1, 2], [2, 4]]).inverse()):
        try:
            bad()
        except (ValueError, ZeroDivisionError) as e:
            print(f"{type(e).__name__}: {e}")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
