"""Where a pass puts operations that belong to one link, or between the ends of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Void
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Value, Variable
from rpython.translator.ir.span import UNKNOWN_SPAN, Span
from rpython.translator.ir.traversal import predecessors, reverse_postorder


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
    onward.take_place_of(link)
    between.closeblock(onward)
    link.args, link.target, link.span = [], between, None
    return between


def only_predecessors(graph: FunctionGraph) -> Iterator[tuple[Block, Block | None]]:
    """Each block, after those that dominate it, and the block from which alone one comes to it;
    None: there are several."""
    entering = predecessors(graph)
    for block in reverse_postorder(graph):
        links = entering[block]
        only = len(links) == 1 and block is not graph.startblock
        yield block, links[0].prevblock if only else None
