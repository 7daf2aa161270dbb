"""The examples of ``docs/c.md``, under CPython, interpreted and natively."""

import re
import sys
import types
from collections.abc import Callable
from linecache import cache
from pathlib import Path
from typing import Any

import pytest

import rpython

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "c.md"

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


def load() -> types.ModuleType:
    """All the code of the page as one module, its lines where they are in the page."""
    lines = DOCUMENT.read_text().splitlines()
    code, inside = [], False
    for line in lines:
        fence = line.startswith("```")
        inside = line == "```python" if fence else inside
        code.append("" if fence or not inside else line)
    source = "\n".join(code) + "\n"
    cache[str(DOCUMENT)] = (len(source), None, source.splitlines(keepends=True), str(DOCUMENT))
    module = types.ModuleType("c_examples")
    sys.modules[module.__name__] = module
    exec(compile(source, str(DOCUMENT), "exec"), module.__dict__)
    return module


MODULE = load()


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
