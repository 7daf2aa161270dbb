"""``datetime.timedelta``: days, seconds and microseconds, the last two not negative.

Products and quotients are of microseconds, which have to fit 64 bits (292,000 years): OverflowError
otherwise, where CPython goes on.
"""

from __future__ import annotations

import math
from typing import Any

from rpython.rlib.rarithmetic import r_longlonglong
from rpython.stdlib._registry import extensible, per_arguments

MAX_DAYS = 999999999
_DAY = 24 * 3600 * 10**6
_UNITS = ("days", "seconds", "microseconds")


@extensible
class timedelta:
    """A duration."""

    __slots__ = ("_days", "_microseconds", "_seconds")
    _rpython_copied_ = "__pos__"

    @per_arguments
    def __init__(
        self, days: Any = 0, seconds: Any = 0, microseconds: Any = 0, milliseconds: Any = 0,
        minutes: Any = 0, hours: Any = 0, weeks: Any = 0,
    ) -> None:  # fmt: skip
        d = _whole(days) + _whole(weeks) * 7
        s = _whole(seconds) + _whole(minutes) * 60 + _whole(hours) * 3600
        us = _whole(microseconds) + _whole(milliseconds) * 1000
        # What is less than a microsecond is added up apart, and rounded once.
        rest = 0.0
        for part, unit in (
            (_part(microseconds), 1.0), (_part(milliseconds), 1e3), (_part(seconds), 1e6),
            (_part(minutes), 6e7), (_part(hours), 3.6e9), (_part(days), 8.64e10),
            (_part(weeks), 6.048e11),
        ):  # fmt: skip
            fraction, whole = math.modf(part * unit)
            us += int(whole)
            rest += fraction
        if rest != 0.0:
            rounded = _away_from_zero(rest)
            if abs(rounded - rest) == 0.5:
                odd = us & 1
                rounded = 2.0 * _away_from_zero((rest + odd) * 0.5) - odd
            us += int(rounded)
        s += us // 10**6
        d += s // 86400
        if not -MAX_DAYS <= d <= MAX_DAYS:
            raise OverflowError(f"days={d}; must have magnitude <= {MAX_DAYS}")
        self._days = d
        self._seconds = s % 86400
        self._microseconds = us % 10**6

    @property
    def days(self) -> int:
        return self._days

    @property
    def seconds(self) -> int:
        return self._seconds

    @property
    def microseconds(self) -> int:
        return self._microseconds

    def total_seconds(self) -> float:
        return _in_microseconds(self) / 10**6

    def __repr__(self) -> str:
        parts = []
        for name, value in zip(_UNITS, (self._days, self._seconds, self._microseconds)):
            if value:
                parts.append(f"{name}={value}")
        return f"{shown_class(self, timedelta)}({', '.join(parts) or '0'})"

    def __str__(self) -> str:
        minutes, seconds = divmod(self._seconds, 60)
        text = f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
        if self._days:
            text = f"{self._days} day{'' if abs(self._days) == 1 else 's'}, {text}"
        return f"{text}.{self._microseconds:06d}" if self._microseconds else text

    def __hash__(self) -> int:
        return hash((self._days, self._seconds, self._microseconds))

    def __bool__(self) -> bool:
        return self._days != 0 or self._seconds != 0 or self._microseconds != 0

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        return _order(self, other) == 0 if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __lt__(self, other: Any) -> Any:
        return _order(self, other) < 0 if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __le__(self, other: Any) -> Any:
        return _order(self, other) <= 0 if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __gt__(self, other: Any) -> Any:
        return _order(self, other) > 0 if isinstance(other, timedelta) else NotImplemented

    @per_arguments
    def __ge__(self, other: Any) -> Any:
        return _order(self, other) >= 0 if isinstance(other, timedelta) else NotImplemented

    def __pos__(self) -> timedelta:
        return timedelta(self._days, self._seconds, self._microseconds)

    def __neg__(self) -> timedelta:
        return timedelta(-self._days, -self._seconds, -self._microseconds)

    def __abs__(self) -> timedelta:
        return -self if self._days < 0 else +self

    @per_arguments
    def __add__(self, other: Any) -> Any:
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(
            self._days + other._days, self._seconds + other._seconds,
            self._microseconds + other._microseconds,
        )  # fmt: skip

    @per_arguments
    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(
            self._days - other._days, self._seconds - other._seconds,
            self._microseconds - other._microseconds,
        )  # fmt: skip

    @per_arguments
    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            return timedelta(0, 0, _in_microseconds(self) * other)
        if isinstance(other, float):
            return timedelta(0, 0, _times(_in_microseconds(self), other))
        return NotImplemented

    @per_arguments
    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, int | float):
            return self * other
        return NotImplemented

    @per_arguments
    def __truediv__(self, other: Any) -> Any:
        us = _in_microseconds(self)
        if isinstance(other, timedelta):
            return us / _in_microseconds(other)
        if isinstance(other, int):
            return timedelta(0, 0, _nearest(r_longlonglong(us), r_longlonglong(other)))
        if isinstance(other, float):
            return timedelta(0, 0, _divided(us, other))
        return NotImplemented

    @per_arguments
    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, timedelta):
            return _in_microseconds(self) // _in_microseconds(other)
        if isinstance(other, int):
            return timedelta(0, 0, _in_microseconds(self) // other)
        return NotImplemented

    @per_arguments
    def __mod__(self, other: Any) -> Any:
        if isinstance(other, timedelta):
            return timedelta(0, 0, _in_microseconds(self) % _in_microseconds(other))
        return NotImplemented

    @per_arguments
    def __divmod__(self, other: Any) -> Any:
        if isinstance(other, timedelta):
            quotient, rest = divmod(_in_microseconds(self), _in_microseconds(other))
            return quotient, timedelta(0, 0, rest)
        return NotImplemented




def shown_class(x: object, cls: type) -> str:
    """The name of its class, with the module if it is ``cls`` and no subclass."""
    return f"datetime.{cls.__name__}" if type(x) is cls else type(x).__name__


def _order(a: timedelta, b: timedelta) -> int:
    """Less than, equal to, or more than 0, as ``a`` is to ``b``."""
    if a._days != b._days:
        return 1 if a._days > b._days else -1
    if a._seconds != b._seconds:
        return a._seconds - b._seconds
    return a._microseconds - b._microseconds


def _in_microseconds(x: timedelta) -> int:
    return (x._days * 86400 + x._seconds) * 10**6 + x._microseconds


@per_arguments
def _whole(x: Any) -> int:
    """Without its fraction."""
    return int(x) if isinstance(x, float) else x


@per_arguments
def _part(x: Any) -> float:
    """Its fraction."""
    return math.modf(x)[0] if isinstance(x, float) else 0.0


def _away_from_zero(x: float) -> float:
    """The nearest whole number; of two, that with the larger magnitude."""
    fraction, whole = math.modf(x)
    return whole + math.copysign(1.0, x) if abs(fraction) >= 0.5 else whole


def _ratio(x: float) -> tuple[int, int]:
    """Such ``(m, e)`` that x is m * 2**e, m odd or 0."""
    if math.isnan(x):
        raise ValueError("cannot convert NaN to integer ratio")
    if math.isinf(x):
        raise OverflowError("cannot convert Infinity to integer ratio")
    fraction, exponent = math.frexp(x)
    m = int(math.ldexp(fraction, 53))
    exponent -= 53
    while m and m & 1 == 0:
        m >>= 1
        exponent += 1
    return m, exponent


def _times(us: int, x: float) -> int:
    m, exponent = _ratio(x)
    product = r_longlonglong(us) * r_longlonglong(m)  # of 116 bits at most
    if exponent < -120:
        return 0
    if exponent < 0:
        return _nearest(product, r_longlonglong(1) << -exponent)
    return _shifted(product, exponent)


def _divided(us: int, x: float) -> int:
    m, exponent = _ratio(x)
    if exponent > 63:
        return 0
    if exponent > 0:
        return _nearest(r_longlonglong(us), r_longlonglong(m) << exponent)
    if us.bit_length() - exponent > 125:
        raise OverflowError("integer overflow")
    return _nearest(r_longlonglong(us) << -exponent, r_longlonglong(m))


def _shifted(n: r_longlonglong, count: int) -> int:
    if n and count > 63:
        raise OverflowError("integer overflow")
    limit = r_longlonglong(1) << 63 - min(count, 63)
    if not -limit < n < limit:
        raise OverflowError("integer overflow")
    return int(n << count)


def _nearest(n: r_longlonglong, divisor: r_longlonglong) -> int:
    """The quotient, rounded half to even.  Raises OverflowError where it leaves 64 bits."""
    if divisor == r_longlonglong(0):
        raise ZeroDivisionError("integer division or modulo by zero")
    quotient = n // divisor
    rest = (n - quotient * divisor) * r_longlonglong(2)
    if divisor < r_longlonglong(0):
        rest, divisor = -rest, -divisor
    if rest > divisor or (rest == divisor and quotient & r_longlonglong(1)):
        quotient += r_longlonglong(1)
    return _shifted(quotient, 0)


timedelta.min = timedelta(-MAX_DAYS)  # type: ignore[attr-defined]
timedelta.max = timedelta(MAX_DAYS, 86399, 999999)  # type: ignore[attr-defined]
timedelta.resolution = timedelta(0, 0, 1)  # type: ignore[attr-defined]
