"""The bits of floats."""

from __future__ import annotations

import math

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Float, Signed
from rpython.rlib.rarithmetic import intmask, r_singlefloat, r_uint32, r_ulonglong


def float2longlong(floatval: float) -> int:
    """The 64 bits of a float as an int."""
    bits: int = llop.convert_float_bytes_to_longlong(Signed, floatval)
    return bits


def longlong2float(llval: int) -> float:
    """The float with these 64 bits."""
    x: float = llop.convert_longlong_bytes_to_float(Float, llval)
    return x


def float2ulonglong(floatval: float) -> r_ulonglong:
    """The same, unsigned."""
    return r_ulonglong(float2longlong(floatval))


def ulonglong2float(ullval: r_ulonglong) -> float:
    """The same, of an unsigned number."""
    return longlong2float(intmask(ullval))


def singlefloat2uint(singlefloatval: r_singlefloat) -> r_uint32:
    """The 32 bits of a single-precision float."""
    bits = float2longlong(float(singlefloatval))
    sign = (bits >> 32) & 0x80000000
    exponent = ((bits >> 52) & 0x7FF) - 1023
    fraction = (bits >> 29) & 0x7FFFFF
    if exponent == 1024:
        return r_uint32(sign | 0x7F800000 | fraction)
    if exponent < -150:
        return r_uint32(sign)
    if exponent < -126:  # a denormal: the leading one is among the bits
        return r_uint32(sign | ((fraction | 0x800000) >> (-126 - exponent)))
    return r_uint32(sign | ((exponent + 127) << 23) | fraction)


def uint2singlefloat(uintval: r_uint32) -> r_singlefloat:
    """The single-precision float with these bits."""
    bits = int(uintval)
    exponent = (bits >> 23) & 0xFF
    fraction = bits & 0x7FFFFF
    if exponent == 0:
        x = math.ldexp(float(fraction), -149)
    else:
        exponent = 0x7FF if exponent == 0xFF else exponent + 896
        x = longlong2float(exponent << 52 | fraction << 29)
    return r_singlefloat(-x if bits & 0x80000000 else x)


# -- a float or an int of 32 bits, in 64 bits ---------------------------------------------------

nan_high_word_int32 = -2
"""What the upper half of an int is: that of a NaN which no operation gives."""
nan_encoded_zero = nan_high_word_int32 << 32


def encode_int32_into_longlong_nan(value: int) -> int:
    """The 64 bits that stand for an int of 32."""
    return nan_encoded_zero + (value & 0xFFFFFFFF)


def decode_int32_from_longlong_nan(value: int) -> int:
    """The int of 32 bits that they stand for."""
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >= 1 << 31 else low


def is_int32_from_longlong_nan(value: int) -> bool:
    """Do these 64 bits stand for an int, not for a float?"""
    return value >> 32 == nan_high_word_int32


def can_encode_int32(value: int) -> bool:
    return -(1 << 31) <= value < 1 << 31


def can_encode_float(value: float) -> bool:
    """Do the bits of the float stand for no int?"""
    return float2longlong(value) >> 32 != nan_high_word_int32


def maybe_decode_longlong_as_float(value: int) -> float:
    """The float or the int that these 64 bits stand for, as a float."""
    if is_int32_from_longlong_nan(value):
        return float(decode_int32_from_longlong_nan(value))
    return longlong2float(value)
