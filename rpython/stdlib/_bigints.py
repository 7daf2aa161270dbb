"""Ints that do not fit in 64 bits, where a program asks for them (``--int=big``).

    n = 2**62 * m     a call of ``multiply``: an int, or a BigInt where it does not fit

An int of the program is then an int, or in a box with a BigInt; what fits in 64 bits is never a
BigInt, so the two are never equal.  Texts, hashes, rounding and messages are those of CPython.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any, Literal

from rpython.rlib.rarithmetic import LONG_BIT, ovfcheck
from rpython.rlib.rbigint import rbigint
from rpython.stdlib._registry import Int, per_arguments

_MOST_DIGITS = 4300
"""Of decimal texts, as CPython has it (``sys.set_int_max_str_digits``)."""

_SEQUENCES = (str, bytes, bytearray, list, tuple)


def fitted(number: rbigint) -> Any:
    """The int: a BigInt where it does not fit in 64 bits."""
    return number.toint() if number.fits_int() else BigInt(number)


@per_arguments
def number_of(x: Int) -> rbigint:
    """The number of an int of any size."""
    return x.number if isinstance(x, BigInt) else rbigint.fromint(int(x))


# -- the methods of BigInt ------------------------------------------------------------------------


def _fitting(operation: Callable[[rbigint, rbigint], rbigint]) -> Callable[[rbigint, rbigint], Any]:
    """The same operation, which gives an int of the program."""

    def fitting(a: rbigint, b: rbigint) -> Any:
        return fitted(operation(a, b))

    return fitting


def _arithmetic(
    operation: Callable[[rbigint, rbigint], Any],
    on_floats: Callable[[float, float], Any] | None = None, repeats: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """``self + other`` and ``other + self``, for floats by ``on_floats``; ``repeats``: sequences so
    often."""

    def method(self: BigInt, other: Any) -> Any:
        if isinstance(other, int):
            return operation(self.number, number_of(other))
        if on_floats is not None and isinstance(other, float):
            return on_floats(float(self), other)
        if repeats and isinstance(other, _SEQUENCES):
            raise OverflowError("cannot fit 'int' into an index-sized integer")
        return NotImplemented

    def reflected(self: BigInt, other: Any) -> Any:
        if isinstance(other, int):
            return operation(number_of(other), self.number)
        if on_floats is not None and isinstance(other, float):
            return on_floats(other, float(self))
        if repeats and isinstance(other, _SEQUENCES):
            raise OverflowError("cannot fit 'int' into an index-sized integer")
        return NotImplemented

    return method, reflected


def _comparison(holds: Callable[[int, int], bool]) -> Any:
    def method(self: BigInt, other: Any) -> Any:
        if isinstance(other, int):
            return holds(self.number._compare(number_of(other)), 0)
        if isinstance(other, float):
            if math.isnan(other):
                return holds is operator.ne
            return holds(_order(self.number, other), 0)
        return NotImplemented

    return method


def _order(number: rbigint, x: float) -> int:
    """How a number beyond 64 bits compares with a float: floats as large as that are whole."""
    if math.isinf(x):
        return -1 if x > 0 else 1
    return number._compare(rbigint.fromfloat(x))


def _to_left(number: rbigint, count: rbigint) -> rbigint:
    if count.sign < 0:
        raise ValueError("negative shift count")
    if not count.fits_int():
        raise OverflowError("too many digits in integer")
    return number.lshift(count.toint())


def _to_right(number: rbigint, count: rbigint) -> rbigint:
    if count.sign < 0:
        raise ValueError("negative shift count")
    bits = count.toint() if count.fits_int() else sys.maxsize
    return number.rshift(bits)


def _divided(a: rbigint, b: rbigint) -> tuple[Any, Any]:
    found, rest = a.divmod(b)
    return fitted(found), fitted(rest)


def _power(base: rbigint, exponent: rbigint) -> Any:
    if exponent.sign < 0:
        raise ValueError("int ** negative int is a float: write float(x) ** y")
    return fitted(base.pow(exponent))


class BigInt(int):
    """An int beyond 64 bits."""

    _rpython_of_builtin_ = int

    def __init__(self, number: rbigint) -> None:
        self.number = number

    __add__, __radd__ = _arithmetic(_fitting(rbigint.add), operator.add)
    __sub__, __rsub__ = _arithmetic(_fitting(rbigint.sub), operator.sub)
    __mul__, __rmul__ = _arithmetic(_fitting(rbigint.mul), operator.mul, repeats=True)
    __floordiv__, __rfloordiv__ = _arithmetic(_fitting(rbigint.floordiv), operator.floordiv)
    __mod__, __rmod__ = _arithmetic(_fitting(rbigint.mod), operator.mod)
    __and__, __rand__ = _arithmetic(_fitting(rbigint.and_))
    __or__, __ror__ = _arithmetic(_fitting(rbigint.or_))
    __xor__, __rxor__ = _arithmetic(_fitting(rbigint.xor))
    __truediv__, __rtruediv__ = _arithmetic(rbigint.truediv, operator.truediv)
    __divmod__, __rdivmod__ = _arithmetic(_divided, divmod)
    __pow__, __rpow__ = _arithmetic(_power, operator.pow)
    __lshift__, __rlshift__ = _arithmetic(_fitting(_to_left))
    __rshift__, __rrshift__ = _arithmetic(_fitting(_to_right))
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)

    def __hash__(self) -> int:
        return self.number.hash()

    def __repr__(self) -> str:
        return decimal(self.number)

    def __str__(self) -> str:
        return decimal(self.number)

    def __float__(self) -> float:
        return self.number.tofloat()

    def __neg__(self) -> Any:
        return fitted(self.number.neg())

    def __pos__(self) -> BigInt:
        return self

    def __abs__(self) -> BigInt:
        return BigInt(self.number.abs())

    def __invert__(self) -> BigInt:
        return BigInt(self.number.invert())

    def __int__(self) -> BigInt:
        return self

    def __trunc__(self) -> BigInt:
        return self

    def __floor__(self) -> BigInt:
        return self

    def __ceil__(self) -> BigInt:
        return self

    def __index__(self) -> int:
        raise OverflowError("Python int too large to convert to C ssize_t")

    def _as_subscript(self) -> int:
        raise IndexError("cannot fit 'int' into an index-sized integer")

    def _as_bound(self) -> int:
        return -sys.maxsize - 1 if self.number.sign < 0 else sys.maxsize

    def __round__(self, ndigits: Any = None) -> Any:
        if ndigits is None or ndigits >= 0:
            return self
        return _rounded(self.number, -ndigits)

    def __format__(self, spec: str) -> str:
        return formatted(self.number, spec)

    def bit_length(self) -> int:
        """How many bits the magnitude has."""
        return self.number.bit_length()

    def bit_count(self) -> int:
        """How many of these are set."""
        return self.number.bit_count()

    def to_bytes(
        self, length: Any = 1, byteorder: Any = "big", *, signed: bool = False
    ) -> bytes:
        """In two's complement.  Raises OverflowError and ValueError."""
        if byteorder != "big" and byteorder != "little":
            raise ValueError("byteorder must be either 'little' or 'big'")
        if length < 0:
            raise ValueError("length argument must be non-negative")
        if self.number.sign < 0 and not signed:
            raise OverflowError("can't convert negative int to unsigned")
        return self.number.tobytes(length, byteorder, signed).encode("latin-1")

    def as_integer_ratio(self) -> tuple[BigInt, Literal[1]]:
        """Itself and 1."""
        return self, 1

    def root(self) -> Any:
        """``math.isqrt``"""
        return fitted(self.number.isqrt())

    def conjugate(self) -> BigInt:
        """Itself."""
        return self

    @property
    def real(self) -> BigInt:
        """Itself."""
        return self

    @property
    def imag(self) -> Literal[0]:
        """0."""
        return 0

    @property
    def numerator(self) -> BigInt:
        """Itself."""
        return self

    @property
    def denominator(self) -> Literal[1]:
        """1."""
        return 1


