"""Prebuilt host objects as low-level memory.

A mutable host object becomes one low-level object, known by identity.  Its memory is
made at once and filled later from a queue, so that cyclic and deeply linked structures
work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Ptr, init_identity_hash, typeOf
from rpython.rlib._hashes import IDENTITIES

if TYPE_CHECKING:
    from rpython.rtyper.rmodel import Repr
    from rpython.rtyper.rtyper import RPythonTyper


def _keep_identity(memory: Any, x: Any) -> None:
    """The identity hash that ``x`` was given at import time is the one it has at run time."""
    known = IDENTITIES.known(x)
    if known is not None and isinstance(typeOf(memory), Ptr):
        init_identity_hash(memory, known)


class Prebuilt:
    """The prebuilt objects of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._known: dict[tuple[int, int], tuple[Any, Any]] = {}
        self._queue: list[Callable[[], None]] = []

    def get(
        self, r: Repr, x: Any, make: Callable[[Any], Any], fill: Callable[[Any, Any], None]
    ) -> Any:
        """The low-level form of ``x`` as a value of ``r``: ``make(x)`` allocates it the
        first time, ``fill(memory, x)`` is called later."""
        key = (id(r), id(x))
        known = self._known.get(key)
        if known is None:
            memory = make(x)
            _keep_identity(memory, x)
            known = self._known[key] = (memory, x)
            self._queue.append(lambda: fill(memory, x))
        return known[0]

    def knows(self, r: Repr, x: Any) -> bool:
        """Does the program have ``x`` as a value of ``r``?"""
        return (id(r), id(x)) in self._known

    def fill(self) -> bool:
        """Fill what was queued; was there anything?"""
        if not self._queue:
            return False
        while self._queue:
            self._queue.pop()()
        return True
