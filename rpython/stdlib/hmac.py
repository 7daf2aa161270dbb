"""``hmac``: with the digests of our ``hashlib``."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from rpython.stdlib._registry import per_arguments, per_values, replaces
from rpython.stdlib.hashlib import HASH
from rpython.stdlib.hashlib import new as new_hash

_INNER = bytes(x ^ 0x36 for x in range(256))
_OUTER = bytes(x ^ 0x5C for x in range(256))


@per_values
def _begun(digestmod: Any) -> HASH:
    """A new digest: of that name, or as the function makes it."""
    if isinstance(digestmod, str):
        if not digestmod:
            raise TypeError("Missing required parameter 'digestmod'.")
        return new_hash(digestmod)
    else:
        made: HASH = digestmod()
        return made


@replaces(hmac.HMAC)
class HMAC:
    blocksize = 64

    @per_values
    def __init__(self, key: Any, msg: Any = None, digestmod: Any = "") -> None:
        if isinstance(key, str):
            raise TypeError("key: expected bytes or bytearray, but got 'str'")
        self._inner = _begun(digestmod)
        self._outer = _begun(digestmod)
        self.digest_size = self._inner.digest_size
        self.block_size = self._inner.block_size
        secret = bytes(key)
        if len(secret) > self.block_size:
            first = _begun(digestmod)
            first.update(secret)
            secret = first.digest()
        secret = secret.ljust(self.block_size, b"\0")
        self._inner.update(secret.translate(_INNER))
        self._outer.update(secret.translate(_OUTER))
        if msg is not None:
            self.update(msg)

    @property
    def name(self) -> str:
        return f"hmac-{self._inner.name}"

    @per_arguments
    def update(self, msg: Any) -> None:
        self._inner.update(msg)

    def copy(self) -> HMAC:
        other = HMAC(b"", None, hashlib.md5)
        other._inner, other._outer = self._inner.copy(), self._outer.copy()
        other.digest_size, other.block_size = self.digest_size, self.block_size
        return other

    def digest(self) -> bytes:
        outer = self._outer.copy()
        outer.update(self._inner.digest())
        return outer.digest()

    def hexdigest(self) -> str:
        return self.digest().hex()


@replaces(hmac.new)
@per_values
def new(key: Any, msg: Any = None, digestmod: Any = "") -> HMAC:
    return HMAC(key, msg, digestmod)


@replaces(hmac.digest)
@per_values
def digest(key: Any, msg: Any, digest: Any) -> bytes:
    return HMAC(key, msg, digest).digest()


@replaces(hmac.compare_digest)
@per_arguments
def compare_digest(a: Any, b: Any, /) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        if not a.isascii() or not b.isascii():
            raise TypeError("comparing strings with non-ASCII characters is not supported")
        return _same(a.encode("ascii"), b.encode("ascii"))
    else:
        if isinstance(a, str) or isinstance(b, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        return _same(bytes(a), bytes(b))


def _same(a: bytes, b: bytes) -> bool:
    """In a time that depends on the lengths only."""
    different = len(a) ^ len(b)
    for i in range(min(len(a), len(b))):
        different |= a[i] ^ b[i]
    return different == 0
