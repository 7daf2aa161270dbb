"""Functions of extension modules that run without Python's lock (``rpython build --module``).

    @rpython.nogil
    def checksum(data: bytes, rounds: int) -> int: ...

Other threads run Python meanwhile, and wait where they want to run native code of the same module.
Elsewhere the decorator means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def nogil(func: F) -> F:
    """Decorator: Python's lock is released while the function runs, once its arguments have been
    read, and until its result is handed over.  It must not print, nor call Python."""
    func._rpython_nogil_ = True  # type: ignore[attr-defined]
    return func


def is_nogil(func: object) -> bool:
    """Was the function decorated with it?"""
    return getattr(func, "_rpython_nogil_", False) is True
