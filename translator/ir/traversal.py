"""Orders in which to visit the blocks of a graph.

For "every block once, in any order", ``FunctionGraph.iterblocks`` is enough.  The orders
here also promise where a block comes relative to the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpython.translator.ir.model import Block, FunctionGraph, Link


def successors_last_first(block: Block) -> Iterator[Link]:
    """The exits so that the way a reader follows first (the normal way, the True branch)
    comes last; a depth-first walk in this order, reversed, reads like the source."""
    if len(block.exits) < 2:
        return iter(block.exits)
    if block.canraise:
        return reversed(block.exits)
    if block.is_switch:
        return iter((block.exits[0], *reversed(block.exits[1:])))
    return iter(block.exits)


def postorder(graph: FunctionGraph) -> list[Block]:
    """Every reachable block after all blocks reachable from it, back edges excepted."""
    result: list[Block] = []
    seen = {graph.startblock}
    stack = [(graph.startblock, successors_last_first(graph.startblock))]
    while stack:
        block, links = stack[-1]
        for link in links:
            if link.target not in seen:
                seen.add(link.target)
                stack.append((link.target, successors_last_first(link.target)))
                break
        else:
            stack.pop()
            result.append(block)
    return result


def reverse_postorder(graph: FunctionGraph) -> list[Block]:
    """Every reachable block, dominators before what they dominate; the start block first.
    Text is printed in this order: loop bodies before loop exits, joins after branches."""
    return postorder(graph)[::-1]


def predecessors(graph: FunctionGraph) -> dict[Block, list[Link]]:
    """The links that enter each reachable block (the start block's entry is no link)."""
    blocks = list(graph.iterblocks())
    result: dict[Block, list[Link]] = {block: [] for block in blocks}
    for block in blocks:
        for link in block.exits:
            result[link.target].append(link)
    return result


def has_loop(graph: FunctionGraph) -> bool:
    """Can a block be reached from itself?"""
    number = {block: i for i, block in enumerate(postorder(graph))}
    return any(
        number[link.target] >= number[block] for block in number for link in block.exits
    )


def natural_loops(graph: FunctionGraph) -> list[tuple[Block, set[Block]]]:
    """The blocks at which loops are entered, and the blocks of the loops."""
    number = {block: i for i, block in enumerate(reverse_postorder(graph))}
    entering = predecessors(graph)
    back: dict[Block, list[Link]] = {}
    for link in graph.iterlinks():
        assert link.prevblock is not None
        if number[link.target] <= number[link.prevblock]:
            back.setdefault(link.target, []).append(link)
    result = []
    for header, links in back.items():
        body = {header}
        todo = [link.prevblock for link in links if link.prevblock is not None]
        while todo:
            block = todo.pop()
            if block not in body:
                body.add(block)
                todo += [link.prevblock for link in entering[block] if link.prevblock is not None]
        result.append((header, body))
    return result
