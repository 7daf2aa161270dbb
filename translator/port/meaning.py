"""Rewrite what Python 3 parses as Python 2 does, but gives another meaning.

    a / b           ->  a // b                           of ints
    math.floor(x)   ->  float(math.floor(x))             it is an int in Python 3
    os.read(f, n)   ->  os.read(f, n).decode("latin-1")
    os.write(f, s)  ->  os.write(f, s.encode("latin-1"))
    os.write(f, "") ->  os.write(f, b"")
    open(p, "rb")   ->  open(p, "r", encoding="latin-1", newline="\\n")
    it.next()       ->  next(it)                         and `def next` of iterators
    string.letters  ->  string.ascii_letters
    from time import clock  ->  from time import process_time as clock

A string of Python 2 holds bytes.  It becomes a `str` whose characters are those bytes, up to
U+00FF; they are bytes again where the program talks to the system.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from rpython.translator.port.edits import Decision, Edit, Operators, end_of, start_of
from rpython.translator.port.kinds import Kind, Kinds

RENAMED = {
    ("string", "letters"): "string.ascii_letters",
    ("string", "lowercase"): "string.ascii_lowercase",
    ("string", "uppercase"): "string.ascii_uppercase",
    ("string", "maketrans"): "str.maketrans",
    ("string", "atoi"): "int",
    ("string", "atof"): "float",
    ("time", "clock"): "time.process_time",
    ("os", "getcwdu"): "os.getcwd",
}
METHODS_OF_STRING = frozenset(
    "capitalize count expandtabs find index lower lstrip replace rfind rindex rstrip split strip"
    " swapcase title upper".split()
)
"""`string.split(s, x)` is `s.split(x)`."""

MOVED_PACKAGES = {
    "pypy.rlib": "rpython.rlib",
    "pypy.rpython": "rpython.rtyper",
    "pypy.translator": "rpython.translator",
    "pypy.annotation": "rpython.annotator",
    "pypy.tool": "rpython.tool",
    "pypy.jit": "rpython.jit",
}
"""Where RPython was a part of PyPy, until 2013."""

LATIN = '"latin-1"'


class Meaning:
    """The edits of one file, in Python 3's syntax already, and what is left to decide.

    ``kinds``: of the whole program; ``next_of_others``: some of its classes have a method `next`
    and are no iterators; ``true_division``: the file's `/` is Python 3's already."""

    def __init__(
        self, source: str, tree: ast.Module, kinds: Kinds, next_of_others: bool,
        true_division: bool,
    ) -> None:  # fmt: skip
        self._source = source
        self._operators = Operators(source)
        self._tree = tree
        self._kinds = kinds
        self._next_of_others = next_of_others
        self._true_division = true_division
        self._inside_int = {
            argument
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if node.func.id in ("int", "float")
            for argument in node.args
        }

    def changes(self) -> Iterator[Edit | Decision]:
        for node in ast.walk(self._tree):
            match node:
                case ast.BinOp(op=ast.Div(), left=left, right=right):
                    yield from self._division("/", left, right)
                case ast.AugAssign(op=ast.Div(), target=target, value=value):
                    yield from self._division("/=", target, value)
                case ast.Call(func=ast.Attribute(value=iterator, attr="next"), args=[]):
                    yield from self._next_call(node, iterator)
                case ast.ClassDef():
                    yield from self._next_method(node)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
                    yield from self._module_call(node, module, name)
                case ast.Call(func=ast.Name(id="open" | "file" as name)):
                    if name == "file":
                        yield Edit(start_of(node.func), end_of(node.func), "open")
                    yield from _opening(node)
                case ast.Attribute(value=ast.Name(id=module), attr=name):
                    if (module, name) in RENAMED:
                        yield Edit(start_of(node), end_of(node), RENAMED[module, name])
                case ast.ImportFrom(module=str(module), level=0):
                    yield from _moved(node, module)
                case _:
                    pass

    def _division(
        self, operator: str, left: ast.expr, right: ast.expr
    ) -> Iterator[Edit | Decision]:
        if self._true_division:
            return
        kinds = self._kinds.of(left), self._kinds.of(right)
        if kinds == (Kind.INT, Kind.INT):
            place = self._operators.between(operator, end_of(left), start_of(right))
            yield Edit(place.start, place.end, "/" + operator)
        elif Kind.FLOAT not in kinds:
            yield Decision(
                right.lineno, f"`{operator}`: write `/{operator}` where both sides are ints"
            )

    def _next_call(self, call: ast.Call, iterator: ast.expr) -> Iterator[Edit | Decision]:
        if self._next_of_others:
            yield Decision(call.lineno, "x.next(): write next(x) where x is an iterator")
        else:
            yield Edit(start_of(call), start_of(iterator), "next(")
            yield Edit(end_of(iterator), end_of(call), ")")

    def _next_method(self, cls: ast.ClassDef) -> Iterator[Edit | Decision]:
        method = method_of(cls, "next")
        if method is None:
            return
        if method_of(cls, "__iter__") is None:
            yield Decision(method.lineno, "next(): call it __next__ if this is an iterator")
            return
        line = self._source.splitlines()[method.lineno - 1]
        column = line.index("next", method.col_offset)  # what is before is ASCII: "def"
        yield Edit((method.lineno, column), (method.lineno, column + len("next")), "__next__")

    def _module_call(self, call: ast.Call, module: str, name: str) -> Iterator[Edit | Decision]:
        match module, name, call.args:
            case "math", "floor" | "ceil", [_] if call not in self._inside_int:
                yield from _around(call, "float(", ")")
            case ("os" | "rposix"), "read", [_, _]:
                yield Edit(end_of(call), end_of(call), f".decode({LATIN})")
            case ("os" | "rposix"), "write", [_, text]:
                yield from self._encoded(text)
            case "string", "join" | "joinfields", [items, *separator]:
                yield Edit(start_of(call), start_of(items), _joiner(separator) + ".join(")
                yield Edit(end_of(items), end_of(call), ")")
            case "string", _, [text, *others] if name in METHODS_OF_STRING:
                yield Edit(start_of(call), start_of(text), "")
                until = start_of(others[0]) if others else end_of(text)
                yield Edit(end_of(text), until, f".{name}(")
            case _:
                pass


    def _encoded(self, text: ast.expr) -> Iterator[Edit]:
        encode = f".encode({LATIN})"
        if isinstance(text, ast.Constant) and _is_plain(ast.get_source_segment(self._source, text)):
            yield Edit(start_of(text), start_of(text), "b")
        elif isinstance(text, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            yield Edit(end_of(text), end_of(text), encode)
        else:
            yield from _around(text, "(", ")" + encode)


def method_of(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    """The method of that name that the class itself defines."""
    for statement in cls.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return statement
    return None


def next_of_others(trees: list[ast.Module]) -> bool:
    """Has a class a method `next` without being an iterator?"""
    return any(
        method_of(node, "next") is not None and method_of(node, "__iter__") is None
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )


def _is_plain(literal: str | None) -> bool:
    """One string literal that may have a `b` in front."""
    if literal is None or not literal.isascii() or literal[0] not in "'\"":
        return False
    return len(list(tokenize.generate_tokens(io.StringIO(literal).readline))) == 3


def _joiner(separator: list[ast.expr]) -> str:
    return ast.unparse(separator[0]) if separator else '" "'


def _around(node: ast.expr, before: str, after: str) -> Iterator[Edit]:
    yield Edit(start_of(node), start_of(node), before)
    yield Edit(end_of(node), end_of(node), after)


def _opening(call: ast.Call) -> Iterator[Edit | Decision]:
    """Python 2's files give and take bytes, and on POSIX systems leave line ends as they are."""
    if call.keywords or not 1 <= len(call.args) <= 2:
        yield Decision(call.lineno, 'open(): say encoding="latin-1", newline="\\n", as before')
        return
    if len(call.args) == 2:
        mode = call.args[1]
        if not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)):
            yield Decision(
                call.lineno, 'open(): the mode without "b", and encoding="latin-1", newline="\\n"'
            )
            return
        text = mode.value.replace("b", "").replace("U", "")
        yield Edit(start_of(mode), end_of(mode), f'"{text or "r"}"')
    last = end_of(call.args[-1])
    yield Edit(last, last, f', encoding={LATIN}, newline="\\n"')


def _moved(node: ast.ImportFrom, module: str) -> Iterator[Edit | Decision]:
    for alias in node.names:
        new = RENAMED.get((module, alias.name), "")
        if new.startswith(module + "."):
            name = new[len(module) + 1 :]
            text = f"{name} as {alias.asname or alias.name}"
            place = alias.lineno, alias.col_offset
            yield Edit(place, (alias.lineno, alias.end_col_offset or 0), text)
        elif new or (module == "string" and alias.name in METHODS_OF_STRING):
            yield Decision(node.lineno, f"{alias.name} is {new or 'a method'} now")
    for old, new in MOVED_PACKAGES.items():
        if module == old or module.startswith(old + "."):
            line, column = start_of(node)
            start = line, column + len("from ")
            yield Edit(start, (line, start[1] + len(module)), new + module[len(old) :])
