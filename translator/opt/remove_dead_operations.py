"""Remove operations and block arguments that no result, effect or exception depends on.

::

    b1(i: Signed, unused: Signed):          b1(i: Signed):
        x = int_mul(i, i)                       i1 = int_add(i, 1)
        i1 = int_add(i, 1)             ->       t0 = int_lt(i1, n)
        unused1 = int_add(unused, x)            if t0 goto b1(i1) else return i1
        t0 = int_lt(i1, n)
        if t0 goto b1(i1, unused1) else return i1

What keeps a value alive: an operation that is not removable, a branch, the result and
the raised exception.  Everything else is found by marking backwards from there.
"""

from __future__ import annotations

from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation, Value, Variable
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.predicates import is_removable
from rpython.translator.opt.rewrite import become_goto
from rpython.translator.opt.summaries import Summaries


def remove_dead_operations(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Remove what is dead; results of operations that stay for their effect stay."""
    removable = {op for _, op in graph.iterblockops() if is_removable(op, summaries)}
    live = _live_variables(graph, removable)
    dead = {op for op in removable if op.result not in live}
    changed = False
    for block in list(graph.iterblocks()):
        changed |= _remove_operations(block, dead)
    fixed = (graph.startblock, graph.returnblock, graph.exceptblock)
    for block in graph.iterblocks():
        for link in block.exits:
            if link.target not in fixed:
                link.args = [arg for arg, v in zip(link.args, link.target.inputargs) if v in live]
            if link.last_exc_value is not None and link.last_exc_value not in link.args:
                link.last_exc_value = None
                changed = True
    for block in graph.iterblocks():
        if block not in fixed:
            needed = [v for v in block.inputargs if v in live]
            changed |= len(needed) < len(block.inputargs)
            block.inputargs = needed
    return changed


def _remove_operations(block: Block, dead: set[SpaceOperation]) -> bool:
    if block.canraise and block.raising_op in dead:
        become_goto(block, block.exits[0])
    kept = [op for op in block.operations if op not in dead]
    changed = len(kept) < len(block.operations)
    block.operations = kept
    return changed


def _live_variables(graph: FunctionGraph, removable: set[SpaceOperation]) -> set[Variable]:
    live: set[Variable] = set()
    work: list[Value] = []
    definitions: dict[Variable, SpaceOperation] = {}
    arguments: dict[Variable, tuple[Block, int]] = {}
    for block in graph.iterblocks():
        for index, v in enumerate(block.inputargs):
            arguments[v] = (block, index)
        for op in block.operations:
            definitions[op.result] = op
            if op not in removable:
                work.extend(op.args)
        if isinstance(block.exitswitch, Variable):
            work.append(block.exitswitch)
    entering = predecessors(graph)
    for block in (graph.startblock, graph.returnblock, graph.exceptblock):
        work.extend(block.inputargs)
    while work:
        value = work.pop()
        if not isinstance(value, Variable) or value in live:
            continue
        live.add(value)
        if value in definitions:
            work.extend(definitions[value].args)
        elif value in arguments:
            block, index = arguments[value]
            work.extend(link.args[index] for link in entering.get(block, ()))
    return live
