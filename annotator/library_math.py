"""``math`` on floats, and the methods of floats, in Python, translated like the program's own code.

What the C library computes (``math.sqrt``, ``math.sin``...) is in ``annotator.builtins.math``.
The functions give the same floats as CPython's, bit by bit, so they follow its algorithms.
"""

from __future__ import annotations

import math
from typing import Any

from rpython.annotator.library import per_arguments
from rpython.annotator.library_numbers import (
    as_int,
    binary,
    bit_count,
    bit_count_of_wide,
    bit_length,
    bit_length_of_wide,
    ceil,
    comb,
    factorial,
    fits_int,
    floor,
    gcd,
    hexadecimal,
    int_ratio,
    isqrt,
    lcm,
    octal,
    perm,
    power,
    rounded,
    trunc,
    widened,
)
from rpython.lltypesystem.rarithmetic import is_valid_int, widen


def isnan(x: float, /) -> bool:
    return x != x


def isinf(x: float, /) -> bool:
    return x == x and x - x != 0.0


def isfinite(x: float, /) -> bool:
    return x - x == 0.0


def degrees(x: float, /) -> float:
    return x * (180.0 / math.pi)


def radians(x: float, /) -> float:
    return x * (math.pi / 180.0)


def isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    difference = abs(b - a)
    close = difference <= abs(rel_tol * b) or difference <= abs(rel_tol * a)
    return close or difference <= abs_tol


def ulp(x: float, /) -> float:
    x = abs(x)
    if not isfinite(x):
        return x
    above = math.nextafter(x, math.inf)
    if isinf(above):
        return x - math.nextafter(x, -math.inf)
    return above - x


def modf(x: float, /) -> tuple[float, float]:
    if isinf(x):
        return math.copysign(0.0, x), x
    if isnan(x):
        return x, x
    fraction = math.fmod(x, 1.0)
    return fraction, math.copysign(x - fraction, x)


def frexp(x: float, /) -> tuple[float, int]:
    """Every step multiplies by a power of two, which is exact."""
    if x == 0.0 or not isfinite(x):
        return x, 0
    exponent = 0
    while abs(x) >= 18446744073709551616.0:
        x *= 5.421010862427522e-20
        exponent += 64
    while abs(x) < 5.421010862427522e-20:
        x *= 18446744073709551616.0
        exponent -= 64
    while abs(x) >= 1.0:
        x *= 0.5
        exponent += 1
    while abs(x) < 0.5:
        x *= 2.0
        exponent -= 1
    return x, exponent


@per_arguments
def fsum(seq: Any, /) -> float:
    """Exact partial sums (Shewchuk, "Adaptive precision floating-point arithmetic", 1997)."""
    partials: list[float] = []
    special = 0.0
    infinite = 0.0
    for item in seq:
        x = item * 1.0
        if not isfinite(x):
            special += x
            if isinf(x):
                infinite += x
            continue
        kept = 0
        for y in partials:
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        del partials[kept:]
        if not isfinite(x):
            raise OverflowError("intermediate overflow in fsum")
        partials.append(x)
    if special != 0.0:  # a nan, too
        if isnan(infinite):
            raise ValueError("-inf + inf in fsum")
        return special
    return sum_of_partials(partials)


def sum_of_partials(partials: list[float]) -> float:
    """From the largest down; where the rest is half a unit, its sign decides."""
    n = len(partials)
    if n == 0:
        return 0.0
    n -= 1
    high = partials[n]
    low = 0.0
    while n > 0:
        x = high
        n -= 1
        y = partials[n]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if n > 0 and ((low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)):
        y = low * 2.0
        x = high + y
        if y == x - high:
            high = x
    return high


def hypot(*coordinates: Any) -> float:
    return norm([abs(x * 1.0) for x in coordinates])


@per_arguments
def dist(p: Any, q: Any, /) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return norm([abs((x - y) * 1.0) for x, y in zip(p, q)])


