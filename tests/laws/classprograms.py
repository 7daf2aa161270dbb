"""Random programs about classes: constructors that set attributes on some paths, let ``self``
escape or call overridden methods; methods that some classes lack; mixins and diamonds with
``super()``; properties, classmethods and operators; questions about attributes and classes."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from random import Random
from typing import Any

ATTRIBUTES = ("a", "b", "c")
METHODS = ("m0", "m1", "m2")
CHAINED = ("s0", "s1")
"""Methods that C0 has and that others override, most of them calling ``super()``."""

DRIVER = """
class Registry:
    last = None
    other = None


REGISTRY = Registry()


def use(o, n):
    log = ""
    {uses}
    return log


def f(which: int, n: int) -> str:
    log = ""
    REGISTRY.last = None
    REGISTRY.other = None
    try:
        o = create(which, n)
        REGISTRY.other = create(0, n)
        log += use(o, n)
    except ValueError as e:
        log += "V" + str(e)
    except AttributeError as e:
        log += "A" + str(e)
    except RecursionError:
        log += "R"
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
        self.mixin_count = self.random.choice((0, 0, 1, 2))
        self.parents = [self._parents(k) for k in range(self.count)]
        self.has_init = [self.random.random() < 0.7 for _ in range(self.count)]
        self.defining = {method: self.random.randrange(self.count) for method in METHODS}
        """A class that surely has the method."""
        self.source = self._source()

    def is_valid(self) -> bool:
        """Can CPython create the classes?  (Their bases may have no consistent order.)"""
        try:
            self.load()
        except TypeError:
            return False
        return True

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
        for name in [f"C{k}" for k in range(self.count)] + self._mixins():
            uses.append(f"if isinstance(o, {name}):\n    log += ' {name}'")
        for method in CHAINED:
            uses.append(f"log += str(o.{method}(n))")
        uses.append(self._guarded("log += str(o.p)"))
        uses.append(self._guarded(f"o.p = n\n    log += str(o.{self.random.choice(ATTRIBUTES)})"))
        uses.append("log += str(o.kind(n)) + type(o).__name__")
        attribute = self.random.choice(ATTRIBUTES)
        uses.append(f"log += str(hasattr(o, '{attribute}'))")
        uses.append(f"log += str(getattr(o, '{attribute}', -7))")
        uses.append("log += str(o == o) + str(o == REGISTRY.last) + str(o != None)")
        for operation in ("o + n", "n + o", "o + o", "o < REGISTRY.other", "REGISTRY.other > o"):
            uses.append(self._guarded(f"log += str({operation})"))
        body = "\n".join(uses).replace("\n", "\n    ")
        create = ["def create(which, n):"]
        for k in range(1, self.count):
            create += [f"    if which == {k}:", f"        return C{k}({self._argument(k)})"]
        create.append(f"    return C0({self._argument(0)})")
        mixins = [self._mixin(name) for name in self._mixins()]
        classes = "\n\n".join([*mixins, *(self._class(k) for k in range(self.count))])
        return "\n".join([classes, "\n".join(create), DRIVER.replace("{uses}", body)])

    def _guarded(self, statement: str) -> str:
        return (
            f"try:\n    {statement}\nexcept AttributeError as e:\n    log += '-' + str(e)\n"
            "except ValueError:\n    log += 'v'\nexcept TypeError as e:\n    log += str(e)"
        )

    def _inherits_init(self, k: int) -> bool:
        """Does a base class define ``__init__``?"""
        return k > 0 and (self.has_init[self.bases[k]] or self._inherits_init(self.bases[k]))

    def _argument(self, k: int) -> str:
        return "n" if self.has_init[k] or self._inherits_init(k) else ""

    def _class(self, k: int) -> str:
        parents = ", ".join(self.parents[k])
        lines = [f"class C{k}({parents}):" if parents else f"class C{k}:", f"    tag = {k}"]
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
        for method in CHAINED:
            if k == 0:
                lines += [f"    def {method}(self, n):", f"        return {k} + n"]
            elif self.random.random() < 0.5:
                lines += self._chained(method, k)
        lines += self._extras(k)
        return "\n".join(lines)

    def _parents(self, k: int) -> list[str]:
        """The bases of a class: one with the layout, mixins in front, a diamond now and then."""
        if k == 0:
            return []
        parents = [f"C{self.bases[k]}"]
        for name in self._mixins():
            if self.random.random() < 0.4:
                parents.insert(0, name)
        return parents

    def _mixins(self) -> list[str]:
        return [f"M{j}" for j in range(self.mixin_count)]

    def _mixin(self, name: str) -> str:
        lines = [f"class {name}:", f"    {self.random.choice(ATTRIBUTES)}{name} = 3"]
        for method in CHAINED:
            if self.random.random() < 0.7:
                lines += self._chained(method, int(name[1:]) + 10)
        if self.random.random() < 0.4 and self.has_init[0]:
            lines += ["    def __init__(self, n):", "        super().__init__(n)"]
            lines.append(f"        self.{self.random.choice(ATTRIBUTES)} = n + 40")
        if self.random.random() < 0.4:
            lines += ["    @property", "    def p(self):", "        return super().p + 100"]
        return "\n".join(lines)

    def _chained(self, method: str, k: int) -> list[str]:
        """An override of a method, which may call the next one."""
        r = self.random
        lines = [f"    def {method}(self, n):"]
        if r.random() < 0.3:
            lines.append(f"        self.{r.choice(ATTRIBUTES)} = n + {k}")
        called = f"super().{r.choice(CHAINED[:1] if method == 's1' else [method])}(n + 1)"
        if r.random() < 0.8:
            return [*lines, f"        return {called} * 10 + {k}"]
        return [*lines, f"        return {k}"]

    def _extras(self, k: int) -> list[str]:
        """Properties, classmethods and operators; C0 has all of them."""
        r = self.random
        lines: list[str] = []
        if k == 0 or r.random() < 0.3:
            lines += ["    @property", "    def p(self):"]
            lines.append(f"        return self.{r.choice(ATTRIBUTES)}")
            lines += ["    @p.setter", "    def p(self, value):"]
            lines.append(f"        self.{r.choice(ATTRIBUTES)} = value + {k}")
        if k == 0 or r.random() < 0.3:
            lines += ["    @classmethod", "    def kind(cls, n):"]
            more = " + super().kind(n)" if k and r.random() < 0.6 else ""
            lines.append(f"        return cls.tag * 100 + n{more}")
        if k == 0 or r.random() < 0.2:
            lines += ["    def __add__(self, other):", "        if isinstance(other, int):"]
            lines.append(f"            return other + {k}")
            lines.append(f"        return {r.choice(('NotImplemented', 'self.tag'))}")
        if k == 0:
            lines += ["    def __radd__(self, other):", "        return 5000 + self.tag"]
        if r.random() < 0.2:
            lines += ["    def __eq__(self, other):", "        if not isinstance(other, C0):"]
            lines += ["            return NotImplemented", "        return self.tag == other.tag"]
            lines += ["    __hash__ = None"]
        if k == 0 or r.random() < 0.2:
            lines += ["    def __lt__(self, other):", f"        return self.tag + {k} < other.tag"]
        if r.random() < 0.2:
            lines += ["    def __gt__(self, other):", f"        return self.tag > other.tag + {k}"]
        return lines

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
