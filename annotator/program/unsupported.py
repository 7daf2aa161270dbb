"""Refuse an unsupported module of the standard library by its name, at the line of the program that
uses it.

A module that has Python source is tried: what of it cannot be translated is refused for its own
reason.  One in C of which nothing is replaced here is refused as a whole.
"""

from __future__ import annotations

import sys
from typing import Any

from rpython.stdlib._registry import available, home_of, is_available
from rpython.translator.ir.errors import AnnotatorError, TranslationError
from rpython.translator.ir.home import Home, home_of_module


def is_unsupported(module: str) -> bool:
    """Is it a module of the standard library of which programs can use nothing?"""
    known = is_available(module) or module in ("builtins", "posix", "posixpath", "genericpath")
    return not known and home_of_module(module) is Home.STANDARD and not _has_source(module)


_FRONTS = ("ctypes", "curses", "sqlite3", "tkinter")
"""Packages that have little in Python besides names for what is in C."""


def _has_source(module: str) -> bool:
    if module.partition(".")[0] in _FRONTS:
        return False
    return str(getattr(sys.modules.get(module), "__file__", None)).endswith(".py")


def name_module(error: TranslationError, module: str) -> None:
    """Let the error say that, instead of something about the inside of the module."""
    error.message = f"`{module.removeprefix('_')}` is not supported yet"
    error.hint = f"available: {', '.join(available())} (docs/stdlib.md)"
    error.notes.clear()
    error.about = module


def refuse_unsupported(cls: type) -> None:
    """Raises AnnotatorError for a class of such a module, an instance of which is a constant.
    (Those that say they are of ``types`` are the interpreter's own.)"""
    if cls.__module__ != "types" and is_unsupported(home_of(cls)):
        error = AnnotatorError("")
        name_module(error, home_of(cls))
        raise error


def name_module_of(error: TranslationError, x: Any) -> TranslationError:
    """The error about a function or class, which says so if that is from such a module."""
    if is_unsupported(home_of(x)):
        name_module(error, home_of(x))
    return error
