"""Take new objects from the nursery, and collect only where it is full.

::

    b0(n):                                          b0(n):
        try p = malloc(type T, {..})                    try q = nursery_malloc(type T, {..})
            goto b1(p)                  ->                  goto b4(q)
            except BaseException goto b2()                  except BaseException goto b3()
                                                    b3():
                                                        try r = collecting_malloc(type T, {..})
                                                            goto b4(r)
                                                            except BaseException goto b2()
                                                    b4(p: *T):
                                                        goto b1(p)
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
)
from rpython.translator.lower.context import Context


def split_allocations(graph: FunctionGraph, context: Context) -> bool:
    """Do that after ``lower_exceptions``; were there any?"""
    blocks = [
        block for block in graph.iterblocks()
        if block.operations and _makes_object(block.operations[-1])
    ]  # fmt: skip
    for block in blocks:
        assert block.canraise, "an allocation may fail"
        _split(block)
    return bool(blocks)


def _makes_object(op: SpaceOperation) -> bool:
    if op.opname not in ("malloc", "malloc_varsize"):
        return False
    flags = op.args[1]
    assert isinstance(flags, Constant)
    return bool(flags.value.get("flavor", "gc") == "gc")


def _split(block: Block) -> None:
    op = block.operations.pop()
    normal, failed = block.exits
    joined, collecting = Block([op.result]), Block([])
    fast, slow = op.result.copy(), op.result.copy()
    block.operations.append(
        SpaceOperation(LLOPS[f"nursery_{op.opname}"], op.args, fast, op.span)
    )
    block.recloseblock(Link([fast], joined), Link([], collecting, BaseException))
    collecting.operations.append(
        SpaceOperation(LLOPS[f"collecting_{op.opname}"], op.args, slow, op.span)
    )
    collecting.exitswitch = LAST_EXCEPTION
    collecting.closeblock(Link([slow], joined), failed)
    joined.closeblock(normal)
