"""Calls of functions that are called when the program is translated: see
``annotator.builtins.at_translation``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.at_translation import calls_otherwise, made_for, marked
from rpython.rtyper.callables import Operand
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.stdlib._registry import place_of_call
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(place_of_call)
def rtype_place_of_call(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@HOST_CALLS.append
def call_at_translation(hop: HighLevelOp, function: Any) -> Value | None:
    """The constant that such a call is, or the call of the function that it gives."""
    mark = marked(function)
    if mark is None:
        return None
    shape = CallShape(hop.nb_args - len(hop.keywords), tuple(hop.keywords))
    if calls_otherwise(mark, shape, hop.args_s):
        return call_overlay(hop, mark.otherwise)
    if mark.constants == mark.parameters:
        return hop.result_constant()
    constants = hop.rtyper.annotator.constants
    found, passed, shape = made_for(constants.overlays, mark, shape, tuple(hop.args_s))
    operands = [Operand(*hop.operand(i)) for i in passed]
    desc = constants.function_desc(found)
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
