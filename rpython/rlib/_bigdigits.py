"""Arithmetic on natural numbers of any size, for ``rbigint``.

A number is a list of digits in base 2**60, the least significant first, without zeros at
the end; zero is the empty list.  No function changes its arguments unless it says so.
60 bits leave room for carries in a machine word, and are whole hexadecimal, octal and
binary digits.  Products of digits are computed in 128 bits.
"""

from __future__ import annotations

from rpython.rlib.objectmodel import we_are_translated
from rpython.rlib.rarithmetic import intmask, r_longlonglong

SHIFT = 60
BASE = 1 << SHIFT
MASK = BASE - 1

KARATSUBA_CUTOFF = 40
RECURSIVE_DIVISION_CUTOFF = 50
_LEAST_WORD = -(2**63)


def wide(n: int) -> int:
    """``n`` in 128 bits; untranslated, where ints have any size, ``n`` itself."""
    if we_are_translated():
        return r_longlonglong(n)
    return n


def trim(a: list[int]) -> list[int]:
    """``a`` itself, changed: without zeros at its end."""
    n = len(a)
    while n > 0 and a[n - 1] == 0:
        a.pop()
        n -= 1
    return a


def from_word(n: int) -> list[int]:
    """The digits of ``abs(n)``."""
    if n == _LEAST_WORD:
        return [0, 1 << (63 - SHIFT)]
    n = abs(n)
    if n == 0:
        return []
    if n <= MASK:
        return [n]
    return [n & MASK, n >> SHIFT]


def bit_length(a: list[int]) -> int:
    """The number of bits of ``a``, 0 for zero."""
    if not a:
        return 0
    return (len(a) - 1) * SHIFT + a[-1].bit_length()


def compare(a: list[int], b: list[int]) -> int:
    """-1, 0 or 1: ``a`` is less than, equal to or greater than ``b``."""
    if len(a) != len(b):
        return -1 if len(a) < len(b) else 1
    i = len(a) - 1
    while i >= 0:
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
        i -= 1
    return 0


def add(a: list[int], b: list[int]) -> list[int]:
    """``a + b`` (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm A)."""
    if len(a) < len(b):
        a, b = b, a
    out = a[:]
    if add_into(out, b, 0) != 0:
        out.append(1)
    return out


def subtract(a: list[int], b: list[int]) -> list[int]:
    """``a - b``, for ``a >= b`` (Knuth 4.3.1, algorithm S)."""
    out = a[:]
    subtract_from(out, b, 0)
    return trim(out)


def add_into(out: list[int], b: list[int], offset: int) -> int:
    """Changes ``out`` to ``out + b * BASE**offset``; gives the carry out of its end."""
    carry = 0
    k = offset
    for digit in b:
        total = intmask(out[k] + digit + carry)
        out[k] = total & MASK
        carry = total >> SHIFT
        k = intmask(k + 1)
    while carry != 0 and k < len(out):
        total = out[k] + carry
        out[k] = total & MASK
        carry = total >> SHIFT
        k += 1
    return carry


def subtract_from(out: list[int], b: list[int], offset: int) -> None:
    """Changes ``out`` to ``out - b * BASE**offset``, which must not be negative."""
    carry = 0
    k = offset
    for digit in b:
        total = intmask(out[k] - digit + carry)
        out[k] = total & MASK
        carry = total >> SHIFT
        k = intmask(k + 1)
    while carry != 0 and k < len(out):
        total = out[k] + carry
        out[k] = total & MASK
        carry = total >> SHIFT
        k += 1


def shift_left(a: list[int], count: int) -> list[int]:
    """``a * 2**count``."""
    if not a:
        return a
    whole, bits = count // SHIFT, count % SHIFT
    out = [0] * whole
    if bits == 0:
        out.extend(a)
        return out
    high = SHIFT - bits
    carry = 0
    for digit in a:
        out.append(intmask(digit << bits) & MASK | carry)
        carry = digit >> high
    if carry != 0:
        out.append(carry)
    return out


def shift_right(a: list[int], count: int) -> list[int]:
    """``a // 2**count``."""
    whole, bits = count // SHIFT, count % SHIFT
    if whole >= len(a):
        return []
    if bits == 0:
        return a[whole:]
    high = SHIFT - bits
    out = [0] * (len(a) - whole)
    for i in range(len(out) - 1):
        k = whole + i
        out[i] = (a[k] >> bits) | (intmask(a[k + 1] << high) & MASK)
    out[-1] = a[-1] >> bits
    return trim(out)


