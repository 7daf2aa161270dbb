"""Complex numbers as pairs of floats: what ``complex`` and ``cmath`` compute.

    c_mul((0.0, 1.0), (0.0, 1.0)) == (-1.0, 0.0)
    c_sqrt(-1.0, 0.0) == (0.0, 1.0)

Operations of two numbers take two pairs, those of one number its real and imaginary part, as in
RPython.  Results, branch cuts and errors are those of CPython's ``cmath``: the formulas are W.
Kahan's ("Branch Cuts for Complex Elementary Functions", 1987); for infinities and NaNs the answers
are asked of the host's ``cmath`` when this module is imported.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from sys import float_info
from typing import Any

from rpython.lltypesystem.foreign.cdef import cdef

_c: Any = cdef(
    "double hypot(double, double); double pow(double, double); double exp(double);",
    libraries=["m"],
)
"""C's, as in CPython: that of ``math`` differs in the last bit, or raises OverflowError."""

Complex = tuple[float, float]

_LN2 = math.log(2.0)
_LARGE = float_info.max / 4.0
_LOG_LARGE = math.log(_LARGE)
_LOG_MAX = math.log(float_info.max)
_SQRT_LARGE = math.sqrt(_LARGE)
_SQRT_MIN = math.sqrt(float_info.min)
_ZERO_TO_POWER = "0.0 to a negative or complex power"
_UP, _DOWN = 53, -27
"""Subnormal numbers are scaled by two to these, before and after a square root of a half."""

# -- infinities and NaNs ----------------------------------------------------------------------

_SAMPLES = (-math.inf, -1.0, -0.0, 0.0, 1.0, math.inf, math.nan)


def _sample(x: float) -> int:
    """Which of the samples is like x."""
    if math.isnan(x):
        return 6
    if math.isinf(x):
        return 5 if x > 0 else 0
    if x != 0.0:
        return 4 if x > 0 else 1
    return 3 if math.copysign(1.0, x) > 0 else 2


Answers = list[tuple[float, float, bool]]


def _answers(function: Callable[[complex], complex]) -> Answers:
    """For each pair of samples what the function gives, and whether it gives anything."""
    table = []
    for x in _SAMPLES:
        for y in _SAMPLES:
            try:
                value = function(complex(x, y))
                table.append((value.real, value.imag, True))
            except ValueError:
                table.append((0.0, 0.0, False))
    return table


_ACOS, _ACOSH, _ASINH, _ATANH = map(_answers, (cmath.acos, cmath.acosh, cmath.asinh, cmath.atanh))
_COSH, _SINH, _TANH = map(_answers, (cmath.cosh, cmath.sinh, cmath.tanh))
_EXP, _LOG, _SQRT = map(_answers, (cmath.exp, cmath.log, cmath.sqrt))
_RECT = _answers(lambda z: cmath.rect(z.real, z.imag))


def _answer(table: Answers, x: float, y: float) -> Complex:
    real, imag, known = table[_sample(x) * len(_SAMPLES) + _sample(y)]
    if not known:
        raise _domain_error()
    return real, imag


def _domain_error() -> ValueError:
    return ValueError("math domain error")


def _in_range(real: float, imag: float) -> Complex:
    """The result for finite numbers.  Raises OverflowError."""
    if math.isinf(real) or math.isinf(imag):
        raise OverflowError("math range error")
    return real, imag


def _grows(x: float, y: float) -> bool:
    """Is x infinite, and y an angle that says where to?"""
    return math.isinf(x) and math.isfinite(y) and y != 0.0


def c_isinf(x: float, y: float) -> bool:
    return math.isinf(x) or math.isinf(y)


def c_isnan(x: float, y: float) -> bool:
    return math.isnan(x) or math.isnan(y)


def c_isfinite(x: float, y: float) -> bool:
    return math.isfinite(x) and math.isfinite(y)


# -- arithmetic -------------------------------------------------------------------------------


def c_add(x: Complex, y: Complex) -> Complex:
    return x[0] + y[0], x[1] + y[1]


def c_sub(x: Complex, y: Complex) -> Complex:
    return x[0] - y[0], x[1] - y[1]


def c_neg(r: float, i: float) -> Complex:
    return -r, -i


def c_mul(x: Complex, y: Complex) -> Complex:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def c_div(x: Complex, y: Complex) -> Complex:
    """R. L. Smith's division, which scales by the larger part.  Raises ZeroDivisionError."""
    (a, b), (c, d) = x, y
    if abs(c) >= abs(d):
        if c == 0.0:
            raise ZeroDivisionError("complex division by zero")
        ratio = d / c
        scale = c + d * ratio
        return (a + b * ratio) / scale, (b - a * ratio) / scale
    if abs(d) >= abs(c):
        ratio = c / d
        scale = c * ratio + d
        return (a * ratio + b) / scale, (b * ratio - a) / scale
    return math.nan, math.nan


