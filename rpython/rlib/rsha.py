"""SHA-1 (FIPS 180-4)."""

from __future__ import annotations

from rpython.rlib._digest import MASK, Digest, rotated

blocksize = 1
digest_size = digestsize = 20

START = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]


def add_block(state: list[int], words: list[int]) -> None:
    """Mix 16 words of 32 bits into the state."""
    for i in range(16, 80):
        words.append(rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1))
    a, b, c, d, e = state[0], state[1], state[2], state[3], state[4]
    for i in range(80):
        if i < 20:
            mixed = (b & c | ~b & d & MASK) + 0x5A827999
        elif i < 40:
            mixed = (b ^ c ^ d) + 0x6ED9EBA1
        elif i < 60:
            mixed = (b & c | b & d | c & d) + 0x8F1BBCDC
        else:
            mixed = (b ^ c ^ d) + 0xCA62C1D6
        total = (rotated(a, 5) + mixed + e + words[i]) & MASK
        a, b, c, d, e = total, a, rotated(b, 30), c, d
    state[0] = (state[0] + a) & MASK
    state[1] = (state[1] + b) & MASK
    state[2] = (state[2] + c) & MASK
    state[3] = (state[3] + d) & MASK
    state[4] = (state[4] + e) & MASK


class RSHA(Digest):
    """The SHA-1 of the text given to it."""

    big_endian = True

    def __init__(self, initialdata: str = "") -> None:
        Digest.__init__(self, START, initialdata)

    def copy(self) -> RSHA:
        """Another one that goes on from here."""
        return self.copied_to(RSHA())

    def add_block(self, state: list[int], words: list[int]) -> None:
        add_block(state, words)


def new(initialdata: str = "") -> RSHA:
    """A new one, with some text already."""
    return RSHA(initialdata)
