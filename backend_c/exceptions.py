"""What a raising function is traced as, and the values that stand for exceptions it caught.

The exception state is one pointer, ``rpy_exc``.  After a call that may raise
(``translator.opt.raising``) the caller tests it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from lltypesystem.memory import _ptr
from translator.ir.model import Block, FunctionGraph, Value, Variable
from translator.ir.span import Span
from translator.ir.traversal import predecessors

HANDLER_MARKS = ("handler_enter", "handler_leave")
"""The operations that tell which exceptions a function is handling."""


def stands_for_library(graph: FunctionGraph) -> bool:
    """Is the function a part of the toolchain that stands for what CPython's library brings
    along?  Tracebacks leave it out: they would name files that nobody knows."""
    module = str(getattr(graph.func, "__globals__", {}).get("__name__", ""))
    return module.startswith(("rpython.rlib._", "annotator.library"))


class CaughtValues:
    """The values of a graph that are an exception it caught, or of which an operation said where
    they are raised: raising one of them continues its traceback instead of starting one."""

    def __init__(self, graph: FunctionGraph) -> None:
        caught = {link.last_exc_value for link in graph.iterlinks() if link.last_exc_value}
        passed: defaultdict[Value, list[Variable]] = defaultdict(list)
        for link in graph.iterlinks():
            for arg, param in zip(link.args, link.target.inputargs):
                passed[arg].append(param)
        for _, op in graph.iterblockops():
            if op.opname in ("same_as", "cast_pointer"):
                passed[op.args[0]].append(op.result)
        self._caught: set[Value] = set()
        todo: list[Value] = [*caught, *_raised_here(graph)]
        while todo:
            v = todo.pop()
            if v not in self._caught:
                self._caught.add(v)
                todo += passed[v]

    def __contains__(self, value: Value) -> bool:
        return value in self._caught


def _raised_here(graph: FunctionGraph) -> Iterator[Value]:
    made_by = {op.result: op for _, op in graph.iterblockops()}
    for _, op in graph.iterblockops():
        if op.opname == "raised_here":
            value = op.args[0]
            yield value
            while isinstance(value, Variable) and value in made_by:
                made = made_by[value]
                if made.opname not in ("same_as", "cast_pointer"):
                    break
                value = made.args[0]
                yield value


def raising_span(graph: FunctionGraph, block: Block) -> Span:
    """Where the ``raise`` that ends ``block`` is in the source: its last operation that
    has a place, else that of a block before it, else the function's."""
    seen: set[Block] = set()
    entering = predecessors(graph)
    current: Block | None = block
    while current is not None and current not in seen:
        seen.add(current)
        for op in reversed(current.operations):
            if op.span.line > 0:
                return op.span
        links = entering[current]
        current = links[0].prevblock if links else None
    return graph.span


def class_range(vtable: _ptr) -> tuple[int, int]:
    """The numbers ``[min, max)`` of the subclasses of the class with this vtable."""
    obj: Any = vtable._obj
    root = list(obj._TYPE._ancestors())[-1]
    return (
        obj._getfield(root, "subclassrange_min"),
        obj._getfield(root, "subclassrange_max"),
    )
