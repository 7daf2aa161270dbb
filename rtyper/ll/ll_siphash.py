"""The hash of text: SipHash-1-3 (J.-P. Aumasson, D. J. Bernstein) with a key of zeros.

CPython computes the same when PYTHONHASHSEED is 0, of the characters as it stores them: in one,
two or four bytes each, which is called a unit here.  ``rpython.rlib._hashes`` does so for text
that is prebuilt.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed, Unsigned
from rpython.lltypesystem.rarithmetic import r_uint
from rpython.rtyper.ll.ll_hash import ll_not_minus_one

START_A = r_uint(0x736F6D6570736575)
START_B = r_uint(0x646F72616E646F6D)
START_C = r_uint(0x6C7967656E657261)
START_D = r_uint(0x7465646279746573)


def ll_narrow_hash(chars: Any, length: int) -> int:
    """Of an array of Char."""
    if length == 0:
        return 0
    return ll_siphash(chars, length, 1)


def ll_wide_hash(chars: Any, length: int) -> int:
    """Of an array of UniChar, not all of which would be a Char."""
    i = 0
    while i < length:
        if ord(chars[i]) > 0xFFFF:
            return ll_siphash(chars, length, 4)
        i += 1
    return ll_siphash(chars, length, 2)


def ll_unit(chars: Any, i: int) -> Any:
    return llop.cast_int_to_uint(Unsigned, ord(chars[i]))


def ll_word(chars: Any, i: int, size: int) -> Any:
    """The word of 8 bytes that begins with unit ``i``."""
    if size == 4:
        return ll_unit(chars, i) | ll_unit(chars, i + 1) << 32
    if size == 2:
        return (
            ll_unit(chars, i) | ll_unit(chars, i + 1) << 16
            | ll_unit(chars, i + 2) << 32 | ll_unit(chars, i + 3) << 48
        )  # fmt: skip
    return (
        ll_unit(chars, i) | ll_unit(chars, i + 1) << 8
        | ll_unit(chars, i + 2) << 16 | ll_unit(chars, i + 3) << 24
        | ll_unit(chars, i + 4) << 32 | ll_unit(chars, i + 5) << 40
        | ll_unit(chars, i + 6) << 48 | ll_unit(chars, i + 7) << 56
    )  # fmt: skip


def ll_siphash(chars: Any, length: int, size: int) -> int:
    """One round for each word, and three at the end; units are of ``size`` bytes."""
    a, b, c, d = START_A, START_B, START_C, START_D
    units = 8 // size
    i = 0
    words = length // units
    while True:
        if words > 0:
            word = ll_word(chars, i, size)
            i += units
        else:
            word = ll_last_word(chars, i, length, size)
        d ^= word
        a += b
        c += d
        b = (b << 13 | b >> 51) ^ a
        d = (d << 16 | d >> 48) ^ c
        a = (a << 32 | a >> 32) + d
        c += b
        d = (d << 21 | d >> 43) ^ a
        b = (b << 17 | b >> 47) ^ c
        c = c << 32 | c >> 32
        a ^= word
        if words == 0:
            return ll_finish(a, b, c ^ r_uint(255), d)
        words -= 1


def ll_finish(a: Any, b: Any, c: Any, d: Any) -> int:
    """The rounds at the end, behind which the four words are one."""
    rounds = 3
    while rounds > 0:
        a += b
        c += d
        b = (b << 13 | b >> 51) ^ a
        d = (d << 16 | d >> 48) ^ c
        a = (a << 32 | a >> 32) + d
        c += b
        d = (d << 21 | d >> 43) ^ a
        b = (b << 17 | b >> 47) ^ c
        c = c << 32 | c >> 32
        rounds -= 1
    return ll_not_minus_one(llop.cast_uint_to_int(Signed, a ^ b ^ c ^ d))


def ll_last_word(chars: Any, i: int, length: int, size: int) -> Any:
    """The units that are left, and in the highest byte how many bytes there were."""
    word = llop.cast_int_to_uint(Unsigned, length * size) << 56
    shift = 0
    while i < length:
        word |= ll_unit(chars, i) << shift
        shift += 8 * size
        i += 1
    return word
