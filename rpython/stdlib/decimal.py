"""``decimal``: the arithmetic of numbers and contexts with the default traps.

What libmpdec computes by series (``exp``, ``ln``, powers that are no ints) is not there.
"""

from __future__ import annotations

import decimal
from fractions import Fraction
from typing import Any, NamedTuple

from rpython.rlib.rbigint import rbigint
from rpython.stdlib._contexts import Context, current
from rpython.stdlib._decimals import (
    ONE,
    ZERO,
    Spec,
    cut,
    digits_of,
    hash_of,
    laid_out,
    parsed,
    quotient,
    root,
    shown,
    ten_to,
    without_zeros,
)
from rpython.stdlib._registry import (
    Refused,
    converts,
    grows,
    per_arguments,
    replaces,
)

_HALF_EVEN = decimal.ROUND_HALF_EVEN


@replaces(decimal.DecimalTuple)
class DecimalTuple(NamedTuple):
    sign: int
    digits: tuple[int, ...]
    exponent: Any


# -- errors -------------------------------------------------------------------------------------


_SYNTAX: Any = decimal.ConversionSyntax
_UNDEFINED: Any = decimal.DivisionUndefined
_IMPOSSIBLE: Any = decimal.DivisionImpossible


def _invalid(what: type[decimal.DecimalException]) -> decimal.InvalidOperation:
    return decimal.InvalidOperation([what])


# -- numbers ------------------------------------------------------------------------------------


def _made(sign: int, n: rbigint, exponent: int, special: str = "") -> Decimal:
    made = Decimal()
    made._sign, made._n, made._exp, made._special = sign, n, exponent, special
    return made


@grows
def _of_int(number: Any) -> Decimal:
    text = str(number)
    if text[0] == "-":
        return _made(1, rbigint.fromdecimalstr(text[1:]), 0)
    return _made(0, rbigint.fromdecimalstr(text), 0)


def _of_float(number: float) -> Decimal:
    if number != number:
        return _made(0, ZERO, 0, "n")
    sign = 1 if str(number)[0] == "-" else 0
    if number in (float("inf"), float("-inf")):
        return _made(sign, ZERO, 0, "F")
    whole, exponent = abs(number), 0  # a float is an int times a power of two
    while whole >= 2.0**62:
        whole /= 2
        exponent += 1
    while whole != int(whole):
        whole *= 2
        exponent -= 1
    n = rbigint.fromint(int(whole))
    if exponent >= 0:
        return _made(sign, n.lshift(exponent), 0)
    five = rbigint.fromint(5).int_pow(-exponent)
    n, power = without_zeros(n.mul(five), exponent, 0)
    return _made(sign, n, power)


@per_arguments
def _decimal(x: Any) -> Decimal:
    """``Decimal(x)``"""
    if isinstance(x, Decimal):
        return x
    if isinstance(x, str):
        found = parsed(x)
        if found is None:
            raise _invalid(_SYNTAX)
        return _made(found.sign, found.n, found.exponent, found.special)
    if isinstance(x, float):
        return _of_float(x)
    if isinstance(x, int):
        return _of_int(int(x))
    sign, digits, exponent = x
    text = "".join([str(digit) for digit in digits]) or "0"
    return _made(sign, rbigint.fromdecimalstr(text), exponent)


@per_arguments
def _operand(x: Any, sign: str, left: bool) -> Decimal:
    """Of arithmetic: an int, or a Decimal."""
    if isinstance(x, Decimal):
        return x
    if isinstance(x, int):
        return _of_int(int(x))
    names = ("decimal.Decimal", type(x).__name__)
    one, other = names if left else (names[1], names[0])
    raise TypeError(f"unsupported operand type(s) for {sign}: '{one}' and '{other}'")


def _rounded(x: Decimal, context: Context, rounding: str | None = None) -> Decimal:
    """To the precision of the context."""
    if x._special:
        return x
    n, exponent = x._n, x._exp
    count = digits_of(n)
    if count > context.prec:
        dropped = count - context.prec
        n = cut(n, dropped, x._sign, context.rounding if rounding is None else rounding)
        exponent += dropped
        if digits_of(n) > context.prec:
            n = n.int_floordiv(10)
            exponent += 1
    if not -999999 <= exponent + digits_of(n) - 1 <= 999999 and not n.is_zero():
        if exponent > 0:
            raise decimal.Overflow([decimal.Overflow])
        raise NotImplementedError("a Decimal that is less than 1E-999999")
    return _made(x._sign, n, exponent)


