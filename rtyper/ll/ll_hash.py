"""``hash()`` of numbers and tuples, as CPython computes it (see ``sys.hash_info``).

Numbers: reduction modulo the prime 2**61 - 1, so that numbers that are equal hash alike
whatever their type.  Tuples: xxHash (Yann Collet), simplified as in CPython.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed, Unsigned
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.rlib._hashes import ID_OF_NONE

MODULUS = (1 << 61) - 1
HASH_OF_INF = 314159
TUPLE_START = 2870177450012600261
TUPLE_MULTIPLIER = -7046029288634856825
TUPLE_LANE = -4417276706812531889
TUPLE_LENGTH = TUPLE_START ^ 3527539
TUPLE_MINUS_ONE = 1546275796


def ll_not_minus_one(h: int) -> int:
    """-1 is no hash in CPython."""
    if h == -1:
        return -2
    return h


def ll_int_hash(n: int) -> int:
    if -MODULUS < n < MODULUS:
        return ll_not_minus_one(n)
    return ll_large_int_hash(n)


@seldom_called
def ll_large_int_hash(n: int) -> int:
    return ll_not_minus_one(llop.int_mod(Signed, n, MODULUS))


def ll_float_hash(x: float) -> int:
    """The mantissa rotated by the exponent, in 61 bits.  NaNs have no hash that is known:
    0."""
    bits = llop.convert_float_bytes_to_longlong(Signed, x)
    exponent = llop.int_rshift(Signed, bits, 52) & 2047
    mantissa = bits & 0xFFFFFFFFFFFFF
    if exponent == 2047:
        if mantissa != 0:
            return 0
        h = HASH_OF_INF
    else:
        if exponent == 0:
            exponent = 1
        else:
            mantissa |= 0x10000000000000
        turn = llop.int_mod(Signed, exponent + (1098 - 1075), 61)
        left = llop.int_lshift(Signed, mantissa, turn) & MODULUS
        h = left | llop.int_rshift(Signed, mantissa, 61 - turn)
    if bits < 0:
        h = -h
    return ll_not_minus_one(h)


def ll_rotate_31(x: int) -> int:
    low = llop.uint_rshift(Unsigned, llop.cast_int_to_uint(Unsigned, x), 33)
    return llop.int_lshift(Signed, x, 31) | llop.cast_uint_to_int(Signed, low)


def ll_tuple_next(so_far: int, item_hash: int) -> int:
    """Add the hash of an item; TUPLE_START begins."""
    lane = llop.int_mul(Signed, item_hash, TUPLE_LANE)
    turned = ll_rotate_31(llop.int_add(Signed, so_far, lane))
    return llop.int_mul(Signed, turned, TUPLE_MULTIPLIER)


def ll_tuple_end(so_far: int, length: int) -> int:
    h = llop.int_add(Signed, so_far, length ^ TUPLE_LENGTH)
    if h == -1:
        return TUPLE_MINUS_ONE
    return h


def ll_tuple_hash(items: Any, item_hash: Callable[[Any], int]) -> int:
    """The hash of a tuple of any length."""
    h = TUPLE_START
    i = 0
    while i < len(items):
        h = ll_tuple_next(h, item_hash(items[i]))
        i += 1
    return ll_tuple_end(h, len(items))


def ll_shuffle(h: int) -> int:
    """Spread the bits of the hash of a frozenset's item."""
    shifted = llop.int_lshift(Signed, h, 16)
    return llop.int_mul(Signed, h ^ 89869747 ^ shifted, 3644798167)


def ll_frozenset_end(mixed: int, length: int) -> int:
    """From the exclusive or of the shuffled hashes of the items."""
    h = mixed ^ llop.int_mul(Signed, length + 1, 1927868237)
    h ^= ll_logical(h, 11) ^ ll_logical(h, 25)
    h = llop.int_add(Signed, llop.int_mul(Signed, h, 69069), 907133923)
    if h == -1:
        return 590923713
    return h


def ll_logical(h: int, count: int) -> int:
    """``h >> count`` of the bits, without the sign."""
    return llop.cast_uint_to_int(
        Signed, llop.uint_rshift(Unsigned, llop.cast_int_to_uint(Unsigned, h), count)
    )


def ll_unique_id(p: Any) -> int:
    """The identity of what may be None."""
    return llop.gc_identityhash(Signed, p) if p else ID_OF_NONE
