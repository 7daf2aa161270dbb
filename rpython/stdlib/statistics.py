"""``statistics``: what its source adds up as fractions.

Sums of floats are exact here, too: of ints that are multiples of the smallest float.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import Any

from rpython.rlib.rbigint import rbigint
from rpython.stdlib._registry import refused, replaces

_EMPTY = "mean requires at least one data point"
_SCALE = 1200
"""Each finite float is a multiple of ``2 ** -_SCALE``."""


@replaces(statistics.mean)
def mean(data: Any) -> Any:
    items = list(data)
    if not items:
        raise statistics.StatisticsError(_EMPTY)
    if isinstance(items[0], int):
        return _mean_of_ints(items)
    return _mean_of_floats(items)


@refused("the mean of ints is an int or a float: use statistics.fmean, or floats")
def _mean_of_ints(items: list[int]) -> Any:
    raise NotImplementedError


def _mean_of_floats(items: list[float]) -> float:
    total = rbigint.fromint(0)
    odd = 0.0
    for x in items:
        if math.isinf(x) or math.isnan(x):
            odd += x
        else:
            mantissa, exponent = math.frexp(x)
            scaled = rbigint.fromint(int(mantissa * 9007199254740992.0))
            total = total.add(scaled.lshift(exponent - 53 + _SCALE))
    if odd != 0.0:  # infinite, or not a number
        return odd
    return total.truediv(rbigint.fromint(len(items)).lshift(_SCALE))


@replaces(statistics.fmean)
def fmean(data: Any) -> float:
    items = [float(x) for x in data]
    if not items:
        raise statistics.StatisticsError("fmean requires at least one data point")
    return math.fsum(items) / len(items)


@replaces(statistics.median)
def median(data: Any) -> Any:
    items = sorted(data)
    if not items:
        raise statistics.StatisticsError("no median for empty data")
    if isinstance(items[0], int):
        return _median_of_ints(items)
    half = len(items) // 2
    return items[half] if len(items) % 2 == 1 else (items[half - 1] + items[half]) / 2


@refused("the median of ints is an int or a float: use median_low, median_high, or floats")
def _median_of_ints(items: list[int]) -> Any:
    raise NotImplementedError


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
