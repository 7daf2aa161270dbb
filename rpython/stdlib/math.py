"""``math``, bit by bit as CPython has it, so by its algorithms.

What the C library computes is a row of a table: the function, how many arguments it has, and what
tells that it has no result.  Arguments that are annotated as ``float`` are made floats first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lltype import Float, Signed
from rpython.stdlib._bigints import BigInt
from rpython.stdlib._registry import grows, replaces

# -- the C library --------------------------------------------------------------------------------


def pole(x: float, result: float) -> float:
    """The result of a function of ``x``: infinite, or none, of a finite number is an error."""
    if result - result != 0.0 and (x - x == 0.0 or (result != result and x == x)):
        raise ValueError("math domain error")
    return result


def overflow(x: float, result: float) -> float:
    """The same where an infinity says that the result is too large."""
    if result - result != 0.0 and (x - x == 0.0 or (result != result and x == x)):
        if result != result:
            raise ValueError("math domain error")
        raise OverflowError("math range error")
    return result


def no_result(x: float, y: float, result: float) -> float:
    """The result of a function of two numbers: a nan comes of nans only."""
    if result != result and x == x and y == y:
        raise ValueError("math domain error")
    return result


def power(x: float, y: float, result: float) -> float:
    """The same; infinities of finite numbers are errors, too."""
    if result - result == 0.0:
        return result
    if x - x != 0.0 or y - y != 0.0:  # the C library agrees about infinities and nans
        return result
    if result != result or x == 0.0:
        raise ValueError("math domain error")
    raise OverflowError("math range error")


_OF_ONE: dict[Callable[[float, float], float], str] = {
    pole: "acos acosh asin asinh atan atanh cbrt cos erf erfc fabs log10 log1p log2 sin sqrt tan "
    "tanh",
    overflow: "cosh exp exp2 expm1 sinh",
}
_OF_TWO: dict[Callable[[float, float, float], float], str] = {
    no_result: "atan2 copysign fmod nextafter remainder",
    power: "pow",
}
"""Names of C functions, by what tells an error."""


def _quiet(name: str) -> Callable[..., float]:
    """A function of ``math`` as C has it: a nan or an infinity where Python raises."""
    function = getattr(math, name)

    def call(*args: Any) -> float:
        try:
            found: float = function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf
        return found

    return call


def _external(name: str, arguments: int) -> Any:
    """The C function of the same name as a function of ``math``."""
    return llexternal(name, [Float] * arguments, Float, _quiet(name), ["math.h"])


def _of_one(name: str, checked: Any) -> Any:
    external = _external(name, 1)

    def function(x: float, /) -> float:
        return checked(x, external(x))  # type: ignore[no-any-return]

    return function


def _of_two(name: str, checked: Any) -> Any:
    external = _external(name, 2)

    def function(x: float, y: float, /) -> float:
        return checked(x, y, external(x, y))  # type: ignore[no-any-return]

    return function


def _replace(table: dict[Any, str], make: Callable[[str, Any], Any]) -> None:
    for checked, names in table.items():
        for name in names.split():
            function = make(name, checked)
            function.__name__ = function.__qualname__ = name
            replaces(getattr(math, name))(function)


_replace(_OF_ONE, _of_one)
_replace(_OF_TWO, _of_two)

_log = _of_one("log", pole)
_ldexp = llexternal("ldexp", [Float, Signed], Float, _quiet("ldexp"), ["math.h"])


@replaces(math.log)
def log(x: float, /, *base: float) -> float:
    if len(base) > 1:
        raise TypeError(f"log expected at most 2 arguments, got {len(base) + 1}")
    result: float = _log(x)
    if len(base) == 1:
        result /= _log(base[0])
    return result


@replaces(math.ldexp)
def ldexp(x: float, i: int, /) -> float:
    if x == 0.0 or x - x != 0.0:
        return x
    result: float = _ldexp(x, max(min(i, 5000), -5000))
    if result - result != 0.0:
        raise OverflowError("math range error")
    return result


# -- floats ---------------------------------------------------------------------------------------


@replaces(math.isnan)
def isnan(x: float, /) -> bool:
    return x != x


@replaces(math.isinf)
def isinf(x: float, /) -> bool:
    return x == x and x - x != 0.0


@replaces(math.isfinite)
def isfinite(x: float, /) -> bool:
    return x - x == 0.0


@replaces(math.degrees)
def degrees(x: float, /) -> float:
    return x * (180.0 / math.pi)


@replaces(math.radians)
def radians(x: float, /) -> float:
    return x * (math.pi / 180.0)


@replaces(math.isclose)
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


@replaces(math.ulp)
def ulp(x: float, /) -> float:
    x = abs(x)
    if not isfinite(x):
        return x
    above = math.nextafter(x, math.inf)
    if isinf(above):
        return x - math.nextafter(x, -math.inf)
    return above - x


@replaces(math.modf)
def modf(x: float, /) -> tuple[float, float]:
    if isinf(x):
        return math.copysign(0.0, x), x
    if isnan(x):
        return x, x
    fraction = math.fmod(x, 1.0)
    return fraction, math.copysign(x - fraction, x)


@replaces(math.frexp)
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


@replaces(math.fsum)
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


@replaces(math.hypot)
def hypot(*coordinates: float) -> float:
    return norm([abs(x) for x in coordinates])


@replaces(math.dist)
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


@replaces(math.gamma)
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


@replaces(math.lgamma)
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


# -- integers -------------------------------------------------------------------------------------


@grows
def gcd_of_two(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


@replaces(math.gcd)
@grows
def gcd(*integers: int) -> int:
    result = 0
    for n in integers:
        result = gcd_of_two(result, n)
    return result


@replaces(math.lcm)
@grows
def lcm(*integers: int) -> int:
    result = 1
    for n in integers:
        if n == 0:
            result = 0
        elif result:
            result = abs(result // gcd_of_two(result, n) * n)
    return result


@replaces(math.factorial)
@grows
def factorial(n: int, /) -> int:
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


@replaces(math.comb)
@grows
def comb(n: int, k: int, /) -> int:
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    result = 1
    for i in range(1, min(k, n - k) + 1):
        common = gcd_of_two(result, i)
        result = result // common * ((n - min(k, n - k) + i) // (i // common))
    return result


@replaces(math.perm)
@grows
def perm(n: int, k: int | None = None, /) -> int:
    if k is None:
        return factorial(n)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    result = 1
    for i in range(n - k + 1, n + 1):
        result *= i
    return result


@replaces(math.isqrt)
@grows
def isqrt(n: int, /) -> Any:
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if isinstance(n, BigInt):
        return n.root()
    if n == 0:
        return 0
    root = int(math.sqrt(n))
    while root > n // root:
        root -= 1
    while root + 1 <= n // (root + 1):
        root += 1
    return root
