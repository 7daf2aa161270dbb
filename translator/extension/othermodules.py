"""Variables of other modules that a module uses: Python has those modules, too, and native code
would have a copy of its own.

    import settings
    def f(): return settings.debug        refused: Python may assign it
    def g(): return settings.TABLE[1]     refused: a dict
    from settings import SIZE             fine: a constant of this module

Functions and classes of other modules are compiled with the module.  The modules of CPython's
library are not looked at.
"""

from __future__ import annotations

import ast
import dis
import importlib.util
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.translator.extension.exports import literal
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.home import home_of_module
from rpython.translator.ir.span import Span

_CODE = (FunctionType, type, ModuleType, type(len))
_CONTAINERS = (list, dict, set, bytearray)


def check_other_modules(annotator: RPythonAnnotator, name: str) -> None:
    """Raise TranslationError when the module with this name uses such a variable."""
    functions = [graph.func for graph in annotator.graphs if isinstance(graph.func, FunctionType)]
    homes = {name: sys.modules.get(name)}
    for function in functions:
        if _is_users(function.__module__ or ""):
            homes[function.__module__] = sys.modules.get(function.__module__)
            _check_reads(function, name)
    others = {**homes, **{m.__name__: m for home in homes.values() for m in _imported(home)}}
    for module in others.values():
        if module is None or module.__name__ == name:
            continue
        for variable, value in list(vars(module).items()):
            if not variable.startswith("__") and _is_state(annotator, value):
                raise _refusal(module, variable, None)


def _imported(module: ModuleType | None) -> list[ModuleType]:
    """The user's modules that a module imports when it is imported."""
    path = getattr(module, "__file__", None)
    if path is None:
        return []
    names: set[str] = set()
    for node in ast.parse(Path(path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            source = importlib.util.resolve_name(relative, getattr(module, "__package__", None))
            names.add(source)
            names.update(f"{source}.{alias.name}" for alias in node.names)
    return [sys.modules[name] for name in names if _is_users(name) and name in sys.modules]


def _is_users(module: str) -> bool:
    return bool(module) and home_of_module(module).is_program


def _is_state(annotator: RPythonAnnotator, value: Any) -> bool:
    """Is it something that can change, and that the program has?"""
    constants = annotator.constants
    if isinstance(value, _CONTAINERS):
        return constants.known_container(value) is not None
    if isinstance(value, (Enum, *_CODE)) or not _is_users(type(value).__module__):
        return False
    return constants.prebuilt.knows(value)


def _check_reads(function: FunctionType, name: str) -> None:
    for module, variable, line in _reads(function):
        if module.__name__ == name or not _is_users(module.__name__):
            continue
        if not isinstance(getattr(module, variable, len), _CODE):
            code = function.__code__
            place = Span(code.co_filename, line, function=function.__qualname__)
            raise _refusal(module, variable, place)


def _reads(function: FunctionType) -> Iterator[tuple[ModuleType, str, int]]:
    """``module.variable`` in the function's code, with the line."""
    before: Any = None
    for instruction in dis.get_instructions(function):
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(before, ModuleType):
            positions = instruction.positions
            line = positions.lineno if positions is not None else None
            yield before, instruction.argval, line or function.__code__.co_firstlineno
        before = None
        if instruction.opname == "LOAD_GLOBAL":
            before = function.__globals__.get(instruction.argval)


def _refusal(module: ModuleType, variable: str, place: Span | None) -> TranslationError:
    name = module.__name__
    own = f"have one of its own: {variable} = copy.deepcopy({name}.{variable})"
    if literal(getattr(module, variable)) is not None:
        own = f"import it with: from {name} import {variable}"
    return TranslationError(
        f"an extension module cannot use {name}.{variable}: native code would have a copy of it"
        " that does not change when Python's does", place,
        hint=f"pass it as an argument; or, if it never changes, let the module {own}",
    )  # fmt: skip
