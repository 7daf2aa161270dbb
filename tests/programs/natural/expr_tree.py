"""Symbolic differentiation and simplification with an expression tree."""
from __future__ import annotations

import math


class Expr:
    def __add__(self, other):
        return Add(self, wrap(other))

    def __radd__(self, other):
        return Add(wrap(other), self)

    def __mul__(self, other):
        return Mul(self, wrap(other))

    def __rmul__(self, other):
        return Mul(wrap(other), self)

    def __sub__(self, other):
        return Add(self, Mul(Const(-1), wrap(other)))

    def __pow__(self, n):
        return Pow(self, n)

    def simplify(self) -> Expr:
        return self

    def __repr__(self):
        return f"<{self.__class__.__name__} {self}>"


def wrap(value):
    return value if isinstance(value, Expr) else Const(value)


class Const(Expr):
    def __init__(self, value):
        self.value = value

    def eval(self, **env):
        return self.value

    def diff(self, var):
        return Const(0)

    def __str__(self):
        return str(self.value)

    def __eq__(self, other):
        return isinstance(other, Const) and other.value == self.value


class Var(Expr):
    def __init__(self, name):
        self.name = name

    def eval(self, **env):
        try:
            return env[self.name]
        except KeyError:
            raise NameError(f"no value for {self.name}")

    def diff(self, var):
        return Const(1 if var == self.name else 0)

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Var) and other.name == self.name


class Binary(Expr):
    symbol = "?"

    def __init__(self, left, right):
        self.left, self.right = left, right

    def __str__(self):
        return f"({self.left} {self.symbol} {self.right})"

    def __eq__(self, other):
        return type(self) is type(other) and self.left == other.left and self.right == other.right


class Add(Binary):
    symbol = "+"

    def eval(self, **env):
        return self.left.eval(**env) + self.right.eval(**env)

    def diff(self, var):
        return Add(self.left.diff(var), self.right.diff(var))

    def simplify(self):
        a, b = self.left.simplify(), self.right.simplify()
        if isinstance(a, Const) and isinstance(b, Const):
            return Const(a.value + b.value)
        if a == Const(0):
            return b
        if b == Const(0):
            return a
        if a == b:
            return Mul(Const(2), a).simplify()
        return Add(a, b)


class Mul(Binary):
    symbol = "*"

    def eval(self, **env):
        return self.left.eval(**env) * self.right.eval(**env)

    def diff(self, var):
        return self.left.diff(var) * self.right + self.left * self.right.diff(var)

    def simplify(self):
        a, b = self.left.simplify(), self.right.simplify()
        if isinstance(a, Const) and isinstance(b, Const):
            return Const(a.value * b.value)
        if a == Const(0) or b == Const(0):
            return Const(0)
        if a == Const(1):
            return b
        if b == Const(1):
            return a
        return Mul(a, b)


class Pow(Expr):
    def __init__(self, base, n):
        self.base, self.n = base, n

    def eval(self, **env):
        return self.base.eval(**env) ** self.n

    def diff(self, var):
        return Mul(Const(self.n), Mul(Pow(self.base, self.n - 1), self.base.diff(var)))

    def simplify(self):
        if self.n == 0:
            return Const(1)
        if self.n == 1:
            return self.base.simplify()
        return Pow(self.base.simplify(), self.n)

    def __str__(self):
        return f"{self.base}**{self.n}"

    def __eq__(self, other):
        return isinstance(other, Pow) and (self.base, self.n) == (other.base, other.n)


def newton(f, start, var="x", eps=1e-9):
    df = f.diff(var).simplify()
    x = start
    for _ in range(100):
        step = f.eval(x=x) / df.eval(x=x)
        x -= step
        if abs(step) < eps:
            break
    return x


def main():
    x, y = Var("x"), Var("y")
    f = 3 * x ** 2 + x * y + 5
    print(f)
    print(f.diff("x").simplify())
    print(f.diff("y").simplify())
    print(f.eval(x=2, y=10), f.eval(x=0.5, y=-1))
    print(repr((x + x).simplify()), (x * 0 + 7).simplify(), (1 * x + 0).simplify())
    root = newton(x ** 2 - 2, 1.0)
    print(f"{root:.6f}", math.isclose(root, math.sqrt(2)))
    try:
        (x + y).eval(x=1)
    except NameError as e:
        print("error:", e)
    print(x == Var("x"), x + y == x + y, x + y == y + x)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
