"""How often CPython's collector looks for garbage while the toolchain is loaded and translates.

Modules and graphs stay; with CPython's threshold of 700 new objects it takes a sixth of the time
to look at them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECT_AFTER = 50_000
"""New objects before the collector looks at them."""


def collect_seldom() -> None:
    """From now on, in a process that is the toolchain's own."""
    gc.set_threshold(COLLECT_AFTER)


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """The same for a while, in somebody's process; not more often than they want it."""
    before = gc.get_threshold()
    if 0 < before[0] < COLLECT_AFTER:
        gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def not_collecting() -> Iterator[None]:
    """While modules are loaded, which count as old from then on."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else somebody froze objects of theirs, who stay frozen
            gc.freeze()
            gc.unfreeze()  # all are in the oldest generation now
        if was_enabled:
            gc.enable()
