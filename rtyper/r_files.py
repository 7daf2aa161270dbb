"""``os`` and ``time``: functions written in Python, and ``time.sleep``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from annotator.library_os import OS_FUNCTIONS, TIME_FUNCTIONS, time_function
from annotator.model import s_None
from rtyper.callables import Operand
from rtyper.ll import ll_files
from rtyper.r_class import void
from rtyper.r_float import operand
from rtyper.r_inpython import call_in_python
from rtyper.registry import BUILTINS
from translator.ir.hlops import CallShape
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp

for _host, _function in OS_FUNCTIONS.items():

    @BUILTINS.register(_host)
    def os_function(hop: HighLevelOp, function: Any = _function) -> Value:
        return call_in_python(hop, function)


@BUILTINS.register(*TIME_FUNCTIONS)
def rtype_time(hop: HighLevelOp) -> Value:
    host: Any = hop.host_function
    places = [i for i in range(hop.nb_args) if hop.args_s[i] != s_None]
    desc = hop.rtyper.annotator.constants.function_desc(time_function(host, len(places)))
    operands = [Operand(*hop.operand(i)) for i in places]
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result, True)


@BUILTINS.register(time.sleep)
def rtype_sleep(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_files.ll_sleep, operand(hop, 0))
    return void(None)

