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
