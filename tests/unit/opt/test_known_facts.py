"""The checked LLInterpreter looks whether what is known of functions is so."""

from __future__ import annotations

from typing import Any

import pytest

from rpython.lltypesystem.interp.checked import BoundsError
from rpython.lltypesystem.interp.llinterp import LLInterpreter
from rpython.lltypesystem.lltype import GcArray, Ptr, Signed, malloc, nullptr
from rpython.lltypesystem.operations.lengths import length_is, length_of_result
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.parser import parse_graph
from tests.support.llworld import World

SUM = """
graph f(n: Signed, xs: *GcArray(Signed)) -> Signed {
b0(n, xs):
    t0 = int_add(n, 1)
    return t0
}
"""
MAKE = """
graph f(n: Signed, m: Signed) -> *GcArray(Signed) {
b0(n, m):
    xs: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
    return xs
}
"""


def run(graph: FunctionGraph, *args: Any) -> Any:
    return LLInterpreter(World().exceptions, checked=True).eval_graph(graph, args)


def test_arguments_and_results() -> None:
    graph = parse_graph(SUM, TextEnv())
    graph.argument_bounds = {0: (0, 9), 1: (1, 1)}
    graph.result_bounds = (1, 5)
    xs = malloc(GcArray(Signed), 1)
    assert run(graph, 4, xs) == 5
    with pytest.raises(BoundsError, match=r"argument 0 is -1, not in 0\.\.9"):
        run(graph, -1, xs)
    with pytest.raises(BoundsError, match="argument 1"):
        run(graph, 4, nullptr(GcArray(Signed)))
    with pytest.raises(BoundsError, match=r"the result is 6, not in 1\.\.5"):
        run(graph, 5, xs)


@length_is("m")
def as_long_as_m(n: int, m: int) -> Any:
    return malloc(GcArray(Signed), n)


def test_lengths() -> None:
    graph = parse_graph(MAKE, TextEnv())
    (made,) = graph.startblock.operations
    assert length_of_result(made) is graph.getargs()[0]
    graph.func = as_long_as_m
    assert len(run(graph, 3, 3)) == 3
    with pytest.raises(BoundsError, match=r"the length is 3, not in 4\.\.4"):
        run(graph, 3, 4)
    assert graph.getreturnvar().concretetype == Ptr(GcArray(Signed))
