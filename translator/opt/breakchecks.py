"""Insert safe points into loops, where signals and other threads can stop the program.

::

    b1(i):                                  b1(i):
        t0 = int_lt(i, n)           ->          break_check()
        if t0 goto b2() else return(i)          t0 = int_lt(i, n)
    b2():                                       ...
        f(i)                                b2():
        goto b1(i1)                             (as before)

A loop that only computes, without looking at memory, calling or raising, does without: it
would be slower for it, and usually ends soon.  So do low-level helpers, whose loops end when
they are through with some data, and functions that the front end gave safe points where they
belong (``translator.flow.breaks``).  Recursion needs none: checks of the stack are safe points.
"""

from __future__ import annotations

from lltypesystem.llops import LLOPS
from lltypesystem.types import Void
from translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Variable
from translator.ir.traversal import predecessors, reverse_postorder
from translator.opt.predicates import effects_of


def insert_break_checks(graph: FunctionGraph) -> bool:
    """Put ``break_check`` at the start of every loop that needs one; was there any?"""
    if not graph.checked or any(op.opname == "break_check" for _, op in graph.iterblockops()):
        return False
    headers = [header for header, body in _loops(graph) if not _only_computes(body)]
    for header in headers:
        span = next((op.span for op in header.operations if op.span.line), graph.span)
        check = SpaceOperation(LLOPS["break_check"], [], Variable("v", Void), span)
        header.operations.insert(0, check)
    return bool(headers)


def insert_turn_checks(graph: FunctionGraph) -> bool:
    """The same in a program with threads: the library is not interrupted, as CPython's is not
    where it is written in C."""
    return not is_library(graph) and insert_break_checks(graph)


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


def _only_computes(body: set[Block]) -> bool:
    """Does the loop compute with numbers only, and may it end?"""
    for block in body:
        for op in block.operations:
            effects = effects_of(op)
            if effects.reads or effects.writes or effects.collects or effects.raises:
                return False
    return any(link.target not in body for block in body for link in block.exits)