def _rescaled(x: Decimal, exponent: int, rounding: str) -> Decimal:
    """With that exponent, however many digits it has then."""
    if x._n.is_zero():
        return _made(x._sign, ZERO, exponent)
    if x._exp >= exponent:
        return _made(x._sign, x._n.mul(ten_to(x._exp - exponent)), exponent)
    dropped = exponent - x._exp
    if dropped > digits_of(x._n) + 1:
        few = _made(x._sign, ONE, exponent - 2)  # much less than a half
        return _rescaled(few, exponent, rounding)
    return _made(x._sign, cut(x._n, dropped, x._sign, rounding), exponent)


def _sum(a: Decimal, b: Decimal, context: Context) -> Decimal:
    if a._special or b._special:
        if a._special == "n" or b._special == "n":
            return a if a._special == "n" else b
        if a._special and b._special and a._sign != b._sign:
            raise _invalid(decimal.InvalidOperation)
        return a if a._special else b
    exponent = min(a._exp, b._exp)
    x = a._n.mul(ten_to(a._exp - exponent))
    y = b._n.mul(ten_to(b._exp - exponent))
    total = (x.neg() if a._sign else x).add(y.neg() if b._sign else y)
    if total.is_zero():
        both = a._sign == 1 and b._sign == 1
        negative = a._sign != b._sign and context.rounding == decimal.ROUND_FLOOR
        return _rounded(_made(1 if both or negative else 0, ZERO, exponent), context)
    return _rounded(_made(1 if total.int_lt(0) else 0, total.abs(), exponent), context)


def _product(a: Decimal, b: Decimal, context: Context) -> Decimal:
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if a._special == "n" or b._special == "n":
            return a if a._special == "n" else b
        if not (a._special or bool(a)) or not (b._special or bool(b)):
            raise _invalid(decimal.InvalidOperation)
        return _made(sign, ZERO, 0, "F")
    return _rounded(_made(sign, a._n.mul(b._n), a._exp + b._exp), context)


def _divided(a: Decimal, b: Decimal, context: Context) -> Decimal:
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if a._special == "n" or b._special == "n":
            return a if a._special == "n" else b
        if a._special and b._special:
            raise _invalid(decimal.InvalidOperation)
        if a._special:
            return _made(sign, ZERO, 0, "F")
        raise NotImplementedError("a Decimal by an infinite one")
    if b._n.is_zero():
        if a._n.is_zero():
            raise _invalid(_UNDEFINED)
        raise decimal.DivisionByZero([decimal.DivisionByZero])
    ideal = a._exp - b._exp
    if a._n.is_zero():
        return _rounded(_made(sign, ZERO, ideal), context)
    n, exponent = quotient(a._n, b._n, context.prec, ideal)
    return _rounded(_made(sign, n, exponent), context)


def _whole_and_rest(
    a: Decimal, b: Decimal, context: Context, dividing: bool
) -> tuple[Decimal, Decimal]:
    """``a // b`` and ``a % b``: towards zero, with the sign of ``a``."""
    if a._special or b._special:
        raise NotImplementedError("// and % of what is no finite Decimal")
    if b._n.is_zero():
        if a._n.is_zero():
            raise _invalid(_UNDEFINED)
        if dividing:
            raise decimal.DivisionByZero([decimal.DivisionByZero])
        raise _invalid(decimal.InvalidOperation)
    sign = a._sign ^ b._sign
    ideal = min(a._exp, b._exp)
    apart = a.adjusted() - b.adjusted()
    if a._n.is_zero() or apart <= -2:
        return _made(sign, ZERO, 0), _rescaled(a, ideal, context.rounding)
    if apart <= context.prec:
        x = a._n.mul(ten_to(a._exp - ideal))
        y = b._n.mul(ten_to(b._exp - ideal))
        whole, rest = x.divmod(y)
        if digits_of(whole) <= context.prec:
            return _made(sign, whole, 0), _made(a._sign, rest, ideal)
    raise _invalid(_IMPOSSIBLE)


