"""``datetime``: times of a day, and zones."""

from __future__ import annotations

from typing import Any

from rpython.stdlib import _calendar
from rpython.stdlib._deltas import shown_class, timedelta
from rpython.stdlib._registry import extensible, per_arguments
from rpython.stdlib._structtime import StructTime

_DAY = 24 * 3600


@extensible
class tzinfo:
    """A zone."""

    def tzname(self, dt: Any, /) -> str | None:
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def utcoffset(self, dt: Any, /) -> timedelta | None:
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def dst(self, dt: Any, /) -> timedelta | None:
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def fromutc(self, dt: Any, /) -> Any:
        if dt.tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        offset = dt.utcoffset()
        if offset is None:
            raise ValueError("fromutc: non-None utcoffset() result required")
        summer = dt.dst()
        if summer is None:
            raise ValueError("fromutc: non-None dst() result required")
        delta = offset - summer
        if delta:
            dt = dt + delta
            summer = dt.dst()
            if summer is None:
                raise ValueError("fromutc: tz.dst() gave inconsistent results; cannot convert")
        return dt + summer


class timezone(tzinfo):
    """A zone with a fixed offset."""

    def __init__(self, offset: timedelta, name: str | None = None) -> None:
        _check(offset)
        self._offset = offset
        self._name = name

    def utcoffset(self, dt: Any, /) -> timedelta | None:
        return self._offset

    def dst(self, dt: Any, /) -> timedelta | None:
        return None

    def tzname(self, dt: Any, /) -> str | None:
        if self._name is not None:
            return self._name
        return f"UTC{_offset_text(self._offset, ':')}" if self._offset else "UTC"

    def fromutc(self, dt: Any, /) -> Any:
        if dt.tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        return dt + self._offset

    def __repr__(self) -> str:
        if self._name is not None:
            return f"datetime.timezone({self._offset!r}, {self._name!r})"
        return f"datetime.timezone({self._offset!r})" if self._offset else "datetime.timezone.utc"

    def __str__(self) -> str:
        return str(self.tzname(None))

    def __hash__(self) -> int:
        return hash(self._offset)

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented




def _offset_text(offset: timedelta, colon: str) -> str:
    sign = "+"
    if offset.days < 0:
        sign, offset = "-", -offset
    minutes, seconds = divmod(offset.seconds, 60)
    text = f"{sign}{minutes // 60:02d}{colon}{minutes % 60:02d}"
    if seconds or offset.microseconds:
        text += f"{colon}{seconds:02d}"
    return f"{text}.{offset.microseconds:06d}" if offset.microseconds else text


def _zone_text(offset: timedelta | None, colon: str) -> str:
    return "" if offset is None else _offset_text(offset, colon)


def _check(offset: timedelta) -> None:
    """Raises ValueError."""
    if not -_WHOLE_DAY < offset < _WHOLE_DAY:
        raise ValueError(
            "offset must be a timedelta strictly between -timedelta(hours=24) and "
            f"timedelta(hours=24), not {offset!r}."
        )


def _checked(offset: timedelta | None) -> timedelta | None:
    """What a zone of the program said.  Raises ValueError."""
    if offset is not None:
        _check(offset)
    return offset


class Clock:
    """What times and dates with times have in common."""

    __slots__ = ()  # those of ``time`` and ``datetime`` have the fields
    _hour: int
    _minute: int
    _second: int
    _microsecond: int
    _tzinfo: Any
    _fold: int

    @per_arguments
    def __init__(
        self: Any, hour: int = 0, minute: int = 0, second: int = 0, microsecond: int = 0,
        tzinfo: Any = None, *, fold: int = 0,
    ) -> None:  # fmt: skip
        _calendar.check_time(hour, minute, second, microsecond, fold)
        self._hour = hour
        self._minute = minute
        self._second = second
        self._microsecond = microsecond
        self._tzinfo = tzinfo
        self._fold = fold

    def __repr__(self) -> str:
        raise NotImplementedError

    @property
    def hour(self) -> int:
        return self._hour

    @property
    def minute(self) -> int:
        return self._minute

    @property
    def second(self) -> int:
        return self._second

    @property
    def microsecond(self) -> int:
        return self._microsecond

    @property
    def tzinfo(self) -> Any:
        return self._tzinfo

    @property
    def fold(self) -> int:
        return self._fold

    def _asked(self) -> Any:
        """What zones are asked about."""
        return None

    def _clock_seconds(self) -> int:
        """Since midnight."""
        return (self._hour * 60 + self._minute) * 60 + self._second

    def _clock_text(self, timespec: str) -> str:
        """The time and the zone, in ISO 8601's form."""
        text = _calendar.iso_time(
            self._hour, self._minute, self._second, self._microsecond, timespec
        )
        return text + _zone_text(self.utcoffset(), ":")

    def _formatted(self, format: str, t: StructTime) -> str:
        offset = self.utcoffset()
        return _calendar.formatted(
            format, t, self._microsecond, _zone_text(offset, ""), _zone_text(offset, ":"),
            self.tzname() or "" if "%Z" in format else "",
        )  # fmt: skip

    def utcoffset(self) -> timedelta | None:
        return None if self._tzinfo is None else _checked(self._tzinfo.utcoffset(self._asked()))

    def dst(self) -> timedelta | None:
        return None if self._tzinfo is None else _checked(self._tzinfo.dst(self._asked()))

    def tzname(self) -> str | None:
        return None if self._tzinfo is None else self._tzinfo.tzname(self._asked())

    def _copy(self: Any, deep: bool = False) -> Any:
        """For ``copy``."""
        if deep and self._tzinfo is not None:
            raise NotImplementedError("a deep copy of a time in a zone")
        return self.replace()


