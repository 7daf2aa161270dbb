"""Natural numbers of any size to floats and bytes and back, for ``rbigint``."""

from __future__ import annotations

import math

from rpython.rlib import _bigdigits
from rpython.rlib._bigdigits import MASK, SHIFT
from rpython.rlib.rarithmetic import intmask

_FLOAT_BITS = 53
_LARGEST_EXPONENT = 1024
_NORMAL_EXPONENT = -1021
_HASH_MODULUS = (1 << 61) - 1


def highest_bits(a: list[int], count: int) -> int:
    """``a // 2**count``, which must fit a word."""
    a = _bigdigits.shift_right(a, count)
    if not a:
        return 0
    return a[0] if len(a) == 1 else a[0] | intmask(a[1] << SHIFT)


def to_float(a: list[int]) -> float:
    """The nearest float, ties to even; raises OverflowError."""
    count = _bigdigits.bit_length(a) - (_FLOAT_BITS + 5)
    if count <= 0:
        return float(highest_bits(a, 0))
    bits = highest_bits(a, count)
    # Whether the bits below are all zero decides ties: one more bit tells.
    if _bigdigits.any_bit_below(a, count):
        bits |= 1
    return scaled(float(bits), count, "int too large to convert to float")


def scaled(mantissa: float, exponent: int, message: str) -> float:
    """``mantissa * 2**exponent``; raises OverflowError with the message."""
    if exponent > _LARGEST_EXPONENT:
        raise OverflowError(message)
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        raise OverflowError(message) from None


def ratio(a: list[int], b: list[int]) -> float:
    """The float nearest to ``a / b``, ties to even; ``b`` is not zero.

    The quotient is computed with a few bits more than a float has, and one that says whether
    the division went on: then it is rounded once.  Raises OverflowError.
    """
    if not a:
        return 0.0
    message = "integer division result too large for a float"
    difference = _bigdigits.bit_length(a) - _bigdigits.bit_length(b)
    if difference > _LARGEST_EXPONENT:
        raise OverflowError(message)
    if difference < _NORMAL_EXPONENT - _FLOAT_BITS - 2:
        return 0.0
    exponent = max(difference, _NORMAL_EXPONENT) - _FLOAT_BITS - 2
    if exponent >= 0:
        b = _bigdigits.shift_left(b, exponent)
    else:
        a = _bigdigits.shift_left(a, -exponent)
    quotient, rest = _bigdigits.divide(a, b)
    bits = highest_bits(quotient, 0)
    if rest:
        bits |= 1
    if difference < _NORMAL_EXPONENT:
        # Less than the full precision is left: round to a multiple of the least float.
        bits = (bits + 1 + (bits >> 2 & 1)) >> 2
        exponent += 2
    return scaled(float(bits), exponent, message)


def from_float(x: float) -> list[int]:
    """The integer part of ``abs(x)``; ``x`` is finite."""
    mantissa, exponent = math.frexp(abs(x))
    bits = int(math.ldexp(mantissa, _FLOAT_BITS))
    exponent -= _FLOAT_BITS
    digits = _bigdigits.from_word(bits)
    if exponent < 0:
        return _bigdigits.shift_right(digits, -exponent)
    return _bigdigits.shift_left(digits, exponent)


def logarithm(a: list[int], base: float) -> float:
    """The logarithm of a positive number, the natural one for base 0, as ``math.log2``,
    ``math.log10`` and ``math.log`` compute that of an ``int``: of the nearest float, where there is
    one.  Raises ValueError and ZeroDivisionError for a base that has none."""
    x = 0.0
    exponent = 0
    try:
        x = to_float(a)
    except OverflowError:
        count = _bigdigits.bit_length(a) - (_FLOAT_BITS + 5)
        bits = highest_bits(a, count)
        if _bigdigits.any_bit_below(a, count):
            bits |= 1
        x, exponent = math.frexp(float(bits))
        exponent += count
    if base == 2.0:
        return math.log2(x) + exponent
    if base == 10.0:
        return math.log10(x) + math.log10(2.0) * exponent
    natural = math.log(x) + math.log(2.0) * exponent
    return natural if base == 0.0 else natural / math.log(base)


def hash_value(a: list[int]) -> int:
    """``a % (2**61 - 1)``: Python's hash of a natural number."""
    result = 0
    i = len(a) - 1
    while i >= 0:
        # A multiplication by 2**60 rotates 61 bits to the right by one.
        result = (result >> 1) + ((result & 1) << SHIFT) + a[i]
        if result >= _HASH_MODULUS:
            result -= _HASH_MODULUS
        i -= 1
    return result


def word_mask(negative: bool, a: list[int]) -> int:
    """The lowest 64 bits in two's complement, as a Signed."""
    low = a[0] if a else 0
    if len(a) > 1:
        low = intmask(low | intmask((a[1] & 15) << SHIFT))
    return intmask(-low) if negative else low


def from_bits(values: list[int], bits: int) -> list[int]:
    """The number of these pieces of ``bits`` bits, the least significant first."""
    out: list[int] = []
    pending = 0
    filled = 0
    for value in values:
        pending |= intmask(value << filled) & MASK
        filled += bits
        if filled >= SHIFT:
            out.append(pending)
            filled -= SHIFT
            pending = value >> (bits - filled)
    out.append(pending)
    return _bigdigits.trim(out)


def byte_at(a: list[int], i: int) -> int:
    """The byte number ``i``, from the least significant one; 0 beyond the end."""
    k, bits = i * 8 // SHIFT, i * 8 % SHIFT
    if k >= len(a):
        return 0
    byte = a[k] >> bits
    if bits > SHIFT - 8 and k + 1 < len(a):
        byte |= (a[k + 1] & 255) << (SHIFT - bits)
    return byte & 255


def complement(a: list[int], bits: int) -> list[int]:
    """``2**bits - a``, for ``a`` not above that."""
    return _bigdigits.subtract(_bigdigits.shift_left([1], bits), a)
