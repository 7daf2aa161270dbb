"""``fractions``: fractions of ints of 64 bits; OverflowError where CPython goes on.

CPython's source makes them by ``__new__``, and its operators are closures made by a function.
"""

from __future__ import annotations

import fractions
import math
from typing import Any

from rpython.rlib.rarithmetic import r_longlonglong
from rpython.stdlib._registry import converts, extensible, per_arguments, replaces

_FORMAT = fractions._RATIONAL_FORMAT  # type: ignore[attr-defined]
_rpython_grows_ = True
_PRIME = (1 << 61) - 1
"""What numbers are taken modulo of when they are hashed."""


@replaces(fractions.Fraction)
@extensible
class Fraction:
    """A numerator and a denominator, which is positive and has no factor in common with it."""

    __slots__ = ("_denominator", "_numerator")

    @per_arguments
    def __init__(self, numerator: Any = 0, denominator: Any = None) -> None:
        if denominator is not None:
            n, d = _numerator(numerator), _denominator(numerator)
            n, d = n * _denominator(denominator), d * _numerator(denominator)
        elif isinstance(numerator, str):
            n, d = _parsed(numerator)
        elif isinstance(numerator, float):
            n, d = numerator.as_integer_ratio()
        else:
            n, d = _numerator(numerator), _denominator(numerator)
        if d == 0:
            raise ZeroDivisionError(f"Fraction({n}, 0)")
        common = math.gcd(n, d)
        if d < 0:
            common = -common
        self._numerator = n // common
        self._denominator = d // common

    @property
    def numerator(self) -> int:
        return self._numerator

    @property
    def denominator(self) -> int:
        return self._denominator

    @classmethod
    def from_float(cls, f: float) -> Any:
        n, d = f.as_integer_ratio()
        return cls(n, d)

    def as_integer_ratio(self) -> tuple[int, int]:
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator: int = 1000000) -> Fraction:
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self._numerator, self._denominator)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        below, above = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return above if abs(above - self) <= abs(below - self) else below

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self) -> str:
        if self._denominator == 1:
            return str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    def __hash__(self) -> int:
        d = self._denominator % _PRIME
        if d == 0:
            hashed = 314159  # as of infinity
        else:
            inverse = r_longlonglong(pow(d, _PRIME - 2, _PRIME))
            n = r_longlonglong(abs(self._numerator))
            hashed = int(n % r_longlonglong(_PRIME) * inverse % r_longlonglong(_PRIME))
        if self._numerator < 0:
            hashed = -hashed
        return -2 if hashed == -1 else hashed

    def __bool__(self) -> bool:
        return self._numerator != 0

    def __float__(self) -> float:
        return self._numerator / self._denominator

    def __int__(self) -> int:
        return self.__trunc__()

    def __trunc__(self) -> int:
        return self.__ceil__() if self._numerator < 0 else self.__floor__()

    def __floor__(self) -> int:
        return self._numerator // self._denominator

    def __ceil__(self) -> int:
        return -(-self._numerator // self._denominator)

    @per_arguments
    def __round__(self, ndigits: Any = None) -> Any:
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 == self._denominator:
                return floor + (floor & 1)
            return floor if rest * 2 < self._denominator else floor + 1
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __pos__(self) -> Fraction:
        return Fraction(self._numerator, self._denominator)

    def __neg__(self) -> Fraction:
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self) -> Fraction:
        return Fraction(abs(self._numerator), self._denominator)

    _rpython_copied_ = ""

    def __copy__(self) -> Fraction:
        return Fraction(self._numerator, self._denominator)

    # -- arithmetic -------------------------------------------------------------------------------

    @per_arguments
    def __add__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) + other
        return _sum(self, other, 1) if isinstance(other, int | Fraction) else NotImplemented

    @per_arguments
    def __radd__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other + float(self)
        return _sum(self, other, 1) if isinstance(other, int) else NotImplemented

    @per_arguments
    def __sub__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) - other
        return _sum(self, other, -1) if isinstance(other, int | Fraction) else NotImplemented

    @per_arguments
    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other - float(self)
        return _sum(Fraction(other), self, -1) if isinstance(other, int) else NotImplemented

    @per_arguments
    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) * other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return _product(
            self._numerator, self._denominator, _numerator(other), _denominator(other)
        )

    @per_arguments
    def __rmul__(self, other: Any) -> Any:
        return self * other if isinstance(other, int | float) else NotImplemented

    @per_arguments
    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) / other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return _product(
            self._numerator, self._denominator, _denominator(other), _numerator(other)
        )

    @per_arguments
    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other / float(self)
        if not isinstance(other, int):
            return NotImplemented
        return _product(other, 1, self._denominator, self._numerator)

    @per_arguments
    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) // other
        return _divided(self, other)[0] if isinstance(other, int | Fraction) else NotImplemented

    @per_arguments
    def __rfloordiv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other // float(self)
        return _divided(Fraction(other), self)[0] if isinstance(other, int) else NotImplemented

    @per_arguments
    def __mod__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) % other
        return _rest(self, other) if isinstance(other, int | Fraction) else NotImplemented

    @per_arguments
    def __rmod__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other % float(self)
        return _rest(Fraction(other), self) if isinstance(other, int) else NotImplemented

    @per_arguments
    def __divmod__(self, other: Any) -> Any:
        if isinstance(other, float):
            return divmod(float(self), other)
        return _divided(self, other) if isinstance(other, int | Fraction) else NotImplemented

    @per_arguments
    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int):
            return _power(self, other)
        if isinstance(other, float):
            return float(self) ** other
        if not isinstance(other, Fraction):
            return NotImplemented
        if other._denominator == 1:
            return _power(self, other._numerator)
        return float(self) ** float(other)

    # -- order ------------------------------------------------------------------------------------

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        if isinstance(other, int):
            return self._numerator == other and self._denominator == 1
        if isinstance(other, Fraction):
            same = self._numerator == other._numerator
            return same and self._denominator == other._denominator
        return _order(self, other) == 0 if isinstance(other, float) else NotImplemented

    @per_arguments
    def __lt__(self, other: Any) -> Any:
        return _order(self, other) < 0 if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __le__(self, other: Any) -> Any:
        return _order(self, other) <= 0 if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __gt__(self, other: Any) -> Any:
        return _order(self, other) > 0 if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __ge__(self, other: Any) -> Any:
        return _order(self, other) >= 0 if isinstance(other, _NUMBERS) else NotImplemented


