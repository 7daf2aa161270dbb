"""What is known of the arguments of functions in whole programs."""

from __future__ import annotations

from rpython.translator.api import translation_of
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.options import Options


class Shape:
    def area(self, by: int) -> int:
        return by


class Square(Shape):
    def area(self, by: int) -> int:
        return by * by


class Disc(Shape):
    def area(self, by: int) -> int:
        return 3 * by * by


def total(n: int) -> int:
    shapes = [Shape(), Square(), Disc(), Square()]
    result = 0
    for shape in shapes:
        result += shape.area(n & 63)
    return result


def call(function, n: int) -> int:  # type: ignore[no-untyped-def]
    return int(function(n))


def twice(n: int) -> int:
    return n * 2


def thrice(n: int) -> int:
    return n * 3


def higher(n: int) -> int:
    return call(twice if n & 1 else thrice, n & 7) + call(thrice, 9)


def graphs_of(function, name: str) -> list[FunctionGraph]:  # type: ignore[no-untyped-def]
    passes = "fold_constants,simplify_blocks,find_ranges"
    program = translation_of(function, [int], Options(passes=passes)).optimise()
    return [graph for graph in call_graph(program).graphs if graph.name.startswith(name)]


def test_methods_that_are_called_through_a_table() -> None:
    """That they are in the table of the call does not mean that anybody may call them."""
    methods = graphs_of(total, "area")
    assert len(methods) >= 3
    for graph in methods:
        assert graph.argument_bounds == {1: (0, 255)}, graph.name


def test_functions_that_are_values() -> None:
    for name in ("twice", "thrice"):
        (graph,) = graphs_of(higher, name)
        assert graph.argument_bounds == {0: (0, 255)}
        assert graph.result_bounds is not None


def test_who_is_entered_may_be_given_anything() -> None:
    (graph,) = graphs_of(higher, "higher")
    assert graph.argument_bounds == {}
