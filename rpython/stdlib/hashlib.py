"""``hashlib``: MD5 and the first two generations of SHA, which CPython has in C.

A kind of digest is a class that says with what it begins and how it mixes a block into its state;
how text comes in pieces and how it ends is the same for all.
"""

from __future__ import annotations

import hashlib
from typing import Any

from rpython.rlib import _sha256, _sha512, rmd5, rsha
from rpython.rlib.rarithmetic import r_uint
from rpython.stdlib._registry import per_arguments, refused, replaces


@per_arguments
def _bytes_of(data: Any) -> bytes:
    if isinstance(data, str):
        raise TypeError("Strings must be encoded before hashing")
    if isinstance(data, bytes):
        return data
    if isinstance(data, bytearray) or type(data) is memoryview:
        return bytes(data)
    if data is None or isinstance(data, int | float | list | tuple | dict | set):
        raise TypeError("object supporting the buffer API required")
    raise NotImplementedError("a digest of something else than bytes")


class HASH:
    """A digest of all that it is given."""

    name = ""
    digest_size = 0
    block_size = 64
    _length_size = 8
    _big_endian = True

    def __init__(self) -> None:
        self._rest = b""
        self._length = 0

    def _mix(self, data: bytes, start: int) -> None:
        """Mix the block from there into the state."""
        raise NotImplementedError

    def _ended(self) -> bytes:
        """The state as bytes."""
        raise NotImplementedError

    def _new(self) -> HASH:
        """Another one with the same state."""
        raise NotImplementedError

    @per_arguments
    def update(self, data: Any, /) -> None:
        self._add(_bytes_of(data))

    def _add(self, more: bytes) -> None:
        self._length += len(more)
        data = self._rest + more
        start = 0
        while start + self.block_size <= len(data):
            self._mix(data, start)
            start += self.block_size
        self._rest = data[start:]

    def copy(self) -> HASH:
        other = self._new()
        other._rest = self._rest
        other._length = self._length
        return other

    def digest(self) -> bytes:
        other = self.copy()
        zeros = -(len(self._rest) + 1 + self._length_size) % self.block_size
        ending = bytearray(1 + zeros + self._length_size)
        ending[0] = 0x80
        for i in range(8):
            place = len(ending) - 1 - i if self._big_endian else len(ending) - 8 + i
            ending[place] = self._length * 8 >> 8 * i & 0xFF
        other._add(bytes(ending))
        return other._ended()[: self.digest_size]

    def hexdigest(self) -> str:
        return self.digest().hex()

    @refused("the text of a hash object is not supported: its address is in it")
    def __repr__(self) -> str:
        return ""


class _Of32Bits(HASH):
    """Those whose state is of words of 32 bits."""

    def __init__(self, state: list[int]) -> None:
        HASH.__init__(self)
        self._state = state[:]

    def _mix(self, data: bytes, start: int) -> None:
        words: list[int] = []
        for i in range(start, start + 64, 4):
            first, second, third, fourth = data[i], data[i + 1], data[i + 2], data[i + 3]
            if self._big_endian:
                words.append(first << 24 | second << 16 | third << 8 | fourth)
            else:
                words.append(fourth << 24 | third << 16 | second << 8 | first)
        self._mix_words(words)

    def _mix_words(self, words: list[int]) -> None:
        raise NotImplementedError

    def _ended(self) -> bytes:
        result = bytearray()
        for word in self._state:
            for i in range(4):
                result.append(word >> (24 - 8 * i if self._big_endian else 8 * i) & 0xFF)
        return bytes(result)


class _MD5(_Of32Bits):
    name = "md5"
    digest_size = 16
    _big_endian = False

    def _mix_words(self, words: list[int]) -> None:
        rmd5.add_block(self._state, words)

    def _new(self) -> HASH:
        return _MD5(self._state)


class _SHA1(_Of32Bits):
    name = "sha1"
    digest_size = 20

    def _mix_words(self, words: list[int]) -> None:
        rsha.add_block(self._state, words)

    def _new(self) -> HASH:
        return _SHA1(self._state)


class _SHA256(_Of32Bits):
    name = "sha256"
    digest_size = 32

    def _mix_words(self, words: list[int]) -> None:
        _sha256.add_block(self._state, words)

    def _new(self) -> HASH:
        return _SHA256(self._state)


class _SHA224(_SHA256):
    name = "sha224"
    digest_size = 28

    def _new(self) -> HASH:
        return _SHA224(self._state)


class _SHA512(HASH):
    """Its state is of words of 64 bits."""

    name = "sha512"
    digest_size = 64
    block_size = 128
    _length_size = 16

    def __init__(self, state: list[r_uint]) -> None:
        HASH.__init__(self)
        self._state64 = state[:]

    def _mix(self, data: bytes, start: int) -> None:
        _sha512.add_block(self._state64, data, start)

    def _ended(self) -> bytes:
        result = bytearray()
        for word in self._state64:
            for i in range(8):
                result.append(int(word >> (56 - 8 * i) & r_uint(0xFF)))
        return bytes(result)

    def _new(self) -> HASH:
        return _SHA512(self._state64)


class _SHA384(_SHA512):
    name = "sha384"
    digest_size = 48

    def _new(self) -> HASH:
        return _SHA384(self._state64)


_START_384 = [r_uint(root) for root in _sha512.roots(8, 2, 8)]
_START_224 = [root & 0xFFFFFFFF for root in _sha512.roots(8, 2, 8)]

for _kind in (HASH, _MD5, _SHA1, _SHA224, _SHA256, _SHA384, _SHA512):
    _kind.__name__, _kind.__qualname__, _kind.__module__ = "HASH", "HASH", "_hashlib"


def _begun(name: str) -> HASH | None:
    if name == "md5":
        return _MD5(rmd5.START)
    if name == "sha1":
        return _SHA1(rsha.START)
    if name == "sha224":
        return _SHA224(_START_224)
    if name == "sha256":
        return _SHA256(_sha256.START)
    if name == "sha384":
        return _SHA384(_START_384)
    if name == "sha512":
        return _SHA512(_sha512.START)
    return None


_MORE = ("sha", "md", "blake", "sm", "rip", "rmd", "ssl", "whirl")
"""How the names begin of those that some hosts have, and of other names for ours."""


@per_arguments
def _fed(begun: HASH, data: Any) -> HASH:
    """The same object, which has taken the first data."""
    begun.update(data)
    return begun


@replaces(hashlib.new)
@per_arguments
def new(name: str, data: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    begun = _begun(name.lower())
    if begun is None:
        if name.lower().startswith(_MORE):
            raise NotImplementedError(f"hashlib.new({name!r})")
        raise ValueError("unsupported hash type " + name)
    return _fed(begun, data)


@replaces(hashlib.md5)
@per_arguments
def md5(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_MD5(rmd5.START), string)


@replaces(hashlib.sha1)
@per_arguments
def sha1(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA1(rsha.START), string)


@replaces(hashlib.sha224)
@per_arguments
def sha224(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA224(_START_224), string)


@replaces(hashlib.sha256)
@per_arguments
def sha256(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA256(_sha256.START), string)


@replaces(hashlib.sha384)
@per_arguments
def sha384(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA384(_START_384), string)


@replaces(hashlib.sha512)
@per_arguments
def sha512(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA512(_sha512.START), string)