def c_pow(x: Complex, y: Complex) -> Complex:
    """x to the y.  Raises ZeroDivisionError and OverflowError."""
    (a, b), (c, d) = x, y
    if d == 0.0 and abs(c) <= 100.0 and c == math.floor(c):
        try:
            result = _whole_power(x, int(c))
        except ZeroDivisionError:
            raise ZeroDivisionError(_ZERO_TO_POWER) from None
    elif a == 0.0 and b == 0.0:
        if d != 0.0 or c < 0.0:
            raise ZeroDivisionError(_ZERO_TO_POWER)
        result = 0.0, 0.0
    else:
        size = _c.hypot(a, b)
        length = _c.pow(size, c)
        angle = math.atan2(b, a)
        phase = angle * c
        if d != 0.0:
            shrink = _c.exp(angle * d)
            length = length / shrink if shrink else length * math.inf
            phase += d * math.log(size)
        if math.isinf(phase):
            raise ZeroDivisionError(_ZERO_TO_POWER)
        result = length * math.cos(phase), length * math.sin(phase)
    if math.isinf(result[0]) or math.isinf(result[1]):
        raise OverflowError("complex exponentiation")
    return result


def _whole_power(x: Complex, n: int) -> Complex:
    result, square, rest = (1.0, 0.0), x, abs(n)
    while rest:
        if rest & 1:
            result = c_mul(result, square)
        rest >>= 1
        if rest:
            square = c_mul(square, square)
    return result if n >= 0 else c_div((1.0, 0.0), result)


# -- lengths and angles -----------------------------------------------------------------------


def c_abs(r: float, i: float) -> float:
    """Raises OverflowError."""
    if not c_isfinite(r, i):
        return math.inf if c_isinf(r, i) else math.nan
    size: float = _c.hypot(r, i)
    if math.isinf(size):
        raise OverflowError("absolute value too large")
    return size


def c_phase(x: float, y: float) -> float:
    return math.atan2(y, x)


def c_polar(x: float, y: float) -> Complex:
    """Length and angle.  Raises OverflowError."""
    return c_abs(x, y), c_phase(x, y)


def c_rect(r: float, phi: float) -> Complex:
    """The number with that length and angle.  Raises ValueError."""
    if not c_isfinite(r, phi):
        if not _grows(r, phi):
            return _answer(_RECT, r, phi)
        return math.copysign(r, r * math.cos(phi)), math.copysign(r, r * math.sin(phi))
    if phi == 0.0:  # keeps the sign of the zero
        return r, r * phi
    return r * math.cos(phi), r * math.sin(phi)


# -- roots, exponentials, logarithms ----------------------------------------------------------


def c_sqrt(x: float, y: float) -> Complex:
    """The root whose real part is not negative."""
    if not c_isfinite(x, y):
        return _answer(_SQRT, x, y)
    if x == 0.0 and y == 0.0:
        return 0.0, y
    ax, ay = abs(x), abs(y)
    if ax < float_info.min and ay < float_info.min:
        ax = math.ldexp(ax, _UP)
        s = math.ldexp(math.sqrt(ax + _c.hypot(ax, math.ldexp(ay, _UP))), _DOWN)
    else:
        ax /= 8.0
        s = 2.0 * math.sqrt(ax + _c.hypot(ax, ay / 8.0))
    d = ay / (2.0 * s)
    if x >= 0.0:
        return s, math.copysign(d, y)
    return d, math.copysign(s, y)


def c_exp(x: float, y: float) -> Complex:
    """Raises ValueError and OverflowError."""
    if not c_isfinite(x, y):
        if not _grows(x, y):
            return _answer(_EXP, x, y)
        size = math.inf if x > 0 else 0.0
        return math.copysign(size, math.cos(y)), math.copysign(size, math.sin(y))
    if x > _LOG_MAX:
        if x > 2 * _LOG_MAX:
            raise OverflowError("math range error")
        size = math.exp(x - 1.0)
        return _in_range(size * math.cos(y) * math.e, size * math.sin(y) * math.e)
    size = math.exp(x)
    return _in_range(size * math.cos(y), size * math.sin(y))


def c_log(x: float, y: float) -> Complex:
    """The natural logarithm.  Raises ValueError for zero."""
    if not c_isfinite(x, y):
        return _answer(_LOG, x, y)
    ax, ay = abs(x), abs(y)
    if ax > _LARGE or ay > _LARGE:
        real = math.log(_c.hypot(ax / 2.0, ay / 2.0)) + _LN2
    elif ax < float_info.min and ay < float_info.min:
        if ax == 0.0 and ay == 0.0:
            raise _domain_error()
        scaled = _c.hypot(math.ldexp(ax, _UP), math.ldexp(ay, _UP))
        real = math.log(scaled) - _UP * _LN2
    else:
        size = _c.hypot(ax, ay)
        if 0.71 <= size <= 1.73:  # near 1 the logarithm needs the digits behind it
            more, less = max(ax, ay), min(ax, ay)
            real = math.log1p((more - 1.0) * (more + 1.0) + less * less) / 2.0
        else:
            real = math.log(size)
    return real, math.atan2(y, x)


# -- hyperbolic functions ---------------------------------------------------------------------


