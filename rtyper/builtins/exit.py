"""``sys.exit`` and the exit code of SystemExit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rpython.annotator.program.excattrs import places
from rpython.lltypesystem.lltype import Signed
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.exitcodes import EXIT_CODE
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import NoneRepr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(sys.exit)
def builtin_exit(hop: HighLevelOp) -> Value:
    """Raise SystemExit with the code; None and nothing mean 0."""
    rtyper, llops = hop.rtyper, hop.llops
    classdef = rtyper.annotator.constants.classdef(SystemExit)
    r: Any = rtyper.instance_repr(classdef)
    v_exit = r.new_instance(llops)
    hop.genop("setfield", [v_exit, void(EXIT_CODE), Constant(0, Signed)])
    given = hop.nb_args if hop.nb_args and not isinstance(hop.args_r[0], NoneRepr) else 0
    operands = [Operand(*hop.operand(i)) for i in range(given)]
    r.set_message(hop, v_exit, operands, places(SystemExit, given))
    v_exception = rtyper.classes.upcast(v_exit, llops)
    llops.call_pointer(rtyper.raise_instance_function(), [v_exception])
    return void(None)
