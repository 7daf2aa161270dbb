"""SHA-256 (FIPS 180-4)."""

from __future__ import annotations

from rpython.rlib._sha512 import roots

MASK = 0xFFFFFFFF

START = [root >> 32 for root in roots(8, 2)]
_CONSTANTS = [root >> 32 for root in roots(64, 3)]


def _turned(x: int, count: int) -> int:
    """The 32 bits of ``x``, rotated to the right."""
    return (x >> count | x << (32 - count)) & MASK


def add_block(state: list[int], words: list[int]) -> None:
    """Mix 16 words of 32 bits into the state of 8."""
    for i in range(16, 64):
        near, far = words[i - 2], words[i - 15]
        mixed_near = _turned(near, 17) ^ _turned(near, 19) ^ near >> 10
        mixed_far = _turned(far, 7) ^ _turned(far, 18) ^ far >> 3
        words.append((words[i - 16] + mixed_far + words[i - 7] + mixed_near) & MASK)
    a, b, c, d, e, f, g, h = (
        state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
    )  # fmt: skip
    for i in range(64):
        chosen = e & f ^ ~e & MASK & g
        most = a & b ^ a & c ^ b & c
        turned = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
        one = (h + turned + chosen + _CONSTANTS[i] + words[i]) & MASK
        two = ((_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + most) & MASK
        h, g, f, e, d, c, b, a = g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK
    for i, word in enumerate((a, b, c, d, e, f, g, h)):
        state[i] = (state[i] + word) & MASK
