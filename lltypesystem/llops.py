"""The low-level operation table: ``LLOPS["int_add"]`` is a row (see ``llop.LLOp``)."""

from __future__ import annotations

from rpython.lltypesystem import (
    ops_address,
    ops_finalizers,
    ops_float,
    ops_int,
    ops_lowered,
    ops_memory,
    ops_pointer,
)
from rpython.lltypesystem.llop import LLOp
from rpython.translator.ir.opdef import OpTable

LLOPS: OpTable[LLOp] = OpTable("low-level operation")

for _family in (
    ops_int, ops_float, ops_memory, ops_pointer, ops_address, ops_finalizers, ops_lowered,
):  # fmt: skip
    for _row in _family.rows():
        LLOPS.add(_row)

LLOPS.freeze()
