"""``statistics``: what its source adds up as fractions.

Sums of floats are exact here, too: of ints that are multiples of the smallest float.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rpython.rlib.rbigint import rbigint
from rpython.stdlib._registry import per_arguments, replaces

_EMPTY = "mean requires at least one data point"
_SCALE = 1200
"""Each finite float is a multiple of ``2 ** -_SCALE``."""


@replaces(statistics.mean)
def mean(data: Any) -> Any:
    items = list(data)
    if not items:
        raise statistics.StatisticsError(_EMPTY)
    if isinstance(items[0], int) and all(isinstance(x, int) for x in items):
        return _int_or_float(_exact_sum(items), rbigint.fromint(len(items)).lshift(_SCALE))
    odd = _special(items)
    if odd != 0.0:
        return odd
    return _exact_sum(items).truediv(rbigint.fromint(len(items)).lshift(_SCALE))


def _int_or_float(numerator: rbigint, denominator: rbigint) -> Any:
    """What a fraction is converted to where all data are ints."""
    whole = numerator.floordiv(denominator)
    if whole.mul(denominator).eq(numerator):
        return whole.toint()
    return numerator.truediv(denominator)


def _special(items: Any) -> float:
    """The sum of what is infinite or not a number; 0.0 where nothing is."""
    odd = 0.0
    for x in items:
        if isinstance(x, float) and (math.isinf(x) or math.isnan(x)):
            odd += x
    return odd


@per_arguments
def _exact(x: Any) -> rbigint:
    """``x * 2 ** _SCALE``"""
    if isinstance(x, int):
        return rbigint.fromint(int(x)).lshift(_SCALE)
    if not isinstance(x, float | Fraction | Decimal):
        if hasattr(x, "as_integer_ratio"):
            raise NotImplementedError(f"statistics of '{type(x).__name__}'")
        raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")
    mantissa, exponent = math.frexp(x)
    return rbigint.fromint(int(mantissa * 9007199254740992.0)).lshift(exponent - 53 + _SCALE)


def _exact_sum(items: Any) -> rbigint:
    total = rbigint.fromint(0)
    for x in items:
        total = total.add(_exact(x))
    return total


def _squares(items: Any) -> rbigint:
    """The sum of the squares of the distances from the mean, times ``n * 4 ** _SCALE``."""
    total, squares = rbigint.fromint(0), rbigint.fromint(0)
    for x in items:
        exact = _exact(x)
        total = total.add(exact)
        squares = squares.add(exact.mul(exact))
    return rbigint.fromint(len(items)).mul(squares).sub(total.mul(total))


def _deviations(items: Any, count: int) -> tuple[rbigint, rbigint]:
    """``(numerator, denominator)`` of the sum of those squares divided by ``count``."""
    parts = rbigint.fromint(len(items)).mul(rbigint.fromint(count))
    return _squares(items), parts.lshift(2 * _SCALE)


def _square_root(n: rbigint, m: rbigint) -> float:
    """Of ``n / m``, correctly rounded: as CPython's ``_float_sqrt_of_frac`` does it, by the odd
    neighbour of a root of 109 bits.  Source of the algorithm: https://bugs.python.org/msg407078."""
    q = (n.bit_length() - m.bit_length() - 109) // 2
    if q >= 0:
        m = m.lshift(2 * q)
    else:
        n = n.lshift(-2 * q)
    root = n.floordiv(m).isqrt()
    if not root.mul(root).mul(m).eq(n):
        root = root.or_(rbigint.fromint(1))
    one = rbigint.fromint(1)
    return root.lshift(q).truediv(one) if q >= 0 else root.truediv(one.lshift(-q))


@replaces(statistics.stdev)
def stdev(data: Any) -> float:
    items = list(data)
    if len(items) < 2:
        raise statistics.StatisticsError("stdev requires at least two data points")
    if _special(items) != 0.0:
        raise AttributeError("'float' object has no attribute 'numerator'")
    return _square_root(*_deviations(items, len(items) - 1))


@replaces(statistics.pstdev)
def pstdev(data: Any) -> float:
    items = list(data)
    if not items:
        raise statistics.StatisticsError("pstdev requires at least one data point")
    if _special(items) != 0.0:
        raise AttributeError("'float' object has no attribute 'numerator'")
    return _square_root(*_deviations(items, len(items)))


@per_arguments
def _variance(items: Any, count: int) -> Any:
    odd = _special(items)
    if odd != 0.0:
        return odd
    numerator, denominator = _deviations(items, count)
    if isinstance(items[0], int) and all(isinstance(x, int) for x in items):
        return _int_or_float(numerator, denominator)
    return numerator.truediv(denominator)


@replaces(statistics.variance)
def variance(data: Any) -> Any:
    items = list(data)
    if len(items) < 2:
        raise statistics.StatisticsError("variance requires at least two data points")
    return _variance(items, len(items) - 1)


@replaces(statistics.pvariance)
def pvariance(data: Any) -> Any:
    items = list(data)
    if not items:
        raise statistics.StatisticsError("pvariance requires at least one data point")
    return _variance(items, len(items))


@replaces(statistics.fmean)
def fmean(data: Any) -> float:
    items = [float(x) for x in data]
    if not items:
        raise statistics.StatisticsError("fmean requires at least one data point")
    return math.fsum(items) / len(items)


@replaces(statistics.harmonic_mean)
def harmonic_mean(data: Any) -> Any:
    """Without weights."""
    items = list(data)
    if not items:
        raise statistics.StatisticsError("harmonic_mean requires at least one data point")
    if len(items) == 1 and items[0] >= 0:
        return items[0]
    inverses = []
    for x in items:
        if x < 0:
            raise statistics.StatisticsError("harmonic mean does not support negative values")
        if x == 0:
            return 0
        inverses.append(1 / x)
    odd = _special(inverses)
    if odd != 0.0:
        return len(items) / odd
    total = _exact_sum(inverses)
    if total.sign <= 0:
        raise statistics.StatisticsError("Weighted sum must be positive")
    return rbigint.fromint(len(items)).lshift(_SCALE).truediv(total)


@replaces(statistics.median)
def median(data: Any) -> Any:
    items = sorted(data)
    if not items:
        raise statistics.StatisticsError("no median for empty data")
    half = len(items) // 2
    return items[half] if len(items) % 2 == 1 else (items[half - 1] + items[half]) / 2


@replaces(statistics.mode)
def mode(data: Any) -> Any:
    pairs = Counter(list(data)).most_common(1)
    if not pairs:
        raise statistics.StatisticsError("no mode for empty data")
    return pairs[0][0]


@replaces(statistics.multimode)
def multimode(data: Any) -> Any:
    counts = Counter(list(data))
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]
