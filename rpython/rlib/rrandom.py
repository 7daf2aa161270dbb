"""Random numbers: the Mersenne Twister of Matsumoto and Nishimura (MT19937, 2002).

``Random(seed)`` starts from a number as their ``init_genrand`` does, ``init_by_array`` from
several as Python's ``random.seed`` does: the numbers are the same.  Arguments may be ``int``
or ``r_uint``.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpython.rlib.rarithmetic import intmask, r_uint

N = 624
M = 397
MATRIX_A = 0x9908B0DF
UPPER_MASK = 0x80000000
LOWER_MASK = 0x7FFFFFFF
MASK_32 = 0xFFFFFFFF


class Random:
    """A source of random numbers."""

    def __init__(self, seed: int = 0) -> None:
        self.state = [0] * N
        self.index = 0
        self._start(intmask(seed) & MASK_32)

    def init_genrand(self, s: int) -> None:
        """Start from the low 32 bits of ``s``."""
        self._start(intmask(s) & MASK_32)

    def _start(self, s: int) -> None:
        state = self.state
        state[0] = s
        for i in range(1, N):
            s = (1812433253 * (s ^ (s >> 30)) + i) & MASK_32
            state[i] = s
        self.index = N

    def init_by_array(self, init_key: Sequence[int]) -> None:
        """Start from the low 32 bits of each number; there is at least one."""
        self._start(19650218)
        state = self.state
        length = len(init_key)
        i, j = 1, 0
        for _ in range(max(N, length)):
            previous = state[i - 1]
            mixed = state[i] ^ ((previous ^ (previous >> 30)) * 1664525 & MASK_32)
            state[i] = (mixed + (intmask(init_key[j]) & MASK_32) + j) & MASK_32
            i += 1
            j += 1
            if i >= N:
                state[0] = state[N - 1]
                i = 1
            if j >= length:
                j = 0
        for _ in range(N - 1):
            previous = state[i - 1]
            mixed = state[i] ^ ((previous ^ (previous >> 30)) * 1566083941 & MASK_32)
            state[i] = (mixed - i) & MASK_32
            i += 1
            if i >= N:
                state[0] = state[N - 1]
                i = 1
        state[0] = UPPER_MASK

    def genrand32(self) -> r_uint:
        """A number of 32 bits."""
        return r_uint(self._next())

    def _next(self) -> int:
        if self.index >= N:
            self._regenerate()
        y = self.state[self.index]
        self.index += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def _regenerate(self) -> None:
        state = self.state
        for k in range(N):
            y = (state[k] & UPPER_MASK) | (state[(k + 1) % N] & LOWER_MASK)
            y = state[(k + M) % N] ^ (y >> 1) ^ (MATRIX_A if y & 1 else 0)
            state[k] = y
        self.index = 0

    def random(self) -> float:
        """A float of 53 bits, from 0.0 to below 1.0."""
        a = self._next() >> 5
        b = self._next() >> 6
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)

    def jumpahead(self, n: int) -> None:
        """Go to a state far from this one, which depends on ``n``, as Python 2 did."""
        state = self.state
        word = r_uint(n)
        for i in range(N - 1, 1, -1):
            j = intmask(word % r_uint(i))
            state[i], state[j] = state[j], state[i]
        for i in range(N):
            state[i] = (state[i] + i + 1) & MASK_32
        self.index = N
