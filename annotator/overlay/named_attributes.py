"""``getattr``, ``hasattr`` and ``setattr`` with a name that is known at run time, in Python: the
attributes that it may be are tried one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._registry import per_arguments


class Names(NamedTuple):
    """The attributes that instances may have under the name: ``known`` are read, of them
    ``computed`` by properties; ``others`` CPython's objects have, and ours have not.  Of any other
    name, the classes in ``asking`` have a ``__getattr__``."""

    known: tuple[str, ...]
    computed: tuple[str, ...]
    others: tuple[str, ...]
    asking: tuple[type, ...] = ()


class NotCallable:
    """An attribute that is only called, and cannot be."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        raise TypeError("'" + self.kind + "' object is not callable")


@cache
def _other(names: Names) -> Callable[[Any, str], Any]:
    """What reading any other name does."""
    others, asking = names.others, unrolling_iterable(names.asking)

    @per_arguments
    def read_other(x: Any, name: str, /) -> Any:
        if others:
            refuse(name, others)
        for cls in asking:
            if isinstance(x, cls):
                return x.__getattr__(name)
        raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")

    return read_other


@cache
def reader(names: Names) -> Callable[[Any, str], Any]:
    """What ``getattr(x, name)`` calls."""
    known, read_other = unrolling_iterable(names.known), _other(names)

    @per_arguments
    def read(x: Any, name: str, /) -> Any:
        for attribute in known:
            if name == attribute:
                return getattr(x, attribute)
        return read_other(x, name)

    return read


@cache
def callee_reader(names: Names) -> Callable[[Any, str], Any]:
    """The same where the program only calls what it reads: nothing else than callables meets."""
    known, read_other = unrolling_iterable(names.known), _other(names)

    @per_arguments
    def read_callee(x: Any, name: str, /) -> Any:
        for attribute in known:
            if name == attribute:
                value = getattr(x, attribute)
                if callable(value):
                    return value
                return NotCallable(type(value).__name__)
        return read_other(x, name)

    return read_callee


@cache
def reader_or_default(names: Names) -> Callable[[Any, str, Any], Any]:
    """What ``getattr(x, name, default)`` calls."""
    known, others = unrolling_iterable(names.known), names.others
    asking, read_other = names.asking, _other(names)

    @per_arguments
    def read_or_default(x: Any, name: str, default: Any, /) -> Any:
        for attribute in known:
            if name == attribute:
                try:
                    return getattr(x, attribute)
                except AttributeError:
                    return default
        if asking:
            try:
                return read_other(x, name)
            except AttributeError:
                return default
        if others:
            refuse(name, others)
        return default

    return read_or_default


@cache
def truth_reader(names: Names) -> Callable[[Any, str, Any], bool]:
    """What ``bool(getattr(x, name, default))`` calls."""
    known, others = unrolling_iterable(names.known), names.others
    asking, read_other = names.asking, _other(names)

    @per_arguments
    def read_truth(x: Any, name: str, default: Any, /) -> bool:
        for attribute in known:
            if name == attribute:
                try:
                    value = getattr(x, attribute)
                except AttributeError:
                    return bool(default)
                return bool(value)
        if asking:
            try:
                value = read_other(x, name)
            except AttributeError:
                return bool(default)
            return bool(value)
        if others:
            refuse(name, others)
        return bool(default)

    return read_truth


@cache
def asker(names: Names) -> Callable[[Any, str], bool]:
    """What ``hasattr(x, name)`` calls."""
    stored = unrolling_iterable(name for name in names.known if name not in names.computed)
    computed, others = unrolling_iterable(names.computed), names.others
    asking = unrolling_iterable(names.asking)

    @per_arguments
    def has(x: Any, name: str, /) -> bool:
        for attribute in stored:
            if name == attribute:
                return hasattr(x, attribute)
        for attribute in computed:
            if name == attribute:
                try:
                    getattr(x, attribute)
                except AttributeError:
                    return False
                return True
        if name in others:
            return True
        for cls in asking:
            if isinstance(x, cls):
                try:
                    x.__getattr__(name)
                except AttributeError:
                    return False
                return True
        return False

    return has


@cache
def assigner(names: tuple[str, ...]) -> Callable[[Any, str, Any], None]:
    """What ``setattr(x, name, value)`` calls."""
    known = unrolling_iterable(names)

    @per_arguments
    def assign(x: Any, name: str, value: Any, /) -> None:
        for attribute in known:
            if name == attribute:
                setattr(x, attribute, value)
                return
        raise NotImplementedError(f"setattr() of {name!r} by a name known at run time")

    return assign


def refuse(name: str, others: tuple[str, ...]) -> None:
    """Raise NotImplementedError for a name of which we do not have what CPython has."""
    if name in others:
        raise NotImplementedError(f"getattr() of {name!r} by a name known at run time")


@cache
def lister(cls: type) -> Callable[[Any], list[str]]:
    """What ``dir(cls)`` calls."""
    names = tuple(dir(cls))

    @per_arguments
    def names_of(x: Any, /) -> list[str]:
        return list(names)

    return names_of
