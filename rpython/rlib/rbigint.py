"""Integers of any size: RPython's ``rbigint``.

An ``rbigint`` is immutable.  Results and errors are those of Python's ``int``: division
rounds down, bit operations see two's complement, messages are CPython's.
``==`` and ``hash`` go by the number, also in dicts; ``eq`` is the same without a test of the class.
"""

from __future__ import annotations

import math

from rpython.rlib import _bigconvert, _bigdigits, _bignumber, _bigtext
from rpython.rlib._bigdigits import BASE as BASE
from rpython.rlib._bigdigits import MASK as MASK
from rpython.rlib._bigdigits import SHIFT as SHIFT
from rpython.rlib._bigerrors import InvalidEndiannessError as InvalidEndiannessError
from rpython.rlib._bigerrors import InvalidSignednessError as InvalidSignednessError
from rpython.rlib._bigerrors import MaxIntError as MaxIntError
from rpython.rlib.objectmodel import we_are_translated
from rpython.rlib.rarithmetic import LONG_TEST, intmask, r_uint

BASE8 = "01234567"
BASE10 = "0123456789"
BASE16 = "0123456789abcdef"

Text = str  # inside the class, ``str`` is a method
Float = float


class rbigint:
    """An integer of any size; make one with the ``from...`` functions."""

    _immutable_ = True
    __slots__ = ("_digits", "_size")

    def __init__(self, digits: list[int], sign: int) -> None:
        """``digits`` in base ``2**60``, the least significant first, normalised; the list
        is kept.  ``sign`` does not count for zero."""
        self._digits = digits
        self._size = -len(digits) if sign < 0 else len(digits)

    # Making numbers.

    @staticmethod
    def fromint(intval: int) -> rbigint:
        """The number of a machine integer."""
        return rbigint(_bigdigits.from_word(intval), intval)

    @staticmethod
    def frombool(b: bool) -> rbigint:
        """0 or 1."""
        return ONERBIGINT if b else NULLRBIGINT

    @staticmethod
    def fromlong(value: int) -> rbigint:
        """The number of a Python ``int`` of any size (untranslated; translated: a word)."""
        if we_are_translated():
            return rbigint.fromint(value)
        digits: list[int] = []
        rest = abs(value)
        while rest:
            digits.append(rest & MASK)
            rest >>= SHIFT
        return rbigint(digits, -1 if value < 0 else 1)

    @staticmethod
    def fromrarith_int(value: int) -> rbigint:
        """The number of a sized integer such as ``r_uint`` or ``r_longlonglong``."""
        negative = value < 0
        pieces: list[int] = []
        rest = value
        # Three pieces hold 128 bits and the sign.
        for _ in range(3):
            pieces.append(intmask(rest) & MASK)
            rest = rest >> 30 >> 30
        digits = _bigdigits.trim(pieces)
        if not negative:
            return rbigint(digits, 1)
        return rbigint(_bigdigits.trim(_bigconvert.complement(digits, 3 * SHIFT)), -1)

    @staticmethod
    def fromfloat(dval: Float) -> rbigint:
        """The integer part.  Raises OverflowError (infinity) and ValueError (nan)."""
        if math.isinf(dval):
            raise OverflowError("cannot convert float infinity to integer")
        if math.isnan(dval):
            raise ValueError("cannot convert float NaN to integer")
        return rbigint(_bigconvert.from_float(dval), -1 if dval < 0.0 else 1)

    @staticmethod
    def fromdecimalstr(s: Text) -> rbigint:
        """The number of decimal digits behind an optional sign.  Raises ValueError."""
        negative, digits = _bigtext.parse_decimal(s)
        return rbigint(digits, -1 if negative else 1)

    @staticmethod
    def fromstr(s: Text | bytes, base: int = 0, allow_underscores: bool = False) -> rbigint:
        """What ``int(s, base)`` is; a final ``l`` or ``L`` is ignored.  Raises ValueError."""
        text = s.decode("latin-1") if isinstance(s, bytes) else s
        negative, digits = _bigtext.parse(text, base, allow_underscores)
        return rbigint(digits, -1 if negative else 1)

    @staticmethod
    def frombytes(s: Text, byteorder: Text, signed: bool) -> rbigint:
        """The number of bytes (characters up to 255), ``byteorder`` 'big' or 'little'.

        Raises InvalidEndiannessError.
        """
        if byteorder not in ("big", "little"):
            raise InvalidEndiannessError
        values = [ord(c) for c in s]
        if byteorder == "big":
            values.reverse()
        digits = _bigconvert.from_bits(values, 8)
        if signed and values and values[-1] >= 128:
            return rbigint(_bigconvert.complement(digits, 8 * len(values)), -1)
        return rbigint(digits, 1)

    @staticmethod
    def from_list_n_bits(values: list[int], nbits: int) -> rbigint:
        """The number of pieces of at most 60 bits, the least significant first."""
        return rbigint(_bigconvert.from_bits(values, nbits), 1)

    # What it is made of.

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return self.get_sign()

    def get_sign(self) -> int:
        """-1, 0 or 1."""
        if self._size < 0:
            return -1
        return 1 if self._size > 0 else 0

    def numdigits(self) -> int:
        """The number of digits in base ``2**60``, at least 1."""
        return max(1, len(self._digits))

    def digit(self, x: int) -> int:
        """Digit number ``x``, the least significant one is 0."""
        return self._digits[x]

    def is_zero(self) -> bool:
        """Is it 0?"""
        return self._size == 0

    def tobool(self) -> bool:
        """Is it not 0?"""
        return self._size != 0

    def is_odd(self) -> bool:
        """Is it odd?"""
        return self._size != 0 and self._digits[0] & 1 == 1

    # Turning it into something else.

    def fits_int(self) -> bool:
        """Does it fit a Signed?"""
        digits = self._digits
        if len(digits) < 2:
            return True
        if len(digits) > 2 or digits[1] > 8:
            return False
        return digits[1] < 8 or (self._size < 0 and digits[0] == 0)

    def toint(self) -> int:
        """The machine integer; raises OverflowError."""
        if not self.fits_int():
            raise OverflowError("int too large to convert to a machine integer")
        return self._intmask()

    def _intmask(self) -> int:
        """The lowest 64 bits as a Signed."""
        return _bigconvert.word_mask(self._size < 0, self._digits)

    def tolonglong(self) -> int:
        """The machine integer (64 bits); raises OverflowError."""
        return self.toint()

    def touint(self) -> r_uint:
        """The unsigned machine integer; raises ValueError (negative) and OverflowError."""
        if self._size < 0:
            raise ValueError("cannot convert negative integer to unsigned int")
        if self._size > 2 or (self._size == 2 and self._digits[1] > 15):
            raise OverflowError("int too large to convert to an unsigned machine integer")
        return self.uintmask()

    def toulonglong(self) -> r_uint:
        """The same as ``touint``."""
        return self.touint()

    def uintmask(self) -> r_uint:
        """The lowest 64 bits."""
        return r_uint(self._intmask())

    def ulonglongmask(self) -> r_uint:
        """The lowest 64 bits."""
        return self.uintmask()

    def tolong(self) -> int:
        """The Python ``int`` (untranslated; translated: a word)."""
        if we_are_translated():
            return self.toint()
        result = 0
        for digit in reversed(self._digits):
            result = (result << SHIFT) + digit
        return -result if self._size < 0 else result

    def tofloat(self) -> Float:
        """The nearest float; raises OverflowError."""
        result = _bigconvert.to_float(self._digits)
        return -result if self._size < 0 else result

    def tobytes(self, nbytes: int, byteorder: Text, signed: bool) -> Text:
        """Two's complement in ``nbytes`` bytes (characters up to 255).

        Raises OverflowError, InvalidEndiannessError, InvalidSignednessError.
        """
        if byteorder not in ("big", "little"):
            raise InvalidEndiannessError
        if self._size < 0 and not signed:
            raise InvalidSignednessError
        digits = self._digits
        limit = 8 * nbytes - 1 if signed else 8 * nbytes
        if self._size < 0:
            digits = _bigdigits.subtract(digits, [1])
        if _bigdigits.bit_length(digits) > max(limit, 0) or nbytes < 0:
            raise OverflowError("int too big to convert")
        flip = 255 if self._size < 0 else 0
        chars = [chr(_bigconvert.byte_at(digits, i) ^ flip) for i in range(nbytes)]
        if byteorder == "big":
            chars.reverse()
        return "".join(chars)

    def hash(self) -> int:
        """Python's hash of the same ``int``."""
        result = _bigconvert.hash_value(self._digits)
        if self._size < 0:
            result = -result
        return -2 if result == -1 else result

    def format(
        self, digits: Text, prefix: Text = "", suffix: Text = "", max_str_digits: int = 0
    ) -> Text:
        """Text in base ``len(digits)``, at least 2 (else ValueError); raises MaxIntError for more
        than ``max_str_digits`` digits."""
        text = _bigtext.to_text(self._digits, digits)
        if max_str_digits > 0 and len(text) > max_str_digits:
            raise MaxIntError("requires more digits than the limit")
        return ("-" if self._size < 0 else "") + prefix + text + suffix

    def str(self) -> Text:
        """Decimal text."""
        return self.format(BASE10)

    def repr(self) -> Text:
        """Decimal text, without a final L."""
        return self.format(BASE10)

    def hex(self) -> Text:
        """As ``hex(int)``."""
        return self.format(BASE16, "0x")

    def oct(self) -> Text:
        """As ``oct(int)``."""
        return self.format(BASE8, "0o")

    def __repr__(self) -> Text:
        return "<rbigint " + self.format(BASE10) + ">"

    # Comparisons.

    def _compare(self, other: rbigint) -> int:
        if self._size != other._size:
            return -1 if self._size < other._size else 1
        order = _bigdigits.compare(self._digits, other._digits)
        return -order if self._size < 0 else order

    def _int_compare(self, iother: int) -> int:
        if len(self._digits) > 1:
            return self._compare(rbigint.fromint(iother))
        value = self._small()
        return -1 if value < iother else (1 if value > iother else 0)

    def _small(self) -> int:
        """The value of at most one digit."""
        if self._size == 0:
            return 0
        return self._digits[0] if self._size > 0 else -self._digits[0]

    def eq(self, other: rbigint) -> bool:
        return self._size == other._size and self._compare(other) == 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, rbigint) and self.eq(other)

    def __hash__(self) -> int:
        return self.hash()

    def ne(self, other: rbigint) -> bool:
        return not self.eq(other)

    def lt(self, other: rbigint) -> bool:
        return self._compare(other) < 0

    def le(self, other: rbigint) -> bool:
        return self._compare(other) <= 0

    def gt(self, other: rbigint) -> bool:
        return self._compare(other) > 0

    def ge(self, other: rbigint) -> bool:
        return self._compare(other) >= 0

    def int_eq(self, iother: int) -> bool:
        return self._int_compare(iother) == 0

    def int_ne(self, iother: int) -> bool:
        return self._int_compare(iother) != 0

    def int_lt(self, iother: int) -> bool:
        return self._int_compare(iother) < 0

    def int_le(self, iother: int) -> bool:
        return self._int_compare(iother) <= 0

    def int_gt(self, iother: int) -> bool:
        return self._int_compare(iother) > 0

    def int_ge(self, iother: int) -> bool:
        return self._int_compare(iother) >= 0

    # Arithmetic.

    def _plus(self, other: rbigint, other_size: int) -> rbigint:
        """The sum with the magnitude of ``other`` in the sign of ``other_size``."""
        if (self._size < 0) == (other_size < 0):
            return rbigint(_bigdigits.add(self._digits, other._digits), self._size)
        order = _bigdigits.compare(self._digits, other._digits)
        if order == 0:
            return NULLRBIGINT
        if order > 0:
            return rbigint(_bigdigits.subtract(self._digits, other._digits), self._size)
        return rbigint(_bigdigits.subtract(other._digits, self._digits), other_size)

    def add(self, other: rbigint) -> rbigint:
        """``self + other``."""
        if len(self._digits) <= 1 and len(other._digits) <= 1:
            return rbigint.fromint(self._small() + other._small())
        return self._plus(other, other._size)

    def sub(self, other: rbigint) -> rbigint:
        """``self - other``."""
        if len(self._digits) <= 1 and len(other._digits) <= 1:
            return rbigint.fromint(self._small() - other._small())
        return self._plus(other, -other._size)

    def mul(self, other: rbigint) -> rbigint:
        """``self * other``."""
        same_sign = (self._size < 0) == (other._size < 0)
        return rbigint(_bigdigits.multiply(self._digits, other._digits), 1 if same_sign else -1)

    def divmod(self, other: rbigint) -> tuple[rbigint, rbigint]:
        """The floor of the quotient, and the rest, which has the sign of ``other``.

        Raises ZeroDivisionError.
        """
        if other._size == 0:
            raise ZeroDivisionError("integer division or modulo by zero")
        quotient, rest = _bigdigits.divide(self._digits, other._digits)
        if (self._size < 0) == (other._size < 0):
            return rbigint(quotient, 1), rbigint(rest, other._size)
        if rest:
            quotient = _bigdigits.add(quotient, [1])
            rest = _bigdigits.subtract(other._digits, rest)
        return rbigint(quotient, -1), rbigint(rest, other._size)

    def floordiv(self, other: rbigint) -> rbigint:
        """``self // other``; raises ZeroDivisionError."""
        return self.divmod(other)[0]

    def div(self, other: rbigint) -> rbigint:
        """``self // other``; raises ZeroDivisionError."""
        return self.divmod(other)[0]

    def mod(self, other: rbigint) -> rbigint:
        """``self % other``; raises ZeroDivisionError."""
        if other._size == 0:
            raise ZeroDivisionError("integer modulo by zero")
        return self.divmod(other)[1]

    def truediv(self, other: rbigint) -> Float:
        """``self / other``, rounded once; raises ZeroDivisionError and OverflowError."""
        if other._size == 0:
            raise ZeroDivisionError("division by zero")
        result = _bigconvert.ratio(self._digits, other._digits)
        return result if (self._size < 0) == (other._size < 0) else -result

    def pow(self, other: rbigint, modulus: rbigint | None = None) -> rbigint:
        """``pow(self, other, modulus)``; raises ValueError for a negative exponent without
        a modulus (Python's result is a float), and for what has no inverse."""
        if modulus is None:
            if other._size < 0:
                raise ValueError("negative exponent: the result is not an integer")
            odd = self._size < 0 and other.is_odd()
            return rbigint(_bignumber.power(self._digits, other._digits), -1 if odd else 1)
        if modulus._size == 0:
            raise ValueError("pow() 3rd argument cannot be 0")
        base = self
        limit = modulus._digits
        if other._size < 0:
            base = rbigint(_bignumber.inverse_modulo(self.mod(modulus.abs())._digits, limit), 1)
            if base._size == 0 and (len(limit) > 1 or limit[0] != 1):
                raise ValueError("base is not invertible for the given modulus")
        elif base._size < 0:
            base = base.mod(modulus.abs())
        result = _bignumber.power_modulo(base._digits, other._digits, limit)
        return rbigint(result, 1).mod(modulus) if modulus._size < 0 else rbigint(result, 1)

    def neg(self) -> rbigint:
        """``-self``."""
        return rbigint(self._digits, -self._size)

    def abs(self) -> rbigint:
        """``abs(self)``."""
        return rbigint(self._digits, 1) if self._size < 0 else self

    def invert(self) -> rbigint:
        """``~self``."""
        if self._size < 0:
            return rbigint(_bigdigits.subtract(self._digits, [1]), 1)
        return rbigint(_bigdigits.add(self._digits, [1]), -1)

    # Bits.

    def lshift(self, int_other: int) -> rbigint:
        """``self << int_other``; raises ValueError for a negative count."""
        if int_other < 0:
            raise ValueError("negative shift count")
        return rbigint(_bigdigits.shift_left(self._digits, int_other), self._size)

    def lqshift(self, int_other: int) -> rbigint:
        """``self << int_other`` for a count that is not negative."""
        return rbigint(_bigdigits.shift_left(self._digits, int_other), self._size)

    def rshift(self, int_other: int, dont_invert: bool = False) -> rbigint:
        """``self >> int_other``; with ``dont_invert``, rounded towards zero.

        Raises ValueError for a negative count.
        """
        if int_other < 0:
            raise ValueError("negative shift count")
        if self._size < 0 and not dont_invert:
            inverted = self.invert()
            return rbigint(_bigdigits.shift_right(inverted._digits, int_other), 1).invert()
        return self.rqshift(int_other)

    def rqshift(self, int_other: int) -> rbigint:
        """``self / 2**int_other`` rounded towards zero, for a count that is not negative."""
        return rbigint(_bigdigits.shift_right(self._digits, int_other), self._size)

    def abs_rshift_and_mask(self, bigshiftcount: r_uint, mask: int) -> int:
        """``(abs(self) >> bigshiftcount) & mask``, for a mask that is not negative."""
        if bigshiftcount > r_uint(LONG_TEST - 1):
            return 0
        rest = rbigint(_bigdigits.shift_right(self._digits, intmask(bigshiftcount)), 1)
        return rest._intmask() & mask

    def _bitwise(self, operation: Text, other: rbigint) -> rbigint:
        digits, negative = _bignumber.bitwise(
            operation, self._digits, self._size < 0, other._digits, other._size < 0
        )
        return rbigint(digits, -1 if negative else 1)

    def and_(self, other: rbigint) -> rbigint:
        """``self & other``."""
        return self._bitwise("&", other)

    def or_(self, other: rbigint) -> rbigint:
        """``self | other``."""
        return self._bitwise("|", other)

    def xor(self, other: rbigint) -> rbigint:
        """``self ^ other``."""
        return self._bitwise("^", other)

    def bit_length(self) -> int:
        """The number of bits of the magnitude."""
        return _bigdigits.bit_length(self._digits)

    def bit_count(self) -> int:
        """The number of ones in the magnitude."""
        count = 0
        for digit in self._digits:
            count += digit.bit_count()
        return count

    # With a machine integer on the right.

    def int_add(self, iother: int) -> rbigint:
        """``self + iother``."""
        if len(self._digits) <= 1 and -MASK <= iother <= MASK:
            return rbigint.fromint(self._small() + iother)
        return self.add(rbigint.fromint(iother))

    def int_sub(self, iother: int) -> rbigint:
        """``self - iother``."""
        if len(self._digits) <= 1 and -MASK <= iother <= MASK:
            return rbigint.fromint(self._small() - iother)
        return self.sub(rbigint.fromint(iother))

    def int_mul(self, iother: int) -> rbigint:
        """``self * iother``."""
        if iother == 0 or not -MASK <= iother <= MASK:
            return self.mul(rbigint.fromint(iother))
        digits = _bigdigits.multiply_digit(self._digits, abs(iother), 0)
        return rbigint(digits, self._size if iother > 0 else -self._size)

    def int_floordiv(self, iother: int) -> rbigint:
        """``self // iother``; raises ZeroDivisionError."""
        return self.floordiv(rbigint.fromint(iother))

    def int_div(self, iother: int) -> rbigint:
        """``self // iother``; raises ZeroDivisionError."""
        return self.floordiv(rbigint.fromint(iother))

    def int_mod(self, iother: int) -> rbigint:
        """``self % iother``; raises ZeroDivisionError."""
        return rbigint.fromint(self.int_mod_int_result(iother))

    def int_mod_int_result(self, iother: int) -> int:
        """``self % iother`` as a machine integer; raises ZeroDivisionError."""
        if iother == 0 or not -MASK <= iother <= MASK:
            return self.mod(rbigint.fromint(iother)).toint()
        rest = _bigdigits.remainder_digit(self._digits, abs(iother))
        if rest == 0:
            return 0
        if self._size < 0:
            rest = -rest
        return rest if (rest < 0) == (iother < 0) else rest + iother

    def int_divmod(self, iother: int) -> tuple[rbigint, rbigint]:
        """``divmod(self, iother)``; raises ZeroDivisionError."""
        return self.divmod(rbigint.fromint(iother))

    def int_pow(self, iother: int, modulus: rbigint | None = None) -> rbigint:
        """``pow(self, iother, modulus)``; raises ValueError as ``pow`` does."""
        return self.pow(rbigint.fromint(iother), modulus)

    def int_and_(self, iother: int) -> rbigint:
        """``self & iother``."""
        if 0 <= iother <= MASK and self._size >= 0:
            return rbigint.fromint(self._digits[0] & iother if self._size > 0 else 0)
        return self.and_(rbigint.fromint(iother))

    def int_or_(self, iother: int) -> rbigint:
        """``self | iother``."""
        return self.or_(rbigint.fromint(iother))

    def int_xor(self, iother: int) -> rbigint:
        """``self ^ iother``."""
        return self.xor(rbigint.fromint(iother))

    # Number theory.

    def gcd(self, other: rbigint) -> rbigint:
        """The greatest common divisor, not negative."""
        return rbigint(_bignumber.gcd(self._digits, other._digits), 1)

    def isqrt(self) -> rbigint:
        """The integer part of the square root; raises ValueError for a negative number."""
        if self._size < 0:
            raise ValueError("isqrt() argument must be nonnegative")
        return rbigint(_bignumber.root(self._digits), 1)

    def log(self, base: Float) -> Float:
        """The logarithm to that base, the natural one for base 0.  Raises ValueError."""
        if self._size <= 0:
            raise ValueError("math domain error")
        return _bigconvert.logarithm(self._digits, base)


def _divrem(a: rbigint, b: rbigint) -> tuple[rbigint, rbigint]:
    """The quotient without its fraction, and the rest, which has the sign of ``a``: C's division.

    Raises ZeroDivisionError."""
    if not b.tobool():
        raise ZeroDivisionError("long division or modulo by zero")
    quotient, rest = _bigdigits.divide(a._digits, b._digits)
    return rbigint(quotient, 1 if (a._size < 0) == (b._size < 0) else -1), rbigint(rest, a._size)


divmod_big = rbigint.divmod
NULLRBIGINT = rbigint([], 0)
ONERBIGINT = rbigint([1], 1)
ONENEGATIVERBIGINT = rbigint([1], -1)

rbigint.fromrarith_int._annspecialcase_ = "specialize:argtype(0)"  # type: ignore[attr-defined]
