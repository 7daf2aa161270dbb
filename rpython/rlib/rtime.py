"""Clocks."""

from __future__ import annotations

import errno
import time as _time

CLOCK_REALTIME = 0
CLOCK_MONOTONIC = 1
CLOCK_PROCESS_CPUTIME_ID = 2


def time() -> float:
    """Seconds since the epoch."""
    return _time.time()


def clock() -> float:
    """Seconds of processor time."""
    return _time.process_time()


def sleep(secs: float) -> None:
    """Wait.  Raises ValueError for a negative number."""
    _time.sleep(secs)


def clock_gettime(clk_id: int) -> float:
    """Seconds on one of the clocks CLOCK_*.  Raises OSError for another one."""
    if clk_id == CLOCK_REALTIME:
        return _time.time()
    if clk_id == CLOCK_MONOTONIC:
        return _time.monotonic()
    if clk_id == CLOCK_PROCESS_CPUTIME_ID:
        return _time.process_time()
    raise OSError(errno.EINVAL, "clock_gettime failed")
