"""The examples of ``docs/c.md``, under CPython, interpreted and natively."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from docexamples import DOCS, load

import rpython

DOCUMENT = DOCS / "c.md"

CALLS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "roots": ((100,), sum(i ** (1 / 3) for i in range(10))),
    "year": ((1_000_000_000,), 2001),
    "mantissa_and_exponent": ((10.0,), (0.625, 4)),
    "after": ((b"key=value", 61), b"value"),
    "width": ((4,), 9.0),
    "show": ((42, 2.5), b"42 2.50"),
    "why": ((), 9),
    "ordered": (([3, 1, 2],), [1, 2, 3]),
    "exponent": ((10.0,), 4),
    "length": (("caf\xe9",), 4),
}


MODULE = load("c.md")


def test_every_function_of_the_page_is_called() -> None:
    defined = set(re.findall(r"^def (\w+)", DOCUMENT.read_text(), re.MULTILINE))
    assert defined - {"by_value"} == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_example(name: str) -> None:
    args, expected = CALLS[name]
    function: Callable[..., Any] = getattr(MODULE, name)
    assert function(*args) == pytest.approx(expected)
    result = function(*args)
    assert rpython.interpret(function, list(args)) == result
    assert rpython.compile(function)(*args) == result
