"""``runpack``: a call of the function for its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.rlib.rstruct.runpack import runpack, unpacker_of
from rtyper.callables import Operand
from rtyper.registry import BUILTINS
from translator.ir.hlops import CallShape
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@BUILTINS.register(runpack)
def rtype_runpack(hop: HighLevelOp) -> Value:
    rtyper = hop.rtyper
    desc = rtyper.annotator.constants.function_desc(unpacker_of(hop.args_s[0].value))
    operands = [Operand(*hop.operand(1))]
    return rtyper.calls.call_desc(hop.llops, desc, CallShape(1, ()), operands, hop.r_result, True)
