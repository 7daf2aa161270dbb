"""Attributes of instances some of whose classes define ``__getattr__`` or ``__setattr__``, in
Python.

    x.name      the attribute, or what __getattr__(x, "name") gives where the lookup finds none
    x.name = v  the assignment, or __setattr__(x, "name", v)

What the lookup finds is known for each class that ``x`` may be of (``Way``).
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._attributes import plainly
from rpython.stdlib._registry import per_arguments


class Way(enum.Enum):
    """What instances of exactly one class have under a name."""

    PLAIN = enum.auto()
    """Something that is not computed, or the class has no ``__getattr__``."""
    COMPUTED = enum.auto()
    """A property, and the class has a ``__getattr__`` that CPython calls where the getter raises
    AttributeError."""
    MISSING = enum.auto()
    """Nothing, and no ``__getattr__``."""
    ASKED = enum.auto()
    """What ``__getattr__`` gives."""
    EITHER = enum.auto()
    """An attribute that only some have, others what ``__getattr__`` gives."""


Ways = tuple[tuple[type, Way], ...]
"""By class, the most special ones first."""


@cache
def reader(name: str, ways: Ways) -> Callable[[Any], Any]:
    """What ``x.name`` calls."""
    return _by_class(tuple((cls, _READERS[way](name)) for cls, way in ways))


@cache
def asker(name: str, ways: Ways) -> Callable[[Any, str], bool]:
    """What ``hasattr(x, "name")`` calls."""
    functions = tuple((cls, _ASKERS[way](name)) for cls, way in ways)
    has: Callable[[Any], bool] = _by_class(functions)

    @per_arguments
    def asks(x: Any, name: str, /) -> bool:
        return has(x)

    return asks


@cache
def reader_or_default(name: str, ways: Ways) -> Callable[[Any, str, Any], Any]:
    """What ``getattr(x, "name", default)`` calls."""
    read = reader(name, ways)

    @per_arguments
    def read_or_default(x: Any, name: str, default: Any, /) -> Any:
        try:
            return read(x)
        except AttributeError:
            return default

    return read_or_default


@cache
def writer(name: str, ways: Ways) -> Callable[[Any, Any], None]:
    """What ``x.name = value`` calls; the ways are PLAIN and ASKED."""
    return _by_class(tuple((cls, _WRITERS[way](name)) for cls, way in ways))


@cache
def setter(name: str) -> Callable[[Any, str, Any], None]:
    """What ``setattr(x, "name", value)`` calls."""

    @per_arguments
    def assign(x: Any, given: str, value: Any, /) -> None:
        setattr(x, name, value)

    return assign


@cache
def plain_setter(name: str) -> Callable[[Any, str, Any], None]:
    """What ``object.__setattr__(x, "name", value)`` calls where that is a property."""

    @plainly
    def assign(x: Any, given: str, value: Any, /) -> None:
        setattr(x, name, value)

    return assign


def _by_class(functions: tuple[tuple[type, Callable[..., Any]], ...]) -> Callable[..., Any]:
    """The function that calls the one for the class of ``x``."""
    if len(functions) == 1:
        return functions[0][1]
    steps = unrolling_iterable(functions)

    @per_arguments
    def choose(x: Any, /, *args: Any) -> Any:
        for cls, function in steps:
            if isinstance(x, cls):
                return function(x, *args)
        raise AssertionError

    return choose


@cache
def _plain(name: str) -> Callable[[Any], Any]:
    @plainly
    def read(x: Any, /) -> Any:
        return getattr(x, name)

    return read


@cache
def _computed(name: str) -> Callable[[Any], Any]:
    @plainly
    def read(x: Any, /) -> Any:
        try:
            return getattr(x, name)
        except AttributeError:
            raise NotImplementedError("AttributeError in a property beside __getattr__") from None

    return read


@cache
def _missing(name: str) -> Callable[[Any], Any]:
    @per_arguments
    def read(x: Any, /) -> Any:
        raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")

    return read


@cache
def _asked(name: str) -> Callable[[Any], Any]:
    @per_arguments
    def read(x: Any, /) -> Any:
        return x.__getattr__(name)

    return read


@cache
def _either(name: str) -> Callable[[Any], Any]:
    @plainly
    def read(x: Any, /) -> Any:
        if hasattr(x, name):
            return getattr(x, name)
        return x.__getattr__(name)

    return read


_READERS = {
    Way.PLAIN: _plain, Way.COMPUTED: _computed, Way.MISSING: _missing, Way.ASKED: _asked,
    Way.EITHER: _either,
}  # fmt: skip


@cache
def _has(name: str) -> Callable[[Any], bool]:
    @plainly
    def has(x: Any, /) -> bool:
        return hasattr(x, name)

    return has


@cache
def _has_asked(name: str) -> Callable[[Any], bool]:
    @per_arguments
    def has(x: Any, /) -> bool:
        try:
            x.__getattr__(name)
        except AttributeError:
            return False
        return True

    return has


@cache
def _has_either(name: str) -> Callable[[Any], bool]:
    has, has_asked = _has(name), _has_asked(name)

    @per_arguments
    def has_either(x: Any, /) -> bool:
        return has(x) or has_asked(x)

    return has_either


_ASKERS = {
    Way.PLAIN: _has, Way.COMPUTED: _has, Way.MISSING: _has, Way.ASKED: _has_asked,
    Way.EITHER: _has_either,
}  # fmt: skip


@cache
def _assign(name: str) -> Callable[[Any, Any], None]:
    @plainly
    def assign(x: Any, value: Any, /) -> None:
        setattr(x, name, value)

    return assign


@cache
def _let_assign(name: str) -> Callable[[Any, Any], None]:
    @per_arguments
    def assign(x: Any, value: Any, /) -> None:
        x.__setattr__(name, value)

    return assign


_WRITERS = {Way.PLAIN: _assign, Way.ASKED: _let_assign}
