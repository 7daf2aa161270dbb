"""The examples of ``docs/lowlevel.md``, under CPython, interpreted and natively."""

import pytest
from docexamples import load

import rpython

MODULE = load("lowlevel.md")


@pytest.mark.parametrize(("name", "expected"), [("middle", 3.5), ("sum_by_address", 6)])
def test_example(name: str, expected: float) -> None:
    function = getattr(MODULE, name)
    assert function(4) == expected
    assert rpython.interpret(function, [4]) == expected
    assert rpython.compile(function)(4) == expected
