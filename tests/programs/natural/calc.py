"""A calculator: tokenizer, recursive-descent parser, evaluator."""
import math
import operator
import re
from collections import namedtuple

Token = namedtuple("Token", "kind text pos")

TOKEN_SPEC = [
    ("NUMBER", r"\d+(\.\d*)?([eE][+-]?\d+)?"),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OP", r"\*\*|//|[-+*/%^(),=]"),
    ("SKIP", r"\s+"),
    ("BAD", r"."),
]
MASTER = re.compile("|".join(f"(?P<{name}>{rx})" for name, rx in TOKEN_SPEC))

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2}
FUNCTIONS = {"sqrt": math.sqrt, "sin": math.sin, "max": max, "min": min, "abs": abs, "round": round}


class CalcError(Exception):
    pass


def tokenize(text):
    tokens = []
    for m in MASTER.finditer(text):
        kind = m.lastgroup
        if kind == "SKIP":
            continue
        if kind == "BAD":
            raise CalcError(f"bad character {m.group()!r} at {m.start()}")
        tokens.append(Token(kind, m.group(), m.start()))
    tokens.append(Token("END", "", len(text)))
    return tokens


class Calculator:
    def __init__(self):
        self.vars = {"pi": math.pi, "e": math.e}
        self.tokens = []
        self.i = 0

    @property
    def current(self):
        return self.tokens[self.i]

    def accept(self, *texts):
        if self.current.kind == "OP" and self.current.text in texts:
            self.i += 1
            return self.tokens[self.i - 1]
        return None

    def expect(self, text):
        if not self.accept(text):
            raise CalcError(f"expected {text!r} at {self.current.pos}")

    def run(self, line):
        self.tokens = tokenize(line)
        self.i = 0
        if self.current.kind == "NAME" and self.tokens[1].text == "=":
            name = self.current.text
            self.i = 2
            value = self.expr(1)
            self.vars[name] = value
        else:
            value = self.expr(1)
        if self.current.kind != "END":
            raise CalcError(f"unexpected {self.current.text!r} at {self.current.pos}")
        return value

    def expr(self, level):
        left = self.unary()
        while self.current.kind == "OP" and PRECEDENCE.get(self.current.text, 0) >= level:
            op = self.current.text
            self.i += 1
            right = self.expr(PRECEDENCE[op] + 1)
            try:
                left = BINARY[op](left, right)
            except ZeroDivisionError:
                raise CalcError("division by zero")
        return left

    def unary(self):
        if self.accept("-"):
            return -self.unary()
        if self.accept("+"):
            return self.unary()
        return self.power()

    def power(self):
        base = self.atom()
        if self.accept("**", "^"):
            return base ** self.unary()
        return base

    def atom(self):
        token = self.current
        self.i += 1
        if token.kind == "NUMBER":
            return float(token.text) if any(c in token.text for c in ".eE") else int(token.text)
        if token.kind == "NAME":
            if self.accept("("):
                args = [self.expr(1)]
                while self.accept(","):
                    args.append(self.expr(1))
                self.expect(")")
                if token.text not in FUNCTIONS:
                    raise CalcError(f"unknown function {token.text}")
                return FUNCTIONS[token.text](*args)
            if token.text in self.vars:
                return self.vars[token.text]
            raise CalcError(f"undefined: {token.text}")
        if token.text == "(":
            value = self.expr(1)
            self.expect(")")
            return value
        raise CalcError(f"unexpected {token.text or 'end of input'!r} at {token.pos}")


def main():
    calc = Calculator()
    for line in [
        "1 + 2 * 3",
        "(1 + 2) * 3",
        "2 ** 3 ** 2",
        "-2 ** 2",
        "7 // 2 + 7 % 4",
        "x = 10 / 4",
        "x * pi",
        "sqrt(16) + max(1, 2, x)",
        "1e3 - .5" if False else "1e3 - 0.5",
        "round(2.567, 1)",
        "1 / 0",
        "2 +",
        "foo(1)",
        "3 $ 4",
        "y + 1",
        "(1",
    ]:
        try:
            print(f"{line:<26} = {calc.run(line)}")
        except CalcError as e:
            print(f"{line:<26} ! {e}")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
