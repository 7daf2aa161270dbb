"""What translated programs have in place of functions, classes and objects of the standard library.

A file of this package is about the module of the same name, and is imported when a program first
refers to something of that module::

    @replaces(unicodedata.category)
    def category(chr): ...

What is written in C and not replaced is taken from the module's own source, as it is where C is
missing (PEP 399): ``heapq.heappush`` is what ``heapq.py`` defines under that name.  Anything else
is translated from its installed source.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

PER_SITE = "_rpython_per_site_"
"""Of such a class: the built-in class that the replaced one extends."""

_REPLACED: dict[Any, tuple[Any, Any]] = {}
"""(the object of the standard library, what replaces it) by ``_key`` of the object; complete for a
module when its file is imported."""

FILES = frozenset(
    path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)
"""The modules that have a file here."""

_PARTS = {"genericpath": "posixpath", "posix": "os"}
"""Modules by which others are implemented, whose functions say that they are from there; besides
those with an underscore in front."""

TWINS = {
    "_bisect": "bisect", "_functools": "functools", "_heapq": "heapq", "_operator": "operator",
    "_stat": "stat", "_statistics": "statistics",
}  # fmt: skip
"""Accelerators, in C, and the modules that define the same in Python."""

SOURCE = ("colorsys", "difflib", "string")
"""Modules of which something is translated from the installed source, and nothing is replaced."""

BUILT_IN = (
    "abc", "contextlib", "dataclasses", "enum", "errno", "math", "queue", "re", "signal",
    "struct", "threading", "traceback", "typing", "weakref",
)  # fmt: skip
"""Modules that the annotator knows functions and classes of."""


@functools.cache
def available() -> tuple[str, ...]:
    """The modules that programs can use, at least in part."""
    return tuple(sorted({*FILES, *TWINS.values(), *SOURCE, *BUILT_IN} - {"builtins", "posixpath"}))


def _key(x: Any) -> Any:
    """Its id; a class method in C is a new object whenever it is read."""
    if isinstance(x, types.BuiltinFunctionType) and isinstance(x.__self__, type):
        return id(x.__self__), x.__name__
    return id(x)


def replaces(*hosts: Any) -> Callable[[T], T]:
    """Decorator: this is what translated programs have in place of the hosts.

    The annotations of a function say which kinds of arguments calls may have.  Where a parameter
    may be of several, there is a graph for every kind of argument; a generator shares one where
    it can.
    """

    def mark(replacement: T) -> T:
        for host in hosts:
            assert _key(host) not in _REPLACED, f"two replacements of {host}"
            _REPLACED[_key(host)] = (host, replacement)
        if isinstance(replacement, types.FunctionType):
            hints = {name: str(hint) for name, hint in replacement.__annotations__.items()}
            hints.pop("return", None)
            replacement._rpython_hints_ = hints  # type: ignore[attr-defined]
            several = any(hint == "Any" or "|" in hint for hint in hints.values())
            if several and not inspect.isgeneratorfunction(replacement):
                replacement._rpython_per_arguments_ = True  # type: ignore[attr-defined]
        return replacement

    return mark


def per_values(function: T) -> T:
    """Decorator: the function has a graph for every value of arguments that are constants."""
    function._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    function._rpython_per_values_ = True  # type: ignore[attr-defined]
    return function


def expanded(function: T) -> T:
    """Decorator: what the function does is a part of its caller, as if that were written there:
    there is a copy of it for each call, and no frame."""
    function._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    function._rpython_expanded_ = True  # type: ignore[attr-defined]
    return function


def refused(why: str) -> Callable[[T], T]:
    """Decorator: programs that call the function are refused, with this text."""

    def mark(function: T) -> T:
        function._rpython_refused_ = why  # type: ignore[attr-defined]
        return function

    return mark


def replace_each(replacements: dict[Any, Any]) -> None:
    """The same for functions that other modules define."""
    for host, replacement in replacements.items():
        replaces(host)(replacement)


def per_site(extends: type = object) -> Callable[[T], T]:
    """Decorator: each place of a program that makes instances of the class has a copy of it, in
    whose methods ``__class__`` is the copy; so what one instance holds need not be like what
    another does.  ``of_host(copy, x)`` of the class makes an instance like ``x``, with which the
    program starts.

    Args:
        extends: the built-in class that the replaced one extends.
    """

    def mark(cls: T) -> T:
        setattr(cls, PER_SITE, extends)
        cls._rpython_keeps_members_ = True  # type: ignore[attr-defined]
        return cls

    return mark


def replacement_of(x: Any) -> Any:
    """What a translated program has in place of it: itself in most cases."""
    found = _REPLACED.get(_key(x))
    if found is None:
        name = file_of(x)
        if name not in FILES or f"{__package__}.{name}" in sys.modules:
            return x
        importlib.import_module(f"{__package__}.{name}")
        found = _REPLACED.get(_key(x))
    return x if found is None else found[1]


def replaced() -> list[Any]:
    """What the files that are imported replace."""
    return [host for host, _ in _REPLACED.values()]


def file_of(x: Any) -> str:
    """The name of the public module that has it."""
    home = home_of(x)
    return _PARTS.get(home, home.removeprefix("_"))


def home_of(x: Any) -> str:
    """The name of the module that a function or class, or else the class of an object, is from."""
    if isinstance(x, types.BuiltinFunctionType) and isinstance(x.__self__, type):
        x = x.__self__
    own = isinstance(x, type | types.FunctionType | types.BuiltinFunctionType)
    return str((x if own else type(x)).__module__)


def twin_of(x: Any) -> Any:
    """The function in Python that is the same as one in C, or None."""
    if not isinstance(x, types.BuiltinFunctionType) or x.__module__ not in TWINS:
        return None
    return _twin(x)


@functools.cache
def _twin(x: Any) -> types.FunctionType | None:
    found = getattr(_module_without(TWINS[x.__module__], x.__module__), x.__name__, None)
    return _called_like(x, found) if isinstance(found, types.FunctionType) else None


@functools.cache
def _module_without(name: str, accelerator: str) -> types.ModuleType:
    """The module as its source defines it where the accelerator is missing."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _missing(accelerator):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _missing(name: str) -> Iterator[None]:
    known = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if known is not None:
            sys.modules[name] = known


def _called_like(host: Any, function: types.FunctionType) -> types.FunctionType:
    """A copy of the function that is called as the host is: with parameters that are positional
    only where those of the host are, and a graph for every kind of argument."""
    try:
        kinds = [p.kind for p in inspect.signature(host).parameters.values()]
        count = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    except ValueError:  # it takes no keyword arguments
        count = function.__code__.co_argcount
    code = function.__code__.replace(co_posonlyargcount=count)
    copy = types.FunctionType(code, function.__globals__, function.__name__)
    for name in ("__defaults__", "__kwdefaults__", "__module__", "__qualname__", "__doc__"):
        setattr(copy, name, getattr(function, name))
    vars(copy).update(_rpython_per_arguments_=True, _rpython_twin_=True)
    return copy
