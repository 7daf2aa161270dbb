"""Random programs about classes: constructors that set attributes on some paths, let ``self``
escape or call overridden methods; methods that some classes lack."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from random import Random
from typing import Any

ATTRIBUTES = ("a", "b", "c")
METHODS = ("m0", "m1", "m2")

DRIVER = """
class Registry:
    last = None


REGISTRY = Registry()


def use(o, n):
    log = ""
    {uses}
    return log


def f(which: int, n: int) -> str:
    log = ""
    REGISTRY.last = None
    try:
        o = create(which, n)
        log += use(o, n)
    except ValueError as e:
        log += "V" + str(e)
    except AttributeError as e:
        log += "A" + str(e)
    last = REGISTRY.last
    if last is not None:
        log += "|" + use(last, n)
    return log
"""


class ClassProgram:
    """One random program; ``source`` defines ``f(which, n)``."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.name = f"<class program {seed}>"
        self.count = self.random.randint(2, 4)
        self.bases = [0] + [self.random.randrange(k) for k in range(1, self.count)]
        self.has_init = [self.random.random() < 0.7 for _ in range(self.count)]
        self.defining = {method: self.random.randrange(self.count) for method in METHODS}
        """A class that surely has the method."""
        self.source = self._source()

    def load(self) -> Callable[..., Any]:
        """The function ``f``, with source lines."""
        lines = self.source.splitlines(True)
        linecache.cache[self.name] = (len(self.source), None, lines, self.name)
        namespace: dict[str, Any] = {"__name__": "classprogram"}
        exec(compile(self.source, self.name, "exec"), namespace)
        f: Callable[..., Any] = namespace["f"]
        return f

    def calls(self) -> list[tuple[int, int]]:
        return [(which, n) for which in range(self.count) for n in range(4)]

    def _source(self) -> str:
        uses = []
        for method in METHODS:
            uses.append(self._guarded(f"log += str(o.{method}(n))"))
        for attribute in ATTRIBUTES:
            uses.append(self._guarded(f"log += str(o.{attribute})"))
        uses.append("if isinstance(o, C1):\n    log += 'i1'")
        body = "\n".join(uses).replace("\n", "\n    ")
        create = ["def create(which, n):"]
        for k in range(1, self.count):
            create += [f"    if which == {k}:", f"        return C{k}({self._argument(k)})"]
        create.append(f"    return C0({self._argument(0)})")
        classes = "\n\n".join(self._class(k) for k in range(self.count))
        return "\n".join([classes, "\n".join(create), DRIVER.replace("{uses}", body)])

    def _guarded(self, statement: str) -> str:
        return (
            f"try:\n    {statement}\nexcept AttributeError as e:\n    log += '-' + str(e)\n"
            "except ValueError:\n    log += 'v'"
        )

    def _inherits_init(self, k: int) -> bool:
        """Does a base class define ``__init__``?"""
        return k > 0 and (self.has_init[self.bases[k]] or self._inherits_init(self.bases[k]))

    def _argument(self, k: int) -> str:
        return "n" if self.has_init[k] or self._inherits_init(k) else ""

    def _class(self, k: int) -> str:
        base = f"(C{self.bases[k]})" if k else ""
        lines = [f"class C{k}{base}:", f"    tag = {k}"]
        for attribute in ATTRIBUTES:
            if self.random.random() < 0.15:
                lines.append(f"    {attribute} = {self.random.randint(10, 19)}")
        if self.has_init[k]:
            lines.append("    def __init__(self, n):")
            statements = self._statements(2, init=True)
            if self._inherits_init(k) and self.random.random() < 0.7:
                where = self.random.randint(0, len(statements))
                called = "super().__init__(n)"
                if self.random.random() < 0.3 and self.has_init[self.bases[k]]:
                    called = f"C{self.bases[k]}.__init__(self, n)"
                statements.insert(where, called)
            lines += _indented(statements, 2)
        for method in METHODS:
            if self.random.random() < 0.5 or self.defining[method] == k:
                lines.append(f"    def {method}(self, n):")
                body = [*self._statements(2, init=False), f"return {self._expression()}"]
                lines += _indented(body, 2)
        return "\n".join(lines)

    def _statements(self, depth: int, init: bool) -> list[str]:
        return [self._statement(depth, init) for _ in range(self.random.randint(1, 3))]

    def _statement(self, depth: int, init: bool) -> str:
        r = self.random
        choice = r.random()
        attribute = r.choice(ATTRIBUTES)
        if depth == 0 or choice < 0.4:
            return f"self.{attribute} = {self._expression()}"
        inside = _block(self._statements(depth - 1, init))
        if choice < 0.55:
            orelse = f"\nelse:\n{_block(self._statements(depth - 1, init))}"
            return f"if n > {r.randint(0, 2)}:\n{inside}" + (orelse if r.random() < 0.4 else "")
        if choice < 0.62:
            return f"for i in range(n):\n{inside}"
        if choice < 0.7:
            return f"try:\n{inside}\nexcept ValueError:\n{_block([f'self.{attribute} = n'])}"
        if choice < 0.75:
            return f"other = self\nother.{attribute} = {self._expression()}"
        if choice < 0.8 and init:
            return "REGISTRY.last = self"
        if choice < 0.9:
            return f"if n > 0:\n    self.{r.choice(METHODS)}(n - 1)"
        if choice < 0.95:
            return f"if n == {r.randint(1, 3)}:\n    raise ValueError('no')"
        return f"self.{attribute} += 1"

    def _expression(self) -> str:
        r = self.random
        attribute = r.choice(ATTRIBUTES)
        return r.choice(
            ["n", "n + 1", str(r.randint(0, 9)), f"self.{attribute}", f"self.{attribute} + n",
             "self.tag", "n // 2"]
        )  # fmt: skip


def _block(statements: list[str]) -> str:
    return "\n".join(_indented(statements, 1))


def _indented(statements: list[str], levels: int) -> list[str]:
    indent = "    " * levels
    return [indent + line for statement in statements for line in statement.split("\n")]
