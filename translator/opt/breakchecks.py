"""Insert safe points into loops, where signals and other threads can stop the program.

::

    b1(i):                                  b1(i):
        t0 = int_lt(i, n)           ->          break_check()
        if t0 goto b2() else return(i)          t0 = int_lt(i, n)
    b2():                                       ...
        f(i)                                b2():
        goto b1(i1)                             (as before)

A loop without others in it that looks through the items of a list or the like, and changes, calls
and raises nothing, does without: it could be twice as slow for it, and ends soon.  So does one that
is known to be short, low-level helpers, whose loops end when they are through with some data, and
functions that the front end gave safe points where they belong (``translator.flow.breaks``).
Recursion needs none: checks of the stack are safe points.
"""

from __future__ import annotations

from typing import Any

from lltypesystem.llops import LLOPS
from lltypesystem.types import Void
from translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from translator.ir.traversal import predecessors, reverse_postorder
from translator.opt.predicates import effects_of


def insert_break_checks(graph: FunctionGraph, threaded: bool = False) -> bool:
    """Put ``break_check`` at the start of every loop that needs one; was there any?
    ``threaded``: what a loop waits for may come from another thread."""
    if not graph.checked or any(op.opname == "break_check" for _, op in graph.iterblockops()):
        return False
    loops = dict(_loops(graph))
    made: Producers = {op.result: op for _, op in graph.iterblockops()}
    headers = [
        header
        for header, body in loops.items()
        if not _is_short(header, body, made)
        and not (_looks_through(header, body, made, threaded) and loops.keys() & body == {header})
    ]
    for header in headers:
        span = next((op.span for op in header.operations if op.span.line), graph.span)
        check = SpaceOperation(LLOPS["break_check"], [], Variable("v", Void), span)
        header.operations.insert(0, check)
    return bool(headers)


def insert_turn_checks(graph: FunctionGraph) -> bool:
    """The same in a program with threads: the library is not interrupted, as CPython's is not
    where it is written in C."""
    return not is_library(graph) and insert_break_checks(graph, True)


def is_library(graph: FunctionGraph) -> bool:
    """Does the graph come from what the toolchain brings along?"""
    module = str(getattr(graph.func, "__globals__", {}).get("__name__", ""))
    return module.startswith(("rpython.rlib.", "annotator.library"))


def _loops(graph: FunctionGraph) -> list[tuple[Block, set[Block]]]:
    """The blocks at which loops are entered, and the blocks of the loops."""
    number = {block: i for i, block in enumerate(reverse_postorder(graph))}
    entering = predecessors(graph)
    back: dict[Block, list[Link]] = {}
    for link in graph.iterlinks():
        assert link.prevblock is not None
        if number[link.target] <= number[link.prevblock]:
            back.setdefault(link.target, []).append(link)
    result = []
    for header, links in back.items():
        body = {header}
        todo = [link.prevblock for link in links if link.prevblock is not None]
        while todo:
            block = todo.pop()
            if block not in body:
                body.add(block)
                todo += [link.prevblock for link in entering[block] if link.prevblock is not None]
        result.append((header, body))
    return result


SHORT = 64
"""Iterations after which nobody waits for a loop in vain."""

LENGTHS = frozenset({"getarraysize", "getinteriorarraysize"})

Producers = dict[Any, SpaceOperation]
"""The operation that makes a variable."""


def _is_short(header: Block, body: set[Block], made: Producers) -> bool:
    """Is it the loop ``for i in range(constant)`` for a small one?"""
    limit = _limit(header, body, made)
    return isinstance(limit, Constant) and limit.value <= SHORT


def _looks_through(header: Block, body: set[Block], made: Producers, threaded: bool) -> bool:
    """Does the loop no more than look at items, which do not change meanwhile?"""
    limit = made.get(_limit(header, body, made))
    if limit is None or not _is_length(limit):
        return False
    for block in body:
        for op in block.operations:
            effects = effects_of(op)
            if (threaded and effects.reads) or effects.writes or effects.collects or effects.raises:
                return False
    return True


def _is_length(op: SpaceOperation) -> bool:
    if op.opname != "getfield":
        return op.opname in LENGTHS
    name = op.args[1]
    return isinstance(name, Constant) and name.value == "length"


def _limit(header: Block, body: set[Block], made: Producers) -> Value | None:
    """What ends the loop, if it is one that counts up to something."""
    test = made.get(header.exitswitch)
    if test is None or test.opname != "int_lt" or header.exits[0].target in body:
        return None
    counter, limit = test.args
    if counter not in header.inputargs:
        return None
    place = header.inputargs.index(counter)
    entering = [link for block in body for link in block.exits if link.target is header]
    steps = [made.get(link.args[place]) for link in entering]
    if all(
        step is not None and step.opname == "int_add" and step.args[0] is counter
        and isinstance(step.args[1], Constant) and step.args[1].value > 0
        for step in steps
    ):  # fmt: skip
        return limit
    return None
