"""Remove block arguments that always receive the same value.

::

    b0(n):                                  b0(n):
        goto b1(0, n)                           goto b1(0)
    b1(i: Signed, m: Signed):      ->       b1(i: Signed):
        i1 = int_add(i, m)                      i1 = int_add(i, n)
        t0 = int_lt(i1, m)                      t0 = int_lt(i1, n)
        if t0 goto b1(i1, m) else return i1     if t0 goto b1(i1) else return i1

The argument itself counts as "the same value" on back edges.  Trivial phi removal as in
Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013).
"""

from __future__ import annotations

from rpython.translator.ir.model import Block, FunctionGraph, Link, Value, Variable, same_constant
from rpython.translator.ir.traversal import predecessors, reverse_postorder
from rpython.translator.opt.rewrite import Substitution


def remove_redundant_args(graph: FunctionGraph) -> bool:
    """Replace each argument that only ever receives one value by that value, until there
    is none."""
    known = Substitution()
    entering = predecessors(graph)
    fixed = (graph.startblock, graph.returnblock, graph.exceptblock)
    blocks = [block for block in reverse_postorder(graph) if block not in fixed]
    changed = True
    while changed:  # a replaced argument may make another one redundant
        changed = False
        for block in blocks:
            for index in reversed(range(len(block.inputargs))):
                value = _only_value(block, index, entering[block], known)
                if value is not None:
                    known.add(block.inputargs.pop(index), value)
                    for link in entering[block]:
                        del link.args[index]
                    changed = True
    known.apply(graph)
    return bool(known)


def _only_value(
    block: Block, index: int, entering: list[Link], known: Substitution
) -> Value | None:
    """The one value that all links give to an inputarg, if they do."""
    argument = block.inputargs[index]
    only: Value | None = None
    for link in entering:
        value = known[link.args[index]]
        if value is argument or value is only:
            continue
        if only is None:
            if value is link.last_exc_value:
                return None  # is defined for that link alone
            only = value
        elif isinstance(value, Variable) or not same_constant(only, value):
            return None
    return only
