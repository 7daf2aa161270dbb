"""Declared types of functions, with the types of ``rpython.rlib.types``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def signature(*paramtypes: Any, returns: Any = None) -> Callable[[F], F]:
    """Decorator: the arguments are of these types; a program that passes others is refused.
    What it returns is inferred; ``returns`` is not looked at."""

    def mark(func: F) -> F:
        func._annenforceargs_ = paramtypes  # type: ignore[attr-defined]
        func._signature_ = (paramtypes, returns)  # type: ignore[attr-defined]
        return func

    return mark


def finishsigs(cls: type) -> type:
    """Decorator for a class whose methods have signatures with ``types.self()``."""
    return cls
