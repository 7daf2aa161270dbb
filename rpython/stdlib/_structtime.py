"""``time.struct_time``."""

from __future__ import annotations

import time
from typing import NamedTuple

from rpython.stdlib._registry import replaces
from rpython.stdlib._seen import named_like


@named_like(time.struct_time, text="time.struct_time")
@replaces(time.struct_time)
class StructTime(NamedTuple):
    """``time.struct_time``, without the zone."""

    tm_year: int
    tm_mon: int
    tm_mday: int
    tm_hour: int
    tm_min: int
    tm_sec: int
    tm_wday: int
    tm_yday: int
    tm_isdst: int
