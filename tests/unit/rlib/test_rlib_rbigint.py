"""rbigint against Python's int."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rpython.rlib import _bigdigits, _bignumber, _bigtext
from rpython.rlib.rarithmetic import (
    intmask,
    r_int8,
    r_int128,
    r_uint,
    r_uint128,
    r_ulonglong,
)
from rpython.rlib.rbigint import (
    NULLRBIGINT,
    ONENEGATIVERBIGINT,
    ONERBIGINT,
    SHIFT,
    InvalidEndiannessError,
    InvalidSignednessError,
    MaxIntError,
    rbigint,
)

B = rbigint.fromlong
LEAST, MOST = -(2**63), 2**63 - 1


@st.composite
def sparse(draw: st.DrawFn) -> int:
    """Sums of powers of two: long runs of zeros and ones, where carries go far."""
    total = 0
    for count in draw(st.lists(st.integers(0, 700), max_size=4)):
        total += draw(st.sampled_from([-1, 1])) << count
    return total


def random_bits(most: int) -> st.SearchStrategy[int]:
    return st.builds(
        lambda random, bits, sign: sign * random.getrandbits(bits) if bits else 0,
        st.randoms(use_true_random=False),
        st.integers(0, most),
        st.sampled_from([-1, 1]),
    )


WORDS = st.integers(LEAST, MOST) | st.integers(-20, 20) | st.sampled_from([LEAST, MOST])
NUMBERS = WORDS | sparse() | random_bits(1000)
LARGE = NUMBERS | random_bits(14000)

settings.register_profile("rbigint", max_examples=60, deadline=None)


@pytest.fixture(autouse=True)
def _long_texts() -> Iterator[None]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(limit)


def checked(value: rbigint) -> int:
    """The int of a number, whose digits must be normalised."""
    digits = value._digits
    assert not digits or digits[-1] != 0
    assert all(0 <= digit < 1 << SHIFT and type(digit) is int for digit in digits)
    assert abs(value._size) == len(digits)
    return value.tolong()


def raises(kind: type[Exception], function: Callable[..., Any], *args: Any) -> None:
    with pytest.raises(kind):
        function(*args)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """The result as ints, or the class and text of the exception."""
    try:
        result = function(*args)
    except (ArithmeticError, ValueError) as error:
        return type(error), str(error)
    if isinstance(result, tuple):
        return tuple(checked(x) if isinstance(x, rbigint) else x for x in result)
    return checked(result) if isinstance(result, rbigint) else result


BINARY: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("add", operator.add), ("sub", operator.sub), ("mul", operator.mul),
    ("floordiv", operator.floordiv), ("div", operator.floordiv), ("mod", operator.mod),
    ("divmod", divmod), ("and_", operator.and_), ("or_", operator.or_), ("xor", operator.xor),
    ("eq", operator.eq), ("ne", operator.ne), ("lt", operator.lt), ("le", operator.le),
    ("gt", operator.gt), ("ge", operator.ge), ("gcd", math.gcd), ("truediv", operator.truediv),
]  # fmt: skip


def expected(function: Callable[..., Any], *args: Any) -> Any:
    result = outcome(function, *args)
    if function is operator.mod and isinstance(result, tuple):
        return result[0], "integer modulo by zero"
    return result


@settings(settings.get_profile("rbigint"))
@given(a=LARGE, b=LARGE)
@example(a=2**120, b=2**60)
@example(a=-(2**60), b=2**60 - 1)
@example(a=0, b=0)
def test_binary(a: int, b: int) -> None:
    x, y = B(a), B(b)
    for name, function in BINARY:
        assert outcome(getattr(x, name), y) == expected(function, a, b), name
        assert outcome(getattr(x, name), x) == expected(function, a, a), name
    assert (checked(x), checked(y)) == (a, b)


@settings(settings.get_profile("rbigint"))
@given(a=NUMBERS, b=WORDS)
def test_with_a_word(a: int, b: int) -> None:
    x = B(a)
    for name, function in BINARY:
        if name not in ("gcd", "truediv"):
            assert outcome(getattr(x, "int_" + name), b) == expected(function, a, b), name
    assert outcome(x.int_mod_int_result, b) == expected(operator.mod, a, b)
    assert checked(rbigint.fromint(b)) == b


@settings(settings.get_profile("rbigint"))
@given(a=LARGE, count=st.integers(0, 400))
def test_unary_and_shifts(a: int, count: int) -> None:
    x = B(a)
    assert checked(x.neg()) == -a
    assert checked(x.abs()) == abs(a)
    assert checked(x.invert()) == ~a
    assert checked(x.lshift(count)) == checked(x.lqshift(count)) == a << count
    assert checked(x.rshift(count)) == a >> count
    truncated = (abs(a) >> count) * (-1 if a < 0 else 1)
    assert checked(x.rqshift(count)) == checked(x.rshift(count, True)) == truncated
    assert x.abs_rshift_and_mask(r_ulonglong(count), MOST) == abs(a) >> count & MOST
    assert (x.bit_length(), x.bit_count(), x.hash()) == (a.bit_length(), a.bit_count(), hash(a))
    assert (x.sign, x.get_sign(), x.tobool(), x.is_zero()) == ((a > 0) - (a < 0),) * 2 + (
        a != 0,
        a == 0,
    )
    assert x.is_odd() == (a % 2 == 1)
    assert outcome(x.tofloat) == outcome(float, a)
    if a >= 0:
        assert checked(x.isqrt()) == math.isqrt(a)
        assert checked(B(a * a).isqrt()) == a


@settings(settings.get_profile("rbigint"))
@given(a=NUMBERS | random_bits(200))
def test_words(a: int) -> None:
    x = B(a)
    assert x.fits_int() == (LEAST <= a <= MOST)
    for method in (x.toint, x.tolonglong):
        if LEAST <= a <= MOST:
            assert method() == a
        else:
            raises(OverflowError, method)
    for unsigned in (x.touint, x.toulonglong):
        if 0 <= a < 2**64:
            assert unsigned() == a
        else:
            raises(ValueError if a < 0 else OverflowError, unsigned)
    assert x.uintmask() == x.ulonglongmask() == r_uint(a)
    assert intmask(x.uintmask()) == intmask(a)
    for kind in (r_int8, r_uint, r_int128, r_uint128):
        assert checked(rbigint.fromrarith_int(kind(a))) == int(kind(a))


@settings(settings.get_profile("rbigint"))
@given(a=LARGE)
def test_text(a: int) -> None:
    x = B(a)
    assert x.str() == x.repr() == str(a)
    assert repr(x) == f"<rbigint {a}>"
    assert (x.hex(), x.oct()) == (hex(a), oct(a))
    assert x.format("01", "0b") == bin(a)
    assert checked(rbigint.fromdecimalstr(str(a))) == a
    for text, base in ((str(a), 10), (hex(a), 16), (bin(a), 0), (oct(a), 8), (f" {a}L\n", 0)):
        assert checked(rbigint.fromstr(text, base)) == a
    for base in (3, 7, 32, 36):
        text = x.format(_bigtext.ALPHANUMERIC[:base])
        assert int(text, base) == a
        assert checked(rbigint.fromstr(text.upper(), base)) == a


TEXTS = st.text("01279abxoXOB_+- zl", max_size=8) | st.text(max_size=4)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, base=st.sampled_from([0, 2, 8, 10, 16, 22, 36, 1, 37, -1]))
@example(text="0x_1", base=0)
@example(text="0_0", base=0)
@example(text="00", base=0)
@example(text="012", base=0)
@example(text="0b1", base=16)
@example(text="0b", base=0)
@example(text="1__0", base=10)
@example(text="+-1", base=10)
@example(text="", base=10)
@example(text="0\x1f", base=0)
@example(text="\v0\f", base=0)
def test_parsing(text: str, base: int) -> None:
    if not text.isascii() or text.strip(" \t\n\r\v\f")[-1:] in ("l", "L"):
        return
    assert outcome(rbigint.fromstr, text, base, True) == outcome(int, text, base)
    if "_" in text:
        with pytest.raises(ValueError, match="int"):
            rbigint.fromstr(text, base)


@settings(settings.get_profile("rbigint"))
@given(a=NUMBERS, b=st.integers(0, 60), c=st.integers(-(2**200), 2**200), e=random_bits(300))
def test_pow(a: int, b: int, c: int, e: int) -> None:
    assert checked(B(a).pow(B(b))) == checked(B(a).int_pow(b)) == a**b
    assert outcome(B(a).pow, B(b), B(c)) == outcome(pow, a, b, c)
    assert outcome(B(a).pow, B(e), B(c)) == outcome(pow, a, e, c)
    assert outcome(B(a).pow, B(e), B(b)) == outcome(pow, a, e, b)


def test_pow_raises() -> None:
    raises(ValueError, ONERBIGINT.pow, ONENEGATIVERBIGINT)
    raises(MemoryError, B(3).pow, B(2**70))
    assert checked(B(-1).pow(B(2**70 + 1))) == -1
    assert checked(B(2).int_pow(1000)) == 2**1000
    assert checked(B(-8).int_pow(333)) == (-8) ** 333


@settings(settings.get_profile("rbigint"))
@given(x=st.floats())
def test_float(x: float) -> None:
    assert outcome(rbigint.fromfloat, x) == outcome(int, x)


@settings(max_examples=300, deadline=None)
@given(
    a=st.integers(-(2**60), 2**60),
    b=st.integers(1, 2**60),
    up=st.integers(0, 1200),
    down=st.integers(0, 1200),
    low=st.integers(-1, 1),
)
def test_rounding(a: int, b: int, up: int, down: int, low: int) -> None:
    a, b = (a << up) + low, b << down
    assert outcome(B(a).truediv, B(b)) == outcome(operator.truediv, a, b)
    assert outcome(B(a).tofloat) == outcome(float, a)


def test_rounding_at_the_ends() -> None:
    for a in (2**1024 - 2**970, 2**1024 - 2**970 - 1, 2**53 + 1, 2**54 + 2, 2**54 + 6, 2**1024):
        for b in (1, 2**1074, 2**2097, 2**2098, 2**2099, 3 << 2097, 5 << 2096):
            for c in (a, -a, 1, 3, 2**54 - 1):
                assert outcome(B(c).truediv, B(b)) == outcome(operator.truediv, c, b)
        assert outcome(B(a).tofloat) == outcome(float, a)


@settings(settings.get_profile("rbigint"))
@given(a=NUMBERS | st.integers(-70000, 70000), extra=st.integers(-1, 3))
def test_bytes(a: int, extra: int) -> None:
    size = max(0, a.bit_length() // 8 + extra)
    for byteorder in ("big", "little"):
        for signed in (True, False):
            try:
                data: Any = a.to_bytes(size, byteorder, signed=signed)  # type: ignore[arg-type]
            except OverflowError:
                kind = InvalidSignednessError if a < 0 and not signed else OverflowError
                raises(kind, B(a).tobytes, size, byteorder, signed)
                continue
            text = B(a).tobytes(size, byteorder, signed)
            assert text.encode("latin-1") == data
            # CPython writes -1 into no bytes at all.
            assert checked(rbigint.frombytes(text, byteorder, signed)) == (a if size else 0)


def test_names_and_limits() -> None:
    assert (checked(NULLRBIGINT), checked(ONERBIGINT), checked(ONENEGATIVERBIGINT)) == (0, 1, -1)
    assert rbigint.frombool(True) is ONERBIGINT
    assert rbigint.frombool(False) is NULLRBIGINT
    assert checked(rbigint.from_list_n_bits([1, 2, 3], 31)) == 1 + (2 << 31) + (3 << 62)
    assert checked(rbigint.from_list_n_bits([7, 1], 60)) == 7 + (1 << 60)
    assert (NULLRBIGINT.numdigits(), B(2**60).numdigits(), B(2**60).digit(1)) == (1, 2, 1)
    assert ONERBIGINT.abs_rshift_and_mask(r_ulonglong(2**64 - 1), 1) == 0
    raises(InvalidEndiannessError, ONERBIGINT.tobytes, 1, "middle", True)
    raises(InvalidEndiannessError, rbigint.frombytes, "a", "middle", True)
    raises(OverflowError, NULLRBIGINT.tobytes, -1, "big", True)
    raises(MaxIntError, B(10**9).format, "0123456789", "", "", 9)
    assert B(10**9).format("0123456789", "<", ">", 10) == "<1000000000>"
    with pytest.raises(ValueError, match="negative shift count"):
        ONERBIGINT.lshift(-1)
    with pytest.raises(ValueError, match="negative shift count"):
        ONERBIGINT.rshift(-1)
    with pytest.raises(ValueError, match="nonnegative"):
        ONENEGATIVERBIGINT.isqrt()
    for digits in ("", "1"):
        with pytest.raises(ValueError, match="two digits"):
            ONERBIGINT.format(digits)


def host_log(a: int, base: float) -> float:
    special = {0.0: math.log, 2.0: math.log2, 10.0: math.log10}
    return special[base](a) if base in special else math.log(a, base)


@pytest.mark.parametrize("base", [2, 10])
def test_log_of_powers_is_exact(base: int) -> None:
    for n in range(310 if base == 10 else 3000):
        assert B(base**n).log(float(base)) == n


def test_equality_and_hash_go_by_the_number() -> None:
    a = 10**30
    assert B(a) == B(a) and B(a) != B(a + 1) and B(a) != a and B(-a) != B(a)
    assert hash(B(a)) == hash(a) and len({B(a), B(a), B(-a)}) == 2


@settings(settings.get_profile("rbigint"))
@given(a=LARGE, base=st.sampled_from([0.0, 2.0, 10.0, 3.5]))
def test_log(a: int, base: float) -> None:
    if a <= 0:
        raises(ValueError, B(a).log, base)
    else:
        assert B(a).log(base) == host_log(a, base)


@settings(settings.get_profile("rbigint"))
@given(a=LARGE, b=LARGE)
def test_fast_methods_from_few_digits_on(a: int, b: int) -> None:
    """Karatsuba's and the recursive division, used long before they pay."""
    cutoffs = _bigdigits.KARATSUBA_CUTOFF, _bigdigits.RECURSIVE_DIVISION_CUTOFF
    _bigdigits.KARATSUBA_CUTOFF, _bigdigits.RECURSIVE_DIVISION_CUTOFF = 4, 4
    try:
        assert checked(B(a).mul(B(b))) == a * b
        assert checked(B(a).mul(B(a))) == a * a
        if b:
            assert outcome(B(a * b - 1).divmod, B(b)) == divmod(a * b - 1, b)
            assert outcome(B(a << 3000).divmod, B(b)) == divmod(a << 3000, b)
    finally:
        _bigdigits.KARATSUBA_CUTOFF, _bigdigits.RECURSIVE_DIVISION_CUTOFF = cutoffs


def test_thousands_of_digits() -> None:
    a, b = 7**9000, 3**5000 + 1
    assert checked(B(a).mul(B(b))) == a * b
    assert outcome(B(a * b + 5).divmod, B(-b)) == divmod(a * b + 5, -b)
    assert B(a).str() == str(a)
    assert checked(rbigint.fromstr(str(a), 10)) == a
    assert checked(B(a * 5).gcd(B(b * 25 * 7))) == math.gcd(a * 5, b * 25 * 7)
    assert checked(B(a).isqrt()) == math.isqrt(a)


def test_gcd_of_neighbours() -> None:
    x, y = 0, 1
    for _ in range(900):
        x, y = y, x + y
    assert checked(B(x * 12).gcd(B(y * 18))) == math.gcd(x * 12, y * 18)
    assert _bignumber.gcd([], []) == []
