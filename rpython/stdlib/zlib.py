"""``zlib``: the checksums."""

from __future__ import annotations

import zlib

from rpython.stdlib import binascii
from rpython.stdlib._registry import BytesLike, replaces

replaces(zlib.crc32)(binascii.crc32)

_MODULUS = 65521


@replaces(zlib.adler32)
def adler32(data: BytesLike, value: int = 1, /) -> int:
    low, high = value & 0xFFFF, value >> 16 & 0xFFFF
    for byte in bytes(data):
        low = (low + byte) % _MODULUS
        high = (high + low) % _MODULUS
    return high << 16 | low
