"""How often a program is annotated in which kinds of values meet, and what is taken apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.refining import Refinement, refined


def attempts(func: Callable[..., Any]) -> tuple[int, Refinement]:
    """How many there are, and the last one's refinement."""
    made: list[Refinement] = []

    def attempt(refinement: Refinement) -> None:
        made.append(refinement)
        RPythonAnnotator(refinement=refinement).build_types(func, [int])

    refined(attempt)
    return len(made), made[-1]


class A:
    def __init__(self, items: list[int]) -> None:
        self.items = items


class B:
    def __init__(self, items: list[int]) -> None:
        self.items = items


def same(items: list[int]) -> list[int]:
    return items


def instances(n: int) -> int:
    return len([A(same([n])), B(same([2]))])


def test_what_instances_are_made_of_does_not_decide_of_which_class_they_are() -> None:
    count, refinement = attempts(instances)
    assert (count, refinement.boxes) == (2, True)
    assert not refinement.is_apart(same)


def test_lists_that_a_call_makes_one_are_taken_apart_first() -> None:
    count, refinement = attempts(later)
    assert (count, refinement.boxes) == (2, False)
    assert refinement.is_apart(same)


def later(n: int) -> int:
    empty: list[Any] = []
    found = len(same(empty)) + len(same([n]))
    empty.append("a")
    return found


def said(make: Callable[[], Any]) -> str:
    return str(make())


def unknown(n: int) -> str:
    index: Any = [n, "a"][n]
    return said(lambda: [10, 20][index]) + said(lambda: "abc"[index])


def test_what_follows_from_another_error_takes_nothing_apart() -> None:
    count, refinement = attempts(unknown)
    assert (count, refinement.boxes) == (2, True)
    assert not refinement.is_apart(said)
