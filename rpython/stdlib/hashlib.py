"""``hashlib``: MD5, the three generations of SHA and BLAKE2, which CPython has in C.

A kind of digest is a class that says with what it begins and how it mixes a block into its state;
how text comes in pieces and how it ends is the same for all.
"""

from __future__ import annotations

import hashlib
from typing import Any

from rpython.rlib import _blake2, _sha3, _sha256, _sha512, rmd5, rsha
from rpython.rlib.rarithmetic import r_uint
from rpython.stdlib._registry import classes_below, per_arguments, refused, replaces
from rpython.stdlib._seen import named_like


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


class _SHA3(HASH):
    """Ends in its own way; of those that give as much as is wanted ``digest_size`` is 0."""

    _ending = 0x06

    def __init__(self, state: list[r_uint]) -> None:
        HASH.__init__(self)
        self._state64 = state[:]

    def _mix(self, data: bytes, start: int) -> None:
        _sha3.absorb(self._state64, data, start, self.block_size)

    def digest(self) -> bytes:
        return self._squeezed(self.digest_size)

    def _squeezed(self, count: int) -> bytes:
        last = bytearray(self._rest.ljust(self.block_size, b"\0"))
        last[len(self._rest)] ^= self._ending
        last[-1] ^= 0x80
        state = self._state64[:]
        _sha3.absorb(state, bytes(last), 0, self.block_size)
        return _sha3.squeeze(state, self.block_size, count)


class _SHA3Of224(_SHA3):
    name, digest_size, block_size = "sha3_224", 28, 144

    def _new(self) -> HASH:
        return _SHA3Of224(self._state64)


class _SHA3Of256(_SHA3):
    name, digest_size, block_size = "sha3_256", 32, 136

    def _new(self) -> HASH:
        return _SHA3Of256(self._state64)


class _SHA3Of384(_SHA3):
    name, digest_size, block_size = "sha3_384", 48, 104

    def _new(self) -> HASH:
        return _SHA3Of384(self._state64)


class _SHA3Of512(_SHA3):
    name, digest_size, block_size = "sha3_512", 64, 72

    def _new(self) -> HASH:
        return _SHA3Of512(self._state64)


class SHAKE:
    """What gives as much as is wanted; no HASH, as its digest has a length."""

    digest_size = 0

    def __init__(self, inner: _SHA3, name: str) -> None:
        self._inner = inner
        self.name = name
        self.block_size = inner.block_size

    @per_arguments
    def update(self, data: Any, /) -> None:
        self._inner.update(data)

    def copy(self) -> SHAKE:
        copied = self._inner.copy()
        assert isinstance(copied, _SHA3)
        return SHAKE(copied, self.name)

    def digest(self, length: int, /) -> bytes:
        if length < 0:
            raise ValueError("value must be positive")
        return self._inner._squeezed(length)

    def hexdigest(self, length: int, /) -> str:
        return self.digest(length).hex()


class _Shake128(_SHA3):
    _ending = 0x1F
    block_size = 168

    def _new(self) -> HASH:
        return _Shake128(self._state64)


class _Shake256(_SHA3):
    _ending = 0x1F
    block_size = 136

    def _new(self) -> HASH:
        return _Shake256(self._state64)


class _BLAKE2(HASH):
    """The last block is not mixed in before the end."""

    def __init__(self, kind: _blake2.Kind, name: str, size: int, state: list[r_uint]) -> None:
        HASH.__init__(self)
        self._kind = kind
        self._state64 = state[:]
        self.name, self.digest_size, self.block_size = name, size, 16 * kind.size

    def _add(self, more: bytes) -> None:
        data = self._rest + more
        start = 0
        while start + self.block_size < len(data):
            self._length += self.block_size
            _blake2.compress(self._kind, self._state64, data, start, self._length, False)
            start += self.block_size
        self._rest = data[start:]

    def _new(self) -> HASH:
        return _BLAKE2(self._kind, self.name, self.digest_size, self._state64)

    def digest(self) -> bytes:
        state = self._state64[:]
        last = self._rest.ljust(self.block_size, b"\0")
        length = self._length + len(self._rest)
        _blake2.compress(self._kind, state, last, 0, length, True)
        result = bytearray()
        for word in state:
            for i in range(self._kind.size):
                result.append(int(word >> 8 * i & r_uint(0xFF)))
        return bytes(result[: self.digest_size])


