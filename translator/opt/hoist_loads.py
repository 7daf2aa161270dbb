"""Load once what a loop loads again and again: loop-invariant code motion of loads.

::

    b0(xs, n):                              b0(xs, n):
        goto b1(0)                              t1 = ptr_nonzero(xs)
    b1(i: Signed):                              if t1 goto b4() else b5(0)
        t0 = int_lt(i, n)                   b4():
        if t0 goto b2() else return i           k = getarraysize(xs)
    b2():                           ->          goto b5(k)
        k = getarraysize(xs)                b5(k1: Signed):
        i1 = int_add(i, k)                      goto b1(0)
        goto b1(i1)                         b1(i: Signed):
                                                t0 = int_lt(i, n)
                                                if t0 goto b2() else return i
                                            b2():
                                                i1 = int_add(i, k1)
                                                goto b1(i1)

Loads of fields and of lengths through pointers that the loop does not change, from places that it
does not write (``memory_versions``), happen in front of it.  There a pointer may be null with
which the loop does nothing: then nothing is loaded.  Arithmetic is left to the C compiler, which
knows as much of it; of memory it knows less.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Bool, Void
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import has_loop
from rpython.translator.opt.facts import MAY_COLLECT
from rpython.translator.opt.loops import Loop, loops_of
from rpython.translator.opt.memory_versions import MemoryLocations
from rpython.translator.opt.ranges.across_calls import never_null
from rpython.translator.opt.rewrite import Substitution, may_rewrite
from rpython.translator.opt.summaries import Summaries


def hoist_loads(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Do that, as far out as it goes; was there any?"""
    if not has_loop(graph):
        return False
    tree = DominatorTree(graph)
    loops = [loop for loop in loops_of(graph, tree) if any(map(_loads, loop.body))]
    if not loops:
        return False
    hoisting = _Hoisting(graph, tree, summaries)
    for loop in reversed(loops):
        hoisting.work_on(loop)
    hoisting.known.apply(graph)
    return hoisting.changed


def _loads(block: Block) -> bool:
    return any(map(_is_load, block.operations))


def _is_load(op: SpaceOperation) -> bool:
    """Does it load a field or a length, with no index that may be wrong?"""
    row = row_of(op)
    named = all(arg.concretetype is Void for arg in op.args[1:])
    return (row.loads or row.form == "array_size") and named


class _Hoisting:
    """``known``: what has been loaded before.  ``changed``: is there any?"""

    def __init__(self, graph: FunctionGraph, tree: DominatorTree, summaries: Summaries) -> None:
        self.known = Substitution()
        self.changed = False
        self._graph = graph
        self._summaries = summaries
        self._memory = MemoryLocations(graph, summaries)
        self._tree = tree
        self._followed: dict[Value, list[Block]] = {}
        """The blocks in which a pointer is followed, or made."""
        for v in never_null(graph):
            self._followed[v] = [graph.startblock]
        for block, op in graph.iterblockops():
            if row_of(op).form in ("read_place", "write_place", "array_size"):
                self._followed.setdefault(op.args[0], []).append(block)

    def work_on(self, loop: Loop) -> None:
        """Hoist what the loop loads."""
        loads = list(self._invariant(loop))
        if not loads:
            return
        self.changed = True
        first = set(takewhile(lambda op: not row_of(op).can_raise, loop.header.operations))
        before = loop.insert_before()
        done: dict[tuple[object, ...], Value] = {}
        careful: dict[Value, _UnlessNull] = {}
        followed: set[Value] = set()
        for block, op in loads:
            block.operations.remove(op)
            pointer = op.args[0] = self.known[op.args[0]]
            key = (op.opname, pointer, *map(str, op.args[1:]))
            if key in done:
                self.known.add(op.result, done[key])
                continue
            done[key] = op.result
            if op in first or pointer in followed or self._is_followed(pointer, loop.header):
                before.operations.append(op)
                followed.add(pointer)
                continue
            if pointer not in careful:
                careful[pointer] = _UnlessNull(before, pointer, op.span)
                before = careful[pointer].behind
            careful[pointer].load(op)

    def _invariant(self, loop: Loop) -> Iterator[tuple[Block, SpaceOperation]]:
        """What the loop always loads from the same place, where it loads the same."""
        inside = loop.defined()
        written = self._memory.written_by_loop(loop.body)
        blocks = loop.in_order()
        moving = any(
            self._summaries.of_op(MAY_COLLECT, op) for block in blocks for op in block.operations
        )
        for block in blocks:
            for op in block.operations:
                pointer = op.args[0] if op.args else None
                if not isinstance(pointer, Variable) or not _is_load(op):
                    continue
                T = op.result.concretetype
                if moving and isinstance(T, Ptr) and T._gckind == "gc":
                    continue  # each collection would have to keep it: that costs what loading does
                if pointer.concretetype.TO._gckind == "raw" or self.known[pointer] in inside:
                    continue  # raw memory may have been freed where the loop does not look at it
                place = self._memory.accessed(op)
                if place is None or place & written or not may_rewrite(self._graph, op):
                    continue
                inside.discard(op.result)
                yield block, op

    def _is_followed(self, pointer: Value, header: Block) -> bool:
        """Has the pointer been followed on every way to the loop?"""
        blocks = self._followed.get(pointer, ())
        return any(self._tree.strictly_dominates(block, header) for block in blocks)


class _UnlessNull:
    """A branch at the end of a block, and what is loaded only if a pointer is not null.
    ``behind``: the block that comes next, anyway."""

    def __init__(self, block: Block, pointer: Value, span: Span) -> None:
        test = Variable("t", Bool)
        block.operations.append(SpaceOperation(LLOPS["ptr_nonzero"], [pointer], test, span))
        self._following, self.behind = Block([]), Block([])
        self.behind.closeblock(*block.exits)
        self._following.closeblock(Link([], self.behind))
        block.exitswitch = test
        block.recloseblock(Link([], self.behind, False), Link([], self._following, True))
        self._otherwise = block.exits[0]

    def load(self, op: SpaceOperation) -> None:
        """Load; where the pointer is null, the result is any value."""
        T = op.result.concretetype
        self.behind.inputargs.append(op.result)
        self._otherwise.args.append(Constant(T._defl(), T))
        op.result = op.result.copy()
        self._following.operations.append(op)
        self._following.exits[0].args.append(op.result)
