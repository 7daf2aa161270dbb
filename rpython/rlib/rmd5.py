"""MD5 (RFC 1321)."""

from __future__ import annotations

import math

from rpython.rlib._digest import MASK, Digest, rotated

blocksize = 1
digest_size = 16

START = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
CONSTANTS = [int(abs(math.sin(i + 1)) * 2.0**32) for i in range(64)]
SHIFTS = [7, 12, 17, 22] * 4 + [5, 9, 14, 20] * 4 + [4, 11, 16, 23] * 4 + [6, 10, 15, 21] * 4
ORDER = (
    list(range(16))
    + [(5 * i + 1) % 16 for i in range(16)]
    + [(3 * i + 5) % 16 for i in range(16)]
    + [7 * i % 16 for i in range(16)]
)


def add_block(state: list[int], words: list[int]) -> None:
    """Mix 16 words of 32 bits into the state."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    for i in range(64):
        if i < 16:
            mixed = b & c | ~b & d
        elif i < 32:
            mixed = d & b | ~d & c
        elif i < 48:
            mixed = b ^ c ^ d
        else:
            mixed = c ^ (b | ~d & MASK)
        total = (a + (mixed & MASK) + CONSTANTS[i] + words[ORDER[i]]) & MASK
        a, d, c, b = d, c, b, (b + rotated(total, SHIFTS[i])) & MASK
    state[0] = (state[0] + a) & MASK
    state[1] = (state[1] + b) & MASK
    state[2] = (state[2] + c) & MASK
    state[3] = (state[3] + d) & MASK


class RMD5(Digest):
    """The MD5 of the text given to it."""

    def __init__(self, initialdata: str = "") -> None:
        Digest.__init__(self, START, initialdata)

    def copy(self) -> RMD5:
        """Another one that goes on from here."""
        return self.copied_to(RMD5())

    def add_block(self, state: list[int], words: list[int]) -> None:
        add_block(state, words)


def new(initialdata: str = "") -> RMD5:
    """A new one, with some text already."""
    return RMD5(initialdata)
