"""Functions that are seldom called: the slow rest of helpers that are inlined.

    def ll_append(lst, item):           is inlined where lists grow, and
        if full(lst):
            ll_reallocate(lst)          is called from there, out of the way
        ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rpython.lltypesystem.operations.llop import callees
from rpython.translator.ir.model import FunctionGraph, SpaceOperation

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "_seldom_called_"


def seldom_called(function: F) -> F:
    """A decorator: the way to calls of this function is seldom taken."""
    setattr(function, _MARK, True)
    return function


def is_seldom_called(graph: FunctionGraph) -> bool:
    """Is the graph of a function that is marked so?"""
    return bool(getattr(graph.func, _MARK, False))


def is_never_inlined(graph: FunctionGraph) -> bool:
    """Is the graph of a function that is marked with ``rpython.rlib.objectmodel.dont_inline``?"""
    return bool(getattr(graph.func, "_dont_inline_", False))


def calls_seldom(op: SpaceOperation) -> bool:
    """Does the operation call a function that is seldom called?"""
    return any(map(is_seldom_called, callees(op).graphs))
