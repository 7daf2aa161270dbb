"""``binascii``: bytes as text and back, and the checksum of zip files.

The rules for base64 are those of CPython's ``binascii.c``: what is no digit is left out, and the
padding of a group is the end.
"""

from __future__ import annotations

import binascii
from typing import Any

from rpython.stdlib._quoted import a2b_qp as a2b_qp
from rpython.stdlib._quoted import b2a_qp as b2a_qp
from rpython.stdlib._quoted import b2a_uu as b2a_uu
from rpython.stdlib._quoted import crc_hqx as crc_hqx
from rpython.stdlib._registry import BytesLike, per_arguments, replaces

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_PADDING = ord("=")
_NONE = 64
_VALUES = [_DIGITS.find(byte) if byte in _DIGITS else _NONE for byte in range(256)]


def _table(polynomial: int) -> list[int]:
    """The remainder for each byte (Sarwate, "Computation of cyclic redundancy checks via table
    look-up", 1988)."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (polynomial if value & 1 else 0)
        table.append(value)
    return table


_CRC32 = _table(0xEDB88320)


@replaces(binascii.crc32)
def crc32(data: BytesLike, crc: int = 0, /) -> int:
    rest = crc & 0xFFFFFFFF ^ 0xFFFFFFFF
    for byte in bytes(data):
        rest = _CRC32[(rest ^ byte) & 0xFF] ^ rest >> 8
    return rest ^ 0xFFFFFFFF


@replaces(binascii.hexlify, binascii.b2a_hex)
def hexlify(data: BytesLike, sep: str | bytes | None = None, bytes_per_sep: int = 1) -> bytes:
    text = bytes(data).hex()
    if sep is None or bytes_per_sep == 0:
        return text.encode()
    between = _ascii(sep).decode()
    if len(between) != 1:
        raise ValueError("sep must be length 1.")
    size = 2 * abs(bytes_per_sep)
    first = len(text) % size if bytes_per_sep > 0 else 0
    pieces = [text[:first]] if first else []
    pieces += [text[i : i + size] for i in range(first, len(text), size)]
    return between.join(pieces).encode()


@per_arguments
def _ascii(data: Any) -> bytes:
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode()
    return bytes(data)


@replaces(binascii.unhexlify, binascii.a2b_hex)
def unhexlify(hexstr: BytesLike | str, /) -> bytes:
    digits = _ascii(hexstr)
    if len(digits) % 2:
        raise binascii.Error("Odd-length string")
    made = bytearray()
    for i in range(0, len(digits), 2):
        high, low = _hex_value(digits[i]), _hex_value(digits[i + 1])
        made.append(high << 4 | low)
    return bytes(made)


def _hex_value(digit: int) -> int:
    if 48 <= digit <= 57:
        return digit - 48
    letter = digit | 32
    if 97 <= letter <= 102:
        return letter - 87
    raise binascii.Error("Non-hexadecimal digit found")


@replaces(binascii.b2a_base64)
def b2a_base64(data: BytesLike, /, *, newline: bool = True) -> bytes:
    source = bytes(data)
    made = bytearray()
    for i in range(0, len(source) - 2, 3):
        group = source[i] << 16 | source[i + 1] << 8 | source[i + 2]
        for shift in (18, 12, 6, 0):
            made.append(_DIGITS[group >> shift & 63])
    left = len(source) % 3
    if left == 1:
        last = source[len(source) - 1]
        made += bytes([_DIGITS[last >> 2], _DIGITS[(last & 3) << 4], _PADDING, _PADDING])
    elif left == 2:
        last = source[len(source) - 2] << 8 | source[len(source) - 1]
        digits = [_DIGITS[last >> 10], _DIGITS[last >> 4 & 63], _DIGITS[(last & 15) << 2]]
        made += bytes([*digits, _PADDING])
    if newline:
        made += b"\n"
    return bytes(made)


@replaces(binascii.a2b_base64)
def a2b_base64(data: BytesLike | str, /, *, strict_mode: bool = False) -> bytes:
    made = bytearray()
    place, padding, rest = 0, 0, 0
    source = _ascii(data)
    if strict_mode and source[:1] == b"=":
        raise binascii.Error("Leading padding not allowed")
    padded = False
    for i in range(len(source)):
        byte = source[i]
        if byte == _PADDING:
            padded = True
            if place >= 2:
                padding += 1
                if place + padding >= 4:
                    if strict_mode and i + 1 < len(source):
                        raise binascii.Error("Excess data after padding")
                    return bytes(made)
            continue
        value = _VALUES[byte]
        if value == _NONE:
            if strict_mode:
                raise binascii.Error("Only base64 data is allowed")
            continue
        if strict_mode and padded:
            raise binascii.Error("Discontinuous padding not allowed")
        padding = 0
        if place:
            made.append((rest << 2 * place | value >> 6 - 2 * place) & 0xFF)
        rest = value & (1 << 6 - 2 * place) - 1
        place = (place + 1) % 4
    if place == 1:
        count = len(made) // 3 * 4 + 1
        raise binascii.Error(
            f"Invalid base64-encoded string: number of data characters ({count}) cannot be 1 more "
            "than a multiple of 4"
        )
    if place:
        raise binascii.Error("Incorrect padding")
    return bytes(made)
