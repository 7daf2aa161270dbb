"""The worklist of the fixpoint: blocks, or some operations of a block, that are to be flowed again.

A block that calls many functions is flowed again for each function that returns something new.
Were all its operations flowed each time, that would take time quadratic in their number, so a
position says which operation has to be considered again; after it only those are that use a result
which grew.  (Sparse conditional constant propagation does the same with its worklist of SSA edges:
Wegman and Zadeck, TOPLAS 1991.)
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from random import Random

from rpython.annotator.lattice.cells import Position
from rpython.translator.ir.model import Block, FunctionGraph, Variable

Places = tuple[FunctionGraph, Block, "set[int] | None"]


class Worklist:
    """Positions, taken first come, first served; or at random, by ``order``."""

    def __init__(self, order: Random | None) -> None:
        self._order = order
        self._pending: dict[tuple[FunctionGraph, Block], set[int] | None] = {}

    def __bool__(self) -> bool:
        return bool(self._pending)

    def add_block(self, graph: FunctionGraph, block: Block) -> None:
        """All operations of a block."""
        self._pending[graph, block] = None

    def add(self, positions: Iterable[Position]) -> None:
        """Single operations."""
        for graph, block, index in positions:
            indices = self._pending.setdefault((graph, block), set())
            if indices is not None:
                indices.add(index)

    def take(self) -> Places:
        """A block and the numbers of its operations; None: all of them."""
        chosen = next(iter(self._pending))
        if self._order is not None:
            chosen = self._order.choice(list(self._pending))
        return (*chosen, self._pending.pop(chosen))


class Uses:
    """Which operations of a block use the result of another one, by block."""

    def __init__(self) -> None:
        self._of: dict[Block, dict[Variable, list[int]]] = {}

    def of(self, block: Block, result: Variable) -> list[int]:
        """The numbers of the operations of the block that have ``result`` as an operand."""
        uses = self._of.get(block)
        if uses is None:
            uses = self._of[block] = {}
            for index, op in enumerate(block.operations):
                for arg in op.args:
                    if isinstance(arg, Variable):
                        uses.setdefault(arg, []).append(index)
        return uses.get(result, [])


class Agenda:
    """The operations of one block to be flowed now, in their order: those of ``known`` that are
    listed, and all from ``known`` on, which have not been flowed yet."""

    def __init__(self, known: int, indices: Iterable[int]) -> None:
        self.known = known
        self._waiting = [index for index in indices if index < known]
        heapify(self._waiting)

    def next(self, count: int) -> int:
        """The number of the next operation of ``count``; ``count`` when there is none."""
        if self._waiting:
            index = heappop(self._waiting)
            while self._waiting and self._waiting[0] == index:
                heappop(self._waiting)
            return index
        index = self.known
        self.known = min(index + 1, count)
        return index

    def add(self, indices: Iterable[int]) -> None:
        """What these operations use has grown."""
        for index in indices:
            if index < self.known:
                heappush(self._waiting, index)
