"""Which pointers a function has to put on the shadow stack, where, and when each is stale.

An operation that may collect moves objects.  A pointer used after it is *wanted* there: it is in
its slot of the function's frame on the shadow stack while the operation runs.  Afterwards the
variable is *stale*, and is loaded from its slot again before it is used.

Slots are given as registers are given to variables in SSA form: a walk down the dominator tree,
each variable taking the first slot that no other one needs where it is made, which is as few as
can be (Hack, Grund and Goos, "Register Allocation for Programs in SSA-Form", 2006).
"""

from __future__ import annotations

from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Variable
from rpython.translator.ir.traversal import predecessors
from rpython.translator.lower.context import Context
from rpython.translator.lower.liveness import Liveness
from rpython.translator.lower.pointers import Pointers, is_gc_pointer, is_raw_pointer
from rpython.translator.opt.facts import MAY_COLLECT


class Occupied:
    """Which slots sets of variables take, as bits: sets that are asked for one after the other
    differ by little."""

    def __init__(self, live: Liveness, slots: dict[Variable, int], width: int = 1) -> None:
        self.slots = slots
        self._live = live
        self._width = (1 << width) - 1
        self._variables = 0
        self._bits = 0

    def by(self, variables: int) -> int:
        """The slots of these variables, each of which has its own."""
        for v in self._live.members(self._variables & ~variables):
            self._bits &= ~(self._width << self.slots[v])
        for v in self._live.members(variables & ~self._variables):
            self._bits |= self._width << self.slots[v]
        self._variables = variables
        return self._bits


class Roots:
    """The roots of one graph; sets of variables are those of ``live``.

    ``wanted``: for each operation that may collect, the variables wanted there.  ``slots``: the
    slot of each that has one; an inner pointer (``Pointers``) has two, after those of all objects.
    ``stale_at_start``: for each block, what is stale on all ways there: nobody has to load it on
    the way.
    """

    def __init__(self, graph: FunctionGraph, context: Context) -> None:
        self.graph = graph
        self.pointers = Pointers(graph, context.inner_parameters(graph))
        summaries = context.summaries
        collecting = {
            op for _, op in graph.iterblockops() if summaries.of_op(MAY_COLLECT, op)
        }
        self.wanted: dict[SpaceOperation, int] = {}
        self.slots: dict[Variable, int] = {}
        if not collecting:
            return
        self.live = Liveness(graph, self.pointers.needed)
        self.entering = predecessors(graph)
        after = self.live.after(collecting)
        self.across = {op: after[op] & ~self.live.bit(op.result) for op in collecting}
        """What is used after each such operation, and was before."""
        self.wanted = {op: bits | self._owners(op) for op, bits in self.across.items()}
        self.tracked = 0
        for bits in self.wanted.values():
            self.tracked |= bits
        self._give_slots()
        self._touched = {block: self._touch(block) for block in self.live.blocks}
        self.stale_at_start = self._find_stale()

    def _owners(self, op: SpaceOperation) -> int:
        """The objects that operands point into: they are not freed while the operation runs."""
        owners = [
            self.pointers.base(arg) for arg in op.args if is_raw_pointer(arg.concretetype)
        ]
        return self.live.made(base for base in owners if isinstance(base, Variable))

    def is_inner(self, v: Variable) -> bool:
        """Is it a raw pointer that cannot be made again?"""
        return not is_gc_pointer(v.concretetype) and self.pointers.base(v) is None

    # -- slots

    def _give_slots(self) -> None:
        objects = inner = 0
        for v in self.live.members(self.tracked):
            if is_gc_pointer(v.concretetype):
                objects |= self.live.bit(v)
            elif self.is_inner(v):
                inner |= self.live.bit(v)
        self.objects, self.inner = objects, inner
        count = self._color(objects)
        self._color(inner)
        for v in self.live.members(inner):
            self.slots[v] = count + 2 * self.slots[v]

    def _color(self, group: int) -> int:
        """Give each variable of the group the first slot that is free where it is made; how many
        slots there are."""
        if not group:
            return 0
        live = self.live
        makers = {op for _, op in self.graph.iterblockops() if live.bit(op.result) & group}
        after = live.after(makers)
        taken = Occupied(live, {})
        count = 0
        for block in live.blocks:
            inputs = live.made(block.inputargs) & live.at_start[block] & group
            others = live.at_start[block] & group & ~inputs
            for v in live.members(inputs):
                count = max(count, self._take(v, taken, others))
                others |= live.bit(v)
            for op in block.operations:
                if op in makers:
                    others = after[op] & group & ~live.bit(op.result)
                    count = max(count, self._take(op.result, taken, others))
        self.slots.update(taken.slots)
        return count

    def _take(self, v: Variable, taken: Occupied, others: int) -> int:
        """Give ``v`` the first slot that none of the others has; one more than its number."""
        bits = taken.by(others)
        slot = (~bits & (bits + 1)).bit_length() - 1
        taken.slots[v] = slot
        return slot + 1

    # -- staleness

    def _touch(self, block: Block) -> tuple[int, int]:
        """(what is stale at the end of the block, what is there as it was at the start)."""
        stale, untouched = 0, self.tracked
        for op in block.operations:
            changed = self.live.used_by(op) | self.live.bit(op.result)
            across = self.across.get(op, 0)
            stale = stale & ~changed | across
            untouched &= ~(changed | across)
        return stale, untouched

    def stale_at_end(self, block: Block) -> int:
        stale, untouched = self._touched[block]
        return stale | self.stale_at_start[block] & untouched

    def to_load(self, link: Link) -> int:
        """What has to be loaded on the way along a link."""
        block, target = link.prevblock, link.target
        assert block is not None
        fresh = self.live.at_start[target] & ~self.live.made(target.inputargs)
        fresh &= ~self.stale_at_start[target]
        return self.stale_at_end(block) & (self.live.used_by(link) | fresh)

    def _find_stale(self) -> dict[Block, int]:
        """The greatest solution: a loop does not make fresh what it does not use."""
        live = self.live
        self.stale_at_start = {
            block: live.at_start[block] & self.tracked & ~live.made(block.inputargs)
            for block in live.blocks
        }
        self.stale_at_start[self.graph.startblock] = 0
        changed = True
        while changed:
            changed = False
            for block in live.blocks:
                stale = self.stale_at_start[block]
                for link in self.entering[block]:
                    assert link.prevblock is not None
                    stale &= self.stale_at_end(link.prevblock) & ~live.used_by(link)
                if stale != self.stale_at_start[block]:
                    self.stale_at_start[block] = stale
                    changed = True
        return self.stale_at_start