_NUMBERS = (int, float, Fraction)


@per_arguments
def _numerator(x: Any) -> int:
    if isinstance(x, Fraction):
        return x._numerator
    if isinstance(x, int):
        return int(x)
    raise TypeError("both arguments should be Rational instances")


@per_arguments
def _denominator(x: Any) -> int:
    return x._denominator if isinstance(x, Fraction) else 1


def _parsed(s: str) -> tuple[int, int]:
    """Raises ValueError."""
    m = _FORMAT.match(s)
    if m is None:
        raise ValueError(f"Invalid literal for Fraction: {s!r}")
    n, d = int(m.group("num") or "0"), 1
    denominator = m.group("denom")
    if denominator:
        d = int(denominator)
    else:
        digits = (m.group("decimal") or "").replace("_", "")
        if digits:
            d = 10 ** len(digits)
            n = n * d + int(digits)
        exponent = int(m.group("exp") or "0")
        if exponent >= 0:
            n *= 10**exponent
        else:
            d *= 10**-exponent
    return -n if m.group("sign") == "-" else n, d


@per_arguments
def _sum(a: Fraction, b: Any, sign: int) -> Fraction:
    """Knuth, The Art of Computer Programming, volume 2, 4.5.1: with small numbers on the way."""
    da, nb, db = a._denominator, sign * _numerator(b), _denominator(b)
    common = math.gcd(da, db)
    if common == 1:
        return Fraction(a._numerator * db + da * nb, da * db)
    s = da // common
    t = a._numerator * (db // common) + nb * s
    common = math.gcd(t, common)
    return Fraction(t // common, s * (db // common))


def _product(na: int, da: int, nb: int, db: int) -> Fraction:
    common = math.gcd(na, db)
    if common > 1:
        na //= common
        db //= common
    common = math.gcd(nb, da)
    if common > 1:
        nb //= common
        da //= common
    n, d = na * nb, da * db
    return Fraction(-n, -d) if d < 0 else Fraction(n, d)


@per_arguments
def _divided(a: Fraction, b: Any) -> tuple[int, Fraction]:
    """Quotient and rest."""
    da, nb, db = a._denominator, _numerator(b), _denominator(b)
    quotient, rest = divmod(a._numerator * db, da * nb)
    return quotient, Fraction(rest, da * db)


@per_arguments
def _rest(a: Fraction, b: Any) -> Fraction:
    da, nb, db = a._denominator, _numerator(b), _denominator(b)
    return Fraction(a._numerator * db % (nb * da), da * db)


def _power(a: Fraction, exponent: int) -> Fraction:
    if exponent >= 0:
        return Fraction(a._numerator**exponent, a._denominator**exponent)
    return Fraction(a._denominator**-exponent, a._numerator**-exponent)


@per_arguments
def _order(a: Fraction, b: Any) -> float:
    """Less than, equal to, or more than 0, as ``a`` is to ``b``; nan where they have no order."""
    if isinstance(b, float):
        if math.isnan(b) or math.isinf(b):
            return 0.0 - b
        n, d = b.as_integer_ratio()
    else:
        n, d = _numerator(b), _denominator(b)
    left, right = a._numerator * d, n * a._denominator
    return 0.0 if left == right else -1.0 if left < right else 1.0


@converts(fractions.Fraction)
def _fraction_for(x: Any) -> Fraction:
    return Fraction(x.numerator, x.denominator)
