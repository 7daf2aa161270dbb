"""Calls of built-in functions with ``*items`` of unknown length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.rtyper.callables import Operand
from rpython.rtyper.registry import STAR_CALLS
from rpython.stdlib._starcalls import CALLED_WITH_STAR
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@STAR_CALLS.append
def rtype_call_with_star(hop: HighLevelOp, function: Any) -> Value | None:
    """Call what does the same in restricted Python."""
    called = CALLED_WITH_STAR.get(function)
    if called is None or hop.spaceop.opname != "call_args":
        return None
    shape: Any = hop.args_s[0].value
    if not shape.star or not isinstance(hop.args_s[-1], SomeVarTuple):
        return None
    desc = hop.rtyper.annotator.constants.function_desc(called)
    operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
