"""SHA-512 (FIPS 180-4): ``random.seed`` makes numbers of text with it, ``hashlib`` digests."""

from __future__ import annotations

from rpython.rlib.rarithmetic import r_uint

BLOCK = 128


def roots(count: int, exponent: int, skip: int = 0) -> list[int]:
    """The first 64 bits of the fractions of the square (2) or cube (3) roots of as many primes,
    after the first ``skip``."""
    found: list[int] = []
    number = 2
    while len(found) < skip + count:
        if all(number % i for i in range(2, number)):
            low, high = 0, number << 64
            wanted = number << 64 * exponent
            while high - low > 1:
                middle = (low + high) // 2
                if middle**exponent <= wanted:
                    low = middle
                else:
                    high = middle
            found.append(low & 0xFFFFFFFFFFFFFFFF)
        number += 1
    return found[skip:]


START = [r_uint(root) for root in roots(8, 2)]
_CONSTANTS = [r_uint(root) for root in roots(80, 3)]


def _turned(x: r_uint, count: int) -> r_uint:
    """``x`` rotated to the right."""
    return r_uint((x >> count) | (x << (64 - count)))


def sha512(data: bytes) -> bytes:
    """The 64 bytes of the digest."""
    padded = bytearray(data)
    padded.append(0x80)
    while len(padded) % BLOCK != BLOCK - 16:
        padded.append(0)
    padded += bytes(8)
    bits = len(data) * 8
    for i in range(8):
        padded.append(bits >> (56 - 8 * i) & 0xFF)
    state = list(START)
    whole = bytes(padded)
    for start in range(0, len(whole), BLOCK):
        add_block(state, whole, start)
    result = bytearray()
    for word in state:
        for i in range(8):
            result.append(int(word >> (56 - 8 * i) & r_uint(0xFF)))
    return bytes(result)


def add_block(state: list[r_uint], data: bytes, start: int) -> None:
    """Mix the 128 bytes from there into the state of 8 words."""
    words: list[r_uint] = []
    for i in range(16):
        word = r_uint(0)
        for j in range(8):
            word = word << 8 | r_uint(data[start + 8 * i + j])
        words.append(word)
    for i in range(16, 80):
        near, far = words[i - 2], words[i - 15]
        mixed_near = _turned(near, 19) ^ _turned(near, 61) ^ near >> 6
        mixed_far = _turned(far, 1) ^ _turned(far, 8) ^ far >> 7
        words.append(words[i - 16] + mixed_far + words[i - 7] + mixed_near)
    a, b, c, d, e, f, g, h = (
        state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
    )  # fmt: skip
    for i in range(80):
        chosen = (e & f) ^ (~e & g)
        most = (a & b) ^ (a & c) ^ (b & c)
        one = h + (_turned(e, 14) ^ _turned(e, 18) ^ _turned(e, 41)) + chosen
        one = one + _CONSTANTS[i] + words[i]
        two = (_turned(a, 28) ^ _turned(a, 34) ^ _turned(a, 39)) + most
        h, g, f, e, d, c, b, a = g, f, e, d + one, c, b, a, one + two
    state[0] += a
    state[1] += b
    state[2] += c
    state[3] += d
    state[4] += e
    state[5] += f
    state[6] += g
    state[7] += h
