"""Which functions may raise, which always do, and which of their blocks then are cold.

f: x = int_add_ovf(a, b)            raises by itself (its row says so)
g: direct_call(f)                   raises because f does
h: direct_call(f), all caught       does not raise
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from rpython.lltypesystem.operations.llop import callees
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.facts import own_effects, raises_itself
from rpython.translator.opt.summaries import Fact


def catches_everything(block: Block) -> bool:
    """Does some handler of the block take any exception?"""
    return any(link.exitcase is BaseException for link in block.exits[1:])


def static_handler(block: Block, cls: type[BaseException]) -> Link | None:
    """The link that catches an exception known to be of class ``cls``, if any."""
    for link in block.exits[1:]:
        if issubclass(cls, link.exitcase):
            return link
    return None


def _leaves(graph: FunctionGraph, may_raise: Callable[[SpaceOperation], bool]) -> bool:
    """Does an exception leave the graph?"""
    for block in graph.iterblocks():
        if any(link.target is graph.exceptblock for link in block.exits):
            return True
        if any(may_raise(op) for op in uncaught_operations(block)):
            return True
        if block.canraise and not catches_everything(block) and may_raise(block.raising_op):
            known = own_effects(block.raising_op).raises
            if not known or any(static_handler(block, cls) is None for cls in known):
                return True
    return False


def uncaught_operations(block: Block) -> list[SpaceOperation]:
    """Those whose exceptions leave the function."""
    return block.operations[:-1] if block.canraise else block.operations


MAY_RAISE = Fact(
    "may raise", False, True, raises_itself, inside=False,
    of_graph=_leaves,
)  # fmt: skip


def _never_returns(graph: FunctionGraph, raises: Callable[[SpaceOperation], bool]) -> bool:
    """Does every way to the return block lead through a call that always raises?"""
    todo = [graph.startblock]
    seen = set(todo)
    while todo:  # in nearly every function this finds the return block soon
        block = todo.pop()
        if block is graph.returnblock:
            return False
        if any(raises(op) for op in uncaught_operations(block)):
            continue
        for link in block.exits:
            if link.target not in seen:
                seen.add(link.target)
                todo.append(link.target)
    # A loop that never ends raises nothing, but is not cold either.
    return graph.startblock in cold_blocks(graph, raises)


def cold_blocks(graph: FunctionGraph, raises: Callable[[SpaceOperation], bool]) -> set[Block]:
    """The blocks from which every way leads to an exception; ``raises``: does an operation always
    raise one?"""
    entering = predecessors(graph)
    todo = [
        block for block in entering
        if block is graph.exceptblock or block.is_unreachable
        or any(raises(op) for op in uncaught_operations(block))
    ]  # fmt: skip
    cold: set[Block] = set()
    while todo:
        block = todo.pop()
        if block in cold:
            continue
        cold.add(block)
        for link in entering[block]:
            before = link.prevblock
            if before is not None and all(exit.target in cold for exit in before.exits):
                todo.append(before)
    return cold


ALWAYS_RAISES = Fact(
    "always raises", False, False, lambda op: bool(callees(op).graphs), join=operator.and_,
    inside=False, of_graph=_never_returns,
)  # fmt: skip
