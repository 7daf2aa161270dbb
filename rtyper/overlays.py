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


def call_chosen(hop: HighLevelOp) -> Value | None:
    """Call the function that the annotator's rule has chosen for the call of a built-in function or
    method, ``self`` among the operands; None: it has chosen none."""
    chosen = hop.rtyper.annotator.notes.chosen.get(hop.spaceop)
    if chosen is None:
        return None
    function, args_s = chosen
    for i, s in enumerate(args_s):
        r = hop.rtyper.getrepr(s)
        hop.replace_arg(i, hop.inputarg(r, i), s, r)
    return call_overlay(hop, function)


def call_without_name(hop: HighLevelOp) -> Value:
    """Call the function that was chosen for reading or assigning an attribute with the object, and
    with the value that is assigned."""
    function, args_s = hop.rtyper.annotator.notes.chosen[hop.spaceop]
    operands = []
    for number, s in zip((0, 2), args_s):
        r = hop.rtyper.getrepr(s)
        operands.append(Operand(hop.inputarg(r, number), s, r))
    desc = hop.rtyper.annotator.constants.function_desc(function)
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)


def call_with_mapping(hop: HighLevelOp, function: Any) -> Value:
    """Let the function make a call with a dict as ``**keywords``, which it gets last."""
    shape: Any = hop.args_s[1].value
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args) if i != 1]
    operands.append(operands.pop(1 + shape.positional + shape.keywords.index("**")))
    desc = hop.rtyper.annotator.constants.function_desc(function)
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