def norm(vector: list[float]) -> float:
    """The square root of the sum of squares, corrected by what the rounding lost (Borges,
    "An improved algorithm for hypot(a, b)", 2019; in the arrangement of CPython 3.10 and 3.11)."""
    largest = 0.0
    found_nan = False
    for x in vector:
        if isnan(x):
            found_nan = True
        elif x > largest:
            largest = x
    if isinf(largest):
        return largest
    if found_nan:
        return math.nan
    if largest == 0.0 or len(vector) <= 1:
        return largest
    exponent = frexp(largest)[1]
    if exponent < -1023:
        total, lost = 1.0, 0.0
        for x in vector:
            x /= largest
            total, lost = add_to(total, lost, x * x)
        return largest * math.sqrt(total - 1.0 + lost)
    scale = math.ldexp(1.0, -exponent)
    total, lost1, lost2, lost3 = 1.0, 0.0, 0.0, 0.0
    for x in vector:
        high, low = halves(x * scale)
        total, lost1 = add_to(total, lost1, high * high)
        total, lost2 = add_to(total, lost2, 2.0 * high * low)
        lost3 += low * low
    root = math.sqrt(total - 1.0 + (lost1 + lost2 + lost3))
    high, low = halves(root)
    total, lost1 = add_to(total, lost1, -high * high)
    total, lost2 = add_to(total, lost2, -2.0 * high * low)
    total, lost3 = add_to(total, lost3, -low * low)
    rest = total - 1.0 + (lost1 + lost2 + lost3)
    return (root + rest / (2.0 * root)) / scale


def halves(x: float) -> tuple[float, float]:
    """Two numbers of 26 bits whose sum is ``x`` (Veltkamp)."""
    t = x * 134217729.0
    high = t - (t - x)
    return high, x - high


def add_to(total: float, lost: float, x: float) -> tuple[float, float]:
    """``total + x`` and, added to ``lost``, what the rounding lost."""
    new = total + x
    return new, lost + ((total - new) + x)


# -- the gamma function: Lanczos' approximation, with the coefficients that Boost and CPython use --

_G = 6.024680040776729583740234375
_G_MINUS_HALF = 5.524680040776729583740234375
_LOG_PI = 1.144729885849400174143427351353058711647
_NUMERATOR = (
    23531376880.410759688572007674451636754734846804940,
    42919803642.649098768957899047001988850926355848959,
    35711959237.355668049440185451547166705960488635843,
    17921034426.037209699919755754458931112671403265390,
    6039542586.3520280050642916443072979210699388420708,
    1439720407.3117216736632230727949123939715485786372,
    248874557.86205415651146038641322942321632125127801,
    31426415.585400194380614231628318205362874684987640,
    2876370.6289353724412254090516208496135991145378768,
    186056.26539522349504029498971604569928220784236328,
    8071.6720023658162106380029022722506138218516325024,
    210.82427775157934587250973392071336271166969580291,
    2.5066282746310002701649081771338373386264310793408,
)
_DENOMINATOR = (
    0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0,
    357423.0, 32670.0, 1925.0, 66.0, 1.0,
)  # fmt: skip
_COEFFICIENTS = list(zip(_NUMERATOR, _DENOMINATOR))
_FACTORIALS = [float(math.factorial(n)) for n in range(23)]


def lanczos_sum(x: float) -> float:
    above, below = 0.0, 0.0
    if x < 5.0:
        for a, b in reversed(_COEFFICIENTS):
            above = above * x + a
            below = below * x + b
    else:
        for a, b in _COEFFICIENTS:
            above = above / x + a
            below = below / x + b
    return above / below


def sine_of_pi(x: float) -> float:
    """``sin(pi * x)``, exact near its zeros."""
    y = math.fmod(abs(x), 2.0)
    eighth = round_half_up(2.0 * y)
    if eighth == 0:
        result = math.sin(math.pi * y)
    elif eighth == 1:
        result = math.cos(math.pi * (y - 0.5))
    elif eighth == 2:
        result = math.sin(math.pi * (1.0 - y))
    elif eighth == 3:
        result = -math.cos(math.pi * (y - 1.5))
    else:
        result = math.sin(math.pi * (y - 2.0))
    return math.copysign(1.0, x) * result


