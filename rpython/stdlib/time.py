"""``time`` besides clocks: points in time as nine numbers, and their texts."""

from __future__ import annotations

import errno
import math
import os
import time
from typing import Any

from rpython.lltypesystem.foreign import systemtable
from rpython.stdlib._registry import replaces
from rpython.stdlib._strptime import in_order, parse
from rpython.stdlib._structtime import StructTime

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LOCAL, UTC = 1, 2
"""The zones, as the calls of the system have them."""


def _broken(seconds: float, zone: int) -> StructTime:
    if math.isnan(seconds):
        raise ValueError("Invalid value NaN (not a number)")
    if not -(2.0**63) <= seconds < 2.0**63:
        raise OverflowError("timestamp out of range for platform time_t")
    text = systemtable.broken_time(math.floor(seconds), zone == LOCAL)
    assert text is not None
    if text.startswith("!"):
        raise OSError(errno.EOVERFLOW, os.strerror(errno.EOVERFLOW))
    n = [int(number) for number in text.split(" ")]
    return StructTime(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])


class _Made:
    """Of which zones the program has times."""

    def __init__(self) -> None:
        self.local = False
        self.utc = False


_MADE = _Made()


@replaces(time.gmtime)
def gmtime(seconds: float | None = None, /) -> StructTime:
    _MADE.utc = True
    return _broken(time.time() if seconds is None else seconds, UTC)


@replaces(time.localtime)
def localtime(seconds: float | None = None, /) -> StructTime:
    _MADE.local = True
    return _broken(time.time() if seconds is None else seconds, LOCAL)


@replaces(time.strftime)
def strftime(format: str, t: Any = None, /) -> str:
    if t is None:
        return _formatted(format, _broken(time.time(), LOCAL), LOCAL)
    asked = format.replace("%%", "")
    if isinstance(t, StructTime) and ("%z" in asked or "%Z" in asked):
        return _formatted(format, t, _zone_of(t))
    return _formatted(format, t, 0)


def _zone_of(t: StructTime) -> int:
    """What zone a time of ``localtime`` or ``gmtime`` is in.  It has no room for that: the program
    cannot ask when it made both."""
    if t.tm_isdst < 0:
        return 0  # by strptime, or by hand
    if t.tm_isdst > 0 or not _MADE.utc:
        return LOCAL
    if _MADE.local:
        raise NotImplementedError("%z and %Z where there is local time and UTC")
    return UTC


def _formatted(format: str, t: Any, zone: int) -> str:
    """``zone``: 0 where the time knows none."""
    year, month, day, hour, minute, second, weekday, yearday, dst = t
    # as CPython, which takes 0 for the first of these
    month = 1 if month == 0 else month
    day = 1 if day == 0 else day
    yearday = 1 if yearday == 0 else yearday
    if month < 1 or month > 12:
        raise ValueError("month out of range")
    if day < 1 or day > 31:
        raise ValueError("day of month out of range")
    if hour < 0 or hour > 23:
        raise ValueError("hour out of range")
    if minute < 0 or minute > 59:
        raise ValueError("minute out of range")
    if second < 0 or second > 61:
        raise ValueError("seconds out of range")
    if weekday < -1:
        raise ValueError("day of week out of range")
    if yearday < 1 or yearday > 366:
        raise ValueError("day of year out of range")
    dst = min(max(dst, -1), 1)
    text = systemtable.formatted_time(
        format, year, month, day, hour, minute, second, (weekday + 1) % 7 - 1, yearday, dst, zone
    )
    assert text is not None
    return text


@replaces(time.strptime)
def strptime(data: str, format: str = "%a %b %d %H:%M:%S %Y", /) -> StructTime:
    date, clock, days = in_order(parse(data, format))
    return StructTime(*date, *clock, *days, -1)


@replaces(time.mktime)
def mktime(t: Any, /) -> float:
    made = systemtable.made_time(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8])
    if made == -(2**63):
        raise OverflowError("mktime argument out of range")
    return float(made)


@replaces(time.asctime)
def asctime(t: Any = None, /) -> str:
    return _shown(_broken(time.time(), LOCAL) if t is None else t)


@replaces(time.ctime)
def ctime(seconds: float | None = None, /) -> str:
    return _shown(_broken(time.time() if seconds is None else seconds, LOCAL))


def _shown(t: Any) -> str:
    month = 1 if t[1] == 0 else t[1]
    day = 1 if t[2] == 0 else t[2]
    if month < 1 or month > 12:
        raise ValueError("month out of range")
    return (
        f"{_DAYS[(t[6] + 1) % 7 - 1]} {_MONTHS[month - 1]}{day:3d}"
        f" {t[3]:02d}:{t[4]:02d}:{t[5]:02d} {t[0]}"
    )