def _rounded(number: rbigint, digits: int) -> Any:
    """To a multiple of a power of ten, the even one of two."""
    unit = rbigint.fromint(10).pow(rbigint.fromint(digits))
    found, rest = number.divmod(unit)
    twice = rest.int_mul(2)._compare(unit)
    if twice > 0 or (twice == 0 and found.is_odd()):
        found = found.int_add(1)
    return fitted(found.mul(unit))


# -- texts ----------------------------------------------------------------------------------------


def decimal(number: rbigint) -> str:
    """Raises ValueError for more digits than CPython converts."""
    text = number.str()
    if len(text) - (number.sign < 0) > _MOST_DIGITS:
        raise ValueError(
            f"Exceeds the limit ({_MOST_DIGITS} digits) for integer string conversion; "
            "use sys.set_int_max_str_digits() to increase the limit"
        )
    return text


def formatted(number: rbigint, spec: str) -> str:
    """``format(n, spec)`` (the language reference, "Format Specification Mini-Language").  Raises
    ValueError."""
    kind = spec[-1] if spec and spec[-1].isalpha() else ""
    if kind and kind in "eEfFgG":
        return format(number.tofloat(), spec)
    if spec and spec[-1] == "%":
        return format(number.tofloat(), spec)
    rest = spec[: len(spec) - len(kind)]
    fill, align = " ", ">"
    if len(rest) > 1 and rest[1] in "<>=^":
        fill, align, rest = rest[0], rest[1], rest[2:]
    elif rest and rest[0] in "<>=^":
        align, rest = rest[0], rest[1:]
    sign = ""
    if rest and rest[0] in "+- ":
        sign, rest = rest[0], rest[1:]
    alternate = rest.startswith("#")
    rest = rest[1:] if alternate else rest
    if rest.startswith("0"):
        if len(fill + align) == 2 and spec[:2] != fill + align and spec[:1] != align:
            fill, align = "0", "="
        rest = rest[1:]
    group = ""
    if rest and rest[-1] in ",_":
        group, rest = rest[-1], rest[:-1]
    if rest and not rest.isdigit():
        if "." in rest:
            raise ValueError("Precision not allowed in integer format specifier")
        raise ValueError("Invalid format specifier")
    width = int(rest) if rest else 0
    prefix, digits = _digits(number.abs(), kind)
    if not alternate:
        prefix = ""
    before = "-" if number.sign < 0 else sign if sign != "-" else ""
    return _padded(before + prefix, digits, group, 3 if kind in ("", "d", "n") else 4,
                   fill, align, width)  # fmt: skip


