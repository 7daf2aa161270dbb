"""Marks of the functions and classes that stand for CPython's: what they are called there.

    type(time.gmtime()).__name__    "struct_time", not "StructTime"
    heapq.heappush.__module__       "_heapq"
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)

HOST = "_rpython_host_"
"""Of a class that replaces one: that one, the first of several."""
CLASS_TEXT = "_rpython_text_"
"""Of a class that replaces a built-in one: the text of that."""
BEGINS_WITH = "_rpython_begins_with_"
"""Of a named tuple: what its text begins with, where that is not its name."""
HOSTS = "_rpython_hosts_"
"""Of a function: what it replaces."""
NAMES = ("__name__", "__qualname__", "__module__", "__doc__")
"""Attributes that classes and functions have."""


def named_like(host: type, text: str = "") -> Callable[[C], C]:
    """Decorator: programs see the class under the names and with the documentation of that one.
    ``text``: what ``repr`` of instances begins with, of a named tuple."""

    def mark(cls: C) -> C:
        built_in = host.__module__ == "builtins"  # classes of that module have rules of their own
        for name in NAMES:
            if name != "__module__" or not built_in:
                setattr(cls, name, getattr(host, name))
        for name, method in vars(cls).items():
            if isinstance(method, types.FunctionType) and hasattr(host, name):
                note_hosts(method, getattr(host, name))
        if built_in:
            setattr(cls, CLASS_TEXT, repr(host))
        if text:
            setattr(cls, BEGINS_WITH, text)
        return cls

    return mark


def note_hosts(function: Any, *hosts: Any) -> None:
    """The function replaces these."""
    vars(function)[HOSTS] = (*vars(function).get(HOSTS, ()), *hosts)
