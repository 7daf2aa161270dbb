"""Declared types of functions: what ``enforceargs`` and ``signature`` have in common.

Under CPython a function with declared types is called through one that looks at its arguments
and makes floats of ints where floats are declared.  The translation takes the function itself and
looks at the types of its arguments (``annotator.program.declared``).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, TypeVar

from rpython.lltypesystem.lltype import LowLevelType, typeOf
from rpython.rlib.rarithmetic import base_int

F = TypeVar("F", bound=Callable[..., Any])


class Refined:
    """Values of a type that have something more in common; ``holds`` says what."""

    def __init__(self, name: str, of: type, holds: Callable[[Any], bool]) -> None:
        self.name = name
        self.of = of
        self.holds = holds

    def __repr__(self) -> str:
        return self.name


CHAR = Refined("a character", str, lambda value: len(value) == 1)
NOT_NEGATIVE = Refined("an int that is not negative", int, lambda value: value >= 0)


class SelfType:
    """The class that a method is in, until ``finishsigs`` says which."""


class Declared:
    """``params``: a type for each parameter, None for any.  ``result``: likewise.  ``by``: the
    name of the decorator."""

    def __init__(self, params: Sequence[Any], result: Any, by: str) -> None:
        self.params = tuple(params)
        self.result = result
        self.by = by


def declare(func: F, params: Sequence[Any], result: Any, by: str, checked: bool = True) -> F:
    """The function with declared types.  ``checked``: are they looked at under CPython?"""
    marks: Any = func
    marks._rpython_declared_ = Declared(params, result, by)
    return looking(func) if checked else func


def looking(func: F) -> F:
    """The function as CPython calls it; the translation takes ``func``."""
    names = list(inspect.signature(func).parameters)
    declared: Declared = vars(func)["_rpython_declared_"]

    @functools.wraps(func)
    def check_and_call(*args: Any, **keywords: Any) -> Any:
        given = list(args)
        for i, wanted in enumerate(declared.params):
            if i < len(given):
                given[i] = _as_declared(func, f"argument {names[i]!r}", wanted, given[i])
            elif i < len(names) and names[i] in keywords:
                name = names[i]
                keywords[name] = _as_declared(func, f"argument {name!r}", wanted, keywords[name])
        return _as_declared(func, "result", declared.result, func(*given, **keywords))

    made: Any = check_and_call
    vars(func)["_rpython_function_checked_"] = func
    made.__dict__ = func.__dict__  # marks of decorators to come are marks of both
    return made  # type: ignore[no-any-return]


def _as_declared(func: Any, what: str, wanted: Any, value: Any) -> Any:
    """The value, an int as a float where one is wanted.  Raises TypeError."""
    if wanted is float and type(value) in (int, bool):
        return float(value)
    if not fits(wanted, value):
        shown = wanted.__name__ if isinstance(wanted, type) else wanted
        raise TypeError(f"{func.__name__} {what} must be of type {shown}")
    return value


def fits(wanted: Any, value: Any) -> bool:
    """Is the value of that declared type?  Of lists and dicts one item is looked at."""
    if wanted is None or wanted is SelfType:
        return True
    if isinstance(wanted, Refined):
        return fits(wanted.of, value) and bool(wanted.holds(value))
    if isinstance(wanted, LowLevelType):
        return bool(typeOf(value) == wanted)
    if isinstance(wanted, list):
        return type(value) is list and (not value or fits(wanted[0], value[0]))
    if isinstance(wanted, tuple):
        same = type(value) is tuple and len(value) == len(wanted)
        return same and all(map(fits, wanted, value))
    if isinstance(wanted, dict):
        return type(value) is dict and all(
            fits(key, known) and fits(item, value[known])
            for key, item in wanted.items()
            for known in list(value)[:1]
        )
    if isinstance(wanted, UnionType):
        return any(fits(type(None) if one is None else one, value) for one in wanted.__args__)
    origin = getattr(wanted, "__origin__", wanted)
    if wanted is int:
        return type(value) in (int, bool)
    if origin in (float, str, bool, bytes, type(None)) or issubclass(origin, base_int):
        return type(value) is wanted
    if origin is wanted:
        return isinstance(value, wanted)
    if type(value) is not origin:
        return False
    parts = wanted.__args__
    if origin is tuple:
        return len(value) == len(parts) and all(map(fits, parts, value))
    for item in value.items() if origin is dict else [(one,) for one in value]:
        return all(map(fits, parts, item))
    return True