def any_bit_below(a: list[int], count: int) -> bool:
    """Is one of the lowest ``count`` bits set?"""
    whole, bits = count // SHIFT, count % SHIFT
    for i in range(min(whole, len(a))):
        if a[i] != 0:
            return True
    return whole < len(a) and a[whole] & ((1 << bits) - 1) != 0


def multiply(a: list[int], b: list[int]) -> list[int]:
    """``a * b``: by rows, from ``KARATSUBA_CUTOFF`` digits on by Karatsuba's method."""
    if not a or not b:
        return []
    return trim(_product(a, b))


def multiply_digit(a: list[int], factor: int, addend: int) -> list[int]:
    """``a * factor + addend``, both less than BASE."""
    out = [0] * len(a)
    x = wide(factor)
    carry = addend
    high = 0
    for i in range(len(a)):
        acc = x * a[i]
        total = intmask((intmask(acc) & MASK) + high + carry)
        high = intmask(acc >> SHIFT)
        out[i] = total & MASK
        carry = total >> SHIFT
    carry += high
    if carry != 0:
        out.append(carry)
    return out


def _product(a: list[int], b: list[int]) -> list[int]:
    """``a * b`` in ``len(a) + len(b)`` digits, zeros at its end included."""
    if len(a) > len(b):
        a, b = b, a
    if len(a) < KARATSUBA_CUTOFF:
        return _square(a) if a is b else _product_by_rows(a, b)
    if 2 * len(a) <= len(b):
        return _product_by_pieces(a, b)
    return _product_by_halves(a, b)


def _product_by_rows(a: list[int], b: list[int]) -> list[int]:
    """Knuth 4.3.1, algorithm M.

    The two halves of a product are added one step apart: so one step waits for the other
    with a carry of a few bits only, and processors multiply ahead.
    """
    out = [0] * (len(a) + len(b))
    for i in range(len(a)):
        x = wide(a[i])
        carry = 0
        high = 0
        k = i
        for digit in b:
            acc = x * digit
            total = intmask((intmask(acc) & MASK) + out[k] + high + carry)
            high = intmask(acc >> SHIFT)
            out[k] = total & MASK
            carry = total >> SHIFT
            k = intmask(k + 1)
        out[k] = high + carry
    return out


def _square(a: list[int]) -> list[int]:
    """Algorithm M with each product of two different digits computed once and doubled."""
    n = len(a)
    out = [0] * (2 * n)
    for i in range(n):
        x = wide(a[i])
        acc = x * a[i] + out[2 * i]
        out[2 * i] = intmask(acc) & MASK
        high = intmask(acc >> SHIFT)
        carry = 0
        x = x + x
        k = 2 * i + 1
        for j in range(i + 1, n):
            acc = x * a[j]
            total = intmask((intmask(acc) & MASK) + out[k] + high + carry)
            high = intmask(acc >> SHIFT)
            out[k] = total & MASK
            carry = total >> SHIFT
            k = intmask(k + 1)
        carry = out[k] + high + carry
        out[k] = carry & MASK
        if carry > MASK:
            out[k + 1] += carry >> SHIFT
    return out


def _product_by_pieces(a: list[int], b: list[int]) -> list[int]:
    """A short number times a long one: piece by piece, so that factors have one size."""
    out = [0] * (len(a) + len(b))
    start = 0
    while start < len(b):
        piece = trim(b[start : start + len(a)])
        add_into(out, multiply(a, piece), start)
        start += len(a)
    return out


def _product_by_halves(a: list[int], b: list[int]) -> list[int]:
    """Three products of half the size instead of four (Karatsuba and Ofman, 1962):
    ``a1*b0 + a0*b1 == (a0 + a1)*(b0 + b1) - a0*b0 - a1*b1``."""
    out = [0] * (len(a) + len(b))
    k = len(b) >> 1
    a0, a1 = trim(a[:k]), a[k:]
    if a is b:
        b0, b1 = a0, a1
        a_sum = add(a0, a1)
        b_sum = a_sum
    else:
        b0, b1 = trim(b[:k]), b[k:]
        a_sum, b_sum = add(a0, a1), add(b0, b1)
    low, high = multiply(a0, b0), multiply(a1, b1)
    middle = multiply(a_sum, b_sum)
    subtract_from(middle, low, 0)
    subtract_from(middle, high, 0)
    add_into(out, low, 0)
    add_into(out, high, 2 * k)
    add_into(out, trim(middle), k)
    return out


