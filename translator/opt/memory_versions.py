"""Versions of memory: which loads of a graph may give the same.

::

    b1(i):                              every location that the loop writes has a version of its own
        n = getfield(a, "length")       at b1, as in SSA form; "length" has that of the block before
        ...                             the loop, so that the load gives what it gave there
        setarrayitem(items, i, x)
        goto b1(i1)

Where a block is reached from several places, a location has a new version if something on the way
from the block's immediate dominator may write it: the dominance frontiers of the writing blocks,
after Cytron et al., "Efficiently Computing Static Single Assignment Form" (1991), found as by
Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), for all locations at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rpython.lltypesystem.operations.effects import Location, Locations, overlap
from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.types import Struct
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.ir.traversal import natural_loops
from rpython.translator.opt.facts import EFFECTS
from rpython.translator.opt.repeatable import locations_read
from rpython.translator.opt.summaries import Summaries


class MemoryLocations:
    """The locations that a graph loads from, a bit for each."""

    def __init__(self, graph: FunctionGraph, summaries: Summaries) -> None:
        self._summaries = summaries
        self._bits: dict[Location, int] = {}
        self._calls: dict[SpaceOperation, int] = {}
        for _, op in graph.iterblockops():
            if row_of(op).loads:
                self._bits_for(row_of(op).effects_of(op).reads)
            elif row_of(op).is_call and (read := locations_read(op, summaries)) is not None:
                self._calls[op] = self._bits_for(read)
        self._known: dict[Locations, int] = {}
        self._everything = (1 << len(self._bits)) - 1
        self.interrupted = summaries.threaded and not graph.is_helper
        """May other threads run wherever a loop begins again?"""

    def __bool__(self) -> bool:
        return bool(self._bits)

    def _bits_for(self, locations: Locations) -> int:
        result = 0
        for location in locations:
            result |= self._bits.setdefault(location, 1 << len(self._bits))
        return result

    def read_by_call(self, op: SpaceOperation) -> int | None:
        """The locations on which the result of a call depends, besides its operands; None: on more
        than that, or it is no call."""
        return self._calls.get(op)

    def written_in(self, block: Block) -> int:
        result = 0
        for op in block.operations:
            result |= self.written(op)
        return result

    def written_by_loop(self, body: Iterable[Block]) -> int:
        """The locations that may be written from one turn of a loop to the next."""
        result = self._everything if self.interrupted else 0
        for block in body:
            result |= self.written_in(block)
        return result

    def written(self, op: SpaceOperation) -> int:
        """The locations that the operation may write.  In a program with threads, a call may run
        any of them: functions get safe points later."""
        row = row_of(op)
        if not (row.effects.writes or row.safepoint):
            return 0
        if self._summaries.threaded and row.is_call:
            return self._everything
        writes = self._summaries.of_op(EFFECTS, op).writes
        bits = self._known.get(writes)
        if bits is None:
            bits = 0
            for location, bit in self._bits.items():
                if overlap(writes, (location,)):
                    bits |= bit
            self._known[writes] = bits
        return bits

    def accessed(self, op: SpaceOperation) -> int | None:
        """The location that the operation loads from or stores to; 0: what is there never changes,
        as lengths of arrays; None: nothing is known of it, or nothing is loaded there."""
        T = op.args[0].concretetype.TO
        hints = T._hints if isinstance(T, Struct) else {}
        if hints.get("immutable"):
            return 0
        if T._gckind == "raw" or "weak_fields" in hints:
            return None
        if row_of(op).form == "array_size":
            return 0
        effects = row_of(op).effects_of(op)
        (location,) = effects.reads or effects.writes
        return self._bits.get(location)


class MemoryVersions(MemoryLocations):
    """The versions of the locations: ``merged`` has a bit for each one that has a new version at
    the begin of the block."""

    def __init__(self, graph: FunctionGraph, tree: DominatorTree, summaries: Summaries) -> None:
        super().__init__(graph, summaries)
        self.merged: dict[Block, int] = {}
        if self:
            if self.interrupted:
                headers = [header for header, _ in natural_loops(graph)]
                self.merged = dict.fromkeys(headers, self._everything)
            written = {block: self.written_in(block) for block in tree.order}
            self.merged = _merge(tree, written, self.merged)


def bits_of(bits: int) -> Iterator[int]:
    """Each of the bits that are set."""
    while bits:
        yield bits & -bits
        bits &= bits - 1


def _merge(
    tree: DominatorTree, written: dict[Block, int], merged: dict[Block, int]
) -> dict[Block, int]:
    """Add to ``merged`` the locations with new versions at the begin of blocks."""
    joins = [block for block in tree.order if len(tree.predecessors[block]) > 1]
    changed = True
    while changed:  # twice, but for loops in loops
        changed = False
        for join in joins:
            bits = _written_between(tree, join, written, merged) | merged.get(join, 0)
            if bits != merged.get(join, 0):
                merged[join] = bits
                changed = True
    return merged


def _written_between(
    tree: DominatorTree, join: Block, written: dict[Block, int], merged: dict[Block, int]
) -> int:
    """The locations written on the ways from the immediate dominator of a block to it."""
    idom = tree.idom[join]
    seen: set[Block] = set()
    bits = 0
    for link in tree.predecessors[join]:
        block = link.prevblock
        while block is not None and block is not idom and block not in seen:
            seen.add(block)
            bits |= written[block] | merged.get(block, 0)
            block = tree.idom[block]
    return bits
