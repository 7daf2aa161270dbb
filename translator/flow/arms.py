"""Move ``str(v)`` and ``bool(v)`` from the block where control flow joins into its predecessors, so
that the values which would meet in ``v`` may be of different kinds.

In: a graph whose variables are local to blocks.  Out: the first operations of some joins are on the
ways to them::

    b1: goto b3(n)                                  b1: t = format_value(n, '', '>4'); goto b3(t)
    b2: goto b3('none')                       ->    b2: u = format_value('none', '', '>4')
    b3(v): w = format_value(v, '', '>4')                goto b3(u)
                                                    b3(w):

    b0(a, s):  v = bool(a)                          b0(a, s):  v = bool(a)
               if v goto b1(s) else b1(a)     ->               if v goto b2(s) else b3(a)
    b1(x):     v = not_(x); ...                     b2(s):     v = not_(s); goto b1(v)
                                                    b3(a):     v = not_(a); goto b1(v)

What asks for a text is a field of an f-string, ``str``, ``repr``, ``print``, ``%``, ``format``.

Only what stands first in its block moves, with its handlers: the same objects are asked, as often
and in the same order.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Sequence

from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """What a join asks of the value that inputarg ``index`` brings, by its first ``count``
    operations.  ``truth``: a yes or a no."""

    index: int
    count: int
    truth: bool = False


class Joins:
    """The links into each block of a graph, and the blocks that they come from."""

    def __init__(self, graph: FunctionGraph) -> None:
        self.blocks = [block for block in graph.iterblocks() if block is not graph.startblock]
        self.entries: dict[Block, list[Link]] = {}
        self.origins: dict[Link, Block] = {}
        for block in graph.iterblocks():
            for link in block.exits:
                self.entries.setdefault(link.target, []).append(link)
                self.origins[link] = block

    def brings_several(self, block: Block, index: int) -> bool:
        """May an inputarg be the result of one of several operations, constants and arguments?"""
        found: set[Value] = set()
        seen = {(block, index)}
        pending = [(block, index)]
        while pending:
            block, index = pending.pop()
            for link in self.entries[block]:
                value, origin = link.args[index], self.origins[link]
                if value not in origin.inputargs or origin not in self.entries:
                    found.add(value)
                    continue
                above = (origin, origin.inputargs.index(value))
                if above not in seen:
                    seen.add(above)
                    pending.append(above)
        return len(found) > 1

    def question(self, block: Block) -> Question | None:
        """What is asked before the ways to the block join, if anything."""
        links = self.entries[block]
        if len(links) < 2 or not block.operations:
            return None
        for question in _questions(block):
            if not self.brings_several(block, question.index):
                continue
            if not question.truth:
                if all(link.last_exc_value is None for link in links):
                    return question
            elif any(isinstance(self.origins[link].exitswitch, Variable) for link in links):
                return question
        return None


def ask_in_arms(graph: FunctionGraph) -> bool:
    """Do so for some joins.  Were there any?"""
    joins = Joins(graph)
    asked = [(block, q) for block in joins.blocks if (q := joins.question(block)) is not None]
    # with a handler there will be new links, perhaps to another join: one at a time then
    plain = [(block, q) for block, q in asked if not _may_be_caught(block, q)]
    for block, question in plain or asked[:1]:
        _ask_before(block, question, joins.entries[block])
    return bool(asked)


def _may_be_caught(block: Block, question: Question) -> bool:
    """Have the operations that move exception links?"""
    return block.canraise and len(block.operations) == question.count


def _questions(block: Block) -> list[Question]:
    """What the first operations of a block ask of values that it does not need otherwise."""
    uses = _uses(block)
    first = block.operations[0]
    asked: list[tuple[Value, int, bool]] = []
    if first.opname in ("bool", "not_") or _calls(first, bool):
        asked = [(first.args[-1], 1, True)]
    elif first.opname == "format_value":
        if all(isinstance(arg, Constant) for arg in first.args[1:]):
            asked = [(first.args[0], 1, False)]
    elif _calls(first, str, repr, format):
        asked = [(first.args[1], 1, False)]
    elif first.opname == "newtuple" and len(block.operations) > 1:
        second = block.operations[1]
        if _has_template(second) and second.args[-1] is first.result and uses[first.result] == 1:
            asked = [(arg, 2, False) for arg in first.args]
    elif _has_template(first):
        asked = [(arg, 1, False) for arg in first.args[1:]]
    else:
        asked = [(arg, 1, False) for arg in _printed(first)]
    return [
        Question(block.inputargs.index(value), count, truth)
        for value, count, truth in asked
        if value in block.inputargs and uses[value] == 1 and _stays(block, count)
    ]


def _stays(block: Block, count: int) -> bool:
    """Does no handler need what the operations give?"""
    if not block.canraise or len(block.operations) > count:
        return True
    made = {op.result for op in block.operations}
    return all(made.isdisjoint(link.args) for link in block.exits[1:])


def _calls(op: SpaceOperation, *functions: object) -> bool:
    """Is it the call of one of the functions, with one argument that is no constant, the first?"""
    if op.opname != "simple_call" or len(op.args) < 2:
        return False
    callee, _, *others = op.args
    if not isinstance(callee, Constant) or not all(isinstance(arg, Constant) for arg in others):
        return False
    return any(callee.value is function for function in functions)


def _has_template(op: SpaceOperation) -> bool:
    """Is it ``template % arguments``, or a call of ``template.format``?"""
    template = op.args[0] if op.args else None
    if not isinstance(template, Constant):
        return False
    if op.opname == "mod":
        return isinstance(template.value, (str, bytes))
    if op.opname in ("simple_call", "call_args"):
        method = template.value
        return (
            isinstance(method, types.BuiltinMethodType)
            and type(method.__self__) is str
            and method.__name__ == "format"
        )
    return False


def _printed(op: SpaceOperation) -> Sequence[Value]:
    """What the operation prints, if it is a call of ``print``."""
    if op.opname not in ("simple_call", "call_args") or not isinstance(op.args[0], Constant):
        return ()
    if op.args[0].value is not print:
        return ()
    if op.opname == "simple_call":
        return op.args[1:]
    shape = op.args[1]
    assert isinstance(shape, Constant)
    assert isinstance(shape.value, CallShape)
    return op.args[2 : 2 + shape.value.positional]


def _uses(block: Block) -> Counter[Value]:
    uses: Counter[Value] = Counter(arg for op in block.operations for arg in op.args)
    uses.update(arg for link in block.exits for arg in link.args)
    if isinstance(block.exitswitch, Variable):
        uses[block.exitswitch] += 1
    return uses


def _ask_before(block: Block, question: Question, links: list[Link]) -> None:
    """Do what the question says on the links to the block, with its handlers."""
    inputargs = list(block.inputargs)
    asked = inputargs[question.index]
    caught = _may_be_caught(block, question)
    handlers = block.exits[1:] if caught else ()
    moved = block.operations[: question.count]
    del block.operations[: question.count]
    block.inputargs[question.index] = moved[-1].result
    for link in links:
        names: dict[Value, Value] = {v: v.copy() for v in inputargs}
        before = Block([v for v in names.values() if isinstance(v, Variable)])
        given = link.args[question.index]
        if isinstance(given, Constant):
            names[asked] = given
        for op in moved:
            args = [names.get(arg, arg) for arg in op.args]
            names[op.result] = result = op.result.copy()
            before.operations.append(SpaceOperation(op.opdef, args, result, op.span))
        onward = [names.get(v, v) for v in block.inputargs]
        if caught:
            before.exitswitch = block.exitswitch
        before.closeblock(Link(onward, block), *(_copied(h, names) for h in handlers))
        link.target = before
    if caught:
        block.exitswitch = None
        block.recloseblock(block.exits[0])


def _copied(handler: Link, names: dict[Value, Value]) -> Link:
    """The same exception link from another block."""
    assert handler.last_exc_value is not None
    caught = handler.last_exc_value.copy()
    names = {**names, handler.last_exc_value: caught}
    link = Link([names.get(arg, arg) for arg in handler.args], handler.target, handler.exitcase)
    link.last_exc_value, link.span = caught, handler.span
    return link
