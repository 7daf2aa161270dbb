"""Format specifications read at run time, against CPython's."""

import itertools

import pytest

from rpython.lltypesystem.rarithmetic import r_uint
from rpython.lltypesystem.rstr import make_str, read_str
from rpython.rtyper.ll import ll_spec

FLOATS = [0.0, -0.0, 1.5, -2.5, 123.456, 1e-5, 99999.5, 1e16, -1e300, float("inf"), float("nan")]


def outcome(function, *args):
    try:
        return function(*args)
    except (ValueError, OverflowError) as error:
        return type(error), str(error)


def format_float(x, spec):
    return read_str(ll_spec.ll_format_float_by(x, make_str(spec)))


def format_int(n, spec):
    return read_str(ll_spec.ll_format_int_by(r_uint(abs(n)), n < 0, make_str(spec)))


@pytest.mark.parametrize("kind", ["", "e", "f", "g", "%", "n", "d"])
def test_floats(kind):
    parts = (["", "*^", "="], ["", "+", "z"], ["", "#"], ["", "0"], ["", "12"], ["", ","],
             ["", ".0", ".3"])  # fmt: skip
    for pieces in itertools.product(*parts):
        spec = "".join(pieces) + kind
        for x in FLOATS[len(spec) % 3 :: 3]:
            assert outcome(format_float, x, spec) == outcome(format, x, spec), (x, spec)


@pytest.mark.parametrize("kind", ["", "d", "x", "b", "c", "n", "s", "e", "q"])
def test_ints(kind):
    parts = (["", "*^", "="], ["", "+", " "], ["", "#"], ["", "0"], ["", "12"], ["", ",", "_"])
    for pieces in itertools.product(*parts):
        spec = "".join(pieces) + kind
        for n in (0, 65, -1234567, 2**63 - 1, -(2**63)):
            assert outcome(format_int, n, spec) == outcome(format, n, spec), (n, spec)
