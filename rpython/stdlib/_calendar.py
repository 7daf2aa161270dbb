"""Dates as numbers of days, and texts of dates and times, both ways; for ``datetime``."""

from __future__ import annotations

import datetime
import time
from typing import NamedTuple

from rpython.stdlib._seen import named_like
from rpython.stdlib._structtime import StructTime

MAX_YEAR = 9999
MAX_ORDINAL = 3652059
"""The number of the last day of that year; 1 is the first of January of year 1."""

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BEFORE = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
"""How many days of the year are before a month, without the leap day."""

COLON_ZONE = datetime.datetime(2024, 1, 1).strftime("%:z") == ""
"""Does the host know that format?  It is new in 3.12."""


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def day_of_year(year: int, month: int, day: int) -> int:
    return _BEFORE[month] + int(month > 2 and is_leap(year)) + day


def ordinal_of(year: int, month: int, day: int) -> int:
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400 + day_of_year(year, month, day)


def date_of(ordinal: int) -> tuple[int, int, int]:
    """Year, month, day.  A year counts from March here, so that the leap day is its last."""
    days = ordinal + 305  # since the first of March of year 0
    era, days = divmod(days, 146097)
    year = (days - days // 1460 + days // 36524 - days // 146096) // 365
    days -= year * 365 + year // 4 - year // 100
    month = (days * 5 + 2) // 153
    day = days - (month * 153 + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return era * 400 + year + (1 if month <= 2 else 0), month, day


def monday_of_first_week(year: int) -> int:
    """The number of the first day of that year of ISO 8601."""
    first = ordinal_of(year, 1, 1)
    weekday = (first + 6) % 7
    return first - weekday + (7 if weekday > 3 else 0)


@named_like(type(datetime.date.min.isocalendar()), text="datetime.IsoCalendarDate")
class IsoCalendarDate(NamedTuple):
    """What ``isocalendar`` gives."""

    year: int
    week: int
    weekday: int


def iso_calendar(year: int, ordinal: int) -> IsoCalendarDate:
    """Of a day of that year."""
    monday = monday_of_first_week(year)
    if ordinal < monday:
        year -= 1
        monday = monday_of_first_week(year)
    elif ordinal >= monday_of_first_week(year + 1):
        year += 1
        monday = monday_of_first_week(year)
    week, day = divmod(ordinal - monday, 7)
    return IsoCalendarDate(year, week + 1, day + 1)


def ordinal_of_week(year: int, week: int, day: int) -> int:
    """Raises ValueError."""
    if not 1 <= year <= MAX_YEAR:
        raise ValueError(f"Year is out of range: {year}")
    first = monday_of_first_week(year)
    if not 1 <= week <= 53 or (week == 53 and first + 364 == monday_of_first_week(year + 1)):
        raise ValueError(f"Invalid week: {week}")
    if not 1 <= day <= 7:
        raise ValueError(f"Invalid day: {day} (range is [1, 7])")
    return first + (week - 1) * 7 + day - 1


# -- to text -------------------------------------------------------------------------------------


def iso_time(hour: int, minute: int, second: int, microsecond: int, timespec: str) -> str:
    """Raises ValueError."""
    if timespec == "auto":
        timespec = "microseconds" if microsecond else "seconds"
    if timespec == "hours":
        return f"{hour:02d}"
    text = f"{hour:02d}:{minute:02d}"
    if timespec == "minutes":
        return text
    text += f":{second:02d}"
    if timespec == "seconds":
        return text
    if timespec == "milliseconds":
        return f"{text}.{microsecond // 1000:03d}"
    if timespec == "microseconds":
        return f"{text}.{microsecond:06d}"
    raise ValueError("Unknown timespec value")


def formatted(
    format: str, t: StructTime, microsecond: int, zone: str, colon_zone: str, name: str
) -> str:
    """``strftime``, where the system knows neither microseconds nor zones of the program.

    Args:
        zone, colon_zone: the offset with and without colons, empty where there is none.
        name: that of the zone.
    """
    parts: list[str] = []
    i = 0
    while i < len(format):
        c = format[i]
        directive = format[i + 1 : i + 2] if c == "%" else ""
        i += 1 + len(directive)
        if directive == "f":
            parts.append(f"{microsecond:06d}")
        elif directive == "z":
            parts.append(zone)
        elif directive == "Z":
            parts.append(name.replace("%", "%%"))
        elif COLON_ZONE and directive == ":" and format[i : i + 1] == "z":
            parts.append(colon_zone)
            i += 1
        else:
            parts.append(c + directive)
    return time.strftime("".join(parts), t)


# -- from text -----------------------------------------------------------------------------------


class Malformed(Exception):
    """No text of ISO 8601."""


def _digits(s: str, start: int, count: int) -> int:
    """The number that such digits are.  Raises Malformed."""
    text = s[start : start + count]
    if len(text) != count or not (text.isascii() and text.isdigit()):
        raise Malformed
    return int(text)


def iso_date(s: str) -> tuple[int, int, int]:
    """Year, month and day, which may be out of their ranges.  Raises Malformed."""
    if len(s) not in (7, 8, 10):
        raise Malformed
    year = _digits(s, 0, 4)
    dash = "-" if s[4] == "-" else ""
    rest = s[4:].removeprefix(dash)
    if rest[:1] == "W":
        week, day = _digits(rest, 1, 2), 1
        if len(rest) > 3:
            if not rest.startswith(dash, 3) or len(rest) != 4 + len(dash):
                raise Malformed
            day = _digits(rest, 3 + len(dash), 1)
        try:
            return date_of(ordinal_of_week(year, week, day))
        except ValueError:
            raise Malformed from None
    month = _digits(rest, 0, 2)
    if not rest.startswith(dash, 2) or len(rest) != 4 + len(dash):
        raise Malformed
    return year, month, _digits(rest, 2 + len(dash), 2)


def check_date(year: int, month: int, day: int) -> None:
    """Raises ValueError."""
    if not 1 <= year <= MAX_YEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError("day is out of range for month")


def check_time(hour: int, minute: int, second: int, microsecond: int, fold: int) -> None:
    """Raises ValueError."""
    if not 0 <= hour <= 23:
        raise ValueError("hour must be in 0..23")
    if not 0 <= minute <= 59:
        raise ValueError("minute must be in 0..59")
    if not 0 <= second <= 59:
        raise ValueError("second must be in 0..59")
    if not 0 <= microsecond <= 999999:
        raise ValueError("microsecond must be in 0..999999")
    if fold not in (0, 1):
        raise ValueError("fold must be either 0 or 1")


def end_of_iso_date(s: str) -> int:
    """Where the time's separator is in the text of a date and a time."""
    if len(s) < 8:
        return 7
    if s[4] == "-":
        if s[5] != "W":
            return 10
        if s[8:9] == "-" and not "0" <= s[10:11] <= "9":
            return 10
        return 8
    if s[4] != "W":
        return 8
    i = 7
    while i < len(s) and "0" <= s[i] <= "9":
        i += 1
    if i < 9:
        return i
    return 7 if i % 2 == 0 else 8


class IsoClock:
    """Such a part of a text, read as CPython reads it: that does not look behind the time where a
    zone follows, and takes digits behind seconds without a colon for those behind a point."""

    def __init__(self, s: str, start: int, end: int) -> None:
        """Raises Malformed."""
        s += "\0\0"
        parts = [0, 0, 0]
        self.microsecond = 0
        self.complete = False
        i = start
        colons = s[start + 2 : start + 3] == ":"
        for number in range(3):
            parts[number] = _digits(s, i, 2)
            i += 3
            c = s[i - 1]
            if i >= end:
                self.complete = c == "\0"
                break
            if c in ".,":
                break
            if not colons:
                i -= 1
            elif c != ":":
                raise Malformed
        self.hour, self.minute, self.second = parts
        if i < end:
            count = min(end - i, 6)
            self.microsecond = _digits(s, i, count) * 10 ** (6 - count)
            i += count
            while "0" <= s[i] <= "9":
                i += 1
            self.complete = s[i] == "\0"
