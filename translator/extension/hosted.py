"""Classes that stay Python's: enums, named tuples, and exceptions with methods.

Their objects are Python's own, so their methods can be, too: the source text of the class is a part
of the extension module, and runs when that is imported.  What it needs of the module has to
be there then: ::

    class Level(Enum):              the names Enum and LIMIT: an import, and a constant
        LOW = LIMIT

A class that needs anything else (a variable of the module, a private function) stays outside: an
enum does not cross then, and the methods of an exception can be called by native code only.  Other
modules' classes are imported from there.
"""

from __future__ import annotations

import ast
import enum
import sys
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rpython.annotator.lattice.enumints import is_int_enum
from rpython.annotator.lattice.namedtuples import is_named_tuple
from rpython.backend_c.extension import HostClass
from rpython.translator.extension.exports import Exports, literal
from rpython.translator.ir.records import dataclass


@dataclass
class HostedClasses:
    """Those of one module: ``names``: what their sources need besides each other, as Python
    expressions."""

    module: ModuleType
    public: Exports
    classes: list[type] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    _sources: dict[type, str | None] = field(default_factory=dict)

    def number(self, cls: type) -> int | None:
        """The number of a class whose objects cross, None for one whose objects do not."""
        if cls in self.classes:
            return self.classes.index(cls)
        if not _is_hosted(cls) or (self._is_own(cls) and self.source(cls) is None):
            return None
        if not self._is_own(cls) and not _can_be_imported(cls):
            return None
        self.classes.append(cls)
        return len(self.classes) - 1

    def expression(self, value: Any) -> str | None:
        """A Python expression for a value, with ``hosted`` for the tuple of the classes; None for
        what is something else than a constant."""
        text = literal(value)
        number = self.number(type(value)) if text is None else None
        if number is None:
            return text
        if isinstance(value, enum.Enum):
            return f"hosted[{number}][{value.name!r}]"
        items = [self.expression(item) for item in value]
        return None if None in items else f"hosted[{number}]({', '.join(map(str, items))})"

    def find_all(self) -> None:
        """Find what the module itself has for Python."""
        for name, value in vars(self.module).items():
            if isinstance(value, type) and self._is_own(value) and self._is_public(name):
                self.number(value)

    def constants(self) -> dict[str, str]:
        """The module's constants that are of hosted classes, as expressions."""
        found = {
            name: self.expression(value)
            for name, value in vars(self.module).items()
            if self._is_public(name) and type(value) in self.classes
        }  # fmt: skip
        return {name: text for name, text in found.items() if text is not None}

    def source(self, cls: type) -> str | None:
        """The text of a class of the module, from the line where it is; None where it needs what
        is not there."""
        if cls not in self._sources:
            self._sources[cls] = None  # the answer while it is being found
            self._sources[cls] = self._find_source(cls)
        return self._sources[cls]

    def table(self) -> list[HostClass]:
        """For the back end."""
        return [
            HostClass(
                cls.__module__, cls.__qualname__, self.source(cls) if self._is_own(cls) else None,
                self.module.__dict__.get(cls.__name__) is cls and self._is_public(cls.__name__),
            )
            for cls in self.classes
        ]  # fmt: skip

    def _is_own(self, value: Any) -> bool:
        """Is it a class or function of the module?"""
        return getattr(value, "__module__", None) == self.module.__name__

    def _is_public(self, name: str) -> bool:
        listed = getattr(self.module, "__all__", None)
        return not name.startswith("_") if listed is None else name in listed

    def _find_source(self, cls: type) -> str | None:
        node = self._statement(cls)
        if node is None or vars(self.module).get(node.name) is not cls:
            return None
        start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        text = "\n".join(self._lines[start - 1 : node.end_lineno]) + "\n"
        node.bases = node.bases[:0] if issubclass(cls, BaseException) else node.bases
        at_once = {each.id for each in _run_at_once(node) if isinstance(each, ast.Name)}
        found: dict[str, str] = {}
        for each in ast.walk(node):
            if not isinstance(each, ast.Name) or each.id not in vars(self.module):
                continue
            if not self._find_name(each.id, cls, found, each.id in at_once):
                return None
        self.names |= found
        return "\n" * (start - 1) + text

    def _statement(self, cls: type) -> ast.ClassDef | None:
        """The statement at the top level of the module that makes the class."""
        try:
            tree = ast.parse("\n".join(self._lines))
        except SyntaxError:
            return None
        found = [each for each in tree.body if isinstance(each, ast.ClassDef)]
        return next((each for each in found if each.name == cls.__name__), None)

    @cached_property
    def _lines(self) -> list[str]:
        path = Path(str(self.module.__file__))
        return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []

    def _find_name(self, name: str, cls: type, found: dict[str, str], at_once: bool) -> bool:
        """Is the name there when the text of the class runs (``at_once``), or else later?"""
        value = vars(self.module)[name]
        if value is cls or any(value is each for each in self.public.functions.values()):
            return not at_once
        if isinstance(value, type) and self._is_own(value):
            if issubclass(value, BaseException) or value in self.public.classes.values():
                return not at_once
            return self.number(value) is not None
        text = self.expression(value)
        if text is None and isinstance(value, ModuleType):
            text = f"module({value.__name__!r})"
        elif text is None and not self._is_own(value) and _can_be_imported(value):
            text = f"attribute({value.__module__!r}, {value.__qualname__!r})"
        if text is None:
            return False
        found[name] = text
        return True


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """What runs with the statement of a class: not what is in its functions, and no type hints."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            defaults = child.args.defaults + [d for d in child.args.kw_defaults if d is not None]
            decorators = [] if isinstance(child, ast.Lambda) else child.decorator_list
            for each in (*defaults, *decorators):
                yield from ast.walk(each)
        elif isinstance(child, ast.AnnAssign):
            yield from ast.walk(child.value or child.target)
        else:
            yield child
            yield from _run_at_once(child)


def _is_hosted(cls: type) -> bool:
    """Is it an enum, or a class of named tuples, whose objects can cross?"""
    if issubclass(cls, enum.Enum):
        plain = is_int_enum(cls) or not issubclass(cls, (int, str, enum.Flag))
        return plain and len(cls) > 0
    return is_named_tuple(cls)


def _can_be_imported(value: Any) -> bool:
    """Is it a function or class that its module has under its name?"""
    if not isinstance(value, (type, FunctionType)) and not callable(value):
        return False
    name, module = getattr(value, "__qualname__", ""), getattr(value, "__module__", None)
    found: Any = sys.modules.get(str(module))
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value
