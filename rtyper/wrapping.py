"""``intmask(expression)``: which operations may wrap.

    v1 = mul(a, 31)
    v2 = add(v1, b)
    v3 = simple_call(intmask, v2)       v1 and v2 may wrap

Arithmetic modulo 2**64 commutes with these operations, so wrapping at each step gives what
``intmask`` of the exact result gives.  An intermediate value that anything else uses is
left checked.
"""

from __future__ import annotations

from collections import Counter

from rpython.lltypesystem.rarithmetic import intmask
from rpython.translator.ir.hlops import HLOPS, Wrapping
from rpython.translator.ir.model import Block, Constant, SpaceOperation, Value


def wrapping_operations(block: Block) -> set[SpaceOperation]:
    """The operations of ``block`` whose result is only seen through ``intmask``."""
    calls = [
        op for op in block.operations
        if op.opname == "simple_call" and len(op.args) == 2
        and isinstance(op.args[0], Constant) and op.args[0].value is intmask
    ]  # fmt: skip
    if not calls:
        return set()
    uses: Counter[Value] = Counter(arg for op in block.operations for arg in op.args)
    uses.update(arg for link in block.exits for arg in link.args)
    made = {op.result: op for op in block.operations}
    result: set[SpaceOperation] = set()
    pending = [op.args[1] for op in calls]
    while pending:
        value = pending.pop()
        op = made.get(value) if not isinstance(value, Constant) else None
        wrapping = HLOPS[op.opname].wrapping if op is not None else None
        if op is None or wrapping is None or uses[value] != 1:
            continue
        result.add(op)
        pending.extend(op.args[:1] if wrapping is Wrapping.LEFT else op.args)
    return result
