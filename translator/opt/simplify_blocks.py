"""Join blocks that always follow each other, and skip blocks that do nothing.

::

    b0(n):                                      b0(n):
        t0 = int_lt(n, 0)                           t0 = int_lt(n, 0)
        if t0 goto b1() else b2(n)                  if t0 return 0 else b1(n)
    b1():                                       b1(m0: Signed):
        return 0                         ->         m = int_add(m0, 1)
    b2(m0: Signed):                                 return m
        goto b3()
    b3():
        m = int_add(m0, 1)
        return m

An empty block that branches on what it is entered with is skipped where that is a constant.
"""

from __future__ import annotations

from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    Variable,
    same_constant,
)
from rpython.translator.opt.rewrite import Substitution, become_goto, entry_counts


def simplify_blocks(graph: FunctionGraph) -> bool:
    """Skip empty blocks and join blocks until there is nothing to do."""
    changed = False
    while _skip_empty_blocks(graph) | _join_blocks(graph):
        changed = True
    return changed


def _join_blocks(graph: FunctionGraph) -> bool:
    """Append each block to the one before it, where it has no other way in."""
    counts = entry_counts(graph)
    known = Substitution()
    for block in list(graph.iterblocks()):
        while _is_joinable(graph, block, counts):
            link = block.exits[0]
            target = link.target
            for v, arg in zip(target.inputargs, link.args):
                known.add(v, arg)
            block.operations.extend(target.operations)
            block.exitswitch = target.exitswitch
            block.recloseblock(*target.exits)
            target.operations = []
            target.exits = ()
            counts[target] = 0
    known.apply(graph)
    return 0 in counts.values()


def _is_joinable(graph: FunctionGraph, block: Block, counts: dict[Block, int]) -> bool:
    """Does ``block`` end by going to a block that nobody else goes to?"""
    return (
        block.exitswitch is None
        and len(block.exits) == 1
        and block.exits[0].target not in (graph.returnblock, graph.exceptblock)
        and counts[block.exits[0].target] == 1
    )


def _skip_empty_blocks(graph: FunctionGraph) -> bool:
    """Send links to an empty block straight on to where that block goes."""
    uses: set[Variable] | None = None
    changed = False
    for block in reversed(list(graph.iterblocks())):  # the end of a chain of empty blocks first
        for link in block.exits:
            seen = {block}
            while link.target not in seen:
                onward = _onward(link)
                if onward is None:
                    break
                if uses is None:  # most graphs have no empty block
                    uses = _outside_uses(graph)
                if not uses.isdisjoint(link.target.inputargs):
                    break
                seen.add(link.target)
                _skip(link, onward)
                changed = True
        if block.canraise:
            changed |= _drop_reraises(graph, block)
        elif isinstance(block.exitswitch, Variable):
            changed |= _drop_needless_exits(block)
    return changed


def _onward(link: Link) -> Link | None:
    """Where an empty block goes when it is entered by this link, if that is known."""
    empty = link.target
    if empty.operations or not empty.exits:
        return None
    onward = empty.exits[0]
    if empty.exitswitch is not None:
        if not isinstance(empty.exitswitch, Variable):
            return None
        given = dict(zip(empty.inputargs, link.args)).get(empty.exitswitch)
        if not isinstance(given, Constant):
            return None
        onward = empty.exit_for(given.value)
    return None if onward.target is empty else onward


def _skip(link: Link, onward: Link) -> None:
    """Let ``link`` go where the empty block it leads to goes."""
    given = dict(zip(link.target.inputargs, link.args))
    link.args = [given.get(arg, arg) if isinstance(arg, Variable) else arg for arg in onward.args]
    link.target = onward.target
    link.take_place_of(onward)


def _drop_needless_exits(block: Block) -> bool:
    """Make a branch or a switch whose exits are all alike a goto; drop the cases of a switch that
    go where other values go, too."""
    first, *others = block.exits
    different = [link for link in others if not _same_way(first, link)]
    if not different:
        become_goto(block, first)
    elif len(different) < len(others):
        block.recloseblock(first, *different)
    return len(different) < len(others)


def _drop_reraises(graph: FunctionGraph, block: Block) -> bool:
    """Drop the last exception links where they only raise what they caught: without them
    it propagates just as well."""
    exits = list(block.exits)
    while (
        len(exits) > 1
        and exits[-1].target is graph.exceptblock
        and exits[-1].args[0] is exits[-1].last_exc_value
    ):
        exits.pop()
    if len(exits) == len(block.exits):
        return False
    if len(exits) == 1:
        become_goto(block, exits[0])
    else:
        block.recloseblock(*exits)
    return True


def _outside_uses(graph: FunctionGraph) -> set[Variable]:
    """Variables used anywhere but in the exit of an empty block whose inputargs they are."""
    used: set[Variable] = set()
    for block in graph.iterblocks():
        own = set() if block.operations else set(block.inputargs)
        for op in block.operations:
            used.update(arg for arg in op.args if isinstance(arg, Variable))
        if isinstance(block.exitswitch, Variable) and block.exitswitch not in own:
            used.add(block.exitswitch)
        for link in block.exits:
            used.update(arg for arg in link.args if isinstance(arg, Variable) and arg not in own)
    return used


def _same_way(a: Link, b: Link) -> bool:
    """Do both links lead to the same block with the same values?"""
    return a.target is b.target and all(
        x is y or same_constant(x, y) for x, y in zip(a.args, b.args)
    )
