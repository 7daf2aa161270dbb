"""Arms of a conditional expression that are only turned into text become text before they meet:
they may be of different kinds then.

::

    b1: goto b3(n)                                  b1: t = format_value(n, '', '>4'); goto b3(t)
    b2: goto b3('none')                       ->    b2: u = format_value('none', '', '>4')
    b3(v): w = format_value(v, '', '>4')                goto b3(u)
                                                    b3(w):

    (and so with str(v) and repr(v))

    b3(v): simple_call(@print, v)             ->    b3(t): simple_call(@print, t), with
                                                    t = simple_call(@str, n) in b1, and so on

Only what stands first in its block moves, so that nothing happens in another order.
"""

from __future__ import annotations

from collections import Counter

from translator.ir.hlops import HLOPS, CallShape
from translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)


def make_texts_in_arms(graph: FunctionGraph) -> bool:
    """Do so everywhere in a graph whose variables are local to blocks; was there anything to do?"""
    entering: dict[Block, list[Link]] = {}
    for link in graph.iterlinks():
        entering.setdefault(link.target, []).append(link)
    done = False
    for block in list(graph.iterblocks()):
        links = entering.get(block, [])
        if block is graph.startblock or not block.operations:
            continue
        if len(links) > 1 and all(link.last_exc_value is None for link in links):
            done |= _move(block, links)
    return done


def _move(block: Block, links: list[Link]) -> bool:
    op = block.operations[0]
    uses = _uses(block)
    place = _made_text_of(op)
    if place is not None:
        shown = op.args[place]
        if shown not in block.inputargs or uses[shown] != 1:
            return False
        _add_arms(block, links, block.inputargs.index(shown), op)
        block.operations.pop(0)
        block.inputargs[block.inputargs.index(shown)] = op.result
        if block.canraise and not block.operations:
            block.exitswitch = None
            block.recloseblock(block.exits[0])
        return True
    done = False
    for place in _printed(op):
        shown = op.args[place]
        if shown in block.inputargs and uses[shown] == 1:
            number = block.inputargs.index(shown)
            text = Variable()
            call = SpaceOperation(HLOPS["simple_call"], [Constant(str), shown], text, op.span)
            _add_arms(block, links, number, call)
            block.inputargs[number] = op.args[place] = text
            done = True
    return done


def _made_text_of(op: SpaceOperation) -> int | None:
    """The place of the value whose text the operation gives, if it does only that."""
    if op.opname == "format_value":
        return 0 if all(isinstance(arg, Constant) for arg in op.args[1:]) else None
    if op.opname == "simple_call" and len(op.args) == 2 and isinstance(op.args[0], Constant):
        return 1 if op.args[0].value is str or op.args[0].value is repr else None
    return None


def _printed(op: SpaceOperation) -> range:
    """The places of what the operation prints, if it is a call of ``print``."""
    if op.opname not in ("simple_call", "call_args") or not isinstance(op.args[0], Constant):
        return range(0)
    if op.args[0].value is not print:
        return range(0)
    if op.opname == "simple_call":
        return range(1, len(op.args))
    shape = op.args[1]
    assert isinstance(shape, Constant)
    assert isinstance(shape.value, CallShape)
    return range(2, 2 + shape.value.positional)


def _uses(block: Block) -> Counter[Value]:
    uses: Counter[Value] = Counter(arg for op in block.operations for arg in op.args)
    uses.update(arg for link in block.exits for arg in link.args)
    if isinstance(block.exitswitch, Variable):
        uses[block.exitswitch] += 1
    return uses


def _add_arms(block: Block, links: list[Link], number: int, op: SpaceOperation) -> None:
    """Put a block on each way into ``block`` that makes the text of inputarg ``number``; if the
    operation is in the range of a handler, so is each copy."""
    for link in links:
        inputs = [v.copy() for v in block.inputargs]
        renamed: dict[Value, Value] = dict(zip(block.inputargs, inputs))
        arm = Block(inputs)
        args = [renamed.get(arg, arg) for arg in op.args]
        given = link.args[number]
        if isinstance(given, Constant):
            args = [given if arg is inputs[number] else arg for arg in args]
        text = Variable()
        arm.operations.append(SpaceOperation(op.opdef, args, text, op.span))
        passed: list[Value] = [*inputs]
        passed[number] = text
        exits = [Link(passed, block)]
        if block.canraise and len(block.operations) == 1:
            arm.exitswitch = block.exitswitch
            exits += [_handler_link(handler, renamed) for handler in block.exits[1:]]
        arm.closeblock(*exits)
        link.target = arm


def _handler_link(link: Link, renamed: dict[Value, Value]) -> Link:
    assert link.last_exc_value is not None
    caught = link.last_exc_value.copy()
    names = {**renamed, link.last_exc_value: caught}
    copy = Link([names.get(arg, arg) for arg in link.args], link.target, link.exitcase)
    copy.last_exc_value = caught
    copy.span = link.span
    return copy
