"""Machine integers: wrapping sized ints, ``intmask``, ``ovfcheck``.

A plain Python ``int`` stands for *Signed*, one 64-bit machine word.  Every other width
is a subclass of ``base_int``: its arithmetic wraps around, and mixing follows RPython's
rules: two operands of one class stay in it; a plain int adapts to the sized operand;
two different sized classes give the wider one, and the unsigned one at equal width.
``//`` and ``%`` round as Python's do.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar

LONG_BIT = 64
LONG_MASK = (1 << LONG_BIT) - 1
LONG_TEST = 1 << (LONG_BIT - 1)
maxint = LONG_TEST - 1
LONGLONG_BIT = 64
LONGLONG_MASK = LONG_MASK


def intmask(n: int) -> int:
    """``n`` (any int, sized or not) wrapped around into the range of Signed."""
    n = int(n) & LONG_MASK
    return n - (1 << LONG_BIT) if n >= LONG_TEST else n


def longlongmask(n: int) -> int:
    """The same as ``intmask``: machine words are 64 bits wide here."""
    return intmask(n)


def is_valid_int(r: object) -> bool:
    """Is ``r`` an int in the range of Signed?"""
    return isinstance(r, int) and -LONG_TEST <= r < LONG_TEST


def ovfcheck(r: int) -> int:
    """``ovfcheck(x + y)``: the Signed result, or OverflowError when it does not fit.

    Takes the exact (unwrapped) Python result, so it must be applied to one operation on
    plain ints.
    """
    if isinstance(r, base_int):
        raise TypeError("ovfcheck() takes a plain int: sized ints wrap by definition")
    if not -LONG_TEST <= r < LONG_TEST:
        raise OverflowError("integer overflow")
    return r


def ovfcheck_float_to_int(x: float) -> int:
    """``int(x)`` when it fits Signed; OverflowError otherwise (nan included)."""
    if x != x or not -float(LONG_TEST) <= x < float(LONG_TEST):
        raise OverflowError("float out of the range of a machine integer")
    return int(x)


def widen(n: int) -> int:
    """Sized ints narrower than a word (and bools) become Signed; the others stay."""
    if isinstance(n, base_int):
        return int(n) if n.BITS < LONG_BIT or (n.SIGNED and n.BITS == LONG_BIT) else n
    return int(n)


def _result_class(a: int, b: int) -> type[base_int] | None:
    """The class of ``a op b`` by RPython's mixing rules; None: a plain int."""
    ca = type(a) if isinstance(a, base_int) else None
    cb = type(b) if isinstance(b, base_int) else None
    if ca is cb or cb is None:
        return ca
    if ca is None:
        return cb
    if ca.BITS != cb.BITS:
        return ca if ca.BITS > cb.BITS else cb
    return cb if ca.SIGNED else ca


def _binary(name: str) -> tuple[Callable[[int, int], Any], Callable[[int, int], Any]]:
    """The method and the reflected method of one wrapping binary operator."""
    operation = getattr(int, f"__{name}__")

    def method(self: int, other: int) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        result = operation(int(self), int(other))
        cls = _result_class(self, other)
        return result if cls is None else cls(result)

    def reflected(self: int, other: int) -> Any:
        return method(other, self) if isinstance(other, int) else NotImplemented

    return method, reflected


def _shift(name: str) -> Callable[[base_int, int], Any]:
    """A shift: the result has the class of the left operand, whatever the right one is."""
    operation = getattr(int, f"__{name}__")

    def method(self: base_int, other: int) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        return type(self)(operation(int(self), int(other)))

    return method


class base_int(int):
    """Superclass of the sized integers; use its subclasses."""

    BITS: ClassVar[int] = 0
    SIGNED: ClassVar[bool] = True
    MASK: ClassVar[int] = 0
    __slots__ = ()

    def __new__(cls, value: Any = 0) -> base_int:
        """``value`` (int, float, bool, or a decimal string) wrapped to the width."""
        n = int(value) & cls.MASK
        if cls.SIGNED and n > cls.MASK >> 1:
            n -= cls.MASK + 1
        return super().__new__(cls, n)

    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("sub")
    __mul__, __rmul__ = _binary("mul")
    __floordiv__, __rfloordiv__ = _binary("floordiv")
    __mod__, __rmod__ = _binary("mod")
    __and__, __rand__ = _binary("and")
    __or__, __ror__ = _binary("or")
    __xor__, __rxor__ = _binary("xor")
    __lshift__ = _shift("lshift")
    __rshift__ = _shift("rshift")

    def __rlshift__(self, other: int) -> Any:
        return int(other) << int(self)

    def __rrshift__(self, other: int) -> Any:
        return int(other) >> int(self)

    def __divmod__(self, other: int) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: int) -> Any:
        return other // self, other % self

    def __pow__(self, other: int, modulus: int | None = None) -> Any:
        return type(self)(pow(int(self), int(other), self.MASK + 1 if modulus is None else modulus))

    def __neg__(self) -> Any:
        return type(self)(-int(self))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return type(self)(abs(int(self)))

    def __invert__(self) -> Any:
        return type(self)(~int(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({int(self)})"

    def __str__(self) -> str:
        return int.__repr__(self)


class signed_int(base_int):
    """Superclass of the signed sized integers."""

    __slots__ = ()


class unsigned_int(base_int):
    """Superclass of the unsigned sized integers."""

    SIGNED: ClassVar[bool] = False
    __slots__ = ()


class r_int8(signed_int):
    BITS, MASK = 8, (1 << 8) - 1
    __slots__ = ()


class r_int16(signed_int):
    BITS, MASK = 16, (1 << 16) - 1
    __slots__ = ()


class r_int32(signed_int):
    BITS, MASK = 32, (1 << 32) - 1
    __slots__ = ()


class r_int64(signed_int):
    """Wrapping 64-bit arithmetic; its low-level type is Signed itself."""

    BITS, MASK = 64, (1 << 64) - 1
    __slots__ = ()


class r_int128(signed_int):
    BITS, MASK = 128, (1 << 128) - 1
    __slots__ = ()


class r_uint8(unsigned_int):
    BITS, MASK = 8, (1 << 8) - 1
    __slots__ = ()


class r_uint16(unsigned_int):
    BITS, MASK = 16, (1 << 16) - 1
    __slots__ = ()


class r_uint32(unsigned_int):
    BITS, MASK = 32, (1 << 32) - 1
    __slots__ = ()


class r_uint(unsigned_int):
    """The unsigned machine word."""

    BITS, MASK = 64, (1 << 64) - 1
    __slots__ = ()


class r_uint128(unsigned_int):
    BITS, MASK = 128, (1 << 128) - 1
    __slots__ = ()


r_int = r_int64
r_longlong = r_int64
r_uint64 = r_uint
r_ulonglong = r_uint
r_longlonglong = r_int128
r_ulonglonglong = r_uint128


class r_singlefloat:
    """A float rounded to 32 bits.  As in RPython there is no arithmetic on it: convert
    with ``float(x)``, compute, convert back."""

    __slots__ = ("_value",)

    def __init__(self, value: float) -> None:
        self._value = round_to_single(float(value))

    def __float__(self) -> float:
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, r_singlefloat) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        raise TypeError("r_singlefloat has no truth value")

    def __repr__(self) -> str:
        return f"r_singlefloat({self._value!r})"


def round_to_single(value: float) -> float:
    """The nearest 32-bit float, overflow going to infinity as in C."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
