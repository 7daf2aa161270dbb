"""``runpack`` and ``struct``: a call of the function for its format."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.struct import STRUCT_FUNCTIONS, for_format
from rpython.rlib.rstruct.runpack import runpack, unpacker_of
from rpython.rtyper.callables import Operand
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(runpack)
def rtype_runpack(hop: HighLevelOp) -> Value:
    rtyper = hop.rtyper
    desc = rtyper.annotator.constants.function_desc(unpacker_of(hop.args_s[0].value))
    operands = [Operand(*hop.operand(1))]
    return rtyper.calls.call_desc(hop.llops, desc, CallShape(1, ()), operands, hop.r_result, True)


@BUILTINS.register(struct.Struct)
def rtype_make_struct(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@BUILTINS.register(*STRUCT_FUNCTIONS)
def rtype_struct(hop: HighLevelOp) -> Value:
    rtyper = hop.rtyper
    host: Any = hop.host_function
    desc = rtyper.annotator.constants.function_desc(for_format(host, hop.args_s[0].value))
    operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
    names = tuple(sorted(hop.keywords, key=lambda name: hop.keywords[name]))
    shape = CallShape(len(operands) - len(names), names)
    return rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result, True)
