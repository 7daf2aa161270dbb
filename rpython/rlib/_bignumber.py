"""Number theory on natural numbers of any size, for ``rbigint``: power, gcd, root; and the
bit operations of two's complement."""

from __future__ import annotations

import math

from rpython.rlib import _bigdigits
from rpython.rlib._bigconvert import highest_bits
from rpython.rlib._bigdigits import MASK, SHIFT, wide
from rpython.rlib.rarithmetic import intmask

_WINDOW = 4


def power(base: list[int], exponent: list[int]) -> list[int]:
    """``base ** exponent`` by squaring, from the highest bit of the exponent on (Knuth, The
    Art of Computer Programming 2, 4.6.3)."""
    if not exponent:
        return [1]
    if not base or (len(base) == 1 and base[0] == 1):
        return base
    if len(exponent) > 1:
        raise MemoryError
    if len(base) == 1 and base[0] & (base[0] - 1) == 0:
        return _bigdigits.shift_left([1], (base[0].bit_length() - 1) * exponent[0])
    result = base
    i = exponent[0].bit_length() - 2
    while i >= 0:
        result = _bigdigits.multiply(result, result)
        if exponent[0] >> i & 1:
            result = _bigdigits.multiply(result, base)
        i -= 1
    return result


def power_modulo(base: list[int], exponent: list[int], modulus: list[int]) -> list[int]:
    """``base ** exponent % modulus``: four bits of the exponent at a time, with a table of
    the first sixteen powers (Menezes and others, Handbook of Applied Cryptography, 14.82)."""
    one = _bigdigits.divide([1], modulus)[1]
    base = _bigdigits.divide(base, modulus)[1]
    powers = [one, base]
    size = 1 << _WINDOW if len(exponent) > 1 else 2
    while len(powers) < size:
        powers.append(_bigdigits.divide(_bigdigits.multiply(powers[-1], base), modulus)[1])
    step = _WINDOW if len(exponent) > 1 else 1
    result = one
    i = len(exponent) - 1
    while i >= 0:
        shift = SHIFT - step
        if i == len(exponent) - 1:
            shift = (exponent[i].bit_length() - 1) // step * step
        while shift >= 0:
            for _ in range(step):
                result = _bigdigits.divide(_bigdigits.multiply(result, result), modulus)[1]
            index = exponent[i] >> shift & (size - 1)
            if index != 0:
                result = _bigdigits.divide(_bigdigits.multiply(result, powers[index]), modulus)[1]
            shift -= step
        i -= 1
    return result


def inverse_modulo(a: list[int], modulus: list[int]) -> list[int]:
    """``x < modulus`` with ``a * x % modulus == 1`` by Euclid's extended algorithm (Knuth
    4.5.2, algorithm X); the empty list if there is none and the modulus is not 1."""
    old, new = modulus, _bigdigits.divide(a, modulus)[1]
    # The factors alternate in sign: only their magnitudes are kept.
    old_factor: list[int] = []
    new_factor = [1]
    steps = 0
    while new:
        quotient, rest = _bigdigits.divide(old, new)
        old, new = new, rest
        product = _bigdigits.multiply(quotient, new_factor)
        old_factor, new_factor = new_factor, _bigdigits.add(old_factor, product)
        steps += 1
    if len(old) != 1 or old[0] != 1:
        return []
    return old_factor if steps % 2 == 1 else _bigdigits.subtract(modulus, old_factor)


def gcd(a: list[int], b: list[int]) -> list[int]:
    """The greatest common divisor, by Lehmer's method: most steps of Euclid's algorithm are
    made on the highest bits (Knuth 4.5.2, algorithm L)."""
    if _bigdigits.compare(a, b) < 0:
        a, b = b, a
    while len(b) > 1:
        count = _bigdigits.bit_length(a) - (SHIFT - 1)
        x, y = highest_bits(a, count), highest_bits(b, count)
        xa, xb, ya, yb = 1, 0, 0, 1
        while y + ya != 0 and y + yb != 0:
            quotient = (x + xa) // (y + ya)
            if quotient != (x + xb) // (y + yb):
                break
            x, y = y, x - quotient * y
            xa, ya = ya, xa - quotient * ya
            xb, yb = yb, xb - quotient * yb
        if xb == 0:
            a, b = b, _bigdigits.divide(a, b)[1]
        else:
            a, b = _combination(a, xa, b, xb), _combination(a, ya, b, yb)
    if not b:
        return a
    rest = _bigdigits.remainder_digit(a, b[0])
    return _bigdigits.from_word(math.gcd(b[0], rest))


def _combination(a: list[int], x: int, b: list[int], y: int) -> list[int]:
    """``a * x + b * y``, which is not negative; ``b`` is not longer than ``a``."""
    out = [0] * len(a)
    wide_x, wide_y = wide(x), wide(y)
    carry = 0
    for i in range(len(a)):
        acc = wide_x * a[i] + carry
        if i < len(b):
            acc = acc + wide_y * b[i]
        out[i] = intmask(acc) & MASK
        carry = intmask(acc >> SHIFT)
    return _bigdigits.trim(out)


def root(a: list[int]) -> list[int]:
    """The integer part of the square root, by Newton's (Heron's) iteration from above, which
    starts at the root of the upper half of the bits."""
    if not a:
        return a
    half = (_bigdigits.bit_length(a) - 1) // 4
    if half == 0:
        return [1 if a[0] < 4 else (2 if a[0] < 9 else 3)]
    guess = _bigdigits.add(root(_bigdigits.shift_right(a, 2 * half)), [1])
    guess = _bigdigits.shift_left(guess, half)
    while True:
        following = _bigdigits.add(guess, _bigdigits.divide(a, guess)[0])
        following = _bigdigits.shift_right(following, 1)
        if _bigdigits.compare(following, guess) >= 0:
            return guess
        guess = following


def bitwise(
    operation: str, a: list[int], a_negative: bool, b: list[int], b_negative: bool
) -> tuple[list[int], bool]:
    """The magnitude and sign of ``a & b``, ``a | b`` or ``a ^ b`` of signed numbers.

    A negative number is read as the complement of its magnitude minus one.
    """
    size = max(len(a), len(b))
    if operation == "&":
        negative = a_negative and b_negative
    elif operation == "|":
        negative = a_negative or b_negative
    else:
        negative = a_negative != b_negative
    if a_negative:
        a = _bigdigits.subtract(a, [1])
    if b_negative:
        b = _bigdigits.subtract(b, [1])
    a_flip = MASK if a_negative else 0
    b_flip = MASK if b_negative else 0
    flip = MASK if negative else 0
    out = [0] * size
    for i in range(size):
        x = a_flip ^ (a[i] if i < len(a) else 0)
        y = b_flip ^ (b[i] if i < len(b) else 0)
        if operation == "&":
            out[i] = flip ^ (x & y)
        elif operation == "|":
            out[i] = flip ^ (x | y)
        else:
            out[i] = flip ^ x ^ y
    _bigdigits.trim(out)
    return (_bigdigits.add(out, [1]) if negative else out), negative
