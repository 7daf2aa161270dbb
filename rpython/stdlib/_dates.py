"""``datetime.date``."""

from __future__ import annotations

import time as clock
from typing import Any

from rpython.stdlib import _calendar
from rpython.stdlib._calendar import IsoCalendarDate, ordinal_of
from rpython.stdlib._deltas import shown_class, timedelta
from rpython.stdlib._registry import extensible, per_arguments
from rpython.stdlib._structtime import StructTime


def date_of(ordinal: int) -> tuple[int, int, int]:
    """Raises OverflowError."""
    if not 1 <= ordinal <= _calendar.MAX_ORDINAL:
        raise OverflowError("date value out of range")
    return _calendar.date_of(ordinal)


@extensible
class date:
    """A day."""

    __slots__ = ("_day", "_month", "_year")
    _rpython_copied_ = "replace"

    def __init__(self, year: int, month: int, day: int) -> None:
        _calendar.check_date(year, month, day)
        self._year = year
        self._month = month
        self._day = day

    @property
    def year(self) -> int:
        return self._year

    @property
    def month(self) -> int:
        return self._month

    @property
    def day(self) -> int:
        return self._day

    @classmethod
    def today(cls) -> Any:
        return cls.fromtimestamp(clock.time())

    @classmethod
    @per_arguments
    def fromtimestamp(cls, timestamp: Any, /) -> Any:
        t = clock.localtime(timestamp)
        return cls(t.tm_year, t.tm_mon, t.tm_mday)

    @classmethod
    def fromordinal(cls, ordinal: int, /) -> Any:
        if ordinal < 1:
            raise ValueError("ordinal must be >= 1")
        year, month, day = _calendar.date_of(ordinal)
        return cls(year, month, day)

    @classmethod
    def fromisoformat(cls, date_string: str, /) -> Any:
        try:
            year, month, day = _calendar.iso_date(date_string)
        except _calendar.Malformed:
            raise ValueError(f"Invalid isoformat string: {date_string!r}") from None
        return cls(year, month, day)

    @classmethod
    def fromisocalendar(cls, year: int, week: int, day: int) -> Any:
        return cls.fromordinal(_calendar.ordinal_of_week(year, week, day))

    def replace(
        self, year: int | None = None, month: int | None = None, day: int | None = None
    ) -> Any:
        return type(self)(
            self._year if year is None else year, self._month if month is None else month,
            self._day if day is None else day,
        )  # fmt: skip

    def toordinal(self) -> int:
        return ordinal_of(self._year, self._month, self._day)

    def weekday(self) -> int:
        return (self.toordinal() + 6) % 7

    def isoweekday(self) -> int:
        return self.weekday() + 1

    def isocalendar(self) -> IsoCalendarDate:
        return _calendar.iso_calendar(self._year, self.toordinal())

    def timetuple(self) -> StructTime:
        return self._broken(0, 0, 0, -1)

    def _broken(self, hour: int, minute: int, second: int, dst: int) -> StructTime:
        yearday = _calendar.day_of_year(self._year, self._month, self._day)
        return StructTime(
            self._year, self._month, self._day, hour, minute, second, self.weekday(), yearday, dst
        )

    def isoformat(self) -> str:
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    def __str__(self) -> str:
        return self.isoformat()

    def __repr__(self) -> str:
        return f"{shown_class(self, date)}({self._year}, {self._month}, {self._day})"

    def ctime(self) -> str:
        return self._ctime("00:00:00")

    def _ctime(self, clock_text: str) -> str:
        day, month = _calendar.DAYS[self.weekday()], _calendar.MONTHS[self._month - 1]
        return f"{day[:3]} {month[:3]} {self._day:2d} {clock_text} {self._year:04d}"

    def strftime(self, format: str) -> str:
        return _calendar.formatted(format, self.timetuple(), 0, "", "", "")

    def __format__(self, format: str, /) -> str:
        return self.strftime(format) if format else str(self)

    def _is_moment(self) -> bool:
        """Has it a time, too?"""
        return False

    def __hash__(self) -> int:
        return hash((self._year, self._month, self._day))

    def _order(self, other: date) -> int:
        return self.toordinal() - other.toordinal()

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        return self._order(other) == 0 if isinstance(other, date) else NotImplemented

    @per_arguments
    def __lt__(self, other: Any) -> Any:
        return self._order(other) < 0 if isinstance(other, date) else NotImplemented

    @per_arguments
    def __le__(self, other: Any) -> Any:
        return self._order(other) <= 0 if isinstance(other, date) else NotImplemented

    @per_arguments
    def __gt__(self, other: Any) -> Any:
        return self._order(other) > 0 if isinstance(other, date) else NotImplemented

    @per_arguments
    def __ge__(self, other: Any) -> Any:
        return self._order(other) >= 0 if isinstance(other, date) else NotImplemented

    @per_arguments
    def __add__(self, other: Any) -> Any:
        return self._moved(other.days) if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __radd__(self, other: Any) -> Any:
        return self._moved(other.days) if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __sub__(self, other: Any) -> Any:
        if isinstance(other, timedelta):
            return self._moved(-other.days)
        if isinstance(other, date) and not other._is_moment():
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _moved(self, days: int) -> Any:
        year, month, day = date_of(self.toordinal() + days)
        return type(self)(year, month, day)


date.min = date(1, 1, 1)  # type: ignore[attr-defined]
date.max = date(9999, 12, 31)  # type: ignore[attr-defined]
date.resolution = timedelta(1)  # type: ignore[attr-defined]
