"""``lltype.scoped_alloc`` in restricted code: a class for each type of memory."""

from __future__ import annotations

import functools
from typing import Any

from lltypesystem.lltype import LowLevelType, free, malloc


@functools.cache
def scoped_class(T: LowLevelType, zero: bool) -> type:
    """The class of context managers that allocate a ``T``; of a length, if it has one."""

    def init(self: Any) -> None:
        self.buf = malloc(T, flavor="raw", zero=zero)

    def init_sized(self: Any, n: int) -> None:
        self.buf = malloc(T, n, flavor="raw", zero=zero)

    def enter(self: Any) -> Any:
        return self.buf

    def leave(self: Any, kind: Any, error: Any, traceback: Any) -> None:
        free(self.buf, flavor="raw")

    cls = type("scoped_alloc", (), {"__module__": __name__})
    start: Any = init_sized if T._is_varsize() else init
    for name, method in (("__init__", start), ("__enter__", enter), ("__exit__", leave)):
        method.__name__, method.__qualname__ = name, f"scoped_alloc.{name}"
        setattr(cls, name, method)
    return cls
