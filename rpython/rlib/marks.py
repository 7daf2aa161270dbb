"""Marks on functions whose calls the flow-graph builder replaces by a value.

They are ordinary functions under CPython.  See ``translator.flow.fold``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def means(result: Any) -> Callable[[F], F]:
    """Decorator: in a translated program each call is the constant ``result``.  (Its arguments
    are evaluated all the same.)"""

    def mark(func: F) -> F:
        func._rpython_fold_ = result  # type: ignore[attr-defined]
        return func

    return mark


def means_first_argument(func: F) -> F:
    """Decorator: in a translated program each call is its first argument."""
    func._rpython_identity_ = True  # type: ignore[attr-defined]
    func._annspecialcase_ = "specialize:argtype(0)"  # type: ignore[attr-defined]
    return func


def checked_by(check: Callable[..., str]) -> Callable[[F], F]:
    """Decorator: ``check(self, keywords)`` looks at each call of the method when the program is
    translated; a text that it returns refuses the program."""

    def mark(func: F) -> F:
        func._rpython_check_ = check  # type: ignore[attr-defined]
        return func

    return mark
