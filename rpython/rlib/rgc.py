"""The garbage collector's interface."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, TypeVar

from rpython.rlib.marks import means
from rpython.rlib.objectmodel import specialize

F = TypeVar("F", bound=Callable[..., Any])


def collect(*args: int) -> None:
    """A full collection, whatever the arguments."""
    gc.collect()


@means(True)
def collect_step() -> bool:
    """Does nothing; True: it is done."""
    return True


@means(None)
def enable() -> None:
    """Does nothing."""


@means(None)
def disable() -> None:
    """Does nothing."""


@means(True)
def isenabled() -> bool:
    """May collections happen?"""
    return True


@means(True)
def can_move(p: object) -> bool:
    """May the object move?  RPython says True where it is not sure."""
    return True


@means(False)
def pin(obj: object) -> bool:
    """Keep the object where it is: not possible here, the answer that programs expect."""
    return False


@means(None)
def unpin(obj: object) -> None:
    """Undo ``pin``."""


@means(None)
def add_memory_pressure(estimate: int, obj: object = None) -> None:
    """Memory outside of the collector's is in use."""


@means(None)
def set_max_heap_size(nbytes: int) -> None:
    """Does nothing."""


def no_collect(func: F) -> F:
    """Decorator: nothing is collected while the function runs."""
    return func


def no_release_gil(func: F) -> F:
    """Decorator: there is no GIL."""
    return func


def must_be_light_finalizer(func: F) -> F:
    """Decorator for a ``__del__``, which never runs."""
    return func




@specialize.ll()
def ll_arraycopy(source: Any, dest: Any, source_start: int, dest_start: int, length: int) -> None:
    """Copy items between low-level arrays; they may overlap only if those are two."""
    i = 0
    while i < length:
        dest[dest_start + i] = source[source_start + i]
        i += 1


@specialize.ll()
def ll_arraymove(array: Any, source_start: int, dest_start: int, length: int) -> None:
    """Move items within a low-level array."""
    if dest_start <= source_start:
        ll_arraycopy(array, array, source_start, dest_start, length)
        return
    i = length - 1
    while i >= 0:
        array[dest_start + i] = array[source_start + i]
        i -= 1


@specialize.ll()
def ll_arrayclear(p: Any) -> None:
    """Set every number of a low-level array to 0."""
    i = 0
    while i < len(p):
        p[i] = 0
        i += 1
