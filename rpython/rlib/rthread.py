"""Threads as RPython has them, over ``_thread`` and ``threading``."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from typing import Any

RPY_LOCK_FAILURE, RPY_LOCK_ACQUIRED, RPY_LOCK_INTR = 0, 1, 2
"""What ``Lock.acquire_timed`` gives."""


class RThreadError(Exception):
    """A thread cannot be started, or a lock be released that nobody has."""


error = RThreadError


def get_ident() -> int:
    """The identity of the running thread."""
    return threading.get_ident()


def start_new_thread(x: Callable[[], object], y: tuple[()]) -> int:
    """Start a thread that calls ``x()``; its identity.  ``y``: always ``()``."""
    assert len(y) == 0
    try:
        return _thread.start_new_thread(x, ())
    except RuntimeError:
        raise RThreadError("can't start new thread") from None


def get_stacksize() -> int:
    """How much stack threads get, in bytes; 0: what the system gives."""
    size = threading.stack_size(0)
    threading.stack_size(size)
    return size


def set_stacksize(newsize: int) -> None:
    """How much those get that are started from now on."""
    threading.stack_size(newsize)


class Lock:
    """A lock that any thread may release."""

    _immutable_fields_ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def acquire(self, flag: bool) -> bool:
        """Get it, waiting for it if ``flag``; was that possible?"""
        return self._lock.acquire(flag)

    def acquire_timed(self, timeout: int) -> int:
        """The same within so many microseconds, for ever if negative: RPY_LOCK_ACQUIRED or
        RPY_LOCK_FAILURE."""
        if timeout < 0:
            acquired = self._lock.acquire(True)
        elif timeout == 0:
            acquired = self._lock.acquire(False)
        else:
            acquired = self._lock.acquire(True, timeout * 1e-6)
        return RPY_LOCK_ACQUIRED if acquired else RPY_LOCK_FAILURE

    def release(self) -> None:
        """Raises RThreadError when nobody has it."""
        try:
            self._lock.release()
        except RuntimeError:
            raise RThreadError("the lock was not previously acquired") from None

    def is_acquired(self) -> bool:
        """Has anybody it?"""
        return self._lock.locked()

    def __enter__(self) -> Lock:
        self.acquire(True)
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.release()


def allocate_lock() -> Lock:
    """A new lock."""
    return Lock()


def ThreadLocalReference(Cls: type, loop_invariant: bool = False) -> Any:
    """An object with a reference to an instance of ``Cls``, or None, for each thread.  To be
    made when a module is imported."""
    local: Any = threading.local()

    class Reference:
        """A reference for each thread."""

        def get(self) -> Any:
            """What this thread has set; None at first."""
            return getattr(local, "value", None)

        def set(self, value: Any) -> None:
            """Set it for this thread."""
            local.value = value

    return Reference()
