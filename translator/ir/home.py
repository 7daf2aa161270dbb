"""Whose code a function, a class or a module is: decided here, by where its file is."""

from __future__ import annotations

import enum
import functools
import os
import sys
import sysconfig
from pathlib import Path
from types import FunctionType
from typing import Any


class Home(enum.Enum):
    """Who has written it."""

    PROGRAM = "the program, or a package that it uses"
    STANDARD = "the standard library, as it is installed"
    RLIB = "the library of restricted programs"
    PRIVATE = "its modules that programs do not import"
    OVERLAY = "what stands for built-in functions and parts of the standard library"
    TOOLCHAIN = "the rest of the toolchain, low-level helpers among it"

    @property
    def is_program(self) -> bool:
        return self is Home.PROGRAM

    @property
    def is_ours(self) -> bool:
        return self not in (Home.PROGRAM, Home.STANDARD)


_PACKAGE = __name__.partition(".")[0]
_ROOT = f"{Path(__file__).parents[2]}{os.sep}"
"""Where the files of the toolchain are, as tracebacks and ``__file__`` name them."""
_PARTS = {
    **dict.fromkeys(("annotator/overlay/", "stdlib/"), Home.OVERLAY),
    "rlib/_": Home.PRIVATE,
    **dict.fromkeys(
        ("annotator/", "backend_c/", "lltypesystem/", "rtyper/", "translator/"), Home.TOOLCHAIN
    ),
    "": Home.RLIB,
}  # fmt: skip
"""What the names of files there begin with; the first decides."""
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_INSTALLED = (_STANDARD + "site-packages" + os.sep, _STANDARD + "dist-packages" + os.sep)


@functools.cache
def home_of_file(filename: str) -> Home:
    """Of code in a file; what is in no file is the program's."""
    if filename.startswith(_ROOT):
        inside = filename.removeprefix(_ROOT).replace(os.sep, "/")
        return next(home for part, home in _PARTS.items() if inside.startswith(part))
    standard = filename.startswith(_STANDARD) and not filename.startswith(_INSTALLED)
    return Home.STANDARD if standard or filename.startswith("<frozen ") else Home.PROGRAM


def home_of_module(name: str) -> Home:
    """Of the module of that name; one that has no file is built in."""
    package = name.partition(".")[0]
    if package == _PACKAGE and name not in sys.modules:
        return Home.TOOLCHAIN
    module = sys.modules.get(name, sys.modules.get(package))
    filename = getattr(module, "__file__", None)
    if filename is not None:
        return home_of_file(filename)
    standard = package in sys.stdlib_module_names and package != "__main__"
    return Home.STANDARD if standard else Home.PROGRAM


def home_of_function(func: Any) -> Home:
    """Of a function, also one made of another's code; ``_rpython_twin_``: it stands for one
    that is written in C; ``_rpython_graph_``: it has the body of a generator function."""
    if hasattr(func, "_rpython_twin_"):
        return Home.OVERLAY
    if hasattr(func, "_rpython_graph_"):
        return home_of_file(func._rpython_span_.filename)
    code = getattr(func, "__code__", None)
    return Home.TOOLCHAIN if code is None else home_of_file(code.co_filename)


def home_of_class(cls: type) -> Home:
    """Of a class.  One that stands for another says that it is from the module of that, so the
    files of its own functions decide; those of RLIB do not, which mixins copy into classes of
    programs."""
    methods = [method for method in vars(cls).values() if isinstance(method, FunctionType)]
    homes = {_home_of_method(method) for method in methods}
    ours = next((home for home in _NEVER_MIXED_IN if home in homes), None)
    return home_of_module(cls.__module__) if ours is None else ours


_NEVER_MIXED_IN = (Home.OVERLAY, Home.PRIVATE, Home.TOOLCHAIN)


def _home_of_method(method: FunctionType) -> Home:
    """That of the place where it says it is, such as the generator function of a ``__next__``."""
    span = getattr(method, "_rpython_span_", None)
    return home_of_function(method) if span is None else home_of_file(span.filename)


_SPARED = ("readline",)
"""Modules in C without which the standard library works as well."""


def require_module(name: str, func: Any) -> None:
    """Raises ModuleNotFoundError for what a function of the library imports if it is there:
    programs are taken for an installation that has not got it."""
    if name in _SPARED and home_of_function(func) is Home.STANDARD:
        raise ModuleNotFoundError(f"No module named {name!r}")
