"""``datetime``: dates with times; ``_dates.py``, ``_times.py`` and ``_deltas.py`` have the others.

CPython's own source in Python makes its objects by ``__new__``, and has other texts of errors than
the accelerator in C, which programs see: so it is said again.
"""

from __future__ import annotations

import datetime as host
import math
import time as clock
from typing import Any

from rpython.stdlib import _calendar, _dates
from rpython.stdlib._dates import date, date_of
from rpython.stdlib._deltas import shown_class, timedelta
from rpython.stdlib._registry import Refused, converts, extensible, per_arguments, replace_each
from rpython.stdlib._strptime import in_order, parse
from rpython.stdlib._structtime import StructTime
from rpython.stdlib._times import (
    UTC,
    Clock,
    end_of_repr,
    given,
    iso_time_and_zone,
    time,
    timezone,
    tzinfo,
)

_EPOCH = _calendar.ordinal_of(1970, 1, 1)
_DAY = 24 * 3600


@extensible
class datetime(Clock, date):
    """A day and a time of it."""

    __slots__ = ("_fold", "_hour", "_microsecond", "_minute", "_second", "_tzinfo")
    _rpython_copied_ = "_copy"

    def __init__(
        self, year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0,
        microsecond: int = 0, tzinfo: Any = None, *, fold: int = 0,
    ) -> None:  # fmt: skip
        date.__init__(self, year, month, day)
        Clock.__init__(self, hour, minute, second, microsecond, tzinfo, fold=fold)

    # -- other ways to make them ------------------------------------------------------------------

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return cls.fromtimestamp(clock.time(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.utcfromtimestamp(clock.time())

    @classmethod
    @per_arguments
    def fromtimestamp(cls, timestamp: Any, tz: Any = None) -> Any:
        seconds, microsecond = _split(timestamp)
        if tz is not None:
            return tz.fromutc(_from_seconds(cls, seconds, microsecond, tz, 0))
        local = _local(seconds)
        fold = 0
        # Is it an hour that comes twice?  Then there was less than a day between now and then.
        moved = local - _local(seconds - _DAY) - _DAY
        if moved < 0 and _local(seconds + moved) == local:
            fold = 1
        return _from_seconds(cls, local, microsecond, None, fold)

    @classmethod
    @per_arguments
    def utcfromtimestamp(cls, timestamp: Any, /) -> Any:
        seconds, microsecond = _split(timestamp)
        return _from_seconds(cls, seconds, microsecond, None, 0)

    @classmethod
    @per_arguments
    def combine(cls, date: Any, time: Any, tzinfo: Any = True) -> Any:
        return cls(
            date._year, date._month, date._day, time._hour, time._minute, time._second,
            time._microsecond, given(tzinfo, time._tzinfo), fold=time._fold,
        )  # fmt: skip

    @classmethod
    def fromisoformat(cls, date_string: str, /) -> Any:
        place = _calendar.end_of_iso_date(date_string)
        hour = minute = second = microsecond = 0
        zone: Any = None
        try:
            year, month, day = _calendar.iso_date(date_string[:place])
            if place < len(date_string):
                rest = date_string[place + 1 :]
                hour, minute, second, microsecond, zone = iso_time_and_zone(rest)
        except _calendar.Malformed:
            raise ValueError(f"Invalid isoformat string: {date_string!r}") from None
        return cls(year, month, day, hour, minute, second, microsecond, zone)

    @classmethod
    def strptime(cls, date_string: str, format: str, /) -> Any:
        parsed = parse(date_string, format)
        date, clock, _ = in_order(parsed)
        zone = timezone(timedelta(0, 0, parsed.zone)) if parsed.has_zone else None
        return cls(*date, *clock, parsed.found.get("f", 0), zone)

    @per_arguments
    def replace(
        self, year: int | None = None, month: int | None = None, day: int | None = None,
        hour: int | None = None, minute: int | None = None, second: int | None = None,
        microsecond: int | None = None, tzinfo: Any = True, *, fold: int | None = None,
    ) -> Any:  # fmt: skip
        return type(self)(
            self._year if year is None else year, self._month if month is None else month,
            self._day if day is None else day, self._hour if hour is None else hour,
            self._minute if minute is None else minute,
            self._second if second is None else second,
            self._microsecond if microsecond is None else microsecond,
            given(tzinfo, self._tzinfo), fold=self._fold if fold is None else fold,
        )  # fmt: skip

    # -- parts ------------------------------------------------------------------------------------

    def date(self) -> Any:
        return date(self._year, self._month, self._day)

    def time(self) -> Any:
        return time(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self) -> Any:
        return time(
            self._hour, self._minute, self._second, self._microsecond, self._tzinfo,
            fold=self._fold,
        )  # fmt: skip

    def _asked(self) -> Any:
        return self

    def _is_moment(self) -> bool:
        return True

    def timetuple(self) -> StructTime:
        summer = self.dst()
        flag = -1 if summer is None else int(bool(summer))
        return self._broken(self._hour, self._minute, self._second, flag)

    def utctimetuple(self) -> StructTime:
        offset = self.utcoffset()
        utc = self if offset is None else self - offset
        return utc._broken(utc._hour, utc._minute, utc._second, 0)

    def _seconds(self) -> int:
        """Since 1970, as if it was UTC."""
        return (self.toordinal() - _EPOCH) * _DAY + self._clock_seconds()

    def timestamp(self) -> float:
        offset = self.utcoffset()
        if offset is None:
            return self._seconds_of_local() + self._microsecond / 1e6
        since: timedelta = self._since(_FIRST) - offset + _SINCE_1970
        return since.total_seconds()

    def _since(self, other: Any) -> timedelta:
        """The difference of what both show."""
        return timedelta(
            self.toordinal() - other.toordinal(), self._clock_seconds() - other._clock_seconds(),
            self._microsecond - other._microsecond,
        )  # fmt: skip

    def _seconds_of_local(self) -> int:
        """Since 1970, of what is local time.  There may be two such moments, or none."""
        t = self._seconds()
        before = _local(t) - t
        first = t - before
        shown = _local(first)
        if shown == t:
            # the other one, if there are two
            other = first + (_DAY if self._fold else -_DAY)
            after = _local(other) - other
            if after == before:
                return first
        else:
            after = shown - first
        second = t - after
        if _local(second) == t:
            return second
        if shown == t:
            return first
        return min(first, second) if self._fold else max(first, second)

    def astimezone(self, tz: Any = None) -> Any:
        own = self._tzinfo
        offset = self.utcoffset()
        if offset is None:
            own = _local_zone(self._seconds_of_local())
            offset = own.utcoffset(self)
        if tz is own:
            return self
        utc = self.replace(tzinfo=None) - offset
        if tz is None:
            tz = _local_zone(utc._seconds())
        return tz.fromutc(utc.replace(tzinfo=tz))

    # -- text -------------------------------------------------------------------------------------

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        if len(sep) != 1:
            raise TypeError("isoformat() argument 1 must be a unicode character, not str")
        return date.isoformat(self) + sep + self._clock_text(timespec)

    def __str__(self) -> str:
        return self.isoformat(" ")

    def __repr__(self) -> str:
        text = f"{shown_class(self, datetime)}({self._year}, {self._month}, {self._day}"
        text += f", {self._hour}, {self._minute}"
        return text + end_of_repr(self._second, self._microsecond, self._fold, self._tzinfo)

    def ctime(self) -> str:
        return self._ctime(f"{self._hour:02d}:{self._minute:02d}:{self._second:02d}")

    def strftime(self, format: str) -> str:
        return self._formatted(format, self.timetuple())

    # -- arithmetic and order ---------------------------------------------------------------------

    def __hash__(self) -> int:
        offset = self.utcoffset()
        return hash(self._since(_FIRST) if offset is None else self._since(_FIRST) - offset)

    def _difference(self, other: Any, equality: bool) -> Any:
        """``equality``: are they only asked whether they are equal?  Those with a zone and those
        without are not, and have no order."""
        difference = self._since(other)
        if self._tzinfo is other._tzinfo:
            return difference
        ours, theirs = self.utcoffset(), other.utcoffset()
        if ours is None or theirs is None:
            if ours is None and theirs is None:
                return difference
            if equality:
                return _SECOND
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        if equality and (self._is_ambiguous() or other._is_ambiguous()):
            return _SECOND
        return difference - ours + theirs

    def _is_ambiguous(self) -> bool:
        """PEP 495: does the offset depend on the fold?  Then it equals nothing in other zones."""
        return bool(self.utcoffset() != self.replace(fold=1 - self._fold).utcoffset())

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        if isinstance(other, datetime):
            return not self._difference(other, True)
        return False if isinstance(other, _dates.date) else NotImplemented

    def _order(self, other: _dates.date) -> int:
        if not isinstance(other, datetime):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        difference = self._difference(other, False)
        return -1 if difference.days < 0 else int(bool(difference))

    def _moved_by(self, delta: timedelta) -> Any:
        sum = timedelta(self.toordinal(), self._clock_seconds(), self._microsecond) + delta
        year, month, day = date_of(sum.days)
        minutes, second = divmod(sum.seconds, 60)
        return type(self)(
            year, month, day, minutes // 60, minutes % 60, second, sum.microseconds, self._tzinfo
        )

    @per_arguments
    def __add__(self, other: Any) -> Any:
        return self._moved_by(other) if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __radd__(self, other: Any) -> Any:
        return self._moved_by(other) if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __sub__(self, other: Any) -> Any:
        if isinstance(other, timedelta):
            return self._moved_by(-other)
        if not isinstance(other, datetime):
            return NotImplemented
        difference = self._since(other)
        if self._tzinfo is other._tzinfo:
            return difference
        ours, theirs = self.utcoffset(), other.utcoffset()
        if ours is None and theirs is None:
            return difference
        if ours is None or theirs is None:
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return difference - ours + theirs




def _split(timestamp: int | float) -> tuple[int, int]:
    """Whole seconds, and microseconds, rounded half to even."""
    if math.isnan(timestamp):
        raise ValueError("Invalid value NaN (not a number)")
    if not -(2.0**63) <= timestamp < 2.0**63:
        raise OverflowError("timestamp out of range for platform time_t")
    fraction, whole = math.modf(timestamp)
    microsecond = round(fraction * 1e6)
    return int(whole) + microsecond // 10**6, microsecond % 10**6


def _local(seconds: int) -> int:
    """What local time shows then, as seconds since it showed the start of 1970."""
    t = clock.localtime(seconds)
    if not 1 <= t.tm_year <= _calendar.MAX_YEAR:
        raise ValueError(f"year {t.tm_year} is out of range")
    days = _calendar.ordinal_of(t.tm_year, t.tm_mon, t.tm_mday) - _EPOCH
    return ((days * 24 + t.tm_hour) * 60 + t.tm_min) * 60 + t.tm_sec


def _local_zone(seconds: int) -> timezone:
    offset = timedelta(0, _local(seconds) - seconds)
    return timezone(offset, clock.strftime("%Z", clock.localtime(seconds)))


def _from_seconds(cls: Any, seconds: int, microsecond: int, zone: Any, fold: int) -> Any:
    days, seconds = divmod(seconds, _DAY)
    ordinal = days + _EPOCH
    if not 1 <= ordinal <= _calendar.MAX_ORDINAL:
        year = 1970 + days * 400 // 146097
        raise ValueError(f"year {year} is out of range")
    year, month, day = _calendar.date_of(ordinal)
    minutes, second = divmod(seconds, 60)
    return cls(
        year, month, day, minutes // 60, minutes % 60, second, microsecond, zone, fold=fold
    )


_SECOND = timedelta(0, 1)
datetime.min = datetime(1, 1, 1)  # type: ignore[attr-defined]
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999999)  # type: ignore[attr-defined]
datetime.resolution = timedelta(0, 0, 1)  # type: ignore[attr-defined]
_FIRST = datetime(1, 1, 1)
_SINCE_1970 = timedelta(1 - _EPOCH)

replace_each({
    host.timedelta: timedelta, host.tzinfo: tzinfo, host.timezone: timezone, host.date: date,
    host.time: time, host.datetime: datetime,
})  # fmt: skip


@converts(host.timedelta)
def _delta_for(x: Any) -> timedelta:
    return timedelta(x.days, x.seconds, x.microseconds)


@converts(host.date)
def _date_for(x: Any) -> date:
    return date(x.year, x.month, x.day)


@converts(host.time)
def _time_for(x: Any) -> time:
    return time(x.hour, x.minute, x.second, x.microsecond, _zone_for(x.tzinfo), fold=x.fold)


@converts(host.datetime)
def _datetime_for(x: Any) -> datetime:
    return datetime(
        x.year, x.month, x.day, x.hour, x.minute, x.second, x.microsecond, _zone_for(x.tzinfo),
        fold=x.fold,
    )  # fmt: skip


_ZONES: dict[int, tuple[Any, Any]] = {id(None): (None, None), id(host.UTC): (host.UTC, UTC)}
"""Those that there are when programs are translated, and what stands for them."""


@converts(host.timezone)
def _zone_for(x: Any) -> Any:
    if id(x) not in _ZONES:
        _ZONES[id(x)] = (x, _made_zone(x))
    return _ZONES[id(x)][1]


def _made_zone(x: Any) -> timezone:
    if not isinstance(x, host.timezone):
        raise Refused(f"a zone made at import time: {x!r}")
    offset, name = x.utcoffset(None), x.tzname(None)
    named = name != host.timezone(offset).tzname(None)
    return timezone(_delta_for(offset), name if named else None)
