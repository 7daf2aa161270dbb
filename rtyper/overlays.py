"""Calls of functions of the library in place of operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.rtyper.callables import Operand
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def call_overlay(hop: HighLevelOp, function: Any) -> Value:
    """Call the function with the operands of ``hop``, ``self`` among them."""
    desc = hop.rtyper.annotator.constants.function_desc(function)
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args)]
    shape = CallShape(hop.nb_args - len(hop.keywords), tuple(hop.keywords))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
