"""Where a pass puts operations that belong to one link, or between the ends of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from rpython.lltypesystem.llops import LLOPS
from rpython.lltypesystem.types import Void
from rpython.translator.ir.model import Block, Link, SpaceOperation, Value, Variable
from rpython.translator.ir.span import UNKNOWN_SPAN, Span


def new_op(
    name: str, args: Sequence[Value], result: Variable | None = None, span: Span = UNKNOWN_SPAN
) -> SpaceOperation:
    """The operation of that name; without ``result``, one that gives nothing."""
    return SpaceOperation(LLOPS[name], args, result or Variable("v", Void), span)


def block_of_edge(link: Link) -> Block:
    """A block that is passed exactly by those who take the link, to append operations to: the
    block that the link leaves, where that is its only exit, else a new one on the way."""
    block = link.prevblock
    assert block is not None
    if len(block.exits) == 1:
        return block
    between = Block([])
    onward = Link(link.args, link.target)
    onward.span = link.span
    between.closeblock(onward)
    link.args, link.target, link.span = [], between, None
    return between
