"""Put a function in the place of one call.

::

    graph callee(x):                    graph caller():
    b0(x):                              b0():
        y = int_add_ovf(x, 1)               goto b1(3)
        return y                ->      b1(x1):
    graph caller():                         y1 = int_add_ovf(x1, 1)
    b0():                                   goto b2(y1)
        y = direct_call(@callee, 3)     b2(y):
        return y                            return y

The steps of Cinder's inliner (document 001): copy the callee's graph, of which every ``return`` is
a link to one block; split the block behind the call; link both in place of the call; the
parameters are the arguments of the copy's first block, and the call's result is that of the block
behind it.  Where Cinder pushes and pops shadow frames, each place in the copy says at which call it
was inlined (``Span.inlined_at``), and tracebacks name both.

What the call's handlers catch, each operation of the copy then catches that may raise: its block
ends there.  ``inline_raises`` says where the copy's own ``raise`` goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rpython.lltypesystem.primitives import Void
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
)
from rpython.translator.ir.span import Span
from rpython.translator.opt.inline_raises import destination, known_classes, raises_of
from rpython.translator.opt.raise_places import is_traced, settle_raises
from rpython.translator.opt.rewrite import copy_exception_link

MayRaise = Callable[[SpaceOperation], bool]


def inline_call(
    caller: FunctionGraph,
    block: Block,
    call: SpaceOperation,
    callee: FunctionGraph,
    may_raise: MayRaise,
) -> dict[Block, Block]:
    """Put a copy of ``callee`` in the place of ``call``, a direct call in ``block``; the result is
    the blocks of the copy, with the block of the callee that each is of.

    ``may_raise``: of an operation, its callees included.  The caller's raises must be settled
    (``settle_raises``), which they still are afterwards.  Where the call's handlers may catch what
    the callee raises, ``can_land`` must hold."""
    settle_raises(callee)
    handlers = block.exits[1:] if block.canraise and call is block.raising_op else ()
    copy = copy_graph(callee, span_of=_Places(caller, callee, call.span))
    rest = _split_behind(block, call)
    depth = len(list(call.span.frames()))
    copies = {
        each: original
        for each, original in zip(copy.iterblocks(), list(callee.iterblocks()), strict=True)
        if each.is_closed
    }
    classes = known_classes(copy) if handlers else {}
    for each in copies:
        for link in each.exits:
            if link.last_exc_value is not None:
                link.depth += depth
            if link.target is copy.returnblock:
                link.target, link.span = rest, None
            elif link.target is copy.exceptblock:
                landing = destination(link, handlers, classes)
                if isinstance(landing, Link):
                    link.args, link.target = list(landing.args), landing.target
                    link.take_place_of(landing)
                else:
                    assert landing == "leaves"
                    link.target = caller.exceptblock
    if handlers:
        for each, original in list(copies.items()):
            for behind in _catch(each, handlers, may_raise):
                copies[behind] = original
    args = [
        arg if v.concretetype is not Void else Constant(None, Void)
        for arg, v in zip(call.args[1:], copy.getargs(), strict=True)
    ]
    block.recloseblock(Link(args, copy.startblock))
    return copies


class _Places:
    """Where the operations of an inlined function are."""

    def __init__(self, caller: FunctionGraph, callee: FunctionGraph, call: Span) -> None:
        self._callee = callee
        self._hidden = not is_traced(callee)
        self._call = call
        if call.line <= 0:
            self._call = replace(caller.span, inlined_at=call.inlined_at)
        self._known: dict[Span, Span] = {}

    def __call__(self, span: Span) -> Span:
        known = self._known.get(span)
        if known is None:
            known = self._known[span] = self._inlined(span)
        return known

    def _inlined(self, span: Span) -> Span:
        if span.inlined_at is not None:
            return replace(span, inlined_at=self(span.inlined_at))
        own = span if span.line > 0 else self._callee.span
        function = self._callee.name if own.function == "?" else own.function
        hidden = self._hidden or span.hidden
        return replace(own, function=function, hidden=hidden, inlined_at=self._call)


def can_land(callee: FunctionGraph, handlers: Sequence[Link]) -> bool:
    """Is it known of all that the function raises itself, with a link to its except block, which of
    the handlers catches it, without looking at it, if any does?"""
    classes = known_classes(callee)
    return all(destination(link, handlers, classes) != "unknown" for link in raises_of(callee))


def _split_behind(block: Block, call: SpaceOperation) -> Block:
    """End the block before the call; the result is a block for what was behind, which is given the
    call's result."""
    rest = Block([call.result])
    rest.operations = _take_behind(block.operations, call)
    if block.canraise and not rest.operations:
        rest.recloseblock(block.exits[0])
    else:
        rest.exitswitch = block.exitswitch
        rest.recloseblock(*block.exits)
    block.exitswitch = None
    block.exits = ()
    return rest


def _take_behind(operations: list[SpaceOperation], call: SpaceOperation) -> list[SpaceOperation]:
    """Take the call and what is behind it away, which the result is, in as many steps."""
    behind = []
    while (op := operations.pop()) is not call:
        behind.append(op)
    return behind[::-1]


def _catch(block: Block, handlers: Sequence[Link], may_raise: MayRaise) -> list[Block]:
    """Let the handlers catch what the operations of the block raise and nobody in it catches; the
    result is the blocks that continue it."""
    operations, exits, switch = block.operations, block.exits, block.exitswitch
    block.operations = []
    following: list[Block] = []
    for number, op in enumerate(operations, 1):
        block.operations.append(op)
        if not may_raise(op):
            continue
        if switch is LAST_EXCEPTION and number == len(operations):
            if not _catches_everything(exits):
                exits = (*exits, *map(copy_exception_link, handlers))
            break
        following.append(Block([]))
        block.exitswitch = LAST_EXCEPTION
        block.recloseblock(Link([], following[-1]), *map(copy_exception_link, handlers))
        block = following[-1]
    block.exitswitch = switch
    block.recloseblock(*exits)
    return following


def _catches_everything(exits: Sequence[Link]) -> bool:
    return any(link.exitcase is BaseException for link in exits[1:])
