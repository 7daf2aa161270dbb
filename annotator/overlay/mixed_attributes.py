"""Attributes that are properties or methods of some classes, and plain attributes of others, in
Python.

    x.name      if isinstance(x, Option): x.name  elif isinstance(x, Argument): x.name  else: raise
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._registry import per_arguments


@cache
def reader_by_class(name: str, classes: tuple[type, ...]) -> Callable[[Any], Any]:
    """What ``x.name`` calls; instances of no other classes have the attribute."""
    known = unrolling_iterable(classes)

    @per_arguments
    def read(x: Any, /) -> Any:
        for cls in known:
            if isinstance(x, cls):
                return getattr(x, name)
        raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")

    return read
