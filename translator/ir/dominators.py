"""The dominator tree of a graph.

Algorithm: SEMI-NCA of Georgiadis, Tarjan and Werneck, "Finding Dominators in Practice" (2006),
which is linear for large switches, where walking up the tree for each way into a block is not.
"""

from __future__ import annotations

from rpython.translator.ir.model import Block, FunctionGraph, Link
from rpython.translator.ir.traversal import predecessors, reverse_postorder


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
        blocks, parents = self._preorder()
        place = {block: number for number, block in enumerate(blocks)}
        entering = [
            [place[link.prevblock] for link in self.predecessors[block] if link.prevblock]
            for block in blocks
        ]
        semis = _semidominators(parents, entering)
        idoms = parents
        for number in range(1, len(blocks)):
            idom = idoms[number]
            while idom > semis[number]:
                idom = idoms[idom]
            idoms[number] = idom
        return [self._number[blocks[idoms[place[block]]]] for block in self.order]

    def _preorder(self) -> tuple[list[Block], list[int]]:
        """The blocks in preorder, and the number of each one's parent in that tree (the start
        block's own)."""
        blocks: list[Block] = []
        parents: list[int] = []
        seen: set[Block] = set()
        waiting = [(self.order[0], 0)]
        while waiting:
            block, parent = waiting.pop()
            if block in seen:
                continue
            seen.add(block)
            waiting += [(link.target, len(blocks)) for link in block.exits]
            blocks.append(block)
            parents.append(parent)
        return blocks, parents

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


def _semidominators(parents: list[int], entering: list[list[int]]) -> list[int]:
    """The semidominator of each block, all by number in preorder."""
    semis = list(range(len(parents)))
    best = list(range(len(parents)))
    """Of the blocks passed on the way up from each one: that with the least semidominator."""
    above = list(parents)
    """Where that way goes on; shortened as it is walked."""

    def least(number: int, linked: int) -> int:
        way = []
        while above[number] >= linked:
            way.append(number)
            number = above[number]
        for below in reversed(way):
            if semis[best[number]] < semis[best[below]]:
                best[below] = best[number]
            above[below] = above[number]
            number = below
        return best[number]

    for number in range(len(parents) - 1, 0, -1):
        semis[number] = min(
            [parents[number], *(semis[least(other, number + 1)] for other in entering[number])]
        )
    return semis
