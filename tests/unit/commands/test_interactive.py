"""The public face: interpret, interpret_raises, compile, show, graph_of, annotate."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Optional

import pytest

import rpython


def average(a: int, b: int) -> float:
    return (a + b) / 2


def pair(n: int, x: float) -> tuple[int, float]:
    return n * 2, x * 2


def countdown(n: int) -> int:
    if n < 0:
        raise ValueError("below zero")
    return 0 if n == 0 else countdown(n - 1)


def choose(flag: bool, t: tuple[int, int]) -> int:
    return t[0] if flag else t[1]


def nothing(n: int) -> None:
    return None


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (average, (3, 4)),
        (pair, (2, 1.5)),
        (choose, (True, (1, 2))),
        (choose, (False, (1, 2))),
        (nothing, (1,)),
    ],
)
def test_three_ways(f, args):
    expected = f(*args)
    for result in (rpython.interpret(f, list(args)), rpython.compile(f)(*args)):
        assert result == expected
        assert type(result) is type(expected)


def test_exceptions_come_out_as_python_exceptions():
    native = rpython.compile(countdown)
    for run in (native, lambda n: rpython.interpret(countdown, [n])):
        with pytest.raises(ValueError, match="^below zero$"):
            run(-1)
    assert native(5) == 0
    with pytest.raises(RecursionError):
        native(10**9)
    assert native(5) == 0


def test_interpret_raises():
    error = rpython.interpret_raises(ValueError, countdown, [-1])
    assert str(error) == "below zero"
    with pytest.raises(AssertionError, match="did not raise ValueError"):
        rpython.interpret_raises(ValueError, countdown, [1])


def join_all(n: int) -> str:
    parts = [str(i) for i in range(n)]
    return ",".join(parts)


def test_threads_of_the_host_take_turns():
    native = rpython.compile(join_all)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(native, [1000 + i % 7 for i in range(200)]))
    assert results == [join_all(1000 + i % 7) for i in range(200)]


def test_native_arguments_are_checked():
    native = rpython.compile(average)
    with pytest.raises(TypeError):
        native(1.5, 2)
    with pytest.raises(TypeError):
        native(True, 2)
    with pytest.raises(TypeError):
        native(1)
    with pytest.raises(OverflowError):
        native(1 << 63, 2)
    with pytest.raises(OverflowError):
        native((1 << 63) - 1, 1)


def test_types_are_needed():
    def unknown(a, b: int):
        return b

    with pytest.raises(rpython.TranslationError, match="the type of argument 'a' is not known"):
        rpython.compile(unknown)
    assert rpython.compile(unknown, [float, int])(1.0, 2) == 2


def test_types_as_rpython_writes_them():
    def largest(rows, name, extra):
        return name + ":" + str(max([max(row) for row in rows] + [extra[0][extra[1]]]))

    types = [[[int]], str, ({str: int}, str)]
    assert repr(rpython.annotate(largest, types)) == "SomeString()"
    assert rpython.compile(largest, types)([[1], [3, 2]], "n", ({"a": 2}, "a")) == "n:3"
    for wrong in ([], [int, int], {}, [len]):
        with pytest.raises(rpython.TranslationError, match="cannot be the type of an argument"):
            rpython.annotate(largest, [wrong, str, int])


def test_optional_types():
    def size(text, data):
        return -1 if text is None or data is None else len(text) + len(data)

    native = rpython.compile(size, [str | None, Optional[bytes]])  # noqa: UP045
    assert [native("ab", b"c"), native(None, b""), native("", None)] == [3, -1, -1]
    with pytest.raises(rpython.TranslationError, match="cannot be the type of an argument"):
        rpython.annotate(size, [str | slice, str])


def test_number_of_arguments():
    def add(a, b, c=100, d="x"):
        return a + b + c + len(d)

    assert rpython.interpret(add, [1, 2]) == 104
    assert rpython.interpret(add, [1, 2, 3]) == 7
    with pytest.raises(rpython.TranslationError, match="add has 4 arguments, the types of 1 are"):
        rpython.interpret(add, [1])
    with pytest.raises(rpython.TranslationError, match="add has 4 arguments, the types of 2 are"):
        rpython.compile(add, [int, int])


def test_graph_of_and_annotate():
    assert rpython.graph_of(average).name == "average"
    assert repr(rpython.annotate(average)) == "SomeFloat()"


@pytest.mark.parametrize("stage", ["flow", "annotated", "lowlevel", "optimised"])
def test_show(stage):
    text = rpython.show(countdown, stage=stage)
    assert "countdown" in text


def test_show_c():
    assert "countdown(" in rpython.show(countdown, stage="c")


def test_show_of_another_function():
    def outer(n: int) -> int:
        return countdown(n)

    assert "countdown" in rpython.show(outer, stage="lowlevel", function="countdown").split("\n")[0]
    with pytest.raises(rpython.TranslationError, match="no function 'nowhere'"):
        rpython.show(outer, function="nowhere")


def test_unknown_stage():
    with pytest.raises(rpython.TranslationError, match="no stage 'x'"):
        rpython.show(average, stage="x")


def never(n: int) -> tuple[int, str]:
    while True:
        n += 1
        if n > 10:
            raise KeyError("done")


def test_function_that_never_returns():
    for run in (rpython.compile(never), lambda n: rpython.interpret(never, [n])):
        with pytest.raises(KeyError, match="done"):
            run(1)
