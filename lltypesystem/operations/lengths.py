"""Functions that give an array as long as one of their arguments says.

    @length_is("length")
    def ll_exact_items(items, length):          len(ll_exact_items(xs, n))    is    n
        ...

Where such a function gives one of several arrays it is not inlined: which one is nobody's concern,
its length is.  The checked LLInterpreter looks whether that is so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from rpython.lltypesystem.operations.llop import callees, row_of
from rpython.translator.ir.model import FunctionGraph, SpaceOperation, Value

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "_length_is_"


def length_is(name: str) -> Callable[[F], F]:
    """A decorator: the function gives an array, and the argument of that name is its length."""

    def mark(function: F) -> F:
        place = list(inspect.signature(function).parameters).index(name)
        setattr(function, _MARK, place)
        return function

    return mark


def length_argument(graph: FunctionGraph) -> int | None:
    """The place of the argument that is the length of what the function gives, if that is
    declared."""
    place: int | None = getattr(graph.func, _MARK, None)
    return place


def length_of_result(op: SpaceOperation) -> Value | None:
    """The length of the array that the operation gives, where it is made or returned with one."""
    row = row_of(op)
    if row.makes_object:
        return op.args[2] if len(op.args) == 3 else None
    if row.callees is None or not (called := callees(op)).direct or not called.graphs:
        return None
    place = length_argument(called.graphs[0])
    return None if place is None else op.args[1 + place]
