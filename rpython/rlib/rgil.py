"""The lock that the running thread holds.  The toolchain takes and releases it where the program
waits for the system, and C functions declared with ``releasegil=True`` let others run; so a
program need not do it, and these functions mean little."""

from __future__ import annotations

import time


def allocate() -> None:
    """There is always a lock."""


def acquire() -> None:
    """Ends what ``release`` began."""


def acquire_maybe_in_new_thread() -> None:
    """The same."""


def release() -> None:
    """What follows may run without the lock; it does so only in C functions that are declared
    with ``releasegil=True``."""


def yield_thread() -> None:
    """Let the other threads run."""
    time.sleep(0.0)


def am_I_holding_the_GIL() -> bool:
    """Does this thread run?  Always."""
    return True