def _power(a: Decimal, b: Decimal, context: Context) -> Decimal:
    exponent = _rescaled(b, 0, decimal.ROUND_DOWN)
    if a._special or b._special or not exponent == b or digits_of(exponent._n) > 6:
        raise NotImplementedError("a Decimal to a power that is no small int")
    count = exponent._n.toint()
    sign = a._sign & count & 1
    if a._n.is_zero():
        if count == 0:
            raise _invalid(decimal.InvalidOperation)
        if b._sign:
            raise NotImplementedError("zero to a negative power")
        return _made(sign, ZERO, 0)
    if digits_of(a._n) * count > 100000:
        raise NotImplementedError("a Decimal to a power of so many digits")
    n, power = a._n.int_pow(count), a._exp * count
    if b._sign:
        n, power = quotient(ONE, n, context.prec, -power)
    return _rounded(_made(sign, n, power), context)


def _compared(a: Decimal, b: Decimal) -> int:
    """-1, 0 or 1; 2 where one is no number."""
    if a._special == "n" or b._special == "n":
        return 2
    if a._special or b._special:
        return _size(a) - _size(b)
    exponent = min(a._exp, b._exp)
    if a._n.is_zero() or b._n.is_zero() or a._sign != b._sign:
        x, y = _signum(a), _signum(b)
        return 0 if x == y else 1 if x > y else -1
    if a.adjusted() != b.adjusted():
        larger = a.adjusted() > b.adjusted()
        return 1 if larger != bool(a._sign) else -1
    p = a._n.mul(ten_to(a._exp - exponent))
    q = b._n.mul(ten_to(b._exp - exponent))
    if p.eq(q):
        return 0
    return 1 if p.gt(q) != bool(a._sign) else -1


def _signum(x: Decimal) -> int:
    return 0 if x._n.is_zero() else -1 if x._sign else 1


def _size(x: Decimal) -> int:
    """Among infinite ones."""
    return 0 if not x._special else -1 if x._sign else 1


@per_arguments
def _order(a: Decimal, b: Any, sign: str) -> int:
    if isinstance(b, float):
        result = _compared(a, _of_float(b))
    elif isinstance(b, Decimal | int):
        result = _compared(a, _decimal(b))
    else:
        name = type(b).__name__
        text = f"'decimal.Decimal' and '{name}'"
        raise TypeError(f"'{sign}' not supported between instances of {text}")
    if result == 2:
        raise _invalid(decimal.InvalidOperation)
    return result


