"""Integer arithmetic beyond one machine operation: Python's rounding, checks, shifts.

Helpers are unchecked code: ``+`` wraps, ``//`` and ``%`` of the host are not used.
"""

from __future__ import annotations

from lltypesystem.lloperation import llop
from lltypesystem.lltype import Bool, Float, Signed, Unsigned


def ll_int_floordiv(x: int, y: int) -> int:
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if y == -1:
        return llop.int_neg_ovf(Signed, x)
    return ll_int_floordiv_safe(x, y)


def ll_int_floordiv_wrap(x: int, y: int) -> int:
    """Of a sized type: the one quotient that does not fit wraps."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if y == -1:
        return llop.int_neg(Signed, x)
    return ll_int_floordiv_safe(x, y)


def ll_int_floordiv_safe(x: int, y: int) -> int:
    """``y`` is neither 0 nor -1."""
    quotient = llop.int_floordiv(Signed, x, y)
    remainder = x - quotient * y
    if remainder != 0 and (remainder ^ y) < 0:
        quotient -= 1
    return quotient


def ll_int_mod(x: int, y: int) -> int:
    if y == 0:
        raise ZeroDivisionError("integer modulo by zero")
    if y == -1:
        return 0
    return ll_int_mod_safe(x, y)


def ll_int_mod_safe(x: int, y: int) -> int:
    """``y`` is neither 0 nor -1."""
    remainder = llop.int_mod(Signed, x, y)
    if remainder != 0 and (remainder ^ y) < 0:
        remainder += y
    return remainder


def ll_int_truediv(x: int, y: int) -> float:
    if y == 0:
        raise ZeroDivisionError("division by zero")
    return llop.int_truediv(Float, x, y)


def ll_shift_count(n: int) -> int:
    """An Unsigned count as a Signed one that shifts as far."""
    if n > 64:
        return 64
    return llop.cast_uint_to_int(Signed, n)


def ll_int_lshift(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        if x == 0:
            return 0
        raise OverflowError("integer overflow")
    return llop.int_lshift_ovf(Signed, x, n)


def ll_int_lshift_wrap(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        return 0
    return llop.int_lshift(Signed, x, n)


def ll_int_rshift(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        n = 63
    return llop.int_rshift(Signed, x, n)


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


def ll_int_pow_wrap(x: int, n: int) -> int:
    """The low 64 bits of ``x ** n``."""
    if n < 0:
        raise ValueError("int ** negative int is a float: write float(x) ** y")
    result = 1
    while n != 0:
        if n & 1:
            result = result * x
        x = x * x
        n = llop.int_rshift(Signed, n, 1)
    return result


def ll_sized_pow(x: int, n: int) -> int:
    """Of a sized type: modulo 2 ** 64, where odd numbers have inverses (Newton: each step
    doubles the number of correct bits)."""
    if n >= 0:
        return ll_int_pow_wrap(x, n)
    if x & 1 == 0:
        raise ValueError("base is not invertible for the given modulus")
    inverse = x
    correct = 3
    while correct < 64:
        inverse = inverse * (2 - x * inverse)
        correct = correct + correct
    n = -n
    if n < 0:  # 2 ** 63: a multiple of the order of every odd number
        return 1
    return ll_int_pow_wrap(inverse, n)


def ll_uint_truediv(x: int, y: int) -> float:
    if llop.uint_is_true(Bool, y):
        return llop.uint_truediv(Float, x, y)
    raise ZeroDivisionError("division by zero")


def ll_uint_floordiv(x: int, y: int) -> int:
    if llop.uint_is_true(Bool, y):
        return llop.uint_floordiv(Unsigned, x, y)
    raise ZeroDivisionError("integer division or modulo by zero")


def ll_uint_mod(x: int, y: int) -> int:
    if llop.uint_is_true(Bool, y):
        return llop.uint_mod(Unsigned, x, y)
    raise ZeroDivisionError("integer modulo by zero")


def ll_uint_lshift(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        return llop.cast_int_to_uint(Unsigned, 0)
    return llop.uint_lshift(Unsigned, x, n)


def ll_uint_rshift(x: int, n: int) -> int:
    if n < 0:
        raise ValueError("negative shift count")
    if n >= 64:
        return llop.cast_int_to_uint(Unsigned, 0)
    return llop.uint_rshift(Unsigned, x, n)
