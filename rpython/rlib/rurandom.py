"""Random bytes of the system."""

from __future__ import annotations

import os
from collections.abc import Callable


def init_urandom() -> None:
    """What ``urandom`` wants as its context: nothing."""
    return None


def urandom(context: None, n: int, signal_checker: Callable[[], None] | None = None) -> str:
    """``n`` random bytes, a character for each.  Interrupted calls are repeated;
    ``signal_checker`` is never called."""
    return os.urandom(n).decode("latin-1")
