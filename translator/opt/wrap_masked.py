"""Let arithmetic wrap where only some of the low bits of it are used.

::

    a = int_mul_ovf(x, 33)                  a = int_mul(x, 33)
    b = int_add_ovf(a, c)         ->        b = int_add(a, c)
    y = int_and(b, 4294967295)              y = int_and(b, 4294967295)

A number that wraps is right in its low 64 bits, and so is what ``+ - * << ~ & | ^`` make of it;
``&`` with a number that is not negative takes nothing else from it.  So hashing and packing of bits
gives what CPython gives, whose ints do not end, and overflows nowhere.  What a value is used for is
found by marking backwards, through loops, too: exact is of what something needs more than the low
bits.  (``ovfcheck`` does: it asks.)
"""

from __future__ import annotations

from collections.abc import Sequence

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.rewrite import become_goto


def wrap_masked(graph: FunctionGraph) -> bool:
    """Let the operations wrap of whose results nobody needs more than the low bits."""
    if not any(row_of(op).unchecked for _, op in graph.iterblockops()):
        return False
    exact = _exact_values(graph)
    changed = False
    for block in list(graph.iterblocks()):
        for op in block.operations:
            row = row_of(op)
            if row.unchecked and row.low_bits and op.result not in exact:
                op.opdef = LLOPS[row.unchecked]
                changed = True
                if block.canraise and op is block.raising_op:
                    become_goto(block, block.exits[0])
    return changed


def _exact_values(graph: FunctionGraph) -> set[Value]:
    """The values of which more is needed than their low bits."""
    made: dict[Value, SpaceOperation] = {}
    arguments: dict[Value, tuple[Block, int]] = {}
    exact: set[Value] = set()
    todo: list[Value] = []
    for block in graph.iterblocks():
        arguments.update((v, (block, i)) for i, v in enumerate(block.inputargs))
        for op in block.operations:
            made[op.result] = op
            todo += op.args[row_of(op).low_bits :]
        if isinstance(block.exitswitch, Variable):
            todo.append(block.exitswitch)
    todo += [*graph.returnblock.inputargs, *graph.exceptblock.inputargs]
    entering = predecessors(graph)
    while todo:
        value = todo.pop()
        if value in exact:
            continue
        exact.add(value)
        if value in made:
            todo += _needed_for(made[value])
        elif value in arguments:
            block, index = arguments[value]
            todo += [link.args[index] for link in entering.get(block, ())]
    return exact


def _needed_for(op: SpaceOperation) -> Sequence[Value]:
    """The operands that are needed exactly where the result is, of those whose low bits make its
    low bits."""
    operands = op.args[: row_of(op).low_bits]
    if row_of(op).masks and any(isinstance(arg, Constant) and arg.value >= 0 for arg in operands):
        return ()
    return operands
