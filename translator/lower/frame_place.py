"""Look where a function's frame on the shadow stack begins only on the ways that use it.

::

    b0(p):                                  b0(p):
        v0 = int_eq(n, m)                       v0 = int_eq(n, m)
        if v0 goto b1() else return p           if v0 goto b1() else return p
    b1():                             ->    b1():
        gc_save_root(0, p)                      gc_find_frame()
        ...                                     gc_save_root(0, p)
                                                ...

Where all the ways that use the frame come through one block, in no loop, in front of which no slot
of it is in use, that block looks: the others, as those that need not grow a list, do not load it,
and have one more register.  Without the operation a function looks when it begins.
"""

from __future__ import annotations

from collections.abc import Callable

from rpython.lltypesystem.operations.llop import row_of
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import Block, FunctionGraph
from rpython.translator.ir.traversal import natural_loops
from rpython.translator.lower.edges import new_op


def place_frame(graph: FunctionGraph, is_empty: Callable[[Block], bool]) -> None:
    """Do that in a graph with roots.  ``is_empty``: is no slot in use at the start of a block?"""
    users = [
        block for block in graph.iterblocks()
        if any(row_of(op).in_frame for op in block.operations)
    ]  # fmt: skip
    if not users or graph.startblock in users:
        return
    tree = DominatorTree(graph)
    in_loops: set[Block] = set()
    for _, body in natural_loops(graph):
        in_loops |= body
    place: Block | None = users[0]
    while place is not None and not (
        place not in in_loops and is_empty(place) and all(tree.dominates(place, b) for b in users)
    ):
        place = tree.idom[place]
    if place is not None and place is not graph.startblock:
        place.operations.insert(0, new_op("gc_find_frame", []))
