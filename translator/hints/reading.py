"""Type hints as a program writes them: what each says, and where it stands.

    def scale(xs: list[float], by: float = 1) -> None:      "xs", "by" and "return" of a function
        self.last: float = by                               "last" of the class of the method

What cannot be evaluated, such as the name of a class that is imported for type checkers only, is
left out.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import typing
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_UNREADABLE = (
    ArithmeticError, AttributeError, LookupError, NameError, SyntaxError, TypeError, ValueError,
)  # fmt: skip
"""What evaluating a hint raises, which may be any expression."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Names = tuple[dict[str, Any], Mapping[str, Any]]
"""The global variables that a hint may name, and those that come before them."""


@dataclass(frozen=True, slots=True)
class Hint:
    """``type``: what ``typing.get_type_hints`` makes of it; ``text``: as it is written."""

    type: Any
    text: str
    span: Span


def program_functions(annotator: RPythonAnnotator) -> dict[FunctionGraph, FunctionType]:
    """The graphs of the functions that the program itself defines."""
    return {
        graph: graph.func for graph in annotator.graphs
        if graph.home.is_program and isinstance(graph.func, FunctionType)
    }  # fmt: skip


class Sources:
    """The definitions in the files of a program; each file is parsed once.

    ``functions``: some of the program, in whose modules its classes are looked for.
    """

    def __init__(self, functions: Iterable[FunctionType]) -> None:
        self._files: dict[str, dict[tuple[int, str], ast.stmt]] = {}
        self._modules: dict[str, FunctionType] = {}
        """The name of each module, and one of its functions."""
        for func in functions:
            self._modules.setdefault(func.__module__, func)

    def function(self, func: FunctionType) -> Function | None:
        """The definition of a function, None for a lambda and for what is in no file."""
        code = func.__code__
        found = self._definitions(code.co_filename).get((code.co_firstlineno, func.__name__))
        return found if isinstance(found, Function) else None

    def _definitions(self, filename: str) -> dict[tuple[int, str], ast.stmt]:
        if filename not in self._files:
            found: dict[tuple[int, str], ast.stmt] = {}
            try:
                tree = ast.parse("".join(linecache.getlines(filename)))
            except (SyntaxError, ValueError):
                tree = ast.Module([], [])
            _collect(tree, "", found)
            self._files[filename] = found
        return self._files[filename]

    # -- hints -----------------------------------------------------------------------------------

    def of_function(self, func: FunctionType) -> dict[str, Hint]:
        """The hints of parameters, by name, and of the result: "return"."""
        node = self.function(func) if func.__annotations__ else None
        if node is None:
            return {}
        written = {arg.arg: arg.annotation for arg in all_parameters(node.args)}
        written["return"] = node.returns
        filename, function = func.__code__.co_filename, func.__qualname__
        names = func.__globals__, _names_around(func)
        return _read(written, func.__annotations__, names, filename, function)

    def of_locals(self, func: FunctionType) -> list[tuple[str, Hint, list[ast.expr]]]:
        """The hints of local variables, each with its variable and what is assigned to that."""
        node = self.function(func)
        if node is None:
            return []
        filename, function = func.__code__.co_filename, func.__qualname__
        names = func.__globals__, _names_around(func)
        hints: list[tuple[str, Hint]] = []
        values: dict[str, list[ast.expr]] = {}
        for name, annotation, value in _assignments(node):
            if annotation is not None:
                read = _read({name: annotation}, {}, names, filename, function)
                hints += read.items()
            if value is not None:
                values.setdefault(name, []).append(value)
        return [(name, hint, values.get(name, [])) for name, hint in hints]

    def of_class(self, cls: type) -> dict[str, Hint]:
        """The hints of attributes: in the class (of several of one name in a file, the last), and
        where its methods assign them."""
        known = self._modules.get(cls.__module__)
        if known is None:
            return {}
        filename = known.__code__.co_filename
        node = self._definitions(filename).get((0, cls.__qualname__))
        if not isinstance(node, ast.ClassDef):
            return {}
        written: dict[str, ast.expr | None] = {
            statement.target.id: statement.annotation for statement in node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        }  # fmt: skip
        written = {**assigned_in_methods(node), **written}
        names = known.__globals__, vars(cls)
        return _read(written, {}, names, filename, cls.__qualname__)


_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""The fields in which statements hold others."""


def _collect(node: ast.AST, inside: str, found: dict[tuple[int, str], ast.stmt]) -> None:
    """Note all definitions: functions by line and name, classes by their qualified names."""
    for inner in (each for field in _BLOCKS for each in getattr(node, field, ())):
        if isinstance(inner, Function):
            first = min([inner.lineno, *(d.lineno for d in inner.decorator_list)])
            found[first, inner.name] = inner
            _collect(inner, f"{inside}{inner.name}.<locals>.", found)
        elif isinstance(inner, ast.ClassDef):
            found[0, inside + inner.name] = inner
            _collect(inner, f"{inside}{inner.name}.", found)
        else:
            _collect(inner, inside, found)


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """Each ``name: hint = value``, ``name: hint`` and ``name = value`` of a function."""
    for inner in (each for field in _BLOCKS for each in getattr(node, field, ())):
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            yield inner.target.id, inner.annotation, inner.value
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                if isinstance(target, ast.Name):
                    yield target.id, None, inner.value
        elif not isinstance(inner, Function | ast.ClassDef):
            yield from _assignments(inner)


def all_parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    """Those that may have a hint."""
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from filter(None, (arguments.vararg, arguments.kwarg))


def assigned_in_methods(tree: ast.AST) -> dict[str, ast.expr]:
    """The hints of attributes that the methods of a class assign: ``self.x: int = 0``."""
    written: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            written.setdefault(node.target.attr, node.annotation)
    return written


def _names_around(func: FunctionType) -> dict[str, Any]:
    """The variables of enclosing functions, and the type parameters, that hints may name."""
    names: dict[str, Any] = {}
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or ()):
        with contextlib.suppress(ValueError):  # it has no value yet
            names[name] = cell.cell_contents
    names.update({p.__name__: p for p in getattr(func, "__type_params__", ())})
    return names


def _read(
    written: Mapping[str, ast.expr | None], known: dict[str, Any], names: Names, filename: str,
    function: str,
) -> dict[str, Hint]:  # fmt: skip
    """``known``: what Python has made of them where it evaluates hints."""
    hints = {}
    for name, node in written.items():
        if node is None:
            continue
        text = ast.unparse(node)
        try:
            kind = evaluated(known.get(name, text), *names)
        except _UNREADABLE:
            continue
        hints[name] = Hint(kind, text.strip("'\""), span_of(node, filename, function))
    return hints


def evaluated(
    annotation: Any, variables: dict[str, Any], inner: Mapping[str, Any] | None = None
) -> Any:
    """The type that a hint, or its text, means; ``inner``: names that come before global ones.
    Raises what evaluating it does."""
    holder = type("holder", (), {"__annotations__": {"hint": annotation}})
    return typing.get_type_hints(holder, variables, inner or {})["hint"]


def span_of(node: ast.expr, filename: str, function: str) -> Span:
    """The place of an expression: its columns, which ``ast`` counts in bytes, in characters."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return Span(
        filename, node.lineno, characters(filename, node.lineno, node.col_offset),
        node.end_lineno, characters(filename, node.end_lineno, node.end_col_offset), function,
    )  # fmt: skip


def characters(filename: str, line: int, offset: int) -> int:
    """How many characters of a line are in so many of its bytes."""
    return len(linecache.getline(filename, line).encode()[:offset].decode(errors="replace"))
