"""Random programs about control flow: loops, handlers, ``del``, closures, cells, generators,
comprehensions, and variables that may have no value.  Everything in them is an int."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

VARIABLES = "abcd"


@dataclass
class Scope:
    """A function being written: how deep it is nested, whether it yields, what it can call."""

    depth: int
    yields: bool
    functions: list[str] = field(default_factory=list)
    generators: list[str] = field(default_factory=list)
    in_loop: bool = False


class Writer:
    """Writes one program; ``item`` is what comprehensions call their variable."""

    def __init__(self, seed: int, item: str = "x") -> None:
        self.random = random.Random(seed)
        self.item = item
        self.lines: list[str] = []
        self.count = 0

    def program(self) -> str:
        """The source of ``main(n, log)``."""
        self.line(0, "def main(n, log):")
        for v in VARIABLES:
            if self.random.random() < 0.7:
                self.line(1, f"{v} = {self.random.choice(['n', '1', '2'])}")
        scope = Scope(0, False)
        for _ in range(self.random.randrange(4, 9)):
            self.statement(1, scope, 3)
        for v in VARIABLES:  # so that all of them are local
            self.line(1, f"if n == 99: {v} = 0")
        self.line(1, "return " + " + ".join(VARIABLES[: self.random.randrange(1, 4)]))
        return "\n".join(self.lines) + "\n"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def variable(self) -> str:
        return self.random.choice(VARIABLES)

    def expression(self, scope: Scope) -> str:
        kinds = ["variable"] * 7 + ["number"] * 3 + ["sum"] * 4 + ["division"]
        kinds += ["consumed", "list", "lambda"]
        kinds += ["call"] * bool(scope.functions) + ["iterate"] * bool(scope.generators)
        kind = self.random.choice(kinds)
        number, x, v, w = self.random.randrange(4), self.item, self.variable(), self.variable()
        if kind == "number":
            return str(number)
        if kind == "sum":
            return f"({self.expression(scope)} + {v})"
        if kind == "division":
            return f"(7 // ({v} - 1))"
        if kind == "consumed":
            return f"sum({v} + {x} for {x} in range({number}) if {w} < 9)"
        if kind == "list":
            return f"sum([{v} * {x} for {x} in range({number})])"
        if kind == "lambda":
            default = self.random.choice(["", "y=1", f"y={w}"])
            return f"[(lambda {default}: {v} + {x}) for {x} in range(2)][{number % 2}]()"
        if kind == "call":
            return f"{self.random.choice(scope.functions)}({v})"
        if kind == "iterate":
            return f"sum({self.random.choice(scope.generators)}({number}))"
        return v

    def statement(self, indent: int, scope: Scope, depth: int) -> None:
        kinds = ["assign"] * 5 + ["delete", "return", "log", "log", "log"]
        kinds += ["leave"] * scope.in_loop + ["yield"] * 2 * scope.yields
        if depth > 0:
            kinds += ["if", "if", "for", "for", "try"]
            kinds += ["function"] * 3 * (scope.depth < 2)
        kind = self.random.choice(kinds)
        if kind == "assign":
            sign = self.random.choice(["=", "=", "+="])
            self.line(indent, f"{self.variable()} {sign} {self.expression(scope)}")
        elif kind == "delete":
            self.line(indent, f"del {self.variable()}")
        elif kind == "return":
            self.line(indent, f"return {self.expression(scope)}")
        elif kind == "leave":
            self.line(indent, self.random.choice(["break", "continue"]))
        elif kind == "yield":
            delegated = f"yield from range({self.random.randrange(3)})"
            self.line(indent, self.random.choice([f"yield {self.expression(scope)}", delegated]))
        elif kind == "function":
            self.function(indent, scope, depth)
        elif kind == "log":
            self.line(indent, f"log.append({self.expression(scope)})")
        else:
            self.compound(kind, indent, scope, depth - 1)

    def compound(self, kind: str, indent: int, scope: Scope, depth: int) -> None:
        others = {"if": "else:", "for": "else:", "try": ""}[kind]
        if kind == "if":
            self.line(indent, f"if {self.expression(scope)} > {self.random.randrange(3)}:")
        elif kind == "for":
            self.line(indent, f"for {self.variable()} in range({self.random.randrange(4)}):")
        else:
            self.line(indent, "try:")
        self.body(indent + 1, scope, depth, scope.in_loop or kind == "for")
        if kind == "try":
            error = self.random.choice(["ZeroDivisionError", "NameError", "Exception"])
            self.line(indent, f"except {error}{self.random.choice([' as e', ''])}:")
            self.body(indent + 1, scope, depth, scope.in_loop)
            others = "" if scope.yields else "finally:"
        if others and self.random.random() < 0.4:
            self.line(indent, others)
            self.body(indent + 1, scope, depth, scope.in_loop)

    def body(self, indent: int, scope: Scope, depth: int, in_loop: bool) -> None:
        outer, scope.in_loop = scope.in_loop, in_loop
        for _ in range(self.random.randrange(1, 4)):
            self.statement(indent, scope, depth)
        scope.in_loop = outer

    def function(self, indent: int, scope: Scope, depth: int) -> None:
        self.count += 1
        yields = self.random.random() < 0.35
        name = f"{'gf'[not yields]}{self.count}"
        inner = Scope(scope.depth + 1, yields, scope.functions[:], scope.generators[:])
        parameter = self.random.choice(["p", "p=0", "a", "b=2"])
        self.line(indent, f"def {name}({parameter}):")
        shared = [v for v in VARIABLES if v != parameter[0] and self.random.random() < 0.25]
        if shared:
            self.line(indent + 1, "nonlocal " + ", ".join(shared))
        self.body(indent + 1, inner, min(depth - 1, 2), False)
        last = "yield" if yields else "return"
        self.line(indent + 1, f"{last} {self.expression(inner)}")
        (scope.generators if yields else scope.functions).append(name)
