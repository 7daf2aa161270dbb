"""Whole programs: classes, functions, and ``run(a, b)``, which logs what it sees."""

from __future__ import annotations

from collections.abc import Callable

from .choices import Choices
from .generator import ClassInfo, ErrorInfo, FunctionInfo, Generator, NotApplicable, Variable
from .kinds import (
    BOOL,
    BYTEARRAY,
    BYTES,
    FLOAT,
    INT,
    MIXED,
    STR,
    Dict,
    Function,
    Instance,
    Kind,
    List,
    Option,
    Set,
    Tuple,
    VarTuple,
    has_set_order,
    is_hashable,
    is_ordered,
    is_printable,
)
from .templates import TEMPLATES

FEATURES = ("closures", "generators", "nested")
BASIC = (INT, INT, STR, STR, FLOAT, BOOL, BYTES)
CAUGHT = (
    "IndexError",
    "ZeroDivisionError",
    "(ValueError, KeyError)",
    "LookupError",
    "ArithmeticError",
    "Exception",
    "TypeError",
    "(AttributeError, StopIteration)",
)
PROLOGUE = """\
def describe(error: BaseException) -> str:
    if isinstance(error, OverflowError):
        return "OverflowError"
    return type(error).__name__ + ": " + str(error)
"""
MIXED_KINDS = "# with values of several kinds in one place"
"""The first line of a program that has some."""
Lines = list[str]


