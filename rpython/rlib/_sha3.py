"""SHA-3 (FIPS 202): Keccak over 25 words of 64 bits."""

from __future__ import annotations

from rpython.rlib.rarithmetic import r_uint


def _round_constants() -> list[r_uint]:
    found: list[r_uint] = []
    register = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if register & 1:
                constant |= 1 << (1 << j) - 1
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        found.append(r_uint(constant))
    return found


def _lanes() -> tuple[list[int], list[int]]:
    """Where each word goes, in the order in which they are met, and how far it is turned."""
    places, turns = [], []
    x, y = 1, 0
    for t in range(24):
        places.append(y + 5 * ((2 * x + 3 * y) % 5))
        turns.append((t + 1) * (t + 2) // 2 % 64)
        x, y = y, (2 * x + 3 * y) % 5
    return places, turns


_CONSTANTS = _round_constants()
_PLACES, _TURNS = _lanes()


def _turned(x: r_uint, count: int) -> r_uint:
    """To the left."""
    return r_uint((x << count) | (x >> (64 - count))) if count else x


def permute(a: list[r_uint]) -> None:
    """Keccak-f[1600]."""
    for constant in _CONSTANTS:
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        for x in range(5):
            d = c[(x + 4) % 5] ^ _turned(c[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                a[x + y] ^= d
        moved = a[1]
        for place, turn in zip(_PLACES, _TURNS):
            moved, a[place] = a[place], _turned(moved, turn)
        for y in range(0, 25, 5):
            row = a[y : y + 5]
            for x in range(5):
                a[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
        a[0] ^= constant


def absorb(state: list[r_uint], data: bytes, start: int, rate: int) -> None:
    """Mix the next ``rate`` bytes into the state."""
    for i in range(rate // 8):
        word = r_uint(0)
        for j in range(8):
            word |= r_uint(data[start + 8 * i + j]) << (8 * j)
        state[i] ^= word
    permute(state)


def squeeze(state: list[r_uint], rate: int, count: int) -> bytes:
    """The first bytes of what the state gives; it changes where it gives more than once."""
    result = bytearray()
    while True:
        for i in range(rate):
            if len(result) == count:
                return bytes(result)
            result.append(int(state[i // 8] >> (8 * (i % 8)) & r_uint(0xFF)))
        permute(state)
