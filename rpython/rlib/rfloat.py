"""Floats: tests, constants, text, rounding."""

from __future__ import annotations

import math
import sys

from rpython.rlib.rbigint import rbigint
from rpython.rlib.rstring import ParseStringError, strip_spaces

INFINITY = math.inf
NAN = math.nan
USE_SHORT_FLOAT_REPR = True

DBL_MAX = sys.float_info.max
DBL_MAX_EXP = sys.float_info.max_exp
DBL_MAX_10_EXP = sys.float_info.max_10_exp
DBL_MIN = sys.float_info.min
DBL_MIN_EXP = sys.float_info.min_exp
DBL_MIN_10_EXP = sys.float_info.min_10_exp
DBL_DIG = sys.float_info.dig
DBL_MANT_DIG = sys.float_info.mant_dig
DBL_EPSILON = sys.float_info.epsilon
FLT_RADIX = sys.float_info.radix
FLT_ROUNDS = sys.float_info.rounds

DTSF_STR_PRECISION = 12
"""The digits of ``str(x)`` in Python 2."""
DTSF_SIGN = 0x1
"""A plus sign before what is not negative."""
DTSF_ADD_DOT_0 = 0x2
"""``.0`` behind what would look like an int."""
DTSF_ALT = 0x4
"""Always a point; trailing zeros stay."""
DTSF_CUT_EXP_0 = 0x8
"""No zeros at the start of exponents."""

DIST_FINITE = 1
DIST_NAN = 2
DIST_INFINITY = 3


# -- tests ------------------------------------------------------------------------------------


def isinf(x: float) -> bool:
    return math.isinf(x)


def isnan(x: float) -> bool:
    return math.isnan(x)


def isfinite(x: float) -> bool:
    return math.isfinite(x)


def copysign(x: float, y: float) -> float:
    return math.copysign(x, y)


# -- the functions that Python 2's math lacks -------------------------------------------------


def acosh(x: float) -> float:
    return math.acosh(x)


def asinh(x: float) -> float:
    return math.asinh(x)


def atanh(x: float) -> float:
    return math.atanh(x)


def expm1(x: float) -> float:
    return math.expm1(x)


def log1p(x: float) -> float:
    return math.log1p(x)


def erf(x: float) -> float:
    return math.erf(x)


def erfc(x: float) -> float:
    return math.erfc(x)


def gamma(x: float) -> float:
    return math.gamma(x)


def lgamma(x: float) -> float:
    return math.lgamma(x)


# -- to text ----------------------------------------------------------------------------------


def formatd(x: float, code: str, precision: int, flags: int = 0) -> str:
    """``x`` as text.

    code: ``e f g E F G``, or ``r`` for the shortest text that gives ``x`` back.
    precision: the number of digits that belongs to the code.
    flags: the DTSF_* wanted.

    Raises ValueError for another code.
    """
    if math.isnan(x):
        return "NAN" if code in "EFG" else "nan"
    if math.isinf(x):
        text = "INF" if code in "EFG" else "inf"
        if x < 0.0:
            return "-" + text
        return "+" + text if flags & DTSF_SIGN else text
    text = _formatted(x, code, precision, flags)
    if flags & DTSF_ADD_DOT_0 and text.isdigit():
        text += ".0"
    if flags & DTSF_CUT_EXP_0:
        text = _short_exponent(text)
    if math.copysign(1.0, x) < 0.0:
        return "-" + text
    return "+" + text if flags & DTSF_SIGN else text


def _formatted(x: float, code: str, precision: int, flags: int) -> str:
    """Without the sign."""
    x = abs(x)
    if code == "r":
        text = repr(x)
        return text if flags & DTSF_ADD_DOT_0 else text.removesuffix(".0")
    alt = flags & DTSF_ALT != 0
    if code == "g" or code == "G":
        if alt:
            text = f"{x:#.{precision}g}"
        elif flags & DTSF_ADD_DOT_0:
            text = f"{x:.{precision}}"  # an exponent already where '.0' would be a digit too many
        else:
            text = f"{x:.{precision}g}"
    elif code == "e" or code == "E":
        text = f"{x:#.{precision}e}" if alt else f"{x:.{precision}e}"
    elif code == "f" or code == "F":
        text = f"{x:#.{precision}f}" if alt else f"{x:.{precision}f}"
    else:
        raise ValueError("bad format code")
    return text.upper() if code in "EFG" else text


