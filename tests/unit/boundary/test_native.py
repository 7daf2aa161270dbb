"""``rpython.native``: compiled at the first call, for the types of the arguments."""

from __future__ import annotations

from typing import Any

import pytest

import rpython
from rpython.translator.native import type_of


def total(xs, start=0):
    for x in xs:
        start += x
    return start


def test_one_version_for_each_combination_of_types() -> None:
    native = rpython.native(total)
    for args in (([1, 2],), ([3], 4), ([0.5, 1.5], 1), ((1, 2, 3),)):
        assert repr(native(*args)) == repr(total(*args))
    assert native(start=2, xs=[1, 2]) == 5
    assert list(native.versions) == [
        (list[int], int), (list[float], int), (tuple[int, int, int], int),
    ]  # fmt: skip
    assert native.__name__ == "total" and native.__wrapped__ is total
    texts = native.inspect("annotated")
    assert "SomeList(SomeFloat()" in texts[list[float], int]
    with pytest.raises(OverflowError):
        native([2**62, 2**62])
    with pytest.raises(TypeError, match="missing a required argument: 'xs'"):
        native()


def appends(xs):
    xs.append(1)
    return len(xs)


def first(xs):
    return xs[0]


def sorted_copy(xs):
    ys = list(xs)
    ys.sort()
    return ys


def test_what_python_would_see_otherwise_is_refused() -> None:
    changes, gives = rpython.native(appends), rpython.native(first)
    with pytest.raises(rpython.TranslationError, match="may change what argument 'xs' is or holds"):
        changes([3])
    with pytest.raises(rpython.TranslationError, match="may return what argument 'xs' is or holds"):
        gives([[1], [2]])
    assert gives([1, 2]) == 1
    assert rpython.native(sorted_copy)([3, 1, 2]) == [1, 2, 3]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, bool),
        ((), tuple[()]),
        ((1, "x"), tuple[int, str]),
        ([1, None], list[int | None]),
        ({"a": [0.5]}, dict[str, list[float]]),
        (frozenset({b"x"}), frozenset[bytes]),
    ],
)
def test_types(value: Any, expected: Any) -> None:
    assert type_of(value) == expected


def test_what_has_no_type() -> None:
    with pytest.raises(TypeError, match="what an empty list is to hold is not known"):
        type_of([])
    with pytest.raises(TypeError, match="cannot be given a object among the arguments"):
        type_of([object()])
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(TypeError, match="a list that holds itself"):
        type_of(loop)
