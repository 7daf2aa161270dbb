"""Public names of a module that are neither native nor constants: what it has imported, which
Python gets from where that is, and the rest, of which building says that they are missing.

    import math                     module.math is Python's
    from helpers import shout       and so is module.shout
    TABLE = [1, 2]                  a note: what native code does to it Python would not see
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from rpython.translator.extension.classtable import constants_of_class
from rpython.translator.extension.known import Known

Place = tuple[str, str]
"""A module and a name there; "": the module itself."""


def imported_names(module: ModuleType, known: set[str]) -> dict[str, Place]:
    """Where the public names of the module that are not ``known`` have been imported from."""
    stated = dict(_stated(module))
    found = {}
    for name, value in vars(module).items():
        if name.startswith("_") or name in known:
            continue
        home: Any = getattr(value, "__module__", None), getattr(value, "__name__", None)
        for where, attribute in (stated.get(name, home), home):
            if where != module.__name__ and _is_there(where, attribute, value):
                found[name] = (where, attribute)
                break
    return found


def _is_there(where: Any, attribute: Any, value: Any) -> bool:
    holder: Any = sys.modules.get(where) if isinstance(where, str) else None
    if not isinstance(attribute, str) or holder is None:
        return False
    return (holder if attribute == "" else getattr(holder, attribute, None)) is value


def _stated(module: ModuleType) -> Iterator[tuple[str, Place]]:
    """What import statements outside of functions and classes say."""
    try:
        todo: list[ast.AST] = list(ast.parse(inspect.getsource(module)).body)
    except (OSError, TypeError, SyntaxError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, (whole, "")
        elif isinstance(node, ast.ImportFrom):
            where = "." * node.level + (node.module or "")
            if node.level:
                where = importlib.util.resolve_name(where, module.__package__)
            for alias in node.names:
                submodule = f"{where}.{alias.name}"
                place = (submodule, "") if submodule in sys.modules else (where, alias.name)
                yield alias.asname or alias.name, place
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            todo += ast.iter_child_nodes(node)


def notes(module: ModuleType, there: set[str], classes: list[Known]) -> Iterator[str]:
    """What to say of public names of the module, but those that are ``there``, and of its
    classes."""
    listed = getattr(module, "__all__", None)
    missing = [
        f"{name} ({type(value).__name__})"
        for name, value in vars(module).items()
        if not name.startswith("_") and name not in there and (listed is None or name in listed)
    ]
    if missing:
        yield _note(missing, f"module {module.__name__}")
    for known in classes:
        has = {
            *known.methods, *known.reading, *known.all_fields(), *constants_of_class(known),
        }  # fmt: skip
        missing = [
            f"{name} ({type(value).__name__})"
            for name, value in known.members().items()
            if not name.startswith("_") and name not in has
        ]
        if missing:
            yield _note(missing, f"class {known.cls.__name__}")


def _note(missing: list[str], where: str) -> str:
    return f"not for Python in {where}: {', '.join(missing)}"
