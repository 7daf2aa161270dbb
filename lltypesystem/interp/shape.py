"""Questions about the shape of a graph that ``interp.codegen`` asks."""

from __future__ import annotations

from collections.abc import Container

from rpython.translator.ir.model import Block, FunctionGraph, Variable


def count_uses(graph: FunctionGraph) -> dict[Variable, int]:
    """How often each variable is read, by operations, branches and links; 0: is not there."""
    uses: dict[Variable, int] = {}
    for block in graph.iterblocks():
        read = [arg for op in block.operations for arg in op.args]
        read += [arg for link in block.exits for arg in link.args]
        if isinstance(block.exitswitch, Variable):
            read.append(block.exitswitch)
        for arg in read:
            if isinstance(arg, Variable):
                uses[arg] = uses.get(arg, 0) + 1
    return uses


def is_straight(block: Block, arms: Container[Block]) -> bool:
    """Do jumps out of the inlined blocks from ``block`` on happen only at the end?"""
    while True:
        if block.exitswitch is not None or not block.exits:
            return False
        target = block.exits[0].target
        if target in arms or not target.exits:
            return True
        block = target
