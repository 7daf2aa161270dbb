"""Declared types of functions, with the types of ``rpython.rlib.types``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rpython.rlib.declared import SelfType, declare

F = TypeVar("F", bound=Callable[..., Any])


def signature(*paramtypes: Any, returns: Any) -> Callable[[F], F]:
    """Decorator: the arguments and the result are of these types; a program that passes or
    returns others is refused, and under CPython they raise TypeError.  An int for a float is made
    one."""

    def mark(func: F) -> F:
        func._signature_ = (paramtypes, returns)  # type: ignore[attr-defined]
        return declare(func, paramtypes, returns, "signature")

    return mark


def finishsigs(cls: type) -> type:
    """Decorator for a class whose methods have signatures with ``types.self()``: they are
    for its instances."""
    for function in vars(cls).values():
        declared = getattr(function, "_rpython_declared_", None)
        if declared is not None:
            declared.params = tuple(_finished(wanted, cls) for wanted in declared.params)
            declared.result = _finished(declared.result, cls)
    return cls


def _finished(wanted: Any, cls: type) -> Any:
    return cls if wanted is SelfType else wanted
