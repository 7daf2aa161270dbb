"""The dominator tree of a graph.

Algorithm: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
"""

from __future__ import annotations

from translator.ir.model import Block, FunctionGraph, Link
from translator.ir.traversal import predecessors, reverse_postorder


class DominatorTree:
    """Which block dominates which: ``a`` dominates ``b`` when every path from the start
    block to ``b`` goes through ``a``.  Valid while no block, link or target changes.

    ``order``: the reachable blocks in reverse postorder.  ``idom``: each block's
    immediate dominator, None for the start block.  ``predecessors``: entering links.
    """

    def __init__(self, graph: FunctionGraph) -> None:
        self.order = reverse_postorder(graph)
        self.predecessors = predecessors(graph)
        self._number = {block: number for number, block in enumerate(self.order)}
        idoms = self._immediate_dominators()
        self.idom: dict[Block, Block | None] = {
            block: self.order[idom] if number else None
            for number, (block, idom) in enumerate(zip(self.order, idoms))
        }
        self._number_tree(idoms)

    def _immediate_dominators(self) -> list[int]:
        """Per block in reverse postorder, the number of its immediate dominator (the
        start block's own)."""
        number = self._number
        entering = [
            [number[link.prevblock] for link in self.predecessors[block] if link.prevblock]
            for block in self.order
        ]
        idom = [-1] * len(self.order)
        idom[0] = 0
        changed = True
        while changed:
            changed = False
            for block in range(1, len(self.order)):
                new = -1
                for other in entering[block]:
                    if idom[other] == -1:
                        continue
                    if new == -1:
                        new = other
                    while new != other:  # walk up to the common dominator
                        if new > other:
                            new = idom[new]
                        else:
                            other = idom[other]
                if idom[block] != new:
                    idom[block] = new
                    changed = True
        return idom

    def _number_tree(self, idoms: list[int]) -> None:
        """Give each block the interval of preorder numbers of its subtree: a dominates b
        exactly when b's first number is within a's interval."""
        count = len(idoms)
        size = [1] * count
        for block in range(count - 1, 0, -1):
            size[idoms[block]] += size[block]
        self._first = [0] * count
        free = [1] * count  # the next unused number within each block's interval
        for block in range(1, count):
            parent = idoms[block]
            self._first[block] = free[parent]
            free[parent] += size[block]
            free[block] = self._first[block] + 1
        self._size = size

    def dominates(self, a: Block, b: Block) -> bool:
        """Is ``a`` on every path to ``b``?  True when they are the same block."""
        first_a = self._first[self._number[a]]
        return first_a <= self._first[self._number[b]] < first_a + self._size[self._number[a]]

    def strictly_dominates(self, a: Block, b: Block) -> bool:
        """Does ``a`` dominate ``b`` without being ``b``?"""
        return a is not b and self.dominates(a, b)

    def link_dominates(self, link: Link, block: Block) -> bool:
        """Is ``link`` on every path to ``block``?  What only one exit of a block defines
        (the result of an operation that may raise) is usable where this holds."""
        target = link.target
        return self.dominates(target, block) and all(
            other is link or (other.prevblock and self.dominates(target, other.prevblock))
            for other in self.predecessors[target]
        )

    def children(self) -> dict[Block, list[Block]]:
        """The blocks each block immediately dominates, in reverse postorder."""
        result: dict[Block, list[Block]] = {block: [] for block in self.order}
        for block in self.order:
            parent = self.idom[block]
            if parent is not None:
                result[parent].append(block)
        return result
