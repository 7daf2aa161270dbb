"""Which functions and classes of the standard library are replaced in translated programs.

    @replaces(unicodedata.category)
    def category(chr): ...

The annotator asks for the replacement of each constant of the program.  What replaces a function
has a graph for every kind of argument.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

T = TypeVar("T")

REPLACED: dict[int, tuple[Any, Any]] = {}
"""(the object of the standard library, what replaces it) by the object's id; complete when the
modules that replace something are imported."""


def replaces(*hosts: Any) -> Callable[[T], T]:
    """Decorator: this is what translated programs have in place of the hosts."""

    def mark(replacement: T) -> T:
        for host in hosts:
            assert id(host) not in REPLACED, f"two replacements of {host}"
            REPLACED[id(host)] = (host, replacement)
        if isinstance(replacement, FunctionType):
            replacement._rpython_per_arguments_ = True  # type: ignore[attr-defined]
        return replacement

    return mark


def replacement_of(x: Any) -> Any:
    """What a translated program has in place of it: itself in most cases."""
    found = REPLACED.get(id(x))
    return x if found is None else found[1]
