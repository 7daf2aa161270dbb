"""``enforceargs`` and ``signature`` under CPython."""

from typing import Any

import pytest

from rpython.lltypesystem import lltype
from rpython.rlib import types
from rpython.rlib.declared import fits
from rpython.rlib.objectmodel import enforceargs
from rpython.rlib.rarithmetic import r_uint
from rpython.rlib.signature import finishsigs, signature


class A:
    pass


@pytest.mark.parametrize(
    ("wanted", "good", "bad"),
    [
        (int, [1, True], [1.0, "1", r_uint(1), None]),
        (float, [1.5], ["1", None]),
        (str, ["", "ab"], [b"", None, 1]),
        (bool, [True], [1]),
        (r_uint, [r_uint(3)], [3]),
        (None, [1, None, "x"], []),
        (type(None), [None], [0]),
        (A, [A()], [None, 1, A]),
        (A | None, [A(), None], [1]),
        ([int], [[], [1]], [["a"], (1,), None]),
        (list[str], [[], ["a"]], [[1]]),
        (tuple[int, str], [(1, "a")], [(1,), (1, 2), [1, "a"]]),
        ((int, str), [(1, "a")], [(1,), [1, "a"]]),
        ({str: int}, [{}, {"a": 1}], [{1: 1}]),
        (dict[str, int], [{}, {"a": 1}], [{1: 1}, {"a": "a"}]),
        (set[int], [{1}], [{"a"}, [1]]),
        (types.char(), ["a"], ["", "ab", 1]),
        (types.int_nonneg(), [0], [-1, "a"]),
        (types.self(), [A(), 3], []),
        (types.instance(A, can_be_None=True), [A(), None], [3]),
        (lltype.Signed, [3], ["a"]),
    ],
)  # fmt: skip
def test_fits(wanted: Any, good: list[Any], bad: list[Any]) -> None:
    assert all(fits(wanted, value) for value in good)
    assert not any(fits(wanted, value) for value in bad)


def test_enforceargs() -> None:
    @enforceargs(int, float, None)
    def f(n: Any, x: Any = 2, *rest: Any) -> Any:
        return n, x, rest

    assert repr(f(1, 2, "a")) == "(1, 2.0, ('a',))"
    assert repr(f(1, x=3)) == "(1, 3.0, ())"
    assert f.__name__ == "f"
    with pytest.raises(TypeError, match="f argument 'n' must be of type int"):
        f("1")
    with pytest.raises(TypeError, match="f argument 'x' must be of type float"):
        f(1, x="a")


def test_enforceargs_without_a_check() -> None:
    @enforceargs(int, typecheck=False)
    def f(n: Any) -> Any:
        return n

    assert f("a") == "a"


def test_signature() -> None:
    @finishsigs
    class B:
        @signature(types.self(), types.int(), returns=types.float())
        def m(self, n: int) -> Any:
            return n if n else "a"

    assert repr(B().m(3)) == "3.0"
    with pytest.raises(TypeError, match="m result must be of type float"):
        B().m(0)
    with pytest.raises(TypeError, match="m argument 'self' must be of type B"):
        B.m(A(), 1)  # type: ignore[arg-type]
