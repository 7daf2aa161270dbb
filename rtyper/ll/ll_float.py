"""Float arithmetic beyond one machine operation, with Python's signs and errors."""

from __future__ import annotations

import math
from typing import Any

from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Float, Int128, Signed, UInt128, cast_primitive, typeOf


def host_fmod(x: float, y: float) -> float:
    """C's ``fmod`` on the host: a nan where Python raises."""
    return math.fmod(x, y) if math.isfinite(x) and y != 0.0 else math.nan


def host_floor(x: float) -> float:
    return float(math.floor(x)) if math.isfinite(x) else x


HALF_OF_128_BITS = 2.0**127

c_fmod = llexternal("fmod", [Float, Float], Float, host_fmod, ["math.h"])
c_floor = llexternal("floor", [Float], Float, host_floor, ["math.h"])
c_copysign = llexternal("copysign", [Float, Float], Float, math.copysign, ["math.h"])


def host_pow(x: float, y: float) -> float:
    """C's ``pow`` on the host: infinities and nans instead of exceptions."""
    try:
        result = math.pow(x, y)
    except OverflowError:
        odd = y == math.floor(y) and y % 2.0 == 1.0
        return -math.inf if x < 0.0 and odd else math.inf
    except ValueError:
        return math.inf if x == 0.0 else math.nan
    return result


c_pow = llexternal("pow", [Float, Float], Float, host_pow, ["math.h"])


def ll_float_truediv(x: float, y: float) -> float:
    if y == 0.0:
        raise ZeroDivisionError("float division by zero")
    return llop.float_truediv(Float, x, y)


def ll_float_mod(x: float, y: float) -> float:
    """Python's ``%``: the result has the sign of ``y``."""
    if y == 0.0:
        raise ZeroDivisionError("float modulo")
    remainder = c_fmod(x, y)
    if remainder != 0.0:
        if (y < 0.0) != (remainder < 0.0):
            remainder += y
        return remainder
    return c_copysign(0.0, y)


def ll_float_floordiv(x: float, y: float) -> float:
    """Python's ``//`` for floats, as CPython computes it: exact remainder first."""
    if y == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    remainder = c_fmod(x, y)
    quotient = llop.float_truediv(Float, x - remainder, y)
    if remainder != 0.0:
        if (y < 0.0) != (remainder < 0.0):
            quotient -= 1.0
    if quotient != 0.0:
        floor = c_floor(quotient)
        if quotient - floor > 0.5:
            floor += 1.0
        return floor
    return c_copysign(0.0, llop.float_truediv(Float, x, y))


def ll_float_to_int(x: float) -> int:
    if x != x:
        raise ValueError("cannot convert float NaN to integer")
    if x - x != 0.0:
        raise OverflowError("cannot convert float infinity to integer")
    if x >= 9223372036854775808.0 or x < -9223372036854775808.0:
        raise OverflowError("float too large for a 64-bit integer")
    return llop.cast_float_to_int(Signed, x)


def ll_float_to_bits(x: float) -> Any:
    """The low 128 bits of ``int(x)``, a UInt128."""
    if x != x:
        raise ValueError("cannot convert float NaN to integer")
    if x - x != 0.0:
        raise OverflowError("cannot convert float infinity to integer")
    if x >= -HALF_OF_128_BITS and x < HALF_OF_128_BITS:
        return cast_primitive(UInt128, llop.cast_float_to_lllong(Int128, x))
    rest = c_fmod(x, 2.0 * HALF_OF_128_BITS)
    if rest < 0.0:  # a multiple of 2 ** 75, as so large floats are: the sum is exact
        rest += 2.0 * HALF_OF_128_BITS
    return llop.cast_float_to_ulllong(UInt128, rest)


def ll_float_items_eq(x: float, y: float) -> bool:
    """``==`` of floats inside containers.

    CPython says that an object equals itself there, even a NaN.  A float has no identity
    here, so the answer for two NaNs is not known.
    """
    if x != x and y != y:
        raise ValueError("two NaNs inside containers cannot be compared")
    return x == y


def ll_float_pow(x: float, y: float) -> float:
    """Python's ``**`` for floats.  A negative number to a fractional power, a complex
    number in Python, is an error here."""
    result = c_pow(x, y)
    if result - result == 0.0:  # finite
        return result
    if x - x != 0.0 or y - y != 0.0:  # of an infinity or a nan: the C library agrees
        return result
    if x == 0.0:
        raise ZeroDivisionError("0.0 cannot be raised to a negative power")
    if result != result:
        raise ValueError("a negative number to a fractional power is a complex number")
    raise OverflowError("(34, 'Numerical result out of range')")


# -- an int and a float compare by value ------------------------------------------------------
#
# Converting the int rounds it, and rounding keeps the order: only where the rounded int equals
# the float does the rest decide.


def ll_tie(n: Any, x: float, limit: float) -> int:
    """``n`` against ``x``, which is what ``n`` rounds to: negative, 0 or positive.
    ``limit`` is what the largest number of the type of ``n`` rounds to."""
    if x >= limit:
        return -1
    other = cast_primitive(typeOf(n), x)
    if n < other:
        return -1
    if n > other:
        return 1
    return 0


def ll_eq_float(n: Any, x: float, limit: float) -> bool:
    return cast_primitive(Float, n) == x and ll_tie(n, x, limit) == 0


def ll_lt_float(n: Any, x: float, limit: float) -> bool:
    rounded = cast_primitive(Float, n)
    return rounded < x or (rounded == x and ll_tie(n, x, limit) < 0)


def ll_le_float(n: Any, x: float, limit: float) -> bool:
    rounded = cast_primitive(Float, n)
    return rounded < x or (rounded == x and ll_tie(n, x, limit) <= 0)


def ll_gt_float(n: Any, x: float, limit: float) -> bool:
    rounded = cast_primitive(Float, n)
    return rounded > x or (rounded == x and ll_tie(n, x, limit) > 0)


def ll_ge_float(n: Any, x: float, limit: float) -> bool:
    rounded = cast_primitive(Float, n)
    return rounded > x or (rounded == x and ll_tie(n, x, limit) >= 0)
