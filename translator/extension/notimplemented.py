"""Find what an operator's method returns for an operand of another type, by its first
``isinstance``.

    def __eq__(self, other: object) -> bool:      NotImplemented, for what is no Point
        if not isinstance(other, Point):
            return NotImplemented
        ...
    def __eq__(self, other):                      False
        return isinstance(other, Point) and ...
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import FlowError
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, Value
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True)
class Guard:
    """The method asks first of all whether the other operand is of class ``cls``; else its answer
    is ``otherwise``: NotImplemented or False."""

    cls: type
    otherwise: object


def guard_of(func: FunctionType) -> Guard | None:
    """How a method with one argument begins, if it begins in that way."""
    try:
        graph = build_flow(func)
    except FlowError:
        return None  # annotating it will say so
    args = graph.getargs()
    block = graph.startblock
    names = [op.opname for op in block.operations]
    if len(args) != 2 or names != ["simple_call", "bool"]:
        return None
    call, test = block.operations
    callee, value, cls = (*call.args, None, None)[:3]
    if not isinstance(callee, Constant) or callee.value is not isinstance or value is not args[1]:
        return None
    if not isinstance(cls, Constant) or not isinstance(cls.value, type):
        return None
    if test.args != [call.result] or block.exitswitch is not test.result:
        return None
    answer = _returned(graph, block, call.result)
    return None if answer is None else Guard(cls.value, answer.value)


def _returned(graph: FunctionGraph, block: Block, tested: Value) -> Constant | None:
    """What is returned at once when the test is false."""
    link: Link = next(link for link in block.exits if link.exitcase is False)
    if link.target is not graph.returnblock:
        return None
    value: Any = link.args[0]
    if value is tested:
        return Constant(False)
    fits = isinstance(value, Constant) and (value.value is NotImplemented or value.value is False)
    return value if fits else None
