"""``scoped_alloc``: raw memory that is freed at the end of a ``with`` block."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.simulated.memory import _ptr, free, malloc


class scoped_alloc:
    """``with scoped_alloc(T, n) as p:`` raw memory, freed at the end of the block."""

    def __init__(self, T: Any, n: int | None = None, zero: bool = False) -> None:
        self.T = T
        self.n = n
        self.zero = zero

    def __enter__(self) -> _ptr:
        self.buf = malloc(self.T, self.n, flavor="raw", zero=self.zero)
        return self.buf

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free(self.buf, flavor="raw")
