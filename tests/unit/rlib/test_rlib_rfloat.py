"""``rpython.rlib.rfloat`` and ``longlong2float`` against CPython."""

import math
import struct
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from rpython.lltypesystem.rarithmetic import r_singlefloat, r_uint32
from rpython.rlib import longlong2float as bits
from rpython.rlib import rfloat

FLOATS = st.floats() | st.integers(-(10**17), 10**17).map(float) | st.just(-0.0)


def python(x: float, spec: str) -> str:
    return format(x, spec)


@given(FLOATS, st.sampled_from("eEfFgG"), st.integers(0, 20), st.booleans(), st.booleans())
def test_formats_like_format(x: float, code: str, digits: int, sign: bool, alt: bool) -> None:
    flags = sign * rfloat.DTSF_SIGN | alt * rfloat.DTSF_ALT
    if math.isnan(x):
        sign = False
    spec = ("+" if sign else "") + ("#" if alt else "") + f".{digits}{code}"
    assert rfloat.formatd(x, code, digits, flags) == python(x, spec)


@given(FLOATS)
def test_shortest(x: float) -> None:
    assert rfloat.formatd(x, "r", 0, rfloat.DTSF_ADD_DOT_0) == repr(x)


@given(FLOATS, st.integers(1, 20))
def test_as_python_2_wrote_floats(x: float, digits: int) -> None:
    assert rfloat.formatd(x, "g", digits, rfloat.DTSF_ADD_DOT_0) == python(x, f".{digits}")


@given(
    st.floats(-1e15, 1e15)
    | st.builds(lambda n, k: n / 2**k, st.integers(-(10**6), 10**6), st.integers(0, 12)),
    st.integers(-8, 12),
)
@example(8796093022208.312, 3)  # the next float rounds to another multiple
@example(999.5, 0)
def test_rounds_like_decimal(x: float, digits: int) -> None:
    unit = Decimal(1).scaleb(-digits)
    for half_even, rounding in ((False, ROUND_HALF_UP), (True, ROUND_HALF_EVEN)):
        exact = (Decimal(x) / unit).to_integral_value(rounding) * unit
        assert rfloat.round_double(x, digits, half_even) == float(exact)


@given(st.floats(-1e15, 1e15))
def test_rounds_away(x: float) -> None:
    assert rfloat.round_away(x) == float(Decimal(x).to_integral_value(ROUND_HALF_UP))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_ratio(x: float) -> None:
    numerator, denominator = rfloat.float_as_rbigint_ratio(x)
    assert (numerator.tolong(), denominator.tolong()) == x.as_integer_ratio()


@given(st.floats())
def test_bits_of_doubles(x: float) -> None:
    n = bits.float2longlong(x)
    assert struct.pack("<q", n) == struct.pack("<d", x)
    assert struct.pack("<d", bits.longlong2float(n)) == struct.pack("<d", x)


@given(st.floats(width=32))
def test_bits_of_single_floats(x: float) -> None:
    n = bits.singlefloat2uint(r_singlefloat(x))
    assert math.isnan(x) or struct.pack("<I", n) == struct.pack("<f", x)
    back = float(bits.uint2singlefloat(r_uint32(n)))
    assert repr(back) == repr(x)
