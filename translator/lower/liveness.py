"""Which pointers are still used, and where: the classic backward dataflow, on sets as bits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from rpython.lltypesystem.primitives import Address
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import (
    Block,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.traversal import reverse_postorder


class Liveness:
    """The pointers used later, of those that ``needed`` gives for each use of a value.

    A set is an int: bit ``i`` stands for ``variables[i]``, in the order in which the graph makes
    them.  ``at_start``: for each block, what is used in it or after it, its inputs among them.
    """

    def __init__(self, graph: FunctionGraph, needed: Callable[[Value], Iterable[Variable]]) -> None:
        self.needed = needed
        self.blocks = reverse_postorder(graph)
        self.variables: list[Variable] = []
        for block in self.blocks:
            made = [*block.inputargs, *(op.result for op in block.operations)]
            made += [v for link in block.exits if (v := link.last_exc_value) is not None]
            self.variables += [v for v in made if _may_point(v)]
        self._bit = {v: 1 << i for i, v in enumerate(self.variables)}
        self._used_by: dict[SpaceOperation | Link, int] = {}
        self.at_start = dict.fromkeys(self.blocks, 0)
        self.at_start[graph.returnblock] = self.at_start[graph.exceptblock] = 0
        self._solve()

    def bit(self, v: Variable) -> int:
        return self._bit.get(v, 0)

    def made(self, variables: Iterable[Variable]) -> int:
        """The set of these variables."""
        bits = 0
        for v in variables:
            bits |= self._bit.get(v, 0)
        return bits

    def used(self, values: Iterable[Value]) -> int:
        """What is needed to use these values."""
        bits = 0
        for value in values:
            for v in self.needed(value):
                bits |= self._bit[v]
        return bits

    def used_by(self, user: SpaceOperation | Link) -> int:
        """What is needed for the arguments of an operation or a link, as they are when first asked
        for."""
        bits = self._used_by.get(user)
        if bits is None:
            bits = self._used_by[user] = self.used(user.args)
        return bits

    def members(self, bits: int) -> Iterator[Variable]:
        """The variables of a set, in order."""
        while bits:
            low = bits & -bits
            yield self.variables[low.bit_length() - 1]
            bits ^= low

    def at_end(self, block: Block) -> int:
        """What is used after the operations of a block."""
        live = 0
        for link in block.exits:
            onward = self.at_start[link.target] & ~self.made(link.target.inputargs)
            onward |= self.used_by(link)
            if link.last_exc_value is not None:
                onward &= ~self.bit(link.last_exc_value)
            live |= onward
        return live

    def after(self, wanted: Collection[SpaceOperation]) -> dict[SpaceOperation, int]:
        """What is used after each of these operations, their results among it."""
        result: dict[SpaceOperation, int] = {}
        for block in self.blocks:
            live = self.at_end(block)
            for op in reversed(block.operations):
                if op in wanted:
                    result[op] = live
                live = live & ~self.bit(op.result) | self.used_by(op)
        return result

    def _solve(self) -> None:
        read: dict[Block, int] = {}
        written: dict[Block, int] = {}
        for block in self.blocks:
            live = made = 0
            for op in reversed(block.operations):
                bit = self.bit(op.result)
                made |= bit
                live = live & ~bit | self.used_by(op)
            read[block], written[block] = live, made
        changed = True
        while changed:
            changed = False
            for block in reversed(self.blocks):
                live = read[block] | self.at_end(block) & ~written[block]
                if live != self.at_start[block]:
                    self.at_start[block] = live
                    changed = True


def _may_point(v: Variable) -> bool:
    return isinstance(v.concretetype, Ptr) or v.concretetype is Address
