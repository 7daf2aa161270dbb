"""Built-in functions of numbers, and ``math`` on integers, in Python, translated like the
program's own code."""

from __future__ import annotations

import math
from typing import Any

from rpython.annotator.library import per_arguments
from rpython.lltypesystem.rarithmetic import r_int128, r_uint, r_uint128

# -- built-in functions -------------------------------------------------------------------------


@per_arguments
def hexadecimal(n: Any, /) -> str:
    return f"{n:#x}"


@per_arguments
def octal(n: Any, /) -> str:
    return f"{n:#o}"


@per_arguments
def binary(n: Any, /) -> str:
    return f"{n:#b}"


@per_arguments
def quotient_and_rest(a: Any, b: Any, /) -> Any:
    """``divmod`` of sized integers."""
    return a // b, a % b


@per_arguments
def power(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return base**exp
    return power_modulo(base, exp, mod)


def inverse_modulo(a: r_int128, m: r_int128) -> r_int128:
    """The inverse of ``a`` modulo ``m`` > 0 (extended Euclid)."""
    r, next_r = m, a % m
    t, next_t = r_int128(0), r_int128(1)
    while next_r:
        quotient = r // next_r
        r, next_r = next_r, r - quotient * next_r
        t, next_t = next_t, t - quotient * next_t
    if r != 1:
        raise ValueError("base is not invertible for the given modulus")
    inverse: r_int128 = t % m
    return inverse


def power_modulo(base: int, exp: int, mod: int) -> int:
    """Products of two numbers below 2 ** 63 need more than 64 bits, and so does abs(mod)."""
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    m = abs(r_int128(mod))
    a = r_int128(base) % m
    n = r_int128(exp)
    if exp < 0:
        a = inverse_modulo(a, m)
        n = -n
    result = 1 % m
    while n:
        if n & 1:
            result = result * a % m
        a = a * a % m
        n >>= 1
    if mod < 0 and result:
        result += mod
    return int(result)


# -- rpython.rlib.rarithmetic -------------------------------------------------------------------


@per_arguments
def widened(n: Any, /) -> Any:
    if isinstance(n, (r_uint, r_int128, r_uint128)):
        return n
    return int(n)


@per_arguments
def fits_int(n: Any, /) -> bool:
    return -0x8000000000000000 <= n <= 0x7FFFFFFFFFFFFFFF  # type: ignore[no-any-return]


@per_arguments
def rounded(number: Any, ndigits: Any = None) -> Any:
    if isinstance(number, float):
        if ndigits is None:
            return round_to_int(number)
        return round_float(number, ndigits)
    if ndigits is None:
        return int(number)
    return round_int(int(number), ndigits)


def round_to_int(x: float) -> int:
    """The nearest int, the even one of two."""
    n = int(x)
    rest = abs(x - n)
    if rest > 0.5 or (rest == 0.5 and n & 1):
        return n - 1 if x < 0 else n + 1
    return n


def round_int(n: int, ndigits: int) -> int:
    """A multiple of a power of ten, the even one of two."""
    if ndigits >= 0:
        return n
    if ndigits < -19:
        return 0
    if ndigits == -19:  # the power does not fit in 64 bits
        if -5000000000000000000 <= n <= 5000000000000000000:
            return 0
        raise OverflowError("integer overflow")
    unit: int = 10**-ndigits
    quotient, rest = divmod(n, unit)
    half = unit // 2
    if rest > half or (rest == half and quotient & 1):
        quotient += 1
    return quotient * unit


def round_float(x: float, ndigits: int) -> float:
    """Correctly rounded in decimal, the even one of two."""
    if x != x or x - x != 0.0 or ndigits > 323:
        return x
    if ndigits < -308:
        return 0.0 * x
    if ndigits >= 0:
        result = float(float_to_text(abs(x), ndigits))
    else:
        result = float(round_digits(float_to_text(abs(x), 0), x, -ndigits))
    if result - result != 0.0:
        raise OverflowError("rounded value too large to represent")
    return math.copysign(result, x)


def float_to_text(x: float, digits: int) -> str:
    """``x`` >= 0 with so many decimal places; a built-in of translated programs."""
    return f"{x:.{digits}f}"


def round_digits(text: str, x: float, places: int) -> str:
    """The decimal digits of ``abs(x)``, rounded to a multiple of 10 ** places."""
    magnitude = abs(x)
    exact = magnitude >= 9007199254740992.0 or magnitude == math.floor(magnitude)
    if not exact:
        text = float_to_text(float(math.floor(magnitude)), 0)
    if places > len(text):
        return "0"
    text = "0" + text
    kept, rest = text[: len(text) - places], text[len(text) - places :]
    half = "5" + "0" * (places - 1)
    even = ord(kept[-1]) % 2 == 0
    up = rest > half or (rest == half and not (exact and even))
    if up:
        kept = increment(kept)
    return kept + "0" * places


def increment(digits: str) -> str:
    """The decimal number after this one; it has room for a carry."""
    i = len(digits) - 1
    while digits[i] == "9":
        i -= 1
    return digits[:i] + chr(ord(digits[i]) + 1) + "0" * (len(digits) - 1 - i)


# -- to ints --------------------------------------------------------------------------------------


@per_arguments
def floor(x: Any, /) -> int:
    if not isinstance(x, float):
        return int(x)
    n = int(x)
    return n - 1 if x < n else n


@per_arguments
def ceil(x: Any, /) -> int:
    if not isinstance(x, float):
        return int(x)
    n = int(x)
    return n + 1 if x > n else n


@per_arguments
def trunc(x: Any, /) -> int:
    return int(x)


# -- integers -------------------------------------------------------------------------------------


def gcd_of_two(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


def gcd(*integers: Any) -> int:
    result = 0
    for n in integers:
        result = gcd_of_two(result, n)
    return result


def lcm(*integers: Any) -> int:
    result = 1
    for n in integers:
        if n == 0:
            result = 0
        elif result:
            result = abs(result // gcd_of_two(result, n) * n)
    return result


def factorial(n: int, /) -> int:
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


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


@per_arguments
def perm(n: int, k: Any = None, /) -> int:
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


def isqrt(n: int, /) -> int:
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if n == 0:
        return 0
    root = int(math.sqrt(n))
    while root > n // root:
        root -= 1
    while root + 1 <= n // (root + 1):
        root += 1
    return root


def bit_length(n: int) -> int:
    """Of an int; the least one has no absolute value."""
    count = 0
    if n < 0:
        count = 1
        n = -(n // 2) - (n & 1)  # its half, as a non-negative number
        if n == 0:
            return 1
    while n:
        n >>= 1
        count += 1
    return count


@per_arguments
def bit_length_of_wide(n: Any) -> int:
    parts = _quarters(r_uint128(abs(n)))
    for i in range(3, 0, -1):
        if parts[i]:
            return bit_length(parts[i]) + 32 * i
    return bit_length(parts[0])


@per_arguments
def bit_count_of_wide(n: Any) -> int:
    return sum([count_bits(part) for part in _quarters(r_uint128(abs(n)))])


def _quarters(n: r_uint128) -> list[int]:
    return [int(n >> shift & 0xFFFFFFFF) for shift in range(0, 128, 32)]


def bit_count(n: int) -> int:
    if n < 0:
        n = -(n + 1)
        count = 1
        while n & 1:  # the bits of -n are those of ~n + 1
            n >>= 1
            count = 1
        return count_bits(n) + count
    return count_bits(n)


def count_bits(n: int) -> int:
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


def as_int(n: Any) -> int:
    """``conjugate``, ``numerator`` and the like."""
    return int(n)


def int_ratio(n: int) -> tuple[int, int]:
    return n, 1


# -- text -------------------------------------------------------------------------------------


@per_arguments
def int_of_bytes(data: Any, base: int = 10) -> int:
    if data.isascii():
        try:
            return int(data.decode("ascii"), base)
        except ValueError as error:
            if not str(error).startswith("invalid literal"):
                raise
    text = repr(bytes(data))[:200]
    raise ValueError(f"invalid literal for int() with base {base}: {text}")


@per_arguments
def float_of_bytes(data: Any) -> float:
    if data.isascii():
        try:
            return float(data.decode("ascii"))
        except ValueError:
            pass
    raise ValueError(f"could not convert string to float: {data!r}")
