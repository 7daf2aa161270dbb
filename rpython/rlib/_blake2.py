"""BLAKE2b and BLAKE2s (RFC 7693), of words of 64 and of 32 bits."""

from __future__ import annotations

from rpython.rlib import _sha512
from rpython.rlib.rarithmetic import r_uint

_SCHEDULE = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
_COLUMNS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
_DIAGONALS = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
_GROUPS = _COLUMNS + _DIAGONALS

START_B = [r_uint(root) for root in _sha512.roots(8, 2)]
START_S = [r_uint(root >> 32) for root in _sha512.roots(8, 2)]


class Kind:
    """Of words of so many bits."""

    def __init__(self, bits: int, rounds: int, turns: list[int], start: list[r_uint]) -> None:
        self.bits, self.rounds, self.turns, self.start = bits, rounds, turns, start
        self.mask = r_uint((1 << bits) - 1)
        self.size = bits // 8

    def turned(self, x: r_uint, count: int) -> r_uint:
        """To the right."""
        return r_uint(((x >> count) | (x << (self.bits - count))) & self.mask)


B = Kind(64, 12, [32, 24, 16, 63], START_B)
S = Kind(32, 10, [16, 12, 8, 7], START_S)


def compress(
    kind: Kind, state: list[r_uint], data: bytes, start: int, length: int, last: bool
) -> None:
    """Mix a block of 16 words into the state; ``length``: of all data up to its end."""
    m: list[r_uint] = []
    for i in range(16):
        word = r_uint(0)
        for j in range(kind.size):
            word |= r_uint(data[start + kind.size * i + j]) << (8 * j)
        m.append(word)
    v = state + kind.start
    v[12] ^= r_uint(length) & kind.mask
    if kind.bits == 32:
        v[13] ^= r_uint(length) >> 32
    if last:
        v[14] ^= kind.mask
    for number in range(kind.rounds):
        order = _SCHEDULE[number % 10]
        for i, (a, b, c, d) in enumerate(_GROUPS):
            v[a] = (v[a] + v[b] + m[order[2 * i]]) & kind.mask
            v[d] = kind.turned(v[d] ^ v[a], kind.turns[0])
            v[c] = (v[c] + v[d]) & kind.mask
            v[b] = kind.turned(v[b] ^ v[c], kind.turns[1])
            v[a] = (v[a] + v[b] + m[order[2 * i + 1]]) & kind.mask
            v[d] = kind.turned(v[d] ^ v[a], kind.turns[2])
            v[c] = (v[c] + v[d]) & kind.mask
            v[b] = kind.turned(v[b] ^ v[c], kind.turns[3])
    for i in range(8):
        state[i] ^= v[i] ^ v[i + 8]
