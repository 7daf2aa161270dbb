"""The processor's time stamps, as RPython reads them for its logs."""

from __future__ import annotations

import time


def read_timestamp() -> int:
    """A number that grows with time, by one each nanosecond."""
    return time.perf_counter_ns()


def get_timestamp_unit() -> int:
    """What ``read_timestamp`` counts: 1 stands for nanoseconds."""
    return 1
