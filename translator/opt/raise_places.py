"""Where the ``raise`` statements of a graph are in the source, and which of them go on with the
traceback that an exception has already.

::

    b1(e):                              e was caught here: ``raise`` continues its traceback
        raise e                         (again), at the last place before it
    b2():
        x = malloc(ValueError)
        raise x                         starts one, at its own span

A graph says so itself only until a function is inlined in it: what was caught in one function and
is raised in another starts a traceback there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.translator.ir.home import Home
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Value, Variable
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import predecessors


def is_traced(graph: FunctionGraph) -> bool:
    """Do tracebacks show the function?  Not helpers, nor what stands for the library that CPython
    brings along: they would name files that nobody knows."""
    return not graph.is_helper and graph.home not in (Home.PRIVATE, Home.OVERLAY)


def settle_raises(graph: FunctionGraph) -> None:
    """Set ``span`` and ``again`` of every link that raises and has no ``again`` yet."""
    open_links = [
        (block, link)
        for block in graph.iterblocks()
        for link in block.exits
        if link.target is graph.exceptblock and link.again is None
    ]
    if not open_links:
        return
    continued = _continued_values(graph)
    entering = predecessors(graph)
    for block, link in open_links:
        value = link.args[0]
        told = any(op.opname == "raised_here" for op in block.operations)
        caught = link.span is None and isinstance(value, Variable)
        link.again = told or caught or value in continued
        link.span = link.span or _place(graph, block, entering)


def _place(graph: FunctionGraph, block: Block, entering: dict[Block, list[Link]]) -> Span:
    """Where the ``raise`` that ends the block is in the source: its last operation that has a
    place, else that of a block before it, else the function's."""
    seen: set[Block] = set()
    current: Block | None = block
    while current is not None and current not in seen:
        seen.add(current)
        for op in reversed(current.operations):
            if op.span.line > 0:
                return op.span
        links = entering[current]
        current = links[0].prevblock if links else None
    return graph.span


def _continued_values(graph: FunctionGraph) -> set[Value]:
    """The values that are an exception the function caught, or of which an operation said where
    they are raised: raising one of them continues its traceback instead of starting one."""
    passed: defaultdict[Value, list[Variable]] = defaultdict(list)
    todo: list[Value] = []
    for link in graph.iterlinks():
        if link.last_exc_value is not None:
            todo.append(link.last_exc_value)
        for arg, param in zip(link.args, link.target.inputargs):
            passed[arg].append(param)
    for _, op in graph.iterblockops():
        if row_of(op).derives is Derives.SAME:
            passed[op.args[0]].append(op.result)
    todo += _raised_here(graph)
    continued: set[Value] = set()
    while todo:
        v = todo.pop()
        if v not in continued:
            continued.add(v)
            todo += passed[v]
    return continued


def _raised_here(graph: FunctionGraph) -> Iterator[Value]:
    made_by: dict[Any, SpaceOperation] = {op.result: op for _, op in graph.iterblockops()}
    for _, op in graph.iterblockops():
        if op.opname == "raised_here":
            value = op.args[0]
            yield value
            while value in made_by and row_of(made_by[value]).derives is Derives.SAME:
                value = made_by[value].args[0]
                yield value