def _digits(number: rbigint, kind: str) -> tuple[str, str]:
    if kind in ("", "d", "n"):
        return "", decimal(number)
    if kind == "x":
        return "0x", number.format("0123456789abcdef")
    if kind == "X":
        return "0X", number.format("0123456789ABCDEF")
    if kind == "o":
        return "0o", number.format("01234567")
    if kind == "b":
        return "0b", number.format("01")
    if kind == "c":
        raise OverflowError("Python int too large to convert to C long")
    raise ValueError(f"Unknown format code '{kind}' for object of type 'int'")


def _padded(
    before: str, digits: str, group: str, size: int, fill: str, align: str, width: int
) -> str:
    if group:
        room = width - len(before) if align == "=" and fill == "0" else 0
        digits = _grouped(digits, group, size, room)
    missing = width - len(before) - len(digits)
    if missing <= 0:
        return before + digits
    if align == "=":
        return before + fill * missing + digits
    left = missing if align == ">" else missing // 2 if align == "^" else 0
    return fill * left + before + digits + fill * (missing - left)


def _grouped(digits: str, group: str, size: int, room: int) -> str:
    """With a separator for every ``size`` digits, and zeros in front to fill the room."""
    while len(digits) + (len(digits) - 1) // size < room:
        digits = "0" + digits
    first = len(digits) % size
    parts = [digits[:first]] if first else []
    parts += [digits[i : i + size] for i in range(first, len(digits), size)]
    return group.join(parts)