@replaces(decimal.Decimal)
class Decimal:
    """``_special``: ``F`` of an infinite one, ``n`` of one that is no number."""

    _sign = 0
    _n = ZERO
    _exp = 0
    _special = ""
    _rpython_copied_ = ""

    @per_arguments
    def __init__(self, value: Any = None, context: Context | None = None) -> None:
        if value is not None:
            given = _decimal(value)
            self._sign, self._n = given._sign, given._n
            self._exp, self._special = given._exp, given._special

    @staticmethod
    @per_arguments
    def from_float(f: Any, /) -> Decimal:
        return _decimal(f)

    @per_arguments
    def __add__(self, other: Any) -> Decimal:
        return _sum(self, _operand(other, "+", True), current())

    @per_arguments
    def __radd__(self, other: Any) -> Decimal:
        return _sum(_operand(other, "+", False), self, current())

    @per_arguments
    def __sub__(self, other: Any) -> Decimal:
        return _sum(self, _operand(other, "-", True).copy_negate(), current())

    @per_arguments
    def __rsub__(self, other: Any) -> Decimal:
        return _sum(_operand(other, "-", False), self.copy_negate(), current())

    @per_arguments
    def __mul__(self, other: Any) -> Decimal:
        return _product(self, _operand(other, "*", True), current())

    @per_arguments
    def __rmul__(self, other: Any) -> Decimal:
        return _product(_operand(other, "*", False), self, current())

    @per_arguments
    def __truediv__(self, other: Any) -> Decimal:
        return _divided(self, _operand(other, "/", True), current())

    @per_arguments
    def __rtruediv__(self, other: Any) -> Decimal:
        return _divided(_operand(other, "/", False), self, current())

    @per_arguments
    def __floordiv__(self, other: Any) -> Decimal:
        return _whole_and_rest(self, _operand(other, "//", True), current(), True)[0]

    @per_arguments
    def __rfloordiv__(self, other: Any) -> Decimal:
        return _whole_and_rest(_operand(other, "//", False), self, current(), True)[0]

    @per_arguments
    def __mod__(self, other: Any) -> Decimal:
        context = current()
        rest = _whole_and_rest(self, _operand(other, "%", True), context, False)[1]
        return _rounded(rest, context)

    @per_arguments
    def __rmod__(self, other: Any) -> Decimal:
        context = current()
        rest = _whole_and_rest(_operand(other, "%", False), self, context, False)[1]
        return _rounded(rest, context)

    @per_arguments
    def __divmod__(self, other: Any) -> tuple[Decimal, Decimal]:
        context = current()
        whole, rest = _whole_and_rest(self, _operand(other, "divmod()", True), context, True)
        return whole, _rounded(rest, context)

    @per_arguments
    def __pow__(self, other: Any) -> Decimal:
        return _power(self, _operand(other, "** or pow()", True), current())

    @per_arguments
    def __rpow__(self, other: Any) -> Decimal:
        return _power(_operand(other, "** or pow()", False), self, current())

    def __neg__(self) -> Decimal:
        if self._n.is_zero() and not self._special:
            return _rounded(self.copy_abs(), current())
        return _rounded(self.copy_negate(), current())

    def __pos__(self) -> Decimal:
        if self._n.is_zero() and not self._special:
            return _rounded(self.copy_abs(), current())
        return _rounded(self, current())

    def __abs__(self) -> Decimal:
        return _rounded(self.copy_abs(), current())

    def __bool__(self) -> bool:
        return bool(self._special) or not self._n.is_zero()

    @per_arguments
    def __eq__(self, other: object) -> bool:
        if isinstance(other, Decimal):
            return _compared(self, other) == 0
        if isinstance(other, int | float):
            return _compared(self, _decimal(other)) == 0
        return False

    @per_arguments
    def __lt__(self, other: Any) -> bool:
        return _order(self, other, "<") < 0

    @per_arguments
    def __le__(self, other: Any) -> bool:
        return _order(self, other, "<=") <= 0

    @per_arguments
    def __gt__(self, other: Any) -> bool:
        return _order(self, other, ">") > 0

    @per_arguments
    def __ge__(self, other: Any) -> bool:
        return _order(self, other, ">=") >= 0

    def __hash__(self) -> int:
        if self._special:
            return hash(float(str(self)))
        return hash_of(self._n, self._exp, self._sign)

    def __float__(self) -> float:
        return float(str(self))

    @grows
    def __int__(self) -> int:
        if self._special == "F":
            raise OverflowError("cannot convert Infinity to integer")
        if self._special:
            raise ValueError("cannot convert NaN to integer")
        whole = _rescaled(self, 0, decimal.ROUND_DOWN)
        return int(("-" if whole._sign else "") + whole._n.str())

    __trunc__ = __int__

    def __floor__(self) -> int:
        return int(_rescaled(self, 0, decimal.ROUND_FLOOR))

    def __ceil__(self) -> int:
        return int(_rescaled(self, 0, decimal.ROUND_CEILING))

    @per_arguments
    def __round__(self, n: Any = None) -> Any:
        if n is None:
            return int(_rescaled(self, 0, _HALF_EVEN))
        else:
            return self.quantize(_made(0, ONE, -n))

    def __str__(self) -> str:
        return shown(self._sign, self._n.str(), self._exp, self._special)

    def __repr__(self) -> str:
        return f"Decimal('{self}')"

    def __format__(self, spec: str) -> str:
        asked = Spec(spec)
        if self._special:
            return asked.filled(self._sign, str(self.copy_abs()), False)
        return _formatted(self, asked, current().rounding)

    # -- methods

    def adjusted(self) -> int:
        return 0 if self._special else self._exp + digits_of(self._n) - 1

    def as_tuple(self) -> DecimalTuple:
        if self._special:
            raise NotImplementedError("as_tuple() of what is no finite Decimal")
        return DecimalTuple(self._sign, tuple([int(c) for c in self._n.str()]), self._exp)

    def copy_abs(self) -> Decimal:
        return _made(0, self._n, self._exp, self._special)

    def copy_negate(self) -> Decimal:
        return _made(1 - self._sign, self._n, self._exp, self._special)

    def is_finite(self) -> bool:
        return not self._special

    def is_infinite(self) -> bool:
        return self._special == "F"

    def is_nan(self) -> bool:
        return self._special == "n"

    def is_signed(self) -> bool:
        return self._sign == 1

    def is_zero(self) -> bool:
        return not self._special and self._n.is_zero()

    @per_arguments
    def quantize(
        self, exp: Any, rounding: str | None = None, context: Context | None = None
    ) -> Decimal:
        used = current() if context is None else context
        like = _operand(exp, "quantize", True)
        if self._special or like._special:
            raise NotImplementedError("quantize() of what is no finite Decimal")
        mode = used.rounding if rounding is None else rounding
        result = _rescaled(self, like._exp, mode)
        if digits_of(result._n) > used.prec:
            raise _invalid(decimal.InvalidOperation)
        return result

    def normalize(self) -> Decimal:
        result = _rounded(self, current())
        if result._special:
            return result
        if result._n.is_zero():
            return _made(result._sign, ZERO, 0)
        n, exponent = without_zeros(result._n, result._exp, 1000000)
        return _made(result._sign, n, exponent)

    def to_integral_value(self, rounding: str | None = None) -> Decimal:
        mode = current().rounding if rounding is None else rounding
        return self if self._special or self._exp >= 0 else _rescaled(self, 0, mode)

    to_integral = to_integral_value

    def sqrt(self) -> Decimal:
        if self._special:
            raise NotImplementedError("sqrt() of what is no finite Decimal")
        context = current()
        if self._n.is_zero():
            return _rounded(_made(self._sign, ZERO, self._exp >> 1), context)
        if self._sign:
            raise _invalid(decimal.InvalidOperation)
        n, exponent = root(self._n, self._exp, context.prec)
        return _rounded(_made(0, n, exponent), context, _HALF_EVEN)

    @per_arguments
    def compare(self, other: Any) -> Decimal:
        result = _order(self, other, "compare")
        return _made(1 if result < 0 else 0, ONE if result else ZERO, 0)

    @per_arguments
    def max(self, other: Any) -> Decimal:
        second = _operand(other, "max", True)
        return _rounded(self if _order(self, second, "<") >= 0 else second, current())

    @per_arguments
    def min(self, other: Any) -> Decimal:
        second = _operand(other, "min", True)
        return _rounded(self if _order(self, second, "<") <= 0 else second, current())

    @per_arguments
    def scaleb(self, other: Any) -> Decimal:
        power = int(_operand(other, "scaleb", True))
        return _rounded(_made(self._sign, self._n, self._exp + power), current())

    def as_integer_ratio(self) -> tuple[int, int]:
        exact = Fraction(str(self))
        return exact.numerator, exact.denominator


def _formatted(x: Decimal, asked: Spec, rounding: str) -> str:
    kind = asked.type.lower()
    if kind == "%":
        x = _made(x._sign, x._n, x._exp + 2)
    precision = asked.precision
    if precision >= 0:
        if kind == "e":
            x = _to_digits(x, precision + 1, rounding)
        elif kind in ("f", "%"):
            x = _rescaled(x, -precision, rounding)
        elif digits_of(x._n) > max(precision, 1):
            x = _to_digits(x, max(precision, 1), rounding)
    if x._n.is_zero() and x._exp > 0 and kind in ("f", "%"):
        x = _rescaled(x, 0, rounding)
    return asked.filled(x._sign, laid_out(x._n.str(), x._exp, asked))


def _to_digits(x: Decimal, count: int, rounding: str) -> Decimal:
    """To so many significant digits."""
    if x._n.is_zero():
        return x
    result = _rescaled(x, x.adjusted() + 1 - count, rounding)
    if digits_of(result._n) > count:
        result = _rescaled(result, result.adjusted() + 1 - count, rounding)
    return result


@converts(decimal.Decimal)
def decimal_for(x: Any) -> Decimal:
    if x.is_snan():
        raise Refused("a signalling NaN")
    return _decimal(str(x))