def round_half_up(x: float) -> int:
    """C's ``round`` of a number that is not negative."""
    n = int(x)
    return n + 1 if x - n >= 0.5 else n


def gamma(x: float, /) -> float:
    if not isfinite(x):
        if isnan(x) or x > 0.0:
            return x
        raise ValueError("math domain error")
    if x == 0.0:
        raise ValueError("math domain error")
    magnitude = abs(x)
    if magnitude < 9007199254740992.0 and x == int(x):
        if x < 0.0:
            raise ValueError("math domain error")
        if x <= 23.0:
            return _FACTORIALS[int(x) - 1]
    elif magnitude >= 9007199254740992.0 and x < 0.0:
        raise ValueError("math domain error")
    if magnitude < 1e-20:
        result = 1.0 / x
        if isinf(result):
            raise OverflowError("math range error")
        return result
    if magnitude > 200.0:
        if x < 0.0:
            return 0.0 / sine_of_pi(x)
        raise OverflowError("math range error")
    y = magnitude + _G_MINUS_HALF
    if magnitude > _G_MINUS_HALF:
        z = y - magnitude - _G_MINUS_HALF
    else:
        z = y - _G_MINUS_HALF - magnitude
    z = z * _G / y
    if x < 0.0:
        result = -math.pi / sine_of_pi(magnitude) / magnitude * math.exp(y) / lanczos_sum(magnitude)
        result -= z * result
        if magnitude < 140.0:
            result /= math.pow(y, magnitude - 0.5)
        else:
            root = math.pow(y, magnitude / 2.0 - 0.25)
            result /= root
            result /= root
    else:
        result = lanczos_sum(magnitude) / math.exp(y)
        result += z * result
        if magnitude < 140.0:
            result *= math.pow(y, magnitude - 0.5)
        else:
            root = math.pow(y, magnitude / 2.0 - 0.25)
            result *= root
            result *= root
    if isinf(result):
        raise OverflowError("math range error")
    return result


def lgamma(x: float, /) -> float:
    if not isfinite(x):
        return x if isnan(x) else math.inf
    magnitude = abs(x)
    if x <= 2.0 and (magnitude >= 9007199254740992.0 or x == int(x)):
        if x <= 0.0:
            raise ValueError("math domain error")
        return 0.0
    if magnitude < 1e-20:
        return -math.log(magnitude)
    result = math.log(lanczos_sum(magnitude)) - _G
    result += (magnitude - 0.5) * (math.log(magnitude + _G - 0.5) - 1.0)
    if x < 0.0:
        result = _LOG_PI - math.log(abs(sine_of_pi(magnitude))) - math.log(magnitude) - result
    if isinf(result):
        raise OverflowError("math range error")
    return result


# -- methods of floats --------------------------------------------------------------------------


def is_integer(x: float) -> bool:
    return isfinite(x) and (abs(x) >= 9007199254740992.0 or x == int(x))


def float_hex(x: float) -> str:
    if isnan(x):
        return "nan"
    sign = "-" if math.copysign(1.0, x) < 0.0 else ""
    if isinf(x):
        return sign + "inf"
    if x == 0.0:
        return sign + "0x0.0p+0"
    fraction, exponent = frexp(abs(x))
    shift = 1 - max(-1021 - exponent, 0)
    fraction = math.ldexp(fraction, shift)
    exponent -= shift
    digits = [str(int(fraction)), "."]
    fraction -= int(fraction)
    for _ in range(13):
        fraction *= 16.0
        digits.append("0123456789abcdef"[int(fraction)])
        fraction -= int(fraction)
    return f"{sign}0x{''.join(digits)}p{exponent:+d}"


def as_integer_ratio(x: float) -> tuple[int, int]:
    if isinf(x):
        raise OverflowError("cannot convert Infinity to integer ratio")
    if isnan(x):
        raise ValueError("cannot convert NaN to integer ratio")
    fraction, exponent = frexp(x)
    while fraction != int(fraction):
        fraction *= 2.0
        exponent -= 1
    if exponent > 0:
        return int(fraction) << exponent, 1
    return int(fraction), 1 << -exponent


