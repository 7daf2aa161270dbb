"""``complex`` and ``cmath``: complex numbers, an object of two floats each.

What they compute is in ``rpython.rlib.rcomplex``, to the last bit of CPython's.
"""

from __future__ import annotations

import cmath
import math
import re
from builtins import complex as host_complex
from collections.abc import Callable
from typing import Any, NoReturn

from rpython.rlib import rcomplex
from rpython.rlib.rarithmetic import intmask
from rpython.stdlib._registry import converts, per_arguments, replaces

_NUMBER = (
    r"(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
    r"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])"
)
_FORMAT = re.compile(
    rf"(?P<real>[-+]?{_NUMBER})(?P<imag>[-+]{_NUMBER}?[jJ])?|(?P<only>[-+]?{_NUMBER}?[jJ])"
)
_HASH_OF_I = 1000003
_LN10 = math.log(10.0)

Pair = tuple[float, float]


@replaces(host_complex)
class complex:
    """A real and an imaginary part, which nobody assigns."""

    __slots__ = ("_imag", "_real")

    @per_arguments
    def __init__(self, real: Any = 0, imag: Any = None) -> None:
        if isinstance(real, str):
            if imag is not None:
                raise TypeError("complex() can't take second arg if first is a string")
            self._real, self._imag = _parsed(real)
        elif imag is None:
            self._real, self._imag = _pair(real)
        else:
            a, b = _pair(real)
            c, d = _pair(imag)
            if isinstance(imag, complex):
                a -= d
            if isinstance(real, complex):
                c += b
            self._real, self._imag = a, c

    @property
    def real(self) -> float:
        return self._real

    @real.setter
    def real(self, value: object) -> NoReturn:
        raise AttributeError("readonly attribute")

    @property
    def imag(self) -> float:
        return self._imag

    @imag.setter
    def imag(self, value: object) -> NoReturn:
        raise AttributeError("readonly attribute")

    def conjugate(self) -> complex:
        return complex(self._real, -self._imag)

    def __complex__(self) -> complex:
        return self

    def __getnewargs__(self) -> Pair:
        return self._real, self._imag

    def __repr__(self) -> str:
        imag = _shortest(self._imag)
        if self._real == 0.0 and math.copysign(1.0, self._real) == 1.0:
            return imag + "j"
        sign = "" if imag.startswith("-") else "+"
        return f"({_shortest(self._real)}{sign}{imag}j)"

    def __hash__(self) -> int:
        hashed = intmask(hash(self._real) + _HASH_OF_I * hash(self._imag))
        return -2 if hashed == -1 else hashed

    def __bool__(self) -> bool:
        return self._real != 0.0 or self._imag != 0.0

    def __copy__(self) -> complex:
        return self

    def __deepcopy__(self, memo: Any) -> complex:
        return self

    # -- arithmetic -------------------------------------------------------------------------------

    def __pos__(self) -> complex:
        return self

    def __neg__(self) -> complex:
        return complex(-self._real, -self._imag)

    def __abs__(self) -> float:
        return rcomplex.c_abs(self._real, self._imag)

    @per_arguments
    def __add__(self, other: Any) -> Any:
        return _made(rcomplex.c_add, self, other) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __radd__(self, other: Any) -> Any:
        return _made(rcomplex.c_add, other, self) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __sub__(self, other: Any) -> Any:
        return _made(rcomplex.c_sub, self, other) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __rsub__(self, other: Any) -> Any:
        return _made(rcomplex.c_sub, other, self) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __mul__(self, other: Any) -> Any:
        return _made(rcomplex.c_mul, self, other) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __rmul__(self, other: Any) -> Any:
        return _made(rcomplex.c_mul, other, self) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __truediv__(self, other: Any) -> Any:
        return _made(rcomplex.c_div, self, other) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __rtruediv__(self, other: Any) -> Any:
        return _made(rcomplex.c_div, other, self) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __pow__(self, other: Any) -> Any:
        return _made(rcomplex.c_pow, self, other) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __rpow__(self, other: Any) -> Any:
        return _made(rcomplex.c_pow, other, self) if isinstance(other, _NUMBERS) else NotImplemented

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        if isinstance(other, complex):
            return self._real == other._real and self._imag == other._imag
        if isinstance(other, int | float):
            return self._real == other and self._imag == 0.0
        return NotImplemented


_NUMBERS = (int, float, complex)


@per_arguments
def _pair(x: Any) -> Pair:
    if isinstance(x, complex):
        return x._real, x._imag
    return x * 1.0, 0.0  # a str is refused, as float(x) would not


@per_arguments
def _made(operation: Callable[[Pair, Pair], Pair], a: Any, b: Any) -> complex:
    real, imag = operation(_pair(a), _pair(b))
    return complex(real, imag)


def _shortest(x: float) -> str:
    """Without ``.0``."""
    return repr(x).removesuffix(".0")