def indented(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


class ProgramMaker(Generator):
    """Makes one program."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices, TEMPLATES, set())
        self.features = {name for name in FEATURES if choices.chance(60)}
        self.lines: Lines = PROLOGUE.splitlines()
        self.generators: list[FunctionInfo] = []

    def source(self) -> str:
        """The text of the program."""
        self.fill_pool()
        for _ in self.choices.several(2):
            self.make_error()
        for _ in self.choices.several(3):
            self.make_class()
        for _ in self.choices.several(3):
            self.make_function()
        if "generators" in self.features:
            self.make_generator()
        self.make_run()
        if any(kind.name in ("Union", "Number") for kind in self.pool):
            self.lines.insert(0, MIXED_KINDS)
        return "\n".join(self.lines) + "\n"

    def define(self, lines: Lines) -> None:
        self.lines += ["", "", *lines]

    # -- kinds

    def fill_pool(self) -> None:
        """The kinds that this program uses: a few basic ones and some made of them."""
        pick = self.choices.pick
        self.pool = [INT, STR, BOOL]
        for _ in self.choices.several(4, 2):
            kind = pick(BASIC) if self.choices.chance(50) else pick(self.pool)
            shape = self.choices.below(11)
            if shape < 3:
                kind = List(kind)
            elif shape < 4:
                kind = Option(kind) if kind.name != "Option" else kind
            elif shape < 5:
                kind = Tuple(kind, pick(BASIC))
            elif shape < 7:
                kind = Dict(pick([INT, STR, Tuple(INT, STR), BYTES, VarTuple(INT)]), kind)
            elif shape < 8:
                kind = Set(kind) if is_hashable(kind) else kind
            elif shape < 9:
                kind = VarTuple(kind)
            elif shape < 10:
                kind = pick(MIXED)
            else:
                kind = pick([FLOAT, BYTES, BYTEARRAY, Function(INT, INT)])
            if kind.depth <= 3 and kind not in self.pool:
                self.pool.append(kind)

    def tuple_of(self, kind: Kind, depth: int) -> str:
        return "(" + "".join(f"{self.expression(k, depth - 1)}, " for k in kind.items) + ")"

    # -- definitions

    def make_error(self) -> None:
        name = f"Error{len(self.errors)}"
        base = self.choices.pick(["Exception", "ValueError", "LookupError"])
        if self.errors and self.choices.chance(50):
            base = self.errors[-1].name
        self.errors.append(ErrorInfo(name, [STR]))
        self.define([f"class {name}({base}):", "    pass"])

    def make_class(self) -> None:
        number = len(self.classes)
        base = self.choices.pick(self.classes) if self.classes and self.choices.chance(60) else None
        own = [
            self.some_kind(lambda kind: kind.name != "Function") for _ in self.choices.several(2, 1)
        ]
        params = [*(base.params if base else []), *own]
        info = ClassInfo(number, base.number if base else None, params, cost=2)
        kind = Instance(number)
        names = [f"p{i}" for i in range(len(params))]
        count = len(params) - len(own)
        init = [f"def __init__(self, {', '.join(names)}):"]
        if base is not None:
            info.attributes = dict(base.attributes)
            info.methods = dict(base.methods)
            info.operators = dict(base.operators)
            init.append(f"    super().__init__({', '.join(names[:count])})")
        for i in range(count, len(params)):
            info.attributes[f"a{i}"] = params[i]
            init.append(f"    self.a{i} = {names[i]}")
        lines = [f"class C{number}({f'C{base.number}' if base else ''}):".replace("()", "")]
        lines += indented(init)
        self.classes.append(info)
        if kind not in self.pool:
            self.pool.append(kind)
        for _ in self.choices.several(2):
            lines += ["", *indented(self.method_lines(info))]
        for name in self.choices.pick(OPERATOR_SETS):
            lines += ["", *indented(self.operator_lines(info, name))]
        self.define(lines)

    def method_lines(self, info: ClassInfo) -> Lines:
        """A method, perhaps one that replaces the base class's."""
        if info.methods and self.choices.chance(50):
            known = self.choices.pick(list(info.methods.values()))
            name, params, result = known.name, known.params, known.result
        else:
            name = self.fresh("m")
            params = [self.some_kind() for _ in self.choices.several(2)]
            result = self.some_kind()
        lines, cost = self.function_lines(name, params, result, Instance(info.number))
        found = FunctionInfo(name, params, result, cost)
        for other in self.classes:  # a call may reach any of them
            if name in other.methods:
                found.cost = max(found.cost, other.methods[name].cost)
                other.methods[name] = found
        info.methods[name] = found
        return lines

    def operator_lines(self, info: ClassInfo, name: str) -> Lines:
        kind = Instance(info.number)
        params, result = OPERATORS[name](kind)
        if name in info.operators:
            params, result = info.operators[name].params, info.operators[name].result
        me = Variable("self", kind, False)
        others = [Variable(f"q{i}", k, False) for i, k in enumerate(params)]
        with self.body(me, *others):
            value = self.expression(result, 2)
            if name == "__len__":
                value = f"len(str({value})) & 7"
            if name == "__eq__":
                attribute = self.choices.pick(list(info.attributes))
                value = f"isinstance(q0, C{info.number}) and self.{attribute} == q0.{attribute}"
            cost = self.cost + 3
        info.operators[name] = FunctionInfo(name, params, result, cost)
        head = ", ".join(["self", *(v.name for v in others)])
        return [f"def {name}({head}):", f"    return {value}"]

    def make_function(self) -> None:
        name = self.fresh("f")
        params = [self.some_kind() for _ in self.choices.several(3)]
        result = self.some_kind()
        lines, cost = self.function_lines(name, params, result, None)
        self.functions.append(FunctionInfo(name, params, result, cost))
        self.define(lines)

    def make_generator(self) -> None:
        name = self.fresh("g")
        item = self.some_kind(lambda kind: kind.depth < 3)
        params = [self.some_kind() for _ in self.choices.several(2)]
        names = [Variable(f"p{i}", kind) for i, kind in enumerate(params)]
        with self.body(*names):
            lines = [f"def {name}({', '.join(v.name for v in names)}):"]
            try:
                clause, variables = self.loop_clause()
            except NotApplicable:
                clause, variables = "for _ in range(3)", []
            lines.append(f"    {clause}:")
            with self.block(*variables, factor=4):
                lines += indented(indented(self.statement(1)))
                lines.append(f"        yield {self.expression(item, 2)}")
            lines.append(f"    yield {self.expression(item, 2)}")
            cost = self.cost + 6
        self.functions.append(FunctionInfo(f"*{name}", params, List(item), cost))
        self.define(lines)

    def call(self, kind: Kind, depth: int) -> str:
        text = super().call(kind, depth)
        return f"list({text[1:]})" if text.startswith("*") else text

    def function_lines(
        self, name: str, params: list[Kind], result: Kind, owner: Kind | None
    ) -> tuple[Lines, int]:
        names = [Variable(f"p{i}", kind) for i, kind in enumerate(params)]
        mine = [Variable("self", owner, False)] if owner else []
        with self.body(*mine, *names):
            body = self.declarations(self.choices.below(3))
            for _ in self.choices.several(3):
                body += self.statement(2)
            body.append(f"return {self.bounded(result, 3)}")
            cost = self.cost + 2
        head = ", ".join(v.name for v in [*mine, *names])
        return [f"def {name}({head}):", *indented(body)], cost

    def make_run(self) -> None:
        with self.body(Variable("a", INT), Variable("b", INT)):
            lines = ["log = []"]
            for kind in self.pool:
                lines += self.declaration(kind, literal=True)
            for _ in self.choices.several(7, 3):
                body: Lines = []
                for _ in self.choices.several(2, 1):
                    body += self.statement(3)
                body.append(f"log.append(repr({self.expression(self.some_kind(is_printable), 3)}))")
                lines += ["try:", *indented(body)]
                lines += ["except Exception as error:", "    log.append(describe(error))"]
                self.cost = 0
            for v in self.scope:
                is_set = v.kind.name == "Set"
                if is_printable(v.kind) or (is_set and has_set_order(v.kind.items[0])):
                    lines.append(f"log.append(repr({v.name}))")
                elif is_set and is_ordered(v.kind.items[0]):
                    lines.append(f"log.append(repr(sorted({v.name})))")
            lines.append('return "\\n".join(log)')
        self.define(["def run(a: int, b: int) -> str:", *indented(lines)])

    # -- statements

    def declarations(self, count: int) -> Lines:
        lines: Lines = []
        for _ in range(count):
            lines += self.declaration(self.some_kind())
        return lines

    def declaration(self, kind: Kind, literal: bool = False) -> Lines:
        value = self.literal(kind) if literal else self.bounded(kind, 3)
        variable = Variable(self.fresh("v"), kind)
        self.scope.append(variable)
        return [f"{variable.name} = {value}"]

    def statement(self, depth: int) -> Lines:
        """One statement; ``pass`` when nothing fits."""
        self.cost += self.factor
        makers: list[Callable[[int], Lines]] = [
            self.assignment, self.assignment, self.change, self.change, self.attribute_change,
            self.augmented, self.unpacking,
        ]  # fmt: skip
        if depth > 0:
            makers += [self.branch, self.loop, self.attempt, self.counting, self.raising]
        if depth > 0 and "nested" in self.features:
            makers.append(self.nested_function)
        for _ in range(3):
            cost, count = self.cost, len(self.scope)
            try:
                return self.choices.pick(makers)(depth)
            except NotApplicable:
                self.cost = cost
                del self.scope[count:]
        return ["pass"]

    def assignable(self, condition: Callable[[Kind], bool] = lambda kind: True) -> Variable:
        found = [v for v in self.scope if v.assignable and condition(v.kind)]
        if not found:
            raise NotApplicable
        return self.choices.pick(found)

    def assignment(self, depth: int) -> Lines:
        variable = self.assignable()
        return [f"{variable.name} = {self.bounded(variable.kind, 3)}"]

    def augmented(self, depth: int) -> Lines:
        variable = self.assignable(lambda kind: kind.name in AUGMENTED)
        operator = self.choices.pick(AUGMENTED[variable.kind.name])
        value = self.small(2) if operator in ("<<=", ">>=") else self.atom(variable.kind)
        lines = [f"{variable.name} {operator} {value}"]
        if variable.kind.name in ("Str", "Bytes", "List"):
            lines.append(f"{variable.name} = {variable.name}[:12]")
        return lines

    def unpacking(self, depth: int) -> Lines:
        one, other = self.assignable(), self.assignable()
        values = [self.bounded(v.kind, 2) for v in (one, other)]
        return [f"{one.name}, {other.name} = {values[0]}, {values[1]}"]

    def attribute_change(self, depth: int) -> Lines:
        found = [v for v in self.scope if v.kind.name == "Instance"]
        if not found:
            raise NotApplicable
        variable = self.choices.pick(found)
        attributes = self.classes[variable.kind.number].attributes
        name = self.choices.pick(list(attributes))
        return [f"{variable.name}.{name} = {self.bounded(attributes[name], 2)}"]

    def change(self, depth: int) -> Lines:
        """A change of a container."""
        found = [v for v in self.scope if v.kind.name in CHANGES]
        if not found:
            raise NotApplicable
        variable = self.choices.pick(found)
        condition, text = self.choices.pick(CHANGES[variable.kind.name])
        change = self.fill(text, condition, variable.kind, 3).replace("@", variable.name)
        lines = [change]
        if variable.kind.name in ("List", "ByteArray"):
            lines.append(f"del {variable.name}[12:]")
        return lines

    def branch(self, depth: int) -> Lines:
        lines = [f"if {self.expression(BOOL, 3)}:", *self.suite(depth)]
        if self.choices.chance(50):
            lines += ["else:", *self.suite(depth)]
        return lines

    def suite(self, depth: int, factor: int = 1, *variables: Variable) -> Lines:
        lines: Lines = []
        with self.block(*variables, factor=factor):
            for _ in self.choices.several(2, 1):
                lines += self.statement(depth - 1)
        return indented(lines)

    def loop_clause(self) -> tuple[str, list[Variable]]:
        text, item = self.iterable(2)
        target, variables = self.targets(item)
        return f"for {target} in {text}", variables

    def loop(self, depth: int) -> Lines:
        clause, variables = self.loop_clause()
        lines = [clause + ":", *self.suite(depth, 4, *variables)]
        if self.choices.chance(30):
            word = self.choices.pick(["break", "continue"])
            test = [f"    if {self.condition(variables)}:", f"        {word}"]
            lines[1:1] = test if self.choices.chance(50) else []
            lines += [] if lines[1:3] == test else test
        if self.choices.chance(20):
            lines += ["else:", *self.suite(depth)]
        return lines

    def condition(self, variables: list[Variable]) -> str:
        with self.block(*variables, factor=4):
            return self.expression(BOOL, 2)

    def counting(self, depth: int) -> Lines:
        name = self.fresh("i")
        lines = [f"{name} = 0", f"while {name} < {self.small(2)}:", f"    {name} += 1"]
        return lines + self.suite(depth, 4, Variable(name, INT, False))

    def attempt(self, depth: int) -> Lines:
        lines = ["try:", *self.suite(depth)]
        if self.choices.chance(25):
            return [*lines, "finally:", *self.suite(depth)]
        classes = [*CAUGHT, *(error.name for error in self.errors)]
        name = self.fresh("e")
        lines.append(f"except {self.choices.pick(classes)} as {name}:")
        texts = [v for v in self.scope if v.assignable and v.kind == STR]
        if texts:
            lines.append(f"    {self.choices.pick(texts).name} = describe({name})")
        lines += self.suite(depth)
        if self.choices.chance(20):
            lines += ["else:", *self.suite(depth)]
        return lines

    def raising(self, depth: int) -> Lines:
        names = ["ValueError", "IndexError", "RuntimeError", *(e.name for e in self.errors)]
        error = f"{self.choices.pick(names)}({self.expression(STR, 2)})"
        return [f"if {self.expression(BOOL, 2)}:", f"    raise {error}"]

    def nested_function(self, depth: int) -> Lines:
        """A function inside, which may read what is around it, and is called at once."""
        variable = self.assignable(lambda kind: kind.name != "Function")
        name, param = self.fresh("inner"), Variable(self.fresh("p"), INT, False)
        with self.block(param):
            value = self.bounded(variable.kind, 3)
        call = f"{variable.name} = {name}({self.expression(INT, 2)})"
        return [f"def {name}({param.name}):", f"    return {value}", call]


OPERATORS: dict[str, Callable[[Kind], tuple[list[Kind], Kind]]] = {
    "__add__": lambda kind: ([kind], kind),
    "__sub__": lambda kind: ([INT], INT),
    "__neg__": lambda kind: ([], kind),
    "__eq__": lambda kind: ([kind], BOOL),
    "__lt__": lambda kind: ([kind], BOOL),
    "__len__": lambda kind: ([], INT),
    "__getitem__": lambda kind: ([INT], INT),
    "__contains__": lambda kind: ([INT], BOOL),
    "__call__": lambda kind: ([INT], STR),
    "__bool__": lambda kind: ([], BOOL),
    "__str__": lambda kind: ([], STR),
}
OPERATOR_SETS = (
    (),
    ("__eq__",),
    ("__add__", "__len__"),
    ("__lt__", "__eq__"),
    ("__getitem__", "__contains__"),
    ("__call__", "__bool__"),
    ("__str__",),
    ("__neg__", "__sub__"),
)
AUGMENTED = {
    "Int": ["+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>="],
    "Float": ["+=", "*=", "-="],
    "Number": ["+=", "*=", "-=", "//="],
    "Str": ["+="],
    "Bytes": ["+="],
    "List": ["+="],
    "Set": ["|=", "&=", "-=", "^="],
    "Bool": ["&=", "|="],
}
CHANGES = {
    "List": [
        ("", "@.append($T)"),
        ("", "@.insert($index, $T)"),
        ("", "@.pop()"),
        ("", "@.pop($index)"),
        ("", "@.extend($self)"),
        ("", "@[$index] = $T"),
        ("", "del @[$index]"),
        ("", "@.reverse()"),
        ("", "@[$index:$index] = $self"),
        ("T:ordered", "@.sort()"),
        ("T:comparable", "@.remove($T)"),
        ("T:ordered", "@.sort(reverse=True)"),
        ("", "@.clear()"),
        ("", "del @[$index:$index]"),
    ],
    "Dict": [
        ("", "@[$K] = $V"),
        ("", "del @[$K]"),
        ("", "@.pop($K, $V)"),
        ("", "@.update($self)"),
        ("", "@.setdefault($K, $V)"),
        ("", "@.pop($K)"),
        ("", "@.clear()"),
    ],
    "Set": [
        ("", "@.add($T)"),
        ("", "@.discard($T)"),
        ("", "@.remove($T)"),
        ("", "@.update($[List(T)])"),
        ("", "@ |= $self"),
        ("", "@.intersection_update($self)"),
    ],
    "ByteArray": [
        ("", "@.append($int & 255)"),
        ("", "@.append($int)"),
        ("", "@[$index] = $int & 255"),
        ("", "@.extend($bytes)"),
        ("", "del @[$index]"),
        ("", "@.pop()"),
        ("", "@.reverse()"),
    ],
}