def _short_exponent(text: str) -> str:
    at = max(text.find("e"), text.find("E"))
    if at < 0:
        return text
    start = at + 2  # behind the sign
    digits = text[start:].lstrip("0")
    return text[:start] + (digits if digits else "0")


def double_to_string(value: float, tp: str, precision: int, flags: int) -> tuple[str, int]:
    """``formatd`` of the same arguments, and one of the DIST_*."""
    special = DIST_FINITE
    if math.isnan(value):
        special = DIST_NAN
    elif math.isinf(value):
        special = DIST_INFINITY
    return formatd(value, tp, precision, flags), special


# -- from text --------------------------------------------------------------------------------


def rstring_to_float(s: str) -> float:
    """The number that ``s`` is, without spaces around it.  Raises ValueError."""
    if not s.isascii() or "_" in s or s != strip_spaces(s):
        raise ValueError("invalid literal for float()")
    return float(s)


def string_to_float(s: str) -> float:
    """The number that ``s`` is; one that is too large is an infinity.

    Raises ParseStringError.
    """
    s = strip_spaces(s)
    if not s:
        raise ParseStringError("empty string for float()")
    try:
        return rstring_to_float(s)
    except ValueError:
        raise ParseStringError("invalid literal for float()") from None


# -- taking apart -----------------------------------------------------------------------------


def float_as_rbigint_ratio(value: float) -> tuple[rbigint, rbigint]:
    """The numerator and the denominator, which is positive, of the float in lowest terms.

    Raises OverflowError for an infinity, ValueError for a NaN.
    """
    if math.isinf(value):
        raise OverflowError("cannot pass infinity to as_integer_ratio()")
    if math.isnan(value):
        raise ValueError("cannot pass nan to as_integer_ratio()")
    fraction, exponent = math.frexp(value)
    while fraction != float(int(fraction)):
        fraction *= 2.0
        exponent -= 1
    numerator, one = rbigint.fromfloat(fraction), rbigint.fromint(1)
    if exponent > 0:
        return numerator.lshift(exponent), one
    return numerator, one.lshift(-exponent)


# -- rounding ---------------------------------------------------------------------------------


def round_away(x: float) -> float:
    """``x`` rounded to a whole number, halves away from zero."""
    magnitude = abs(x)
    if not magnitude < 4503599627370496.0:
        return x
    whole = float(int(magnitude))
    if magnitude - whole >= 0.5:
        whole += 1.0
    return math.copysign(whole, x)


def round_double(value: float, ndigits: int, half_even: bool = False) -> float:
    """``value`` rounded to ``ndigits`` decimals, halves away from zero unless ``half_even``.

    Raises OverflowError when the result is too large.
    """
    if not half_even and _is_halfway(abs(value), ndigits):
        return math.copysign(_up_from_half(abs(value), ndigits), value)
    if not math.isfinite(value) or ndigits > 400:
        return value
    if ndigits < -400:
        return value * 0.0
    return round(value, ndigits)


def _up_from_half(x: float, ndigits: int) -> float:
    """The multiple of ``10 ** -ndigits`` above ``x``, which is halfway between two."""
    if ndigits < 0:
        return x + math.pow(10.0, -ndigits) * 0.5
    digits = list(f"{x:.{ndigits + 1}f}"[:-1])  # without the 5 at the end
    i = len(digits) - 1
    while i >= 0 and digits[i] in "9.":
        if digits[i] == "9":
            digits[i] = "0"
        i -= 1
    if i >= 0:
        digits[i] = chr(ord(digits[i]) + 1)
    else:
        digits.insert(0, "1")
    return float("".join(digits))


def _is_halfway(x: float, ndigits: int) -> bool:
    """Whether ``x`` is as far from two multiples of ``10 ** -ndigits``.

    ``x * 10 ** n`` is an odd number of halves just when ``x * 2 ** n`` is, as 5 is odd.
    """
    if ndigits >= 0:
        if ndigits > 1100 or not x < 9007199254740992.0:
            return False
        return math.fmod(math.ldexp(math.fmod(x, 1.0), ndigits), 1.0) == 0.5
    if ndigits < -22 or not math.isfinite(x):
        return False  # a half would have more than 53 bits
    unit = math.pow(10.0, -ndigits)
    return math.fmod(x, unit) * 2.0 == unit
