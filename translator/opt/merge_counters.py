"""Let one of two variables that count alike do for both.

::

    b0():                                       b0():
        goto b1(0, 0)                               goto b1(0)
    b1(i: Signed, length: Signed):              b1(i: Signed):
        t0 = int_lt(i, n)                           t0 = int_lt(i, n)
        if t0 goto b2() else return length  ->      if t0 goto b2() else return i
    b2():                                       b2():
        i1 = int_add(i, 1)                          i1 = int_add(i, 1)
        length1 = int_add(length, 1)                length1 = int_add(i, 1)
        goto b1(i1, length1)                        goto b1(i1)

A comprehension without conditions counts what it takes and what it gives.  That both are the same
is how the length of its list is known behind it.  Two arguments of a block count alike if each way
to the block gives both the same, or what each was with the same added.

Behind a loop that counts by one from a number to a larger one, the counter is the latter::

        if t0 goto b2() else return i    ->         if t0 goto b2() else return 13
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from rpython.lltypesystem.operations.llop import row_of
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, Value, Variable
from rpython.translator.ir.traversal import has_loop, predecessors
from rpython.translator.opt.loops import Count, Loop, Producers, count_of, loops_of, producers
from rpython.translator.opt.number_values import value_key
from rpython.translator.opt.rewrite import Substitution, become_goto, may_rewrite


def merge_counters(graph: FunctionGraph) -> bool:
    """Do that; was there any?"""
    if not has_loop(graph):
        return False
    made = producers(graph)
    entering = predecessors(graph)
    known = Substitution()
    for block in graph.iterblocks():
        links = entering[block]
        if len(links) > 1 and block not in (graph.returnblock, graph.exceptblock):
            _merge(graph, block, links, made, known)
    known.apply(graph)
    return _replace_last_values(graph) or bool(known)


def _replace_last_values(graph: FunctionGraph) -> bool:
    """Replace counters by numbers behind their loops; was there any?"""
    tree = DominatorTree(graph)
    made = producers(graph)
    changed = False
    for loop in loops_of(graph, tree):
        count = count_of(loop.header, loop.body, made)
        last = None if count is None else _last_value(loop, count)
        if count is None or last is None:
            continue
        leaving = loop.header.exits[0]
        behind = [block for block in tree.order if tree.link_dominates(leaving, block)]
        used = count.counter in leaving.args or any(count.counter in _used(b) for b in behind)
        if used and may_rewrite(graph, made[count.test]):
            leaving.args = [last if arg is count.counter else arg for arg in leaving.args]
            for block in behind:
                _replace(block, count.counter, last)
            changed = True
    return changed


def _replace(block: Block, counter: Variable, last: Constant) -> None:
    """Let the block use the number in place of the counter."""
    for op in block.operations:
        op.args = [last if arg is counter else arg for arg in op.args]
    if block.exitswitch is counter:
        become_goto(block, block.exit_for(last.value))
    for link in block.exits:
        link.args = [last if arg is counter else arg for arg in link.args]


def _last_value(loop: Loop, count: Count) -> Constant | None:
    """What the counter is where the test says that the loop is over."""
    place = loop.header.inputargs.index(count.counter)
    first = [link.args[place] for link in loop.entering]
    step, limit = count.step, count.limit
    if not (count.is_plain and isinstance(step, Constant) and step.value == 1):
        return None
    if not isinstance(limit, Constant):
        return None
    known = all(isinstance(value, Constant) and value.value <= limit.value for value in first)
    return limit if known else None


def _used(block: Block) -> Iterator[Value]:
    for op in block.operations:
        yield from op.args
    if isinstance(block.exitswitch, Variable):
        yield block.exitswitch
    for link in block.exits:
        yield from link.args


def _merge(
    graph: FunctionGraph, block: Block, links: list[Link], made: Producers, known: Substitution
) -> None:
    first: dict[Hashable, Variable] = {}
    for argument in list(block.inputargs):
        index = block.inputargs.index(argument)
        given = [_given(argument, link.args[index], made) for link in links]
        if None in given:
            continue
        key = (argument.concretetype, *given)
        if key not in first:
            first[key] = argument
        elif may_rewrite(graph):
            known.add(argument, first[key])
            del block.inputargs[index]
            for link in links:
                del link.args[index]


def _given(argument: Variable, value: Value, made: Producers) -> Hashable:
    """What a way to the block gives to the argument, in terms of the argument itself."""
    if value is argument:
        return "the same"
    op = made.get(value)
    if op is None or op.args[:1] != [argument]:
        return value_key(value)
    row = row_of(op)
    adds = row.slope in ("sum", "difference") and not row.can_raise
    return (row.total or row.name, value_key(op.args[1])) if adds else value_key(value)
