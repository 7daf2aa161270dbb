"""Integer arithmetic beyond one machine operation: Python's rounding, checks, shifts.

Helpers are unchecked code: ``+`` wraps, ``//`` and ``%`` are the C operations.  Where a type
is ``Any``, the helper serves every integer that arithmetic is done in, with or without
sign as the name says.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed, Unsigned
from rpython.lltypesystem.rarithmetic import r_uint

MIN = Signed.min
MAX = Signed.max
UINT_MAX = r_uint(Unsigned.max)


def ll_int_floordiv(x: int, y: int) -> int:
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if y == -1:
        return llop.int_neg_ovf(Signed, x)
    return ll_int_floordiv_safe(x, y)


def ll_int_floordiv_wrap(x: Any, y: Any) -> Any:
    """Of a signed type that wraps: the one quotient that does not fit does."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if y == -1:
        return -x
    return ll_int_floordiv_safe(x, y)


def ll_int_floordiv_safe(x: Any, y: Any) -> Any:
    """``y`` is neither 0 nor -1."""
    quotient = x // y
    remainder = x - quotient * y
    if remainder != 0 and (remainder ^ y) < 0:
        quotient -= 1
    return quotient


def ll_int_mod(x: Any, y: Any) -> Any:
    if y == 0:
        raise ZeroDivisionError("integer modulo by zero")
    if y == -1:
        return y + 1
    return ll_int_mod_safe(x, y)


def ll_int_mod_safe(x: Any, y: Any) -> Any:
    """``y`` is neither 0 nor -1."""
    remainder = x % y
    if remainder != 0 and (remainder ^ y) < 0:
        remainder += y
    return remainder


def ll_uint_floordiv(x: Any, y: Any) -> Any:
    if y:
        return x // y
    raise ZeroDivisionError("integer division or modulo by zero")


def ll_uint_mod(x: Any, y: Any) -> Any:
    if y:
        return x % y
    raise ZeroDivisionError("integer modulo by zero")


def ll_to_int(n: Any) -> int:
    """``int(n)``.  Raises OverflowError beyond the range of Signed."""
    if n > MAX or n < MIN:
        raise OverflowError("integer too large for a 64-bit int")
    return llop.cast_primitive(Signed, n)


def ll_saturate(n: Any) -> int:
    """The Signed nearest to ``n``: as a shift count or as an index it means the same."""
    if n > MAX:
        return MAX
    if n < MIN:
        return MIN
    return llop.cast_primitive(Signed, n)


def ll_int_lshift(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        if x == 0:
            return 0
        raise OverflowError("integer overflow")
    return llop.int_lshift_ovf(Signed, x, n)


def ll_lshift_wrap(x: Any, n: int, bits: int) -> Any:
    """``bits``: how wide ``x`` is."""
    if n < 0:
        raise ValueError("negative shift count")
    if n >= bits:
        return x ^ x
    return x << n


def ll_int_rshift(x: Any, n: int, bits: int) -> Any:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= bits:
        n = bits - 1
    return x >> n


def ll_uint_rshift(x: Any, n: int, bits: int) -> Any:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= bits:
        return x ^ x
    return x >> n


def ll_int_pow(x: int, n: int) -> int:
    """``x ** n`` by squaring; OverflowError when it does not fit.  A negative exponent
    gives a float in Python and an error here: the result has one kind."""
    if n < 0:
        if x == 0:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power")
        raise ValueError("int ** negative int is a float: write float(x) ** y")
    result = 1
    while True:
        if n & 1:
            result = llop.int_mul_ovf(Signed, result, x)
        n = llop.int_rshift(Signed, n, 1)
        if n == 0:
            return result
        x = llop.int_mul_ovf(Signed, x, x)


def ll_pow_wrap(x: Any, n: int, one: Any) -> Any:
    """``x ** n``, wrapping; ``one`` is of the type of ``x``."""
    if n < 0:
        raise ValueError("int ** negative int is a float: write float(x) ** y")
    result = one
    while n != 0:
        if n & 1:
            result = result * x
        x = x * x
        n = llop.int_rshift(Signed, n, 1)
    return result


def ll_sized_pow(x: Any, n: int, one: Any) -> Any:
    """Of a sized type: modulo a power of 2, where odd numbers have inverses (Newton: each
    step doubles the number of correct bits, three at the start)."""
    if n >= 0:
        return ll_pow_wrap(x, n, one)
    if (x & one) != one:
        raise ValueError("base is not invertible for the given modulus")
    inverse = x
    while x * inverse != one:
        inverse = inverse * (one + one - x * inverse)
    return ll_pow_wrap(inverse, -(n + 1), one) * inverse


def ll_plain_uint(n: Any) -> Any:
    """The Int128 ``n``, the exact result of arithmetic, as an Unsigned.  A product of 128 bits is
    negative here."""
    if n < 0 or n > UINT_MAX:
        raise OverflowError("integer overflow: of an int, or else an r_uint")
    return llop.cast_primitive(Unsigned, n)


def ll_plain_lshift(n: Any, count: int) -> Any:
    """``n << count`` for the same."""
    if count < 0:
        raise ValueError("negative shift count")
    if count >= Unsigned.bits:
        if n == 0:
            return llop.cast_primitive(Unsigned, n)
        raise OverflowError("integer overflow: of an int, or else an r_uint")
    return ll_plain_uint(n << count)
