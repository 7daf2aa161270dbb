"""Every operator between int and the sized types, against ``rarithmetic`` untranslated."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

import pytest

from rpython.lltypesystem.rarithmetic import (
    base_int,
    intmask,
    ovfcheck,
    r_int8,
    r_int16,
    r_int32,
    r_int128,
    r_longlong,
    r_uint,
    r_uint8,
    r_uint32,
    r_uint128,
)
from rpython.translator.api import Interpretation
from rpython.translator.ir.errors import TranslationError
from tests.support.differential import Outcome, outcome

TYPES: tuple[Any, ...] = (
    int, r_uint, r_longlong, r_int32, r_uint32, r_uint8, r_int128, r_uint128,
)  # fmt: skip
MORE_TYPES = {"r_int8": r_int8, "r_int16": r_int16}
OPERATORS = "+ - * // % & | ^ << >> < <= == != > >=".split()


def bits(cls: Any) -> int:
    return getattr(cls, "BITS", 64)


def is_signed(cls: Any) -> bool:
    return getattr(cls, "SIGNED", True)


REFUSED = {
    (op, left, right)
    for op in ("//", "%")
    for left, right in itertools.product(TYPES, repeat=2)
    for s, other in ((left, right), (right, left))
    if s in (r_uint, r_uint128) and is_signed(other) and bits(other) <= bits(s)
}
"""Division of an unsigned of 64 or 128 bits and what may be negative, when that is not wider."""


def values(cls: Any) -> list[Any]:
    if cls is int:
        return [0, 1, -1, 7, -7, 63, 64, 2**31, -(2**31), 2**63 - 1, -(2**63)]
    bits = cls.BITS
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if cls.SIGNED else (0, 2**bits - 1)
    numbers = [0, 1, -1, 7, -7, bits - 1, bits, 2 ** (bits - 1), low, high]
    return [cls(n) for n in dict.fromkeys(numbers) if low <= n <= high]


def function(text: str, **names: Any) -> Callable[..., Any]:
    """``def f(x, y): return TEXT``, with source lines."""
    source = f"def f(x, y):\n    return {text}\n"
    filename = f"<{text}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = {cls.__name__: cls for cls in TYPES} | MORE_TYPES | names
    exec(compile(source, filename, "exec"), namespace)
    f: Callable[..., Any] = namespace["f"]
    return f


def is_too_large(expected: Outcome, actual: Outcome) -> bool:
    """Does the int that CPython gives not fit, so that the program raises?"""
    result = expected[2]
    return (
        expected[:2] == ("return", int)
        and actual[:2] == ("raise", OverflowError)
        and not -(2**63) <= int(result) < 2**63
    )


def compare(f: Callable[..., Any], left: list[Any], right: list[Any]) -> None:
    interpretation = Interpretation.of(f, (left[0], right[0]))
    for x, y in itertools.product(left, right):
        if f.__code__.co_filename.startswith("<x << y") and y > 200:
            continue  # CPython would take all memory
        expected = outcome(f, (x, y))
        actual = outcome(lambda *args: interpretation.run(args), (x, y))
        assert actual == expected or is_too_large(expected, actual), (x, y, actual, expected)


@pytest.mark.parametrize("right", TYPES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("left", TYPES, ids=lambda cls: cls.__name__)
def test_operators(left: Any, right: Any) -> None:
    for op in OPERATORS:
        f = function(f"x {op} y")
        if (op, left, right) in REFUSED:
            with pytest.raises(TranslationError, match="may be negative"):
                Interpretation.of(f, (values(left)[0], values(right)[0]))
        else:
            compare(f, values(left), values(right))


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.__name__)
def test_one_operand(cls: Any) -> None:
    for text in ("-x", "+x", "~x", "abs(x)", "not x", "bool(x)", "x if x else y"):
        compare(function(text), values(cls), values(cls)[:1])


@pytest.mark.parametrize("cls", [c for c in TYPES if c is not int], ids=lambda cls: cls.__name__)
def test_conversions(cls: type[base_int]) -> None:
    for other in (*TYPES, *MORE_TYPES.values()):
        if other is not int:
            compare(function(f"{other.__name__}(x)"), values(cls), [0])
    compare(function(f"{cls.__name__}(x) + y"), values(int), values(cls))
    compare(function("intmask(x)", intmask=intmask), values(cls), [0])


@pytest.mark.parametrize(
    "text",
    [
        "intmask(x * y)", "intmask(x + y * 3)", "intmask((x << 3) ^ y)", "intmask(-x)",
        "intmask(x - y) + 0", "intmask(x * y) & 255",
    ],
)  # fmt: skip
def test_intmask(text: str) -> None:
    compare(function(text, intmask=intmask), values(int), values(int))


@pytest.mark.parametrize("op", ["+", "-", "*", "<< 1 +", "//"])
def test_ovfcheck(op: str) -> None:
    f = function(f"ovfcheck(x {op} y)", ovfcheck=ovfcheck)
    numbers = [n for n in values(int) if op != "<< 1 +" or -60 <= n <= 60]
    interpretation = Interpretation.of(f, (1, 1))
    for x, y in itertools.product(values(int), numbers):
        expected = outcome(f, (x, y))[:2]
        assert outcome(lambda *args: interpretation.run(args), (x, y))[:2] == expected, (x, y)
