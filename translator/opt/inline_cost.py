"""What inlining a function costs, and where it may cost how much.

The cost of a function is about the number of machine instructions that it is made of, those of
blocks that only lead to an exception counted as few.  What a call may cost depends on how often it
is made, and on what would be known of the arguments: a constant decides branches, and an object
that the caller has just made, and that the callee only looks into, need not be made at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rpython.lltypesystem.operations.llop import Derives, callees, makes_object, row_of
from rpython.lltypesystem.operations.seldom import calls_seldom
from rpython.lltypesystem.primitives import Void
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Variable
from rpython.translator.ir.records import dataclass

LIMIT = 12
"""What a call may cost at least."""
IN_LOOP = 16
"""What it may cost more where it is in a loop."""
CONSTANT = 3
"""What it may cost more for each argument that is a constant."""
OBJECT = 20
"""What it may cost more for each argument that the caller has made."""
ONLY_CALL = 40
"""What it may cost more where nobody else calls the function."""
GROWTH = 400
"""Cost that a function may gain by inlining, and three times what it had."""
DEPTH = 6
"""Calls up to which a function is inlined in one that is inlined, and so on."""


def cost_of_op(op: SpaceOperation) -> int:
    """About how many instructions the operation becomes."""
    row = row_of(op)
    if row.derives is Derives.SAME or (op.result.concretetype is Void and row.effects.is_pure):
        return 0
    if row.is_call:
        return 3 if calls_seldom(op) else 5 + len(op.args)
    if makes_object(op):
        return 6
    return 1 + bool(row.can_raise)


def cost_of(
    graph: FunctionGraph, cold: set[Block], cost_of_op: Callable[[SpaceOperation], int]
) -> int:
    """The cost of a graph, ``cold`` being the blocks that are seldom entered."""
    total = 0
    for block in graph.iterblocks():
        if block in cold:
            total += bool(block.operations)
            continue
        total += sum(map(cost_of_op, block.operations))
        total += isinstance(block.exitswitch, Variable)
    return total


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call that may be inlined.  ``loops``: in how many loops it is.  ``made``: the arguments
    that the caller has made.  ``only``: nobody else calls the function."""

    loops: int
    constants: int
    made: int
    only: bool

    @property
    def limit(self) -> int:
        """What inlining it may cost."""
        return (
            LIMIT + IN_LOOP * min(self.loops, 2) + CONSTANT * min(self.constants, 3)
            + OBJECT * self.made + ONLY_CALL * self.only
        )  # fmt: skip


def constant_arguments(call: SpaceOperation) -> int:
    """How many arguments of a direct call are constants that code can depend on."""
    return sum(isinstance(arg, Constant) and arg.concretetype is not Void for arg in call.args[1:])


def calls_of(
    blocks: Iterable[Block], wanted: Callable[[FunctionGraph], bool]
) -> Iterable[tuple[Block, SpaceOperation, FunctionGraph]]:
    """The direct calls in some blocks to functions of the program, with their blocks."""
    for block in blocks:
        for op in block.operations:
            called = callees(op)
            if called.direct and called.graphs and wanted(called.graphs[0]):
                yield block, op, called.graphs[0]
