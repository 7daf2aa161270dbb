"""What cannot work yet of the standard library is said at the program's own line, by its name."""

from __future__ import annotations

import importlib
import inspect
import linecache
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from rpython.translator.api import Interpretation
from rpython.translator.ir.errors import TranslationError

NOT_IMPORTED = {"__main__", "antigravity", "idlelib", "test", "this", "turtledemo"}
"""They show something, or are no libraries."""
NOT_BLAMED = {"fileinput", "shelve", "turtle"}
"""What ``__del__`` calls is refused in the module; functions of ``turtle`` are in no file."""
FILENAME = "said.py"
MOST = 2


def names(module: ModuleType) -> list[str]:
    """A few functions of the module, and a class."""
    public = list(getattr(module, "__all__", None) or sorted(vars(module)))
    own = [name for name in public if callable(getattr(module, name, None)) and name[0] != "_"]
    own = [name for name in own if getattr(module, name).__module__ in (module.__name__, None)]
    classes = [name for name in own if isinstance(getattr(module, name), type)]
    classes = [name for name in classes if not issubclass(getattr(module, name), BaseException)]
    return [name for name in own if name not in classes][:MOST] + classes[:1]


def typical_call(function: Any) -> str:
    """The arguments that it must have, strs all of them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wanted = [p for p in parameters if p.default is p.empty and p.kind in kinds]
    return ", ".join(["'a'"] * len(wanted))


def refusals(name: str) -> Iterator[tuple[str, TranslationError]]:
    """Programs that call something of the module and are refused, and the errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = importlib.import_module(name)
        except ImportError:
            return
    for called in names(module):
        call = f"{name}.{called}({typical_call(getattr(module, called))})"
        source = f"import {name}\n\ndef f():\n    {call}\n"
        linecache.cache[FILENAME] = (len(source), None, source.splitlines(True), FILENAME)
        space: dict[str, Any] = {"__name__": "said"}
        exec(compile(source, FILENAME, "exec"), space)
        try:
            Interpretation.of(space["f"], [])
        except TranslationError as error:
            yield call, error


def check(name: str) -> None:
    for call, error in refusals(name):
        assert error.span is not None, call
        assert (error.span.filename, error.span.line) == (FILENAME, 4), f"{call}\n{error}"
        assert "internal" not in str(error), f"{call}\n{error}"


@pytest.mark.parametrize("name", ["contextlib", "doctest", "logging", "profile"])
def test_some_modules(name: str) -> None:
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(sys.stdlib_module_names - NOT_IMPORTED - NOT_BLAMED))
def test_all_modules(name: str) -> None:
    check(name)
