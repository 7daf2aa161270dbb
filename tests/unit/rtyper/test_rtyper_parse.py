"""``int(s)``, ``int(s, base)``, ``float(s)``: the helpers, untranslated, against CPython."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rpython.lltypesystem.rstr import make_str
from rpython.rtyper.ll import ll_parse
from rpython.rtyper.unicode_tables import characters, digit_zeros


def outcome(function, *args):
    try:
        result = function(*args)
    except (ValueError, OverflowError) as error:
        return type(error), str(error)
    if isinstance(result, int) and not -(2**63) <= result < 2**63:
        return OverflowError, ""
    return repr(result)


def ll_int(text, base=10):
    try:
        return ll_parse.ll_str2int(make_str(text), base, characters(), digit_zeros())
    except OverflowError:
        return 2**63


def ll_float(text):
    return ll_parse.ll_str2float(make_str(text), characters(), digit_zeros())


LITERALS = [
    "", " ", "-", "+", "+-1", "5", " 5\n", "\x1c5", "\u20005\u2000", "\x855", "1_000", "_1",
    "1__0", "1_", "0_", "0x", "0x_f", "0x__f", "0xf", "0XF", "-0x1f", "0b1", "0b2", "0o17", "08",
    "00", "0_0", "000", "01", "-0", "0", "z", "\u0663", "\u0967\u0968", "\xb2", "5\0",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "9" * 40, "9" * 40 + "x", "x" * 300, "'", "'\"", "\ud800", "- 1",
    "0" * 5000 + "1", "1" * 4300, "1" * 4301, "\U0001d7ce",
]  # fmt: skip


@pytest.mark.parametrize("base", [10, 0, 2, 8, 16, 36, 3, 1, -1, 37])
def test_int_literals(base):
    for text in LITERALS:
        assert outcome(ll_int, text, base) == outcome(int, text, base), (text, base)


@given(
    st.text(alphabet="0123456789abfoxXB_+- \u0663\u2000", max_size=12),
    st.sampled_from([0, 2, 8, 10, 16]),
)
@example("0x", 16)
def test_int_of_text(text, base):
    assert outcome(ll_int, text, base) == outcome(int, text, base)


@given(st.integers(-(2**70), 2**70), st.sampled_from(["x", "o", "b", "d"]))
def test_int_of_numbers(n, kind):
    text = format(n, kind)
    assert outcome(ll_int, text, {"x": 16, "o": 8, "b": 2, "d": 10}[kind]) == outcome(int, str(n))


@given(st.text(alphabet="0123456789.eE_+-infaNIty \u0663\u2000", max_size=12))
@example("1e400")
@example("infinity")
@example("nan(1)")
@example("0x10")
def test_float_of_text(text):
    assert outcome(ll_float, text) == outcome(float, text)


@given(st.floats())
def test_float_round_trip(x):
    result = ll_float(repr(x))
    assert result == x or (math.isnan(x) and math.isnan(result))
