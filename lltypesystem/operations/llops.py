"""The low-level operation table: ``LLOPS["int_add"]`` is a row (see ``llop.LLOp``)."""

from __future__ import annotations

from rpython.lltypesystem.operations import (
    addresses,
    finalizers,
    floats,
    integers,
    lowered,
    memory,
    pointers,
)
from rpython.lltypesystem.operations.llop import LLOp
from rpython.translator.ir.opdef import OpTable

LLOPS: OpTable[LLOp] = OpTable("low-level operation")

for _family in (
    integers, floats, memory, pointers, addresses, finalizers, lowered,
):  # fmt: skip
    for _row in _family.rows():
        LLOPS.add(_row)

LLOPS.freeze()
