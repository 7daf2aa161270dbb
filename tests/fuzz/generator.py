"""The state of a program while it is generated, and expressions from templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from . import kinds
from .choices import Choices
from .displays import LITERALS, OPERATOR_USES, TYPES
from .kinds import (
    BOOL,
    BYTEARRAY,
    BYTES,
    FLOAT,
    INT,
    STR,
    Kind,
    List,
    Option,
    Tuple,
    is_comparable,
    is_hashable,
    is_ordered,
    is_printable,
)

DEEPEST_KIND = 3
MOST_COST = 400
"""Statements and calls that a function may make, estimated."""


def _is_pair(kind: Kind) -> bool:
    return kind.name == "Tuple" and len(kind.items) == 2


def _has_truth(kind: Kind) -> bool:
    return kind.name in ("Int", "Str", "Bool", "List", "Dict", "Bytes", "Float")


class NotApplicable(Exception):
    """A template that cannot be used here."""


@dataclass
class Variable:
    """A local variable, or another name that may be read."""

    name: str
    kind: Kind
    assignable: bool = True


@dataclass
class FunctionInfo:
    """A function that later code may call."""

    name: str
    params: list[Kind]
    result: Kind
    cost: int
    defaults: int = 0
    """So many of the last parameters have default values."""


@dataclass
class ClassInfo:
    """A class; ``attributes`` and ``methods`` include the inherited ones."""

    number: int
    base: int | None
    params: list[Kind]
    """Of ``__init__``."""
    attributes: dict[str, Kind] = field(default_factory=dict)
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    operators: dict[str, FunctionInfo] = field(default_factory=dict)
    cost: int = 1


@dataclass
class ErrorInfo:
    """An exception class of the program and the kinds of its arguments."""

    name: str
    params: list[Kind]


HOLE = re.compile(r"\$(\w+|\[[^\]]*\])")
_BASIC = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "bytes": BYTES,
    "bytearray": BYTEARRAY,
}
_SIMPLE = re.compile(r"-?[\w.]+|'[^']*'|\w+\[[\w:-]*\]")
_CONDITIONS: dict[str, Callable[[Kind], bool]] = {
    "E": is_comparable,
    "H": is_hashable,
    "O": is_ordered,
    "A": lambda kind: True,
    "B": lambda kind: True,
    "P": is_printable,
    "U": lambda kind: kind.name in ("Union", "Number"),
    "S": lambda kind: is_hashable(kind) and is_ordered(kind),
}
_COMPILED: dict[str, Any] = {}


class Generator:
    """Generates expressions; the mixins and modules around it the rest.

    ``templates``: kind name -> list of (condition, text).
    """

    def __init__(
        self, choices: Choices, templates: dict[str, list[tuple[str, str]]], features: set[str]
    ) -> None:
        self.choices = choices
        self.templates = templates
        self.features = features
        self.pool: list[Kind] = []
        self.classes: list[ClassInfo] = []
        self.functions: list[FunctionInfo] = []
        self.errors: list[ErrorInfo] = []
        self.scope: list[Variable] = []
        self.factor = 1
        self.cost = 0
        self._names = 0

    # -- names and scopes ---------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        """A name that was not used yet."""
        self._names += 1
        return f"{prefix}{self._names}"

    @contextmanager
    def block(self, *variables: Variable, factor: int = 1) -> Iterator[None]:
        """What is defined inside is not visible afterwards; it runs ``factor`` times."""
        count = len(self.scope)
        self.scope.extend(variables)
        self.factor *= factor
        try:
            yield
        finally:
            self.factor //= factor
            del self.scope[count:]

    @contextmanager
    def body(self, *variables: Variable) -> Iterator[None]:
        """The body of a function of its own."""
        saved = self.scope, self.factor, self.cost
        self.scope, self.factor, self.cost = list(variables), 1, 1
        try:
            yield
        finally:
            self.scope, self.factor, self.cost = saved

    def spend(self, cost: int = 1) -> None:
        """Account for something that runs.  Raises NotApplicable when it is too much."""
        if self.cost + cost * self.factor > MOST_COST:
            raise NotApplicable
        self.cost += cost * self.factor

    def variables(self, kind: Kind, assignable: bool = False) -> list[Variable]:
        """Variables of a kind, the latest last."""
        return [v for v in self.scope if v.kind == kind and (v.assignable or not assignable)]

    # -- kinds ---------------------------------------------------------------------------

    def some_kind(self, condition: Callable[[Kind], bool] = lambda kind: True) -> Kind:
        """A kind of the pool."""
        fitting = [kind for kind in self.pool if condition(kind)]
        if not fitting:
            raise NotApplicable
        return self.choices.pick(fitting)

    def _hole(self, hole: str, bound: dict[str, Kind]) -> Kind:
        if hole in bound:
            return bound[hole]
        if hole in _BASIC:
            return _BASIC[hole]
        if hole in _CONDITIONS:
            bound[hole] = self.some_kind(_CONDITIONS[hole])
            return bound[hole]
        assert hole.startswith("["), hole
        for name in re.findall(r"\w+", hole):
            if name in _CONDITIONS and name not in bound:
                bound[name] = self.some_kind(_CONDITIONS[name])
        code = _COMPILED.get(hole)
        if code is None:
            code = _COMPILED[hole] = compile(hole[1:-1], hole, "eval")
        kind: Kind = eval(code, {**vars(kinds), **_BASIC}, bound)
        if kind.depth > DEEPEST_KIND:
            raise NotApplicable
        return kind

    # -- expressions ---------------------------------------------------------------------

    def expression(self, kind: Kind, depth: int) -> str:
        """An expression that gives a value of ``kind``."""
        if depth <= 0 or self.choices.chance(30):
            return self.atom(kind)
        options = self.templates.get(kind.name, [])
        generic = self.templates["*"]
        for _ in range(2):
            number = self.choices.below(len(options) + len(generic))
            condition, text = (options + generic)[number]
            cost = self.cost
            try:
                return self.fill(text, condition, kind, depth)
            except NotApplicable:
                self.cost = cost
        return self.atom(kind)

    def fill(self, text: str, condition: str, kind: Kind, depth: int) -> str:
        """The template with expressions in its holes.  Raises NotApplicable."""
        bound = {"self": kind}
        for name, item in zip(("T", "V") if kind.name != "Dict" else ("K", "V"), kind.items):
            bound[name] = item
        for word in condition.split():
            self._require(word, bound)
        if text.startswith("%"):
            method: Callable[[Kind, int], str] = getattr(self, text[1:])
            return method(kind, depth)
        return HOLE.sub(lambda match: self._filled(match[1], bound, depth), text)

    def _require(self, word: str, bound: dict[str, Kind]) -> None:
        if word[0] == "+":
            if word[1:] not in self.features:
                raise NotApplicable
            return
        name, _, condition = word.partition(":")
        tests: dict[str, Callable[[Kind], bool]] = {
            "ordered": is_ordered, "hashable": is_hashable, "comparable": is_comparable,
            "printable": is_printable, "pair": _is_pair,
            "truth": _has_truth,
        }  # fmt: skip
        if condition in tests:
            if not tests[condition](bound[name]):
                raise NotApplicable
            if condition == "pair":
                bound["First"], bound["Second"] = bound[name].items
        elif str(bound[name]) != condition:
            raise NotApplicable

    def _filled(self, hole: str, bound: dict[str, Kind], depth: int) -> str:
        if hole == "small":
            return self.small(depth)
        if hole == "index":
            return self.index(depth)
        if hole == "step":
            return self.choices.pick(["1", "2", "-1", "-2", "3"])
        if hole == "digits":
            return self.choices.pick(
                ["'0'", "'12'", "'-7'", "' 5 '", "'x'", "''", "'1_0'", "'0x1f'"]
            )
        if hole == "decimals":
            return self.choices.pick(["'0.5'", "'-1e3'", "' 2'", "'x'", "''", "'1e-7'", "'.25'"])
        if hole == "any":
            return self.expression(self.some_kind(is_printable), depth - 1)
        if hole == "sized":
            sized = ("Str", "Bytes", "ByteArray", "List", "Dict", "Set", "Tuple", "VarTuple")
            return self.expression(self.some_kind(lambda kind: kind.name in sized), depth - 1)
        if hole[0] == "v" and (hole[1:] in _BASIC or hole == "vany"):
            return self.variable_name(_BASIC.get(hole[1:]))
        return self.expression(self._hole(hole, bound), depth - 1)

    def variable_name(self, kind: Kind | None) -> str:
        """A variable of a kind (None: any printable).  Raises NotApplicable."""
        found = [v for v in self.scope if (v.kind == kind if kind else is_printable(v.kind))]
        if not found:
            raise NotApplicable
        return self.choices.pick(found).name

    def small(self, depth: int) -> str:
        """A number that is never large."""
        if self.choices.chance(30):
            return f"({self.expression(INT, depth - 1)} & 3)"
        return str(self.choices.below(4))

    def index(self, depth: int) -> str:
        """A number, most often a small one."""
        if self.choices.chance(30):
            return self.expression(INT, depth - 1)
        return self.choices.pick(["0", "1", "-1", "2", "-2", "3", "5", "-4"])

    def atom(self, kind: Kind) -> str:
        """A variable or a literal."""
        found = self.variables(kind)
        if found and self.choices.chance(65):
            return self.choices.pick(found).name
        return self.literal(kind)

    def literal(self, kind: Kind) -> str:
        """A display of a kind; its items are atoms."""
        pick, atom = self.choices.pick, self.atom
        name = kind.name
        if name in LITERALS:
            return pick(LITERALS[name])
        if name == "List":
            return "[" + ", ".join(atom(kind.items[0]) for _ in self.choices.several(3)) + "]"
        if name == "Set":
            items = [atom(kind.items[0]) for _ in self.choices.several(3)]
            return "{" + ", ".join(items) + "}" if items else "set()"
        if name == "VarTuple":
            items = ", ".join(atom(kind.items[0]) for _ in self.choices.several(3))
            return f"tuple([{items}])"
        if name == "Tuple":
            return "(" + "".join(atom(item) + ", " for item in kind.items).rstrip() + ")"
        if name == "Dict":
            key, value = kind.items
            pairs = [f"{atom(key)}: {atom(value)}" for _ in self.choices.several(3)]
            return "{" + ", ".join(pairs) + "}"
        if name in ("Union", "Number"):
            return atom(pick(kind.items))
        if name == "Option":
            return "None" if self.choices.chance(40) else atom(kind.items[0])
        if name == "Instance":
            return self.creation(kind, 0)
        if name == "Function":
            return self.function_literal(kind, 0)
        return f"{name}({pick(['0', '1', '5', '127', '255', '65535', '-1', '-128', '2**31'])})"

    # -- what classes and functions give ---------------------------------------------------

    def subclasses(self, number: int) -> list[ClassInfo]:
        """The class and those derived from it, as far as they exist."""
        found: list[ClassInfo] = []
        for info in self.classes:
            if info.number == number or info.base in [c.number for c in found]:
                found.append(info)
        return found

    def arguments(self, params: list[Kind], depth: int, defaults: int = 0) -> str:
        """Arguments of a call."""
        count = len(params) - self.choices.below(defaults + 1)
        return ", ".join(self.expression(kind, depth - 1) for kind in params[:count])

    def creation(self, kind: Kind, depth: int) -> str:
        """A new instance."""
        info = self.choices.pick(self.subclasses(kind.number))
        self.spend(info.cost)
        return f"C{info.number}({self.arguments(info.params, depth)})"

    def function_literal(self, kind: Kind, depth: int) -> str:
        """A function of the program, or a lambda."""
        wanted = list(kind.items[1:])
        found = [
            f.name
            for f in self.functions
            if f.params == wanted and f.result == kind.items[0] and f.cost < 30
        ]
        if found and self.choices.chance(50):
            return self.choices.pick(found)
        names = [Variable(self.fresh("p"), param, False) for param in wanted]
        captured = self.scope if "closures" in self.features else []
        saved, self.scope = self.scope, [*captured, *names]
        try:
            result = self.expression(kind.items[0], depth - 1)
        finally:
            self.scope = saved
        return f"(lambda {', '.join(v.name for v in names)}: {result})"

    def call_value(self, kind: Kind, depth: int) -> str:
        """A call of a function held in a variable."""
        found = [v for v in self.scope if v.kind.name == "Function" and v.kind.items[0] == kind]
        if not found:
            raise NotApplicable
        self.spend(40)
        variable = self.choices.pick(found)
        return f"{variable.name}({self.arguments(list(variable.kind.items[1:]), depth)})"

    def call(self, kind: Kind, depth: int) -> str:
        """A call of a function that gives ``kind``."""
        found = [f for f in self.functions if f.result == kind]
        if not found:
            raise NotApplicable
        info = self.choices.pick(found)
        self.spend(info.cost)
        return f"{info.name}({self.arguments(info.params, depth, info.defaults)})"

    def instance_kind(self) -> Kind:
        """An instance kind of the pool."""
        return self.some_kind(lambda kind: kind.name == "Instance")

    def attribute(self, kind: Kind, depth: int) -> str:
        """An attribute read."""
        owner = self.instance_kind()
        names = [n for n, k in self.classes[owner.number].attributes.items() if k == kind]
        if not names:
            raise NotApplicable
        return f"{self.expression(owner, depth - 1)}.{self.choices.pick(names)}"

    def method(self, kind: Kind, depth: int) -> str:
        """A method call."""
        owner = self.instance_kind()
        found = [m for m in self.classes[owner.number].methods.values() if m.result == kind]
        if not found:
            raise NotApplicable
        info = self.choices.pick(found)
        self.spend(info.cost)
        receiver = self.expression(owner, depth - 1)
        return f"{receiver}.{info.name}({self.arguments(info.params, depth, info.defaults)})"

    def operator(self, kind: Kind, depth: int) -> str:
        """An operator or built-in function applied to an instance."""
        owner = self.instance_kind()
        found = {n: m for n, m in self.classes[owner.number].operators.items() if m.result == kind}
        if not found:
            raise NotApplicable
        name = self.choices.pick(list(found))
        self.spend(found[name].cost)
        operands = [self.expression(k, depth - 1) for k in (owner, *found[name].params)]
        return OPERATOR_USES[name].format(*operands)

    # -- comprehensions --------------------------------------------------------------------

    def iterable(self, depth: int) -> tuple[str, Kind]:
        """Something to iterate over, of few items, and the kind of its items."""
        choice = self.choices.below(7)
        if choice == 0:
            return f"range({self.small(depth)})", INT
        if choice == 1:
            return f"{self.expression(STR, depth - 1)}[:4]", STR
        if choice == 2:
            kind = self.some_kind(lambda kind: kind.name == "Dict")
            text = self.expression(kind, depth - 1)
            if self.choices.chance(50):
                return f"{text}.items()", Tuple(*kind.items)
            return text, kind.items[0]
        if choice == 3:
            item = self.some_kind(lambda kind: kind.depth < DEEPEST_KIND)
            return f"enumerate({self.expression(List(item), depth - 1)}[:4])", Tuple(INT, item)
        if choice == 4:
            a, b = (self.some_kind(lambda kind: kind.depth < DEEPEST_KIND) for _ in "ab")
            first, second = (self.expression(List(kind), depth - 1) for kind in (a, b))
            return f"zip({first}[:4], {second})", Tuple(a, b)
        item = self.some_kind(lambda kind: kind.depth < DEEPEST_KIND)
        return f"{self.expression(List(item), depth - 1)}[:4]", item

    def targets(self, item: Kind, assignable: bool = True) -> tuple[str, list[Variable]]:
        """The target of a loop over such items."""
        if item.name == "Tuple" and len(item.items) > 1 and self.choices.chance(80):
            found = [Variable(self.fresh("x"), kind, assignable) for kind in item.items]
            return ", ".join(v.name for v in found), found
        variable = Variable(self.fresh("x"), item, assignable)
        return variable.name, [variable]

    def comprehension_clause(self, depth: int) -> tuple[str, list[Variable]]:
        """``for x in items if condition``."""
        text, item = self.iterable(depth)
        target, variables = self.targets(item, False)
        clause = f"for {target} in {text}"
        if self.choices.chance(30):
            with self.block(*variables, factor=4):
                clause += f" if {self.expression(BOOL, depth - 1)}"
        return clause, variables

    def list_comprehension(self, kind: Kind, depth: int) -> str:
        """``[item for x in items]``."""
        clause, variables = self.comprehension_clause(depth)
        with self.block(*variables, factor=4):
            item = self.expression(kind.items[0], depth - 1)
        return f"[{item} {clause}]"

    def dict_comprehension(self, kind: Kind, depth: int) -> str:
        """``{key: value for x in items}``."""
        clause, variables = self.comprehension_clause(depth)
        with self.block(*variables, factor=4):
            key, value = (self.expression(k, depth - 1) for k in kind.items)
        return f"{{{key}: {value} {clause}}}"

    def set_comprehension(self, kind: Kind, depth: int) -> str:
        """``{item for x in items}``."""
        return "{" + self.list_comprehension(kind, depth)[1:-1] + "}"

    def generator_expression(self, kind: Kind, depth: int) -> str:
        """``sum(item for x in items)`` and the like."""
        inner = self.list_comprehension(List(kind), depth)[1:-1]
        if kind == INT:
            return f"sum({inner})"
        if kind == BOOL:
            return f"{self.choices.pick(['any', 'all'])}({inner})"
        if kind.name in ("List", "Set"):
            inner = self.list_comprehension(List(kind.items[0]), depth)[1:-1]
            return f"{kind.name.lower()}({inner})"
        if kind == STR:
            return f"'-'.join({inner})"
        raise NotApplicable

    def instance_test(self, kind: Kind, depth: int) -> str:
        """``isinstance(x, C)``."""
        owner = self.instance_kind()
        tested = self.choices.pick(self.classes)
        return f"isinstance({self.expression(owner, depth - 1)}, C{tested.number})"

    def none_test(self, kind: Kind, depth: int) -> str:
        """``x is None``."""
        option = self.some_kind(lambda kind: kind.name == "Option")
        test = self.choices.pick(["is None", "is not None"])
        return f"({self.expression(option, depth - 1)} {test})"

    def narrowed(self, kind: Kind, depth: int) -> str:
        """``(x if isinstance(x, int) else default)``."""
        if kind.name not in TYPES:
            raise NotApplicable
        found = [
            v
            for v in self.scope
            if v.kind.name in ("Union", "Number")
            and kind in v.kind.items
            and not (kind == INT and BOOL in v.kind.items)  # a bool is an int
        ]
        if not found:
            raise NotApplicable
        name = self.choices.pick(found).name
        test = f"isinstance({name}, {TYPES[kind.name]})"
        return f"({name} if {test} else {self.expression(kind, depth - 1)})"

    def guarded(self, kind: Kind, depth: int) -> str:
        """``(x if x is not None else default)``."""
        found = self.variables(Option(kind))
        if not found:
            raise NotApplicable
        name = self.choices.pick(found).name
        return f"({name} if {name} is not None else {self.expression(kind, depth - 1)})"

    def bounded(self, kind: Kind, depth: int) -> str:
        """An expression whose value is not long: safe to store."""
        text = self.expression(kind, depth)
        if kinds.grows(kind) and not _SIMPLE.fullmatch(text):
            return f"({text})[:12]"
        return text