def divide_digit(a: list[int], divisor: int) -> tuple[list[int], int]:
    """Quotient and remainder of ``a`` by one digit, not zero."""
    out = [0] * len(a)
    rest = 0
    i = len(a) - 1
    while i >= 0:
        acc = (wide(rest) << SHIFT) + a[i]
        quotient = intmask(acc // divisor)
        out[i] = quotient
        rest = intmask(intmask(acc) - quotient * divisor)
        i -= 1
    return trim(out), rest


def remainder_digit(a: list[int], divisor: int) -> int:
    """``a % divisor``, for one digit, not zero."""
    rest = 0
    i = len(a) - 1
    while i >= 0:
        rest = intmask(((wide(rest) << SHIFT) + a[i]) % divisor)
        i -= 1
    return rest


def divide(a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
    """Quotient and remainder of ``a`` by ``b``, not zero."""
    if compare(a, b) < 0:
        return [], a
    if len(b) == 1:
        quotient, rest = divide_digit(a, b[0])
        return quotient, from_word(rest)
    count = SHIFT - b[-1].bit_length()
    if count != 0:
        a, b = shift_left(a, count), shift_left(b, count)
    if len(b) < RECURSIVE_DIVISION_CUTOFF or len(a) - len(b) < RECURSIVE_DIVISION_CUTOFF:
        quotient, remainder = _divide_by_rows(a, b)
    else:
        quotient, remainder = _divide_by_pieces(a, b)
    return quotient, shift_right(remainder, count)


def _divide_by_rows(a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
    """Knuth 4.3.1, algorithm D; the highest bit of the last digit of ``b`` is set."""
    n = len(b)
    if compare(a, b) < 0:
        return [], a
    rest = a[:]
    rest.append(0)
    top, second = b[n - 1], wide(b[n - 2])
    quotient = [0] * (len(a) - n + 1)
    j = len(a) - n
    while j >= 0:
        high = (wide(rest[j + n]) << SHIFT) + rest[j + n - 1]
        guess = intmask(high // top)
        remainder = intmask(high - wide(guess) * top)
        # The guess is at most 2 too large: the next digit of the divisor corrects it.
        while guess > MASK or second * guess > (wide(remainder) << SHIFT) + rest[j + n - 2]:
            guess -= 1
            remainder += top
            if remainder > MASK:
                break
        if guess != 0:
            x = wide(guess)
            carry = 0
            borrow = 0
            k = j
            for digit in b:
                acc = x * digit
                total = intmask(rest[k] - (intmask(acc) & MASK) - borrow + carry)
                borrow = intmask(acc >> SHIFT)
                rest[k] = total & MASK
                carry = total >> SHIFT
                k = intmask(k + 1)
            rest[k] += carry - borrow
            if rest[k] < 0:
                guess -= 1
                rest[k] = 0
                carry = 0
                k = j
                for digit in b:
                    total = rest[k] + digit + carry
                    rest[k] = total & MASK
                    carry = total >> SHIFT
                    k += 1
        quotient[j] = guess
        j -= 1
    return trim(quotient), trim(rest)


def _divide_by_pieces(a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
    """A long number by a shorter one, as many digits at a time as the divisor has (Brent
    and Zimmermann, Modern Computer Arithmetic, algorithm 1.9)."""
    n = len(b)
    quotient: list[int] = [0] * (len(a) - n + 1)
    start = len(a) - n
    rest = trim(a[start:])
    if compare(rest, b) >= 0:
        rest = subtract(rest, b)
        quotient[start] = 1
    while start > 0:
        count = min(n, start)
        start -= count
        digits, rest = _divide_recursively(trim(a[start : start + count] + rest), b)
        add_into(quotient, digits, start)
    return trim(quotient), rest


def _divide_recursively(a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
    """At most twice as many digits by ``b`` with its highest bit set, by two divisions of
    half the size (Brent and Zimmermann, algorithm 1.8, after Burnikel and Ziegler)."""
    m = len(a) - len(b)
    if m < RECURSIVE_DIVISION_CUTOFF:
        return _divide_by_rows(a, b)
    k = m // 2
    b_low, b_high = trim(b[:k]), b[k:]
    high, rest = _divide_recursively(a[2 * k :], b_high)
    high, rest = _corrected(high, trim(a[k : 2 * k] + rest), b_low, b)
    low, rest = _divide_recursively(rest, b_high)
    low, rest = _corrected(low, trim(a[:k] + rest), b_low, b)
    quotient = [0] * (m + 2)
    add_into(quotient, low, 0)
    add_into(quotient, high, k)
    return trim(quotient), rest


def _corrected(
    quotient: list[int], rest: list[int], b_low: list[int], b: list[int]
) -> tuple[list[int], list[int]]:
    """The division by the high digits of ``b``, made one by ``b``."""
    product = multiply(quotient, b_low)
    while compare(rest, product) < 0:
        rest = add(rest, b)
        quotient = subtract(quotient, [1])
    return quotient, subtract(rest, product)
