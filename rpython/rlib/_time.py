"""``time`` besides clocks: points in time as nine numbers, and their texts."""

from __future__ import annotations

import errno
import math
import os
import time as _time
from typing import NamedTuple

from lltypesystem import systemtable

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


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


def _broken(seconds: float, local: int) -> StructTime:
    text = systemtable.broken_time(math.floor(seconds), local)
    assert text is not None
    if text.startswith("!"):
        raise OSError(errno.EOVERFLOW, os.strerror(errno.EOVERFLOW))
    n = [int(number) for number in text.split(" ")[:9]]
    return StructTime(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])


def gmtime_now() -> StructTime:
    return _broken(_time.time(), 0)


def gmtime(seconds: float) -> StructTime:
    return _broken(seconds, 0)


def localtime_now() -> StructTime:
    return _broken(_time.time(), 1)


def localtime(seconds: float) -> StructTime:
    return _broken(seconds, 1)


def strftime_now(format: str) -> str:
    return strftime(format, localtime_now())


def strftime(
    format: str, t: tuple[int, int, int, int, int, int, int, int, int] | StructTime
) -> str:
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
        format, year, month, day, hour, minute, second, (weekday + 1) % 7 - 1, yearday, dst
    )
    assert text is not None
    return text


def mktime(t: tuple[int, int, int, int, int, int, int, int, int] | StructTime) -> float:
    made = systemtable.made_time(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8])
    if made == -(2**63):
        raise OverflowError("mktime argument out of range")
    return float(made)


def asctime(t: tuple[int, int, int, int, int, int, int, int, int] | StructTime) -> str:
    month = 1 if t[1] == 0 else t[1]
    day = 1 if t[2] == 0 else t[2]
    if month < 1 or month > 12:
        raise ValueError("month out of range")
    return (
        f"{_DAYS[(t[6] + 1) % 7 - 1]} {_MONTHS[month - 1]}{day:3d}"
        f" {t[3]:02d}:{t[4]:02d}:{t[5]:02d} {t[0]}"
    )


def ctime(seconds: float) -> str:
    return asctime(localtime(seconds))


def ctime_now() -> str:
    return asctime(localtime_now())


def asctime_now() -> str:
    return asctime(localtime_now())