@extensible
class time(Clock):
    """A time of a day."""

    __slots__ = ("_fold", "_hour", "_microsecond", "_minute", "_second", "_tzinfo")
    _rpython_copied_ = "_copy"

    @classmethod
    def fromisoformat(cls, time_string: str, /) -> Any:
        text = time_string.removeprefix("T")
        try:
            hour, minute, second, microsecond, zone = iso_time_and_zone(text)
        except _calendar.Malformed:
            raise ValueError(f"Invalid isoformat string: {time_string!r}") from None
        return cls(hour, minute, second, microsecond, zone)

    @per_arguments
    def replace(
        self, hour: int | None = None, minute: int | None = None, second: int | None = None,
        microsecond: int | None = None, tzinfo: Any = True, *, fold: int | None = None,
    ) -> Any:  # fmt: skip
        return type(self)(
            self._hour if hour is None else hour, self._minute if minute is None else minute,
            self._second if second is None else second,
            self._microsecond if microsecond is None else microsecond,
            given(tzinfo, self._tzinfo), fold=self._fold if fold is None else fold,
        )  # fmt: skip

    def isoformat(self, timespec: str = "auto") -> str:
        return self._clock_text(timespec)

    def __str__(self) -> str:
        return self.isoformat()

    def __repr__(self) -> str:
        text = f"{shown_class(self, time)}({self._hour}, {self._minute}"
        return text + end_of_repr(self._second, self._microsecond, self._fold, self._tzinfo)

    def strftime(self, format: str) -> str:
        t = StructTime(1900, 1, 1, self._hour, self._minute, self._second, 0, 1, -1)
        return self._formatted(format, t)

    def __format__(self, format: str, /) -> str:
        return self.strftime(format) if format else str(self)

    def __hash__(self) -> int:
        offset = self.utcoffset()
        return hash(self._in_microseconds(UTC._offset if offset is None else offset))

    def _in_microseconds(self, offset: timedelta) -> int:
        """Since midnight in UTC."""
        return (self._clock_seconds() - offset.days * _DAY - offset.seconds) * 10**6 + (
            self._microsecond - offset.microseconds
        )

    def _order(self, other: time, equality: bool) -> int:
        zero = UTC._offset
        if self._tzinfo is other._tzinfo:
            return self._in_microseconds(zero) - other._in_microseconds(zero)
        ours, theirs = self.utcoffset(), other.utcoffset()
        if ours is None or theirs is None:
            if ours is None and theirs is None:
                return self._in_microseconds(zero) - other._in_microseconds(zero)
            if equality:
                return 1
            raise TypeError("can't compare offset-naive and offset-aware times")
        return self._in_microseconds(ours) - other._in_microseconds(theirs)

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        return self._order(other, True) == 0 if isinstance(other, time) else NotImplemented

    @per_arguments
    def __lt__(self, other: Any) -> Any:
        return self._order(other, False) < 0 if isinstance(other, time) else NotImplemented

    @per_arguments
    def __le__(self, other: Any) -> Any:
        return self._order(other, False) <= 0 if isinstance(other, time) else NotImplemented

    @per_arguments
    def __gt__(self, other: Any) -> Any:
        return self._order(other, False) > 0 if isinstance(other, time) else NotImplemented

    @per_arguments
    def __ge__(self, other: Any) -> Any:
        return self._order(other, False) >= 0 if isinstance(other, time) else NotImplemented


@per_arguments
def given(zone: Any, own: Any) -> Any:
    """The zone that ``replace`` was given, which is True where it was given none."""
    return own if isinstance(zone, bool) else zone


def end_of_repr(second: int, microsecond: int, fold: int, zone: Any) -> str:
    text = ""
    if microsecond:
        text = f", {second}, {microsecond}"
    elif second:
        text = f", {second}"
    if fold:
        text += ", fold=1"
    if zone is not None:
        text += f", tzinfo={zone!r}"
    return text + ")"


def iso_time_and_zone(s: str) -> tuple[int, int, int, int, timezone | None]:
    """Raises Malformed, and ValueError for a zone that is out of its range."""
    place = 1
    while place < len(s) and s[place] not in "+-Z":
        place += 1
    t = _calendar.IsoClock(s, 0, place)
    zone: timezone | None = None
    if place >= len(s):
        if not t.complete:
            raise _calendar.Malformed
    elif s[place] == "Z":
        if place + 1 != len(s):
            raise _calendar.Malformed
        zone = UTC
    else:
        z = _calendar.IsoClock(s, place + 1, len(s))
        if not z.complete:
            raise _calendar.Malformed
        offset = timedelta(0, (z.hour * 60 + z.minute) * 60 + z.second, z.microsecond)
        zone = timezone(-offset if s[place] == "-" else offset) if offset else UTC
    return t.hour, t.minute, t.second, t.microsecond, zone


_WHOLE_DAY = timedelta(1)
UTC = timezone(timedelta(0))
timezone.utc = UTC  # type: ignore[attr-defined]
timezone.min = timezone(timedelta(0, -86340))  # type: ignore[attr-defined]
timezone.max = timezone(timedelta(0, 86340))  # type: ignore[attr-defined]
time.min = time()  # type: ignore[attr-defined]
time.max = time(23, 59, 59, 999999)  # type: ignore[attr-defined]
time.resolution = timedelta(0, 0, 1)  # type: ignore[attr-defined]