def _parsed(s: str) -> Pair:
    """Raises ValueError."""
    for i in range(len(s)):
        if s[i] == "_" and not (s[i - 1 : i].isdecimal() and s[i + 1 : i + 2].isdecimal()):
            raise ValueError(f"could not convert string to complex: {s!r}")
    text = s.replace("_", "").strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    m = _FORMAT.fullmatch(text)
    if m is None:
        raise ValueError("complex() arg is a malformed string")
    only = m.group("only")
    if only:
        return 0.0, _imaginary(only)
    return float(m.group("real") or ""), _imaginary(m.group("imag") or "0j")


def _imaginary(text: str) -> float:
    """``+2j``, ``-j``: the factor of the imaginary unit."""
    digits = text[:-1]
    return float(digits + "1") if digits in ("", "+", "-") else float(digits)


@converts(host_complex)
def _complex_for(x: Any) -> complex:
    return complex(x.real, x.imag)


# -- cmath ----------------------------------------------------------------------------------------


@per_arguments
def _of(function: Callable[[float, float], Pair], z: Any) -> complex:
    x, y = _pair(z)
    real, imag = function(x, y)
    return complex(real, imag)


@replaces(cmath.acos)
def acos(z: Any, /) -> complex:
    return _of(rcomplex.c_acos, z)


@replaces(cmath.acosh)
def acosh(z: Any, /) -> complex:
    return _of(rcomplex.c_acosh, z)


@replaces(cmath.asin)
def asin(z: Any, /) -> complex:
    return _of(rcomplex.c_asin, z)


@replaces(cmath.asinh)
def asinh(z: Any, /) -> complex:
    return _of(rcomplex.c_asinh, z)


@replaces(cmath.atan)
def atan(z: Any, /) -> complex:
    return _of(rcomplex.c_atan, z)


@replaces(cmath.atanh)
def atanh(z: Any, /) -> complex:
    return _of(rcomplex.c_atanh, z)


@replaces(cmath.cos)
def cos(z: Any, /) -> complex:
    return _of(rcomplex.c_cos, z)


@replaces(cmath.cosh)
def cosh(z: Any, /) -> complex:
    return _of(rcomplex.c_cosh, z)


@replaces(cmath.exp)
def exp(z: Any, /) -> complex:
    return _of(rcomplex.c_exp, z)


@replaces(cmath.sin)
def sin(z: Any, /) -> complex:
    return _of(rcomplex.c_sin, z)


@replaces(cmath.sinh)
def sinh(z: Any, /) -> complex:
    return _of(rcomplex.c_sinh, z)


@replaces(cmath.sqrt)
def sqrt(z: Any, /) -> complex:
    return _of(rcomplex.c_sqrt, z)


@replaces(cmath.tan)
def tan(z: Any, /) -> complex:
    return _of(rcomplex.c_tan, z)


@replaces(cmath.tanh)
def tanh(z: Any, /) -> complex:
    return _of(rcomplex.c_tanh, z)


@replaces(cmath.log)
@per_arguments
def log(z: Any, base: Any = None, /) -> complex:
    natural = _of(rcomplex.c_log, z)
    return natural if base is None else natural / _of(rcomplex.c_log, base)


@replaces(cmath.log10)
def log10(z: Any, /) -> complex:
    natural = _of(rcomplex.c_log, z)
    return complex(natural._real / _LN10, natural._imag / _LN10)


@replaces(cmath.phase)
def phase(z: Any, /) -> float:
    x, y = _pair(z)
    return rcomplex.c_phase(x, y)


@replaces(cmath.polar)
def polar(z: Any, /) -> Pair:
    x, y = _pair(z)
    return rcomplex.c_polar(x, y)


@replaces(cmath.rect)
def rect(r: float, phi: float, /) -> complex:
    real, imag = rcomplex.c_rect(r, phi)
    return complex(real, imag)


@replaces(cmath.isfinite)
def isfinite(z: Any, /) -> bool:
    x, y = _pair(z)
    return rcomplex.c_isfinite(x, y)


@replaces(cmath.isinf)
def isinf(z: Any, /) -> bool:
    x, y = _pair(z)
    return rcomplex.c_isinf(x, y)


@replaces(cmath.isnan)
def isnan(z: Any, /) -> bool:
    x, y = _pair(z)
    return rcomplex.c_isnan(x, y)


@replaces(cmath.isclose)
@per_arguments
def isclose(a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    x, y = _pair(a), _pair(b)
    if x == y:
        return True
    if rcomplex.c_isinf(x[0], x[1]) or rcomplex.c_isinf(y[0], y[1]):
        return False
    difference = rcomplex.c_abs(x[0] - y[0], x[1] - y[1])
    return (
        difference <= rel_tol * rcomplex.c_abs(y[0], y[1])
        or difference <= rel_tol * rcomplex.c_abs(x[0], x[1])
        or difference <= abs_tol
    )
