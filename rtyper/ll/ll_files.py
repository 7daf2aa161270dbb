"""``time.sleep``."""

from __future__ import annotations

import time

from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Float, Void

_CLOCKS = ("rpy_files.h", "rpy_os.h")


c_sleep = llexternal("rpy_files_sleep", [Float], Void, time.sleep, _CLOCKS, blocking=True)


# -- the operations ---------------------------------------------------------------------------


def ll_sleep(seconds: float) -> None:
    if seconds != seconds:
        raise ValueError("Invalid value NaN (not a number)")
    if seconds < 0.0:
        raise ValueError("sleep length must be non-negative")
    if seconds > 9223372036.0:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")
    c_sleep(seconds)
    llop.safepoint(Void)  # a signal may have ended it