# -- what ints do in place of an operation --------------------------------------------------------


def add(a: int, b: int) -> Any:
    try:
        return ovfcheck(a + b)
    except OverflowError:
        return BigInt(rbigint.fromint(a).int_add(b))


def subtract(a: int, b: int) -> Any:
    try:
        return ovfcheck(a - b)
    except OverflowError:
        return BigInt(rbigint.fromint(a).int_sub(b))


def multiply(a: int, b: int) -> Any:
    try:
        return ovfcheck(a * b)
    except OverflowError:
        return BigInt(rbigint.fromint(a).int_mul(b))


def floor_divide(a: int, b: int) -> Any:
    try:
        return ovfcheck(a // b)
    except OverflowError:
        return BigInt(rbigint.fromint(a).neg())


def negate(a: int) -> Any:
    try:
        return ovfcheck(-a)
    except OverflowError:
        return BigInt(rbigint.fromint(a).neg())


def shift_left(a: int, b: int) -> Any:
    if b < LONG_BIT:
        try:
            return ovfcheck(a << b)
        except OverflowError:
            pass
    return fitted(rbigint.fromint(a).lshift(b))


def power(a: int, b: int) -> Any:
    try:
        return a**b
    except OverflowError:
        return fitted(rbigint.fromint(a).pow(rbigint.fromint(b)))


def absolute(a: int) -> Any:
    return negate(a) if a < 0 else a


def divide(a: int, b: int) -> Any:
    """``divmod``"""
    if b == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return floor_divide(a, b), a % b if b != -1 else 0


def power_modulo(a: Int, b: Int, m: Int) -> Any:
    return fitted(number_of(a).pow(number_of(b), number_of(m)))


# -- built-in functions of a BigInt ---------------------------------------------------------------


def itself(n: BigInt) -> BigInt:
    return n


def hexadecimal(n: BigInt) -> str:
    return formatted(n.number, "#x")


def octal(n: BigInt) -> str:
    return formatted(n.number, "#o")


def binary(n: BigInt) -> str:
    return formatted(n.number, "#b")


# -- int() ----------------------------------------------------------------------------------------


def of_float(x: float) -> Any:
    try:
        return int(x)
    except OverflowError:
        return fitted(rbigint.fromfloat(x))


def of_text(text: str, base: int = 10) -> Any:
    try:
        return int(text, base)
    except OverflowError:
        pass
    if text.rstrip()[-1] in "lL" and base < 22:
        raise ValueError(f"invalid literal for int() with base {base}: {text!r}")
    try:
        number = rbigint.fromstr(text, base, True)
    except ValueError:
        raise ValueError(f"invalid literal for int() with base {base}: {text!r}") from None
    if base not in (2, 4, 8, 16, 32) and number.bit_length() > 14281:
        digits = sum([c.isdigit() for c in text])
        if digits > _MOST_DIGITS:
            raise ValueError(
                f"Exceeds the limit ({_MOST_DIGITS} digits) for integer string conversion: value "
                f"has {digits} digits; use sys.set_int_max_str_digits() to increase the limit"
            )
    return fitted(number)


OPERATIONS: dict[str, Any] = {
    "add": add, "sub": subtract, "mul": multiply, "floordiv": floor_divide, "neg": negate,
    "lshift": shift_left, "pow": power,
}  # fmt: skip
"""What is called in place of operations on ints, by name."""


def is_wide(x: Any) -> bool:
    """Is this, at translation time, an int beyond 64 bits?"""
    return type(x) is int and not -(1 << 63) <= x < 1 << 63


def of_host(x: int) -> BigInt:
    """What the program has in place of it."""
    made = BigInt(x)  # type: ignore[arg-type]
    made.number = rbigint.fromlong(x)
    return made