def c_cosh(x: float, y: float) -> Complex:
    """Raises ValueError and OverflowError."""
    if not c_isfinite(x, y):
        if not _grows(x, y):
            return _answer(_COSH, x, y)
        return math.copysign(math.inf, math.cos(y)), math.copysign(x, x * math.sin(y))
    near, factor = _nearer(x)
    return _in_range(math.cos(y) * math.cosh(near) * factor, math.sin(y) * math.sinh(near) * factor)


def c_sinh(x: float, y: float) -> Complex:
    """Raises ValueError and OverflowError."""
    if not c_isfinite(x, y):
        if not _grows(x, y):
            return _answer(_SINH, x, y)
        return math.copysign(x, x * math.cos(y)), math.copysign(math.inf, math.sin(y))
    near, factor = _nearer(x)
    return _in_range(math.cos(y) * math.sinh(near) * factor, math.sin(y) * math.cosh(near) * factor)


def _nearer(x: float) -> tuple[float, float]:
    """For a large x one nearer to 0, and what is missing from its exponential."""
    if abs(x) <= _LOG_LARGE:
        return x, 1.0
    if abs(x) > 2 * _LOG_LARGE:
        raise OverflowError("math range error")
    return x - math.copysign(1.0, x), math.e


def c_tanh(x: float, y: float) -> Complex:
    """Raises ValueError."""
    if not c_isfinite(x, y):
        if not _grows(x, y):
            return _answer(_TANH, x, y)
        return math.copysign(1.0, x), math.copysign(0.0, math.sin(y) * math.cos(y))
    if abs(x) > _LOG_LARGE:
        return math.copysign(1.0, x), 4.0 * math.sin(y) * math.cos(y) * math.exp(-2.0 * abs(x))
    tx, ty, cx = math.tanh(x), math.tan(y), 1.0 / math.cosh(x)
    product = tx * ty
    scale = 1.0 + product * product
    return tx * (1.0 + ty * ty) / scale, ty / scale * cx * cx


def c_acosh(x: float, y: float) -> Complex:
    if not c_isfinite(x, y):
        return _answer(_ACOSH, x, y)
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return _log_of_double(x, y), math.atan2(y, x)
    (a, b), (c, d) = c_sqrt(x - 1.0, y), c_sqrt(x + 1.0, y)
    return math.asinh(a * c + b * d), 2.0 * math.atan2(b, c)


def c_asinh(x: float, y: float) -> Complex:
    if not c_isfinite(x, y):
        return _answer(_ASINH, x, y)
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return math.copysign(_log_of_double(x, y), x), math.atan2(y, abs(x))
    (a, b), (c, d) = c_sqrt(1.0 + y, -x), c_sqrt(1.0 - y, x)
    return math.asinh(a * d - c * b), math.atan2(y, a * c - b * d)


def _log_of_double(x: float, y: float) -> float:
    return math.log(_c.hypot(x / 2.0, y / 2.0)) + 2.0 * _LN2


def c_atanh(x: float, y: float) -> Complex:
    """Raises ValueError for 1 and -1."""
    if not c_isfinite(x, y):
        return _answer(_ATANH, x, y)
    if math.copysign(1.0, x) < 0.0:
        real, imag = c_atanh(-x, -y)
        return -real, -imag
    ay = abs(y)
    if x > _SQRT_LARGE or ay > _SQRT_LARGE:
        half = _c.hypot(x / 2.0, y / 2.0)
        return x / 4.0 / half / half, -math.copysign(math.pi / 2.0, -y)
    if x == 1.0 and ay < _SQRT_MIN:
        if ay == 0.0:
            raise _domain_error()
        real = -math.log(math.sqrt(ay) / math.sqrt(_c.hypot(ay, 2.0)))
        return real, math.copysign(math.atan2(2.0, -ay) / 2.0, y)
    real = math.log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + ay * ay)) / 4.0
    return real, -math.atan2(-2.0 * y, (1.0 - x) * (1.0 + x) - ay * ay) / 2.0


# -- circular functions: those above, turned by a right angle -----------------------------------


def c_cos(x: float, y: float) -> Complex:
    """Raises ValueError and OverflowError."""
    return c_cosh(-y, x)


def c_sin(x: float, y: float) -> Complex:
    """Raises ValueError and OverflowError."""
    real, imag = c_sinh(-y, x)
    return imag, -real


def c_tan(x: float, y: float) -> Complex:
    """Raises ValueError."""
    real, imag = c_tanh(-y, x)
    return imag, -real


def c_acos(x: float, y: float) -> Complex:
    if not c_isfinite(x, y):
        return _answer(_ACOS, x, y)
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return math.atan2(abs(y), x), math.copysign(_log_of_double(x, y), -y)
    (a, b), (c, d) = c_sqrt(1.0 - x, -y), c_sqrt(1.0 + x, y)
    return 2.0 * math.atan2(a, c), math.asinh(c * b - d * a)


def c_asin(x: float, y: float) -> Complex:
    real, imag = c_asinh(-y, x)
    return imag, -real


def c_atan(x: float, y: float) -> Complex:
    """Raises ValueError for 1j and -1j."""
    real, imag = c_atanh(-y, x)
    return imag, -real
