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


def call_with_mapping(hop: HighLevelOp, function: Any) -> Value:
    """Let the function make a call with a dict as ``**keywords``, which it gets last."""
    shape: Any = hop.args_s[1].value
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args) if i != 1]
    operands.append(operands.pop(1 + shape.positional + shape.keywords.index("**")))
    desc = hop.rtyper.annotator.constants.function_desc(function)
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
