"""Built-in functions and methods of numbers."""

from __future__ import annotations

import math
from typing import Any

from rpython.lltypesystem.rarithmetic import (
    base_int,
    is_valid_int,
    r_int128,
    r_uint,
    r_uint128,
    widen,
)
from rpython.stdlib._registry import Int, Number, called_for, grows, method_of, per_arguments

# -- built-in functions -------------------------------------------------------------------------


@called_for(hex)
def hexadecimal(n: Int, /) -> str:
    return f"{n:#x}"


@called_for(oct)
def octal(n: Int, /) -> str:
    return f"{n:#o}"


@called_for(bin)
def binary(n: Int, /) -> str:
    return f"{n:#b}"


@called_for(math.floor)
@grows
def floor(x: Number, /) -> int:
    if not isinstance(x, float):
        return int(x)
    n = int(x)
    return n - 1 if x < n else n


@called_for(math.ceil)
@grows
def ceil(x: Number, /) -> int:
    if not isinstance(x, float):
        return int(x)
    n = int(x)
    return n + 1 if x > n else n


@called_for(math.trunc)
@grows
def trunc(x: Number, /) -> int:
    return int(x)


@per_arguments
def quotient_and_rest(a: Any, b: Any, /) -> Any:
    """``divmod`` of sized integers."""
    return a // b, a % b


@called_for(pow)
def power(base: Number, exp: Number, mod: int | None = None) -> Any:
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


@called_for(widen)
def widened(n: Int, /) -> Any:
    if isinstance(n, (r_uint, r_int128, r_uint128)):
        return n
    return int(n)


@called_for(is_valid_int)
def fits_int(n: Int, /) -> bool:
    return -0x8000000000000000 <= n <= 0x7FFFFFFFFFFFFFFF  # type: ignore[no-any-return]


@called_for(round)
@grows
def rounded(number: Number, ndigits: int | None = None) -> Any:
    if isinstance(number, float):
        if ndigits is None:
            return round_to_int(number)
        return round_float(number, ndigits)
    if ndigits is None:
        return int(number)
    return round_int(int(number), ndigits)


@grows
def round_to_int(x: float) -> int:
    """The nearest int, the even one of two."""
    n = int(x)
    rest = abs(x - n)
    if rest > 0.5 or (rest == 0.5 and n & 1):
        return n - 1 if x < 0 else n + 1
    return n


@grows
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
    """``x`` >= 0 with so many decimal places."""
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


# -- methods of ints --------------------------------------------------------------------------


@method_of(int, bool)
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


@method_of(base_int, name="bit_length")
def bit_length_of_wide(n: Any) -> int:
    parts = _quarters(r_uint128(abs(n)))
    for i in range(3, 0, -1):
        if parts[i]:
            return bit_length(parts[i]) + 32 * i
    return bit_length(parts[0])


@method_of(base_int, name="bit_count")
def bit_count_of_wide(n: Any) -> int:
    return sum([count_bits(part) for part in _quarters(r_uint128(abs(n)))])


def _quarters(n: r_uint128) -> list[int]:
    return [int(n >> shift & 0xFFFFFFFF) for shift in range(0, 128, 32)]


@method_of(int, bool)
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


@method_of(int, bool, name="conjugate")
def as_int(n: int) -> int:
    return int(n)


@method_of(int, bool, name="as_integer_ratio")
def int_ratio(n: int) -> tuple[int, int]:
    return n, 1


# -- methods of floats ------------------------------------------------------------------------


@method_of(float)
def is_integer(x: float) -> bool:
    return math.isfinite(x) and (abs(x) >= 9007199254740992.0 or x == int(x))


@method_of(float, name="hex")
def float_hex(x: float) -> str:
    if math.isnan(x):
        return "nan"
    sign = "-" if math.copysign(1.0, x) < 0.0 else ""
    if math.isinf(x):
        return sign + "inf"
    if x == 0.0:
        return sign + "0x0.0p+0"
    fraction, exponent = math.frexp(abs(x))
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


@method_of(float)
@grows
def as_integer_ratio(x: float) -> tuple[int, int]:
    if math.isinf(x):
        raise OverflowError("cannot convert Infinity to integer ratio")
    if math.isnan(x):
        raise ValueError("cannot convert NaN to integer ratio")
    fraction, exponent = math.frexp(x)
    while fraction != int(fraction):
        fraction *= 2.0
        exponent -= 1
    if exponent > 0:
        return int(fraction) << exponent, 1
    return int(fraction), 1 << -exponent


HEX_DIGITS = "0123456789abcdef"


@called_for(float.fromhex)
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


# -- ints as bytes -----------------------------------------------------------------------------


def is_little(byteorder: str) -> bool:
    if byteorder == "little":
        return True
    if byteorder == "big":
        return False
    raise ValueError("byteorder must be either 'little' or 'big'")


@method_of(int)
def to_bytes(n: int, /, length: int = 1, byteorder: str = "big", *, signed: int = False) -> bytes:
    little = is_little(byteorder)
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if n < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    result = bytearray(length)
    rest = n
    for i in range(length):
        result[i if little else length - 1 - i] = rest & 255
        rest >>= 8
    if signed:
        negative = length > 0 and (result[length - 1 if little else 0] & 128) != 0
        fits = rest == (-1 if negative else 0)
        if length == 0:
            fits = n == 0 or n == -1
    else:
        fits = rest == 0
    if not fits:
        raise OverflowError("int too big to convert")
    return bytes(result)


@called_for(int.from_bytes)
@grows
def from_bytes(data: Any, /, byteorder: str = "big", *, signed: int = False) -> int:
    if isinstance(data, int):
        raise TypeError(f"cannot convert '{type(data).__name__}' object to bytes")
    little = is_little(byteorder)
    raw = bytes(data)
    length = len(raw)
    if length == 0:
        return 0
    most = raw[length - 1 if little else 0]
    result = -1 if signed and most >= 128 else 0
    for i in range(length):
        byte = raw[length - 1 - i if little else i]
        result = result << 8 | byte
    return result
