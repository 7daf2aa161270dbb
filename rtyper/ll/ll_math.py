"""``math`` over the C library: its results, and CPython's errors where it has none."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.external import llexternal
from rpython.lltypesystem.lltype import Float, Signed, _ptr


def quiet(function: Callable[..., float]) -> Callable[..., float]:
    """A function of ``math`` as C has it: a nan or an infinity where Python raises."""

    def call(*args: Any) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return call


def external(name: str, arguments: int) -> _ptr:
    """The C function of the same name as a function of ``math``."""
    host = quiet(getattr(math, name))
    return llexternal(name, [Float] * arguments, Float, host, ["math.h"])


c_log = external("log", 1)
c_pow = external("pow", 2)
c_ldexp = llexternal("ldexp", [Float, Signed], Float, quiet(math.ldexp), ["math.h"])


def ll_checked(x: float, result: float, overflows: bool) -> float:
    """The result of a function of ``x``, unless it is not finite and ``x`` is."""
    if result - result == 0.0:
        return result
    if result != result:
        if x != x:
            return result
        raise ValueError("math domain error")
    if x - x != 0.0:
        return result
    if overflows:
        raise OverflowError("math range error")
    raise ValueError("math domain error")


def ll_checked_of_two(x: float, y: float, result: float) -> float:
    """A nan comes of nans only."""
    if result != result:
        if x == x and y == y:
            raise ValueError("math domain error")
    return result


def ll_pow(x: float, y: float) -> float:
    result = c_pow(x, y)
    if result - result == 0.0:
        return result
    if x - x != 0.0 or y - y != 0.0:  # the C library agrees about infinities and nans
        return result
    if result != result or x == 0.0:
        raise ValueError("math domain error")
    raise OverflowError("math range error")


def ll_log(x: float) -> float:
    return ll_checked(x, c_log(x), False)


def ll_ldexp(x: float, exponent: int) -> float:
    if x == 0.0 or x - x != 0.0:
        return x
    if exponent > 5000:
        exponent = 5000
    if exponent < -5000:
        exponent = -5000
    result = c_ldexp(x, exponent)
    if result - result != 0.0:
        raise OverflowError("math range error")
    return result
