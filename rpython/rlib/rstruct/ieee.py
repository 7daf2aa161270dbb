"""Floats as bits and bytes, with 16, 32 or 64 bits (IEEE 754).

Bytes are ``str`` with characters up to U+00FF, as everywhere in ``rstruct``.
"""

from __future__ import annotations

import math

from rpython.rlib.longlong2float import (
    float2longlong,
    longlong2float,
    singlefloat2uint,
    uint2singlefloat,
)
from rpython.rlib.rarithmetic import intmask, r_singlefloat, r_uint32, r_ulonglong


def round_to_nearest(x: float) -> int:
    """The nearest whole number of one that is not negative; halves to the even one."""
    result = int(x)
    rest = x - float(result)
    if rest > 0.5 or (rest == 0.5 and result & 1):
        result += 1
    return result


def float_pack(x: float, size: int) -> r_ulonglong:
    """The bits of a float of 2, 4 or 8 bytes.  Raises OverflowError if it is too large."""
    if size == 8:
        return r_ulonglong(float2longlong(x))
    if size == 4:
        single = r_singlefloat(x)
        if math.isinf(float(single)) and not math.isinf(x):
            raise OverflowError("float too large to pack with f format")
        return r_ulonglong(int(singlefloat2uint(single)))
    if size == 2:
        return r_ulonglong(_pack_half(x))
    raise ValueError("invalid size value")


def float_unpack(Q: r_ulonglong, size: int) -> float:
    """The float of 2, 4 or 8 bytes with these bits."""
    if size == 8:
        return longlong2float(intmask(Q))
    if size == 4:
        return float(uint2singlefloat(r_uint32(intmask(Q))))
    if size == 2:
        return _unpack_half(intmask(Q))
    raise ValueError("invalid size value")


def _pack_half(x: float) -> int:
    sign = 0x8000 if math.copysign(1.0, x) < 0.0 else 0
    x = abs(x)
    if math.isnan(x):
        return sign | 0x7E00
    if math.isinf(x):
        return sign | 0x7C00
    if x < 2.0**-14:  # denormal, or the smallest that is not when rounded up
        return sign | round_to_nearest(x * 2.0**24)
    fraction, exponent = math.frexp(x)
    bits = round_to_nearest(fraction * 2048.0) - 1024 + ((exponent + 14) << 10)
    if bits >= 0x7C00:
        raise OverflowError("float too large to pack with e format")
    return sign | bits


def _unpack_half(bits: int) -> float:
    exponent = (bits >> 10) & 31
    fraction = bits & 1023
    if exponent == 31:
        x = math.nan if fraction else math.inf
    elif exponent == 0:
        x = math.ldexp(float(fraction), -24)
    else:
        x = math.ldexp(float(fraction + 1024), exponent - 25)
    return -x if bits & 0x8000 else x


def pack_float(result: list[str], x: float, size: int, be: bool) -> None:
    """Append the bytes of a float to a list, or to anything with ``append``; ``be``: the most
    significant first."""
    bits = float_pack(x, size)
    chars = [chr(intmask(bits >> (8 * i)) & 255) for i in range(size)]
    if be:
        chars.reverse()
    result.append("".join(chars))


def unpack_float(s: str, be: bool) -> float:
    """The float that so many bytes are."""
    bits = r_ulonglong(0)
    for i in range(len(s)):
        bits = bits << 8 | r_ulonglong(ord(s[i] if be else s[len(s) - 1 - i]))
    return float_unpack(bits, len(s))
