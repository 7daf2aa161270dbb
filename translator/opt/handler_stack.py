"""Remove ``handler_enter`` and ``handler_leave`` of handlers that raise nothing.

::

    b2(e):                              b2(e):
        handler_enter(e, 0)     ->          v = getfield(self, 'inst_default')
        v = getfield(self, ..)              goto b3(v)
        handler_leave(0)
        goto b3(v)

They only matter for what is raised in between.  A function keeps all of them or none: those of a
handler that raises nothing tell where it is when another one has been left by an exception.
"""

from __future__ import annotations

from collections.abc import Callable

from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.opt.facts import NOTES_EXCEPTIONS
from rpython.translator.opt.summaries import Summaries

_MARKS = ("handler_enter", "handler_leave")


def remove_handler_marks(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Do that; were there any?"""
    begins = [
        (block, index)
        for block in graph.iterblocks()
        for index, op in enumerate(block.operations)
        if op.opname == "handler_enter"
    ]

    def notes(op: SpaceOperation) -> bool:
        return summaries.of_op(NOTES_EXCEPTIONS, op)

    if not begins or any(_may_raise(graph, block, index, notes) for block, index in begins):
        return False
    for block in graph.iterblocks():
        block.operations = [op for op in block.operations if op.opname not in _MARKS]
    return True


def _may_raise(
    graph: FunctionGraph, start: Block, index: int, notes: Callable[[SpaceOperation], bool]
) -> bool:
    """May anything raise between the operation and the end of the handler?"""
    todo = [(start, start.operations[index + 1 :])]
    seen: set[Block] = set()
    while todo:
        block, operations = todo.pop()
        if _ends(operations):
            if any(map(notes, operations[: _ends(operations) - 1])):
                return True
            continue
        if any(map(notes, operations)):
            return True
        for link in block.exits:
            if link.target is graph.exceptblock:
                return True
            if link.target not in seen:
                seen.add(link.target)
                todo.append((link.target, link.target.operations))
    return False


def _ends(operations: list[SpaceOperation]) -> int:
    """How many operations lead to the end of the handler, this included; 0: all, and more."""
    for number, op in enumerate(operations, 1):
        if op.opname == "handler_leave":
            return number
    return 0
