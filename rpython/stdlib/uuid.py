"""``uuid``: of the bytes of each, where the source has an int of 128 bits."""

from __future__ import annotations

import hashlib
import os
import uuid
from typing import Any, TypeAlias

from rpython.stdlib._registry import converts, per_arguments, replaces

_int: TypeAlias = int
_bytes: TypeAlias = bytes
"""As the class has other things of these names."""


@replaces(uuid.UUID)
class UUID:
    @per_arguments
    def __init__(
        self, hex: str | None = None, bytes: _bytes | None = None, bytes_le: _bytes | None = None,
        fields: Any = None, int: Any = None, version: _int | None = None,
    ) -> None:  # fmt: skip
        given = [hex is not None, bytes is not None, bytes_le is not None]
        given += [fields is not None, int is not None]
        if given.count(True) != 1:
            raise TypeError(
                "one of the hex, bytes, bytes_le, fields, or int arguments must be given"
            )
        if hex is not None:
            self.bytes = _of_hex(hex)
        elif bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            self.bytes = bytes
        elif bytes_le is not None:
            if len(bytes_le) != 16:
                raise ValueError("bytes_le is not a 16-char string")
            self.bytes = _swapped(bytes_le)
        elif fields is not None:
            self.bytes = _of_fields(*fields)
        else:
            self.bytes = _of_number(int)
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            self.bytes = _marked(self.bytes, version)

    @property
    def hex(self) -> str:
        return self.bytes.hex()

    @property
    def int(self) -> _int:
        return _number(self.bytes)

    @property
    def bytes_le(self) -> _bytes:
        return _swapped(self.bytes)

    @property
    def time_low(self) -> _int:
        return _number(self.bytes[:4])

    @property
    def time_mid(self) -> _int:
        return _number(self.bytes[4:6])

    @property
    def time_hi_version(self) -> _int:
        return _number(self.bytes[6:8])

    @property
    def clock_seq_hi_variant(self) -> _int:
        return self.bytes[8]

    @property
    def clock_seq_low(self) -> _int:
        return self.bytes[9]

    @property
    def node(self) -> _int:
        return _number(self.bytes[10:])

    @property
    def fields(self) -> tuple[_int, _int, _int, _int, _int, _int]:
        return (
            self.time_low, self.time_mid, self.time_hi_version, self.clock_seq_hi_variant,
            self.clock_seq_low, self.node,
        )  # fmt: skip

    @property
    def clock_seq(self) -> _int:
        return (self.bytes[8] & 0x3F) << 8 | self.bytes[9]

    @property
    def time(self) -> _int:
        return (self.time_hi_version & 0xFFF) << 48 | self.time_mid << 32 | self.time_low

    @property
    def urn(self) -> str:
        return f"urn:uuid:{self}"

    @property
    def variant(self) -> str:
        mark = self.bytes[8]
        if not mark & 0x80:
            return uuid.RESERVED_NCS
        if not mark & 0x40:
            return uuid.RFC_4122
        return uuid.RESERVED_FUTURE if mark & 0x20 else uuid.RESERVED_MICROSOFT

    @property
    def version(self) -> _int | None:
        return self.bytes[6] >> 4 if self.variant == uuid.RFC_4122 else None

    def __str__(self) -> str:
        text = self.bytes.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def __repr__(self) -> str:
        return f"UUID({str(self)!r})"

    @per_arguments
    def __eq__(self, other: object) -> bool:
        return isinstance(other, UUID) and self.bytes == other.bytes

    def __lt__(self, other: UUID) -> bool:
        return self.bytes < other.bytes

    def __le__(self, other: UUID) -> bool:
        return self.bytes <= other.bytes

    def __gt__(self, other: UUID) -> bool:
        return self.bytes > other.bytes

    def __ge__(self, other: UUID) -> bool:
        return self.bytes >= other.bytes

    def __hash__(self) -> _int:
        return _hash(self.bytes)


def _hash(data: bytes) -> int:
    """That of the number."""
    result = 0
    for byte in data:
        for shift in (6, 4, 2, 0):
            result = (result * 4 + (byte >> shift & 3)) % _MODULUS
    return result


_MODULUS = 2**61 - 1


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _of_hex(hex: str) -> bytes:
    text = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
    if len(text) != 32:
        raise ValueError("badly formed hexadecimal UUID string")
    if not all(c in "0123456789abcdefABCDEF" for c in text):
        raise ValueError(f"invalid literal for int() with base 16: {text!r}")
    return bytes.fromhex(text)


def _swapped(data: bytes) -> bytes:
    return data[3::-1] + data[5:3:-1] + data[7:5:-1] + data[8:]


@per_arguments
def _of_number(number: Any) -> bytes:
    if number < 0 or (number.bit_length() > 128):
        raise ValueError("int is out of range (need a 128-bit value)")
    data: bytes = number.to_bytes(16, "big")
    return data


def _of_fields(low: int, mid: int, high: int, seq_high: int, seq_low: int, node: int) -> bytes:
    if not 0 <= low < 1 << 32:
        raise ValueError("field 1 out of range (need a 32-bit value)")
    if not 0 <= mid < 1 << 16:
        raise ValueError("field 2 out of range (need a 16-bit value)")
    if not 0 <= high < 1 << 16:
        raise ValueError("field 3 out of range (need a 16-bit value)")
    if not 0 <= seq_high < 1 << 8:
        raise ValueError("field 4 out of range (need an 8-bit value)")
    if not 0 <= seq_low < 1 << 8:
        raise ValueError("field 5 out of range (need an 8-bit value)")
    if not 0 <= node < 1 << 48:
        raise ValueError("field 6 out of range (need a 48-bit value)")
    return b"".join([
        low.to_bytes(4, "big"), mid.to_bytes(2, "big"), high.to_bytes(2, "big"),
        bytes([seq_high, seq_low]), node.to_bytes(6, "big"),
    ])  # fmt: skip


def _marked(data: bytes, version: int) -> bytes:
    """With the version, and the variant of the RFC."""
    marked = bytearray(data)
    marked[8] = marked[8] & 0x3F | 0x80
    marked[6] = marked[6] & 0x0F | version << 4
    return bytes(marked)


@converts(uuid.UUID)
def uuid_for(x: uuid.UUID) -> UUID:
    return UUID(bytes=x.bytes)


@per_arguments
def _name(name: Any) -> bytes:
    if isinstance(name, str):
        return name.encode("utf-8")
    return bytes(name)


@replaces(uuid.uuid3)
@per_arguments
def uuid3(namespace: UUID, name: Any) -> UUID:
    return UUID(bytes=hashlib.md5(namespace.bytes + _name(name)).digest(), version=3)


@replaces(uuid.uuid4)
def uuid4() -> UUID:
    return UUID(bytes=os.urandom(16), version=4)


@replaces(uuid.uuid5)
@per_arguments
def uuid5(namespace: UUID, name: Any) -> UUID:
    return UUID(bytes=hashlib.sha1(namespace.bytes + _name(name)).digest()[:16], version=5)
