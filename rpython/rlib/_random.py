"""``random.Random``: the same numbers as CPython's for the same seed.

The algorithms are those of Python's documentation and of the papers it names: rejection of
bits for whole numbers, Floyd's and the pool's way of sampling, Kinderman's and Monahan's
method for the normal distribution, Box's and Muller's for ``gauss``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

from rpython.rlib._sha512 import sha512
from rpython.rlib.objectmodel import specialize
from rpython.rlib.rrandom import Random as Twister

NO_SEED = -(2**63)
_LOG4 = math.log(4.0)
_SG = 1.0 + math.log(4.5)
_RANDOM_STEPS = 1 << 53
_NORMAL = 4 * math.exp(-0.5) / math.sqrt(2.0)


class State:
    """What ``getstate`` gives."""

    def __init__(self, words: list[Any], index: int, has_gauss: bool, next_gauss: float) -> None:
        self.words = words
        self.index = index
        self.has_gauss = has_gauss
        self.next_gauss = next_gauss


def key_of(a: Any) -> list[int]:
    """The numbers of 32 bits that the twister starts from."""
    if a is None:
        return _system_key()
    if isinstance(a, str):
        return _data_key(a.encode())
    if isinstance(a, (bytes, bytearray)):
        return _data_key(bytes(a))
    if isinstance(a, float):
        return _hash_key(hash(a))
    return _number_key(int(a))


def _system_key() -> list[int]:
    data = os.urandom(2496)
    return [
        data[i] | data[i + 1] << 8 | data[i + 2] << 16 | data[i + 3] << 24
        for i in range(0, 2496, 4)
    ]


def _data_key(data: bytes) -> list[int]:
    data += sha512(data)
    start = 0
    while start < len(data) - 1 and data[start] == 0:
        start += 1
    key: list[int] = []
    for stop in range(len(data), start, -4):
        number = 0
        for byte in data[max(start, stop - 4) : stop]:
            number = number << 8 | byte
        key.append(number)
    return key


def _hash_key(number: int) -> list[int]:
    low, high = number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF
    return [low, high] if high else [low]


def _number_key(number: int) -> list[int]:
    if number == NO_SEED:
        return [0, 0x80000000]
    return _hash_key(abs(number))


class Random:
    """A source of random numbers.  A class that extends it has what it overrides used by the
    methods that CPython's would use it in."""

    _rpython_final_ = ("_randbelow",)

    _seeded = False
    _by_system = False
    """Is it to start from what the system gives, where nobody has seeded it?"""
    _has_gauss = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for base in cls.__mro__:
            if "_below" in vars(base):
                break
            if "getrandbits" in vars(base):
                cls._below, cls.randbytes = cls._below_by_bits, cls._bytes_by_bits  # type: ignore
                break
            if "random" in vars(base):
                cls._below = cls._below_by_random
                break

    def __init__(self, x: Any = None) -> None:
        self._twister = Twister()
        self._next_gauss = 0.0
        self.seed(x)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Start from a number or a text, or from what the system gives."""
        if version != 2:
            raise NotImplementedError("seed() of another version than 2")
        self._has_gauss = False
        self._seeded = True
        self._twister.init_by_array(key_of(a))

    def _start(self) -> None:
        """Be seeded.  CPython's are by the arguments of the class, before there is an instance."""
        if self._seeded:
            return
        if not self._by_system:
            raise NotImplementedError("numbers of a random.Random that nothing has seeded")
        self.seed()

    def getstate(self) -> State:
        self._start()
        twister = self._twister
        return State(list(twister.state), twister.index, self._has_gauss, self._next_gauss)

    def setstate(self, state: State) -> None:
        self._seeded = True
        self._twister.state = list(state.words)
        self._twister.index = state.index
        self._has_gauss = state.has_gauss
        self._next_gauss = state.next_gauss

    def _bits(self) -> int:
        """32 bits."""
        if not self._seeded:
            self._start()
        return self._twister._next()

    def random(self) -> float:
        a = self._bits() >> 5
        b = self._bits() >> 6
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)

    def getrandbits(self, k: int) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k == 0:
            return 0
        result = shift = 0
        while k > 32:
            result = self._more_bits(result, self._bits(), shift)
            shift += 32
            k -= 32
        return self._more_bits(result, self._bits() >> (32 - k), shift)

    def _more_bits(self, result: int, bits: int, shift: int) -> int:
        if shift >= 64 or (shift == 32 and bits >= 0x80000000):
            if bits:
                raise OverflowError("more than 63 bits")
            return result
        return result | bits << shift

    def randbytes(self, n: int) -> bytes:
        if n < 0:
            raise ValueError("number of bits must be non-negative")
        data = bytearray()
        while n > 0:
            bits = self._bits()
            size = min(4, n)
            bits >>= 32 - 8 * size
            for i in range(size):
                data.append(bits >> 8 * i & 0xFF)
            n -= size
        return bytes(data)

    def _bytes_by_bits(self, n: int) -> bytes:
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def _below_by_bits(self, n: int) -> int:
        if n == 0:
            return 0
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r

    _below = _below_by_bits

    def _below_by_random(self, n: int) -> int:
        """The same where only ``random`` is another."""
        if n >= _RANDOM_STEPS:
            raise NotImplementedError("a range of more than 53 bits by a random() of its own")
        limit = (_RANDOM_STEPS - _RANDOM_STEPS % n) / _RANDOM_STEPS
        r = self.random()
        while r >= limit:
            r = self.random()
        return math.floor(r * _RANDOM_STEPS) % n

    # -- whole numbers ------------------------------------------------------------------------

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        if stop is None:
            if step != 1:
                raise TypeError("Missing a non-None stop argument")
            if start > 0:
                return self._below(start)
            raise ValueError("empty range for randrange()")
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._below(width)
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        if step > 0:
            n = (width + step - 1) // step
        elif step < 0:
            n = (width + step + 1) // step
        else:
            raise ValueError("zero step for randrange()")
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._below(n)

    def randint(self, a: int, b: int) -> int:
        return self.randrange(a, b + 1)

    # -- items --------------------------------------------------------------------------------

    @specialize.argtype(1)
    def choice(self, seq: Sequence[Any]) -> Any:
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    @specialize.argtype(1)
    def shuffle(self, x: Any) -> None:
        for i in range(len(x) - 1, 0, -1):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    @specialize.argtype(1, 3)
    def sample(
        self, population: Sequence[Any], k: int, *, counts: Sequence[int] | None = None
    ) -> list[Any]:
        if counts is not None:
            return self._sample_counted(population, k, counts)
        n = len(population)
        if k < 0 or k > n:
            raise ValueError("Sample larger than population or is negative")
        result = []
        room = 21
        if k > 5:
            room += 4 ** math.ceil(math.log(k * 3, 4))
        if n <= room:
            pool = list(population)
            for i in range(k):
                j = self._below(n - i)
                result.append(pool[j])
                pool[j] = pool[n - i - 1]
        else:
            taken: set[int] = set()
            for _ in range(k):
                j = self._below(n)
                while j in taken:
                    j = self._below(n)
                taken.add(j)
                result.append(population[j])
        return result

    @specialize.argtype(1)
    def _sample_counted(
        self, population: Sequence[Any], k: int, counts: Sequence[int]
    ) -> list[Any]:
        sums: list[int] = []
        total = 0
        for count in counts:
            total += count
            sums.append(total)
        if len(sums) != len(population):
            raise ValueError("The number of counts does not match the population")
        if total <= 0:
            raise ValueError("Total of counts must be greater than zero")
        result = []
        for place in self.sample(range(total), k):
            i = 0
            while sums[i] <= place:
                i += 1
            result.append(population[i])
        return result

    @specialize.argtype(1, 2, 3)
    def choices(
        self, population: Sequence[Any], weights: Sequence[Any] | None = None, *,
        cum_weights: Sequence[Any] | None = None, k: int = 1,
    ) -> list[Any]:  # fmt: skip
        n = len(population)
        result = []
        sums: list[float] = []
        if cum_weights is not None:
            if weights is not None:
                raise TypeError("Cannot specify both weights and cumulative weights")
            for weight in cum_weights:
                sums.append(float(weight))
        elif weights is None:
            for _ in range(k):
                result.append(population[math.floor(self.random() * n)])
            return result
        else:
            for weight in weights:
                sums.append((sums[-1] if sums else 0.0) + weight)
        if len(sums) != n:
            raise ValueError("The number of weights does not match the population")
        total = sums[-1]
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not math.isfinite(total):
            raise ValueError("Total of weights must be finite")
        for _ in range(k):
            wanted = self.random() * total
            low, high = 0, n - 1
            while low < high:
                middle = (low + high) // 2
                if wanted < sums[middle]:
                    high = middle
                else:
                    low = middle + 1
            result.append(population[low])
        return result

    # -- distributions ------------------------------------------------------------------------

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self.random()

    def triangular(self, low: float = 0.0, high: float = 1.0, mode: float | None = None) -> float:
        u = self.random()
        if high == low and mode is not None:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u = 1.0 - u
            c = 1.0 - c
            low, high = high, low
        return low + (high - low) * math.sqrt(u * c)

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        if self._has_gauss:
            z = self._next_gauss
            self._has_gauss = False
        else:
            turn = self.random() * (2.0 * math.pi)
            radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
            z = math.cos(turn) * radius
            self._next_gauss = math.sin(turn) * radius
            self._has_gauss = True
        return mu + z * sigma

    def normalvariate(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = _NORMAL * (u1 - 0.5) / u2
            if z * z / 4.0 <= -math.log(u2):
                return mu + z * sigma

    def lognormvariate(self, mu: float, sigma: float) -> float:
        return math.exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd: float) -> float:
        return -math.log(1.0 - self.random()) / lambd

    def paretovariate(self, alpha: float) -> float:
        u = 1.0 - self.random()
        return float(u ** (-1.0 / alpha))

    def weibullvariate(self, alpha: float, beta: float) -> float:
        u = 1.0 - self.random()
        return float(alpha * (-math.log(u)) ** (1.0 / beta))


    def gammavariate(self, alpha: float, beta: float) -> float:
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha > 1.0:
            return self._large_gamma(alpha) * beta
        if alpha == 1.0:
            return -math.log(1.0 - self.random()) * beta
        while True:
            b = (math.e + alpha) / math.e
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
            u = self.random()
            if p > 1.0:
                if u <= x ** (alpha - 1.0):
                    break
            elif u <= math.exp(-x):
                break
        return float(x * beta)

    def _large_gamma(self, alpha: float) -> float:
        """Cheng's method."""
        root = math.sqrt(2.0 * alpha - 1.0)
        b = alpha - _LOG4
        c = alpha + root
        while True:
            u1 = self.random()
            if not 1e-7 < u1 < 0.9999999:
                continue
            u2 = 1.0 - self.random()
            v = math.log(u1 / (1.0 - u1)) / root
            x = alpha * math.exp(v)
            z = u1 * u1 * u2
            r = b + c * v - x
            if r + _SG - 4.5 * z >= 0.0 or r >= math.log(z):
                return x

    def betavariate(self, alpha: float, beta: float) -> float:
        y = self.gammavariate(alpha, 1.0)
        if y:
            return y / (y + self.gammavariate(beta, 1.0))
        return 0.0

    def vonmisesvariate(self, mu: float, kappa: float) -> float:
        """Fisher's method."""
        turn = 2.0 * math.pi
        if kappa <= 1e-6:
            return turn * self.random()
        s = 0.5 / kappa
        r = s + math.sqrt(1.0 + s * s)
        while True:
            z = math.cos(math.pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * math.exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        if self.random() > 0.5:
            return (mu + math.acos(f)) % turn
        return (mu - math.acos(f)) % turn


class SystemRandom(Random):
    """Numbers from the system."""

    def __init__(self, x: Any = None) -> None:
        Random.__init__(self, 0)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """There is nothing to start from."""

    def getstate(self) -> State:
        raise NotImplementedError("System entropy source does not have state.")

    def setstate(self, state: State) -> None:
        raise NotImplementedError("System entropy source does not have state.")

    def _bits(self) -> int:
        data = os.urandom(4)
        return data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24


def unseeded() -> Random:
    """What starts from what the system gives, when it is first used."""
    result = Random(0)
    result._seeded, result._by_system = False, True
    return result


def in_state(words: Sequence[int], gauss: float | None) -> Random:
    """What goes on from a state as ``getstate`` gives it."""
    result = Random(0)
    result._twister.state = list(words[:-1])
    result._twister.index = words[-1]
    result._has_gauss = gauss is not None
    result._next_gauss = 0.0 if gauss is None else gauss
    return result