def _blake2_begun(
    kind: _blake2.Kind, name: str, size: int, key: bytes, salt: bytes, person: bytes
) -> HASH:
    largest = 8 * kind.size
    if not 0 < size <= largest:
        raise ValueError(f"digest_size must be between 1 and {largest} bytes")
    if len(key) > largest:
        raise ValueError(f"maximum key length is {largest} bytes")
    if len(salt) > 2 * kind.size:
        raise ValueError(f"maximum salt length is {2 * kind.size} bytes")
    if len(person) > 2 * kind.size:
        raise ValueError(f"maximum person length is {2 * kind.size} bytes")
    parameters = bytes([size, len(key), 1, 1]).ljust(4 * kind.size, b"\0")
    parameters += salt.ljust(2 * kind.size, b"\0") + person.ljust(2 * kind.size, b"\0")
    state: list[r_uint] = []
    for i in range(8):
        word = r_uint(0)
        for j in range(kind.size):
            word |= r_uint(parameters[kind.size * i + j]) << (8 * j)
        state.append(kind.start[i] ^ word)
    made = _BLAKE2(kind, name, size, state)
    if key:
        made._add(key.ljust(made.block_size, b"\0"))
    return made


_NOTHING = [r_uint(0)] * 25
_START_384 = [r_uint(root) for root in _sha512.roots(8, 2, 8)]
_START_224 = [root & 0xFFFFFFFF for root in _sha512.roots(8, 2, 8)]

for _kind in (HASH, *classes_below(HASH)):
    if _kind is not _BLAKE2:  # which CPython has two classes for
        named_like(type(hashlib.md5()))(_kind)


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
    if name == "sha3_224":
        return _SHA3Of224(_NOTHING)
    if name == "sha3_256":
        return _SHA3Of256(_NOTHING)
    if name == "sha3_384":
        return _SHA3Of384(_NOTHING)
    if name == "sha3_512":
        return _SHA3Of512(_NOTHING)
    if name == "blake2b":
        return _blake2_begun(_blake2.B, name, 64, b"", b"", b"")
    if name == "blake2s":
        return _blake2_begun(_blake2.S, name, 32, b"", b"", b"")
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


@replaces(hashlib.sha3_224)
@per_arguments
def sha3_224(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA3Of224(_NOTHING), string)


@replaces(hashlib.sha3_256)
@per_arguments
def sha3_256(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA3Of256(_NOTHING), string)


@replaces(hashlib.sha3_384)
@per_arguments
def sha3_384(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA3Of384(_NOTHING), string)


@replaces(hashlib.sha3_512)
@per_arguments
def sha3_512(string: Any = b"", *, usedforsecurity: bool = True) -> HASH:
    return _fed(_SHA3Of512(_NOTHING), string)


@replaces(hashlib.shake_128)
@per_arguments
def shake_128(string: Any = b"", *, usedforsecurity: bool = True) -> SHAKE:
    made = SHAKE(_Shake128(_NOTHING), "shake_128")
    made.update(string)
    return made


@replaces(hashlib.shake_256)
@per_arguments
def shake_256(string: Any = b"", *, usedforsecurity: bool = True) -> SHAKE:
    made = SHAKE(_Shake256(_NOTHING), "shake_256")
    made.update(string)
    return made


@replaces(hashlib.blake2b)
@per_arguments
def blake2b(
    data: Any = b"", /, *, digest_size: int = 64, key: Any = b"", salt: Any = b"",
    person: Any = b"", usedforsecurity: bool = True,
) -> HASH:  # fmt: skip
    begun = _blake2_begun(
        _blake2.B, "blake2b", digest_size, bytes(key), bytes(salt), bytes(person)
    )
    return _fed(begun, data)


@replaces(hashlib.blake2s)
@per_arguments
def blake2s(
    data: Any = b"", /, *, digest_size: int = 32, key: Any = b"", salt: Any = b"",
    person: Any = b"", usedforsecurity: bool = True,
) -> HASH:  # fmt: skip
    begun = _blake2_begun(
        _blake2.S, "blake2s", digest_size, bytes(key), bytes(salt), bytes(person)
    )
    return _fed(begun, data)


@replaces(hashlib.pbkdf2_hmac)
@per_arguments
def pbkdf2_hmac(
    hash_name: str, password: Any, salt: Any, iterations: int, dklen: int | None = None
) -> bytes:
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if dklen is not None and dklen < 1:
        raise ValueError("key length must be greater than 0.")
    inner, outer = new(hash_name), new(hash_name)
    secret = bytes(password)
    if len(secret) > inner.block_size:
        secret = _fed(new(hash_name), secret).digest()
    secret = secret.ljust(inner.block_size, b"\0")
    inner.update(bytes([byte ^ 0x36 for byte in secret]))
    outer.update(bytes([byte ^ 0x5C for byte in secret]))
    wanted = inner.digest_size if dklen is None else dklen
    result = b""
    number = 1
    while len(result) < wanted:
        last = _keyed(inner, outer, bytes(salt) + number.to_bytes(4, "big"))
        total = bytearray(last)
        for _ in range(iterations - 1):
            last = _keyed(inner, outer, last)
            for i in range(len(total)):
                total[i] ^= last[i]
        result += bytes(total)
        number += 1
    return result[:wanted]


def _keyed(inner: HASH, outer: HASH, data: bytes) -> bytes:
    """HMAC, where both digests have taken the key."""
    first, second = inner.copy(), outer.copy()
    first._add(data)
    second._add(first.digest())
    return second.digest()