HEX_DIGITS = "0123456789abcdef"


def fromhex(text: str, /) -> float:
    """Exact for numbers of up to 63 bits, which those of ``float.hex`` are."""
    s = text.strip(" \t\n\r\f\v").lower()
    negative = s.startswith("-")
    if s.startswith(("-", "+")):
        s = s[1:]
    if s in ("inf", "infinity"):
        return -math.inf if negative else math.inf
    if s == "nan":
        return -math.nan if negative else math.nan
    if s.startswith("0x"):
        s = s[2:]
    mantissa, has_exponent, power_text = s.partition("p")
    whole, _, rest = mantissa.partition(".")
    digits = (whole + rest).lstrip("0")
    valid = len(whole + rest) > 0 and all(c in HEX_DIGITS for c in whole + rest)
    exponent_digits = power_text[1:] if power_text.startswith(("-", "+")) else power_text
    if has_exponent and not (exponent_digits.isascii() and exponent_digits.isdigit()):
        valid = False
    if not valid:
        raise ValueError("invalid hexadecimal floating-point string")
    places = len(rest)
    while digits.endswith("0") and len(digits) > 15:
        digits = digits[:-1]
        places -= 1
    if len(digits) > 15:
        raise OverflowError("hexadecimal floating-point string with more than 60 bits")
    value = int(digits, 16) if digits else 0
    exponent = int(power_text) if has_exponent else 0
    result = scaled(value, exponent - 4 * places)
    return -result if negative else result


def scaled(value: int, exponent: int) -> float:
    """``value * 2 ** exponent``, rounded once."""
    if value == 0:
        return 0.0
    bits = bit_length(value)
    top = bits + exponent
    if top > 1024:
        raise OverflowError("hexadecimal value too large to represent as a float")
    drop = max(bits - 53, -1074 - exponent, 0)
    if drop > 63:
        return 0.0
    if drop > 0:
        rest = value & ((1 << drop) - 1) if drop < 63 else value
        value = value >> drop
        half = 1 << (drop - 1)
        if rest > half or (rest == half and value & 1):
            value += 1
        exponent += drop
        if value == 9007199254740992 and 53 + exponent > 1023:
            raise OverflowError("hexadecimal value too large to represent as a float")
    return math.ldexp(float(value), exponent)


OF_FLOATS = (
    isnan,
    isinf,
    isfinite,
    degrees,
    radians,
    isclose,
    ulp,
    modf,
    frexp,
    hypot,
    gamma,
    lgamma,
)
"""Functions whose arguments are converted to floats first."""

FUNCTIONS_IN_PYTHON: dict[Any, Any] = {
    hex: hexadecimal, oct: octal, bin: binary, pow: power, round: rounded, math.floor: floor,
    math.ceil: ceil, math.trunc: trunc, math.gcd: gcd, math.lcm: lcm, math.factorial: factorial,
    math.comb: comb, math.perm: perm, math.isqrt: isqrt, math.isnan: isnan,
    math.isinf: isinf, math.isfinite: isfinite, math.degrees: degrees, math.radians: radians,
    math.isclose: isclose, math.ulp: ulp, math.modf: modf, math.frexp: frexp, math.fsum: fsum,
    math.hypot: hypot, math.dist: dist, math.gamma: gamma, math.lgamma: lgamma,
    float.fromhex: fromhex, widen: widened, is_valid_int: fits_int,
}  # fmt: skip

INT_METHODS_IN_PYTHON: dict[str, Any] = {
    "bit_length": bit_length, "bit_count": bit_count, "conjugate": as_int,
    "as_integer_ratio": int_ratio,
}  # fmt: skip

WIDE_METHODS_IN_PYTHON: dict[str, Any] = {
    "bit_length": bit_length_of_wide, "bit_count": bit_count_of_wide,
}  # fmt: skip
"""Of integers that do not fit in an int."""

FLOAT_METHODS_IN_PYTHON: dict[str, Any] = {
    "is_integer": is_integer, "hex": float_hex, "as_integer_ratio": as_integer_ratio,
}  # fmt: skip
