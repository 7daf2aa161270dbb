"""The hashes of a translated program, computed under CPython.

What a program stores at import time is used when it runs, so ``compute_hash`` gives here what the
translated ``hash`` gives.  Numbers and tuples hash as in CPython.  Text is hashed by SipHash-1-3
(J.-P. Aumasson, D. J. Bernstein) with a key of zeros, as CPython does when PYTHONHASHSEED is 0.
"""

from __future__ import annotations

import enum
import struct
import weakref
from typing import Any

_MASK = 0xFFFFFFFFFFFFFFFF
_FIRST_TUPLE = 2870177450012600261
_TUPLE_MULTIPLIER = 11400714785074694791
_TUPLE_LANE = 14029467366897019727
NONE_HASH = 0xFCA86420
"""The hash of None in CPython 3.12 and later."""
ID_OF_NONE = 1 << 62
"""The identity of None; nothing else has it (``RPY_IDENTITY``)."""


def text_hash(text: str) -> int:
    """``hash(text)`` in a translated program."""
    return hash(text) if _HOST_AGREES else _signed(siphash13(_stored(text)))


def bytes_hash(data: bytes) -> int:
    """``hash(data)`` in a translated program."""
    return hash(data) if _HOST_AGREES else _signed(siphash13(data))


def siphash13(data: bytes) -> int:
    """SipHash with one round for each word and three at the end, the key all zeros; 64 bits.
    No data at all has the hash 0, as in CPython."""
    if not data:
        return 0
    a, b, c, d = 0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for (word,) in struct.iter_unpack("<Q", padded):
        a, b, c, d = _round(a, b, c, d ^ word)
        a ^= word
    c ^= 0xFF
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    return a ^ b ^ c ^ d


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = a + b & _MASK
    c = c + d & _MASK
    b = _rotated(b, 13) ^ a
    d = _rotated(d, 16) ^ c
    a = _rotated(a, 32) + d & _MASK
    c = c + b & _MASK
    d = _rotated(d, 21) ^ a
    b = _rotated(b, 17) ^ c
    return a, b, _rotated(c, 32), d


def _rotated(x: int, count: int) -> int:
    return (x << count | x >> (64 - count)) & _MASK


def _signed(h: int) -> int:
    """64 bits as a hash: -1 is none."""
    h = h - (1 << 64) if h >> 63 else h
    return -2 if h == -1 else h


def _stored(text: str) -> bytes:
    """The characters as CPython stores them: in one, two or four bytes each."""
    widest = max(map(ord, text), default=0)
    if widest < 256:
        return text.encode("latin-1")
    return text.encode("utf-16-le" if widest < 65536 else "utf-32-le", "surrogatepass")


_HOST_AGREES = hash("rpython") == _signed(siphash13(b"rpython"))
"""Does this process hash text with the key of zeros?"""


def tuple_hash(hashes: list[int]) -> int:
    """The hash of a tuple from those of its items: xxHash (Yann Collet), as CPython has it."""
    so_far = _FIRST_TUPLE
    for h in hashes:
        lane = so_far + (h & _MASK) * _TUPLE_LANE & _MASK
        so_far = _rotated(lane, 31) * _TUPLE_MULTIPLIER & _MASK
    so_far = so_far + (len(hashes) ^ _FIRST_TUPLE ^ 3527539) & _MASK
    return 1546275796 if so_far == _MASK else _signed(so_far)


def frozenset_hash(hashes: list[int]) -> int:
    """The hash of a frozenset from those of its items, as CPython has it."""
    mixed = 0
    for h in hashes:
        mixed ^= ((h & _MASK) ^ 89869747 ^ h << 16) * 3644798167 & _MASK
    mixed ^= (len(hashes) + 1) * 1927868237
    mixed ^= mixed >> 11 ^ mixed >> 25
    mixed = mixed * 69069 + 907133923 & _MASK
    return 590923713 if mixed == _MASK else _signed(mixed)


_BY_IDENTITY: tuple[Any, ...] = (object.__hash__, enum.Enum.__hash__)
"""Of classes whose instances the translated program hashes by their identity."""


def value_hash(x: Any) -> int:
    """``hash(x)`` in a translated program."""
    if isinstance(x, str) and type(x).__hash__ is str.__hash__:
        return text_hash(x)
    if isinstance(x, bytes) and type(x).__hash__ is bytes.__hash__:
        return bytes_hash(x)
    if isinstance(x, tuple) and type(x).__hash__ is tuple.__hash__:
        return tuple_hash([value_hash(item) for item in x])
    if isinstance(x, float) and x != x:
        return 0
    if x is None:
        return NONE_HASH
    if isinstance(x, frozenset) and type(x).__hash__ is frozenset.__hash__:
        return frozenset_hash([value_hash(item) for item in x])
    if type(x).__hash__ in _BY_IDENTITY:
        return IDENTITIES.number(x)
    return hash(x)


class Identities:
    """Numbers for the identity of objects that asked for one under CPython.

    An object that the translated program has as prebuilt data keeps its number.  They are given
    in order, so that the same program gets the same ones each time it is translated."""

    def __init__(self) -> None:
        self._given: dict[int, tuple[Any, int]] = {}
        self._count = 0

    def number(self, x: Any) -> int:
        """The number of ``x``.  An object without weak references lives on with it."""
        known = self.known(x)
        if known is None:
            known = identity_hash(2 * self._count + 1)
            self._count += 1
            self._given[id(x)] = (self._keep(x), known)
        return known

    def known(self, x: Any) -> int | None:
        """The number of ``x`` if it has asked for one."""
        entry = self._given.get(id(x))
        return None if entry is None else entry[1]

    def _keep(self, x: Any) -> Any:
        key = id(x)
        try:
            return weakref.ref(x, lambda dead: self._given.pop(key, None))
        except TypeError:
            return x


def identity_hash(count: int) -> int:
    """The identity hash of a prebuilt object with this number: odd numbers are given by
    ``Identities``, even ones by the translation."""
    return count * _IDENTITY_STEP | _PREBUILT_IDENTITY


_IDENTITY_STEP = 1000003
_PREBUILT_IDENTITY = 1 << 61
"""Is in the identity of all prebuilt objects, and in no other (``RPY_IDENTITY``)."""

IDENTITIES = Identities()
"""Of this process: an object has one identity, whatever is translated."""
