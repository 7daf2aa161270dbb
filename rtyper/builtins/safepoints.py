"""Safe points and the exceptions being handled: in executables operations, elsewhere nothing but
what the program reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.lltypesystem.lltype import Signed
from rpython.rlib import _tracebacks
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.intrinsics import (
    handler_enter,
    handler_leave,
    print_traceback,
    raised_here,
    safepoint,
)
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(safepoint)
def rtype_safepoint(hop: HighLevelOp) -> Value:
    if hop.rtyper.is_program:
        hop.genop("safepoint", [])
    return void(None)


@BUILTINS.register(handler_enter)
def rtype_handler_enter(hop: HighLevelOp) -> Value:
    if _tells_handlers(hop):
        height = Constant(hop.args_s[1].value, Signed)
        hop.genop("handler_enter", [_exception(hop), height])
    return void(None)


@BUILTINS.register(handler_leave)
def rtype_handler_leave(hop: HighLevelOp) -> Value:
    if _tells_handlers(hop):
        hop.genop("handler_leave", [Constant(hop.args_s[0].value, Signed)])
    return void(None)


@BUILTINS.register(raised_here)
def rtype_raised_here(hop: HighLevelOp) -> Value:
    if _tells_handlers(hop):
        v_exception = _exception(hop)
        hop.genop("raised_here", [v_exception])
        hop.rtyper.own_exceptions.set_context(hop.llops, v_exception)
    return void(None)


@BUILTINS.register(print_traceback)
def rtype_print_traceback(hop: HighLevelOp) -> Value:
    if hop.rtyper.is_program:
        hop.genop("print_traceback", [_exception(hop)])
    return void(None)


@BUILTINS.register(_tracebacks.report_handled)
def rtype_report_handled(hop: HighLevelOp) -> Value:
    return _of_programs(hop, "report_handled", [])


@BUILTINS.register(_tracebacks.report_of)
def rtype_report_of(hop: HighLevelOp) -> Value:
    return _of_programs(hop, "report_of", [_exception(hop)])


@BUILTINS.register(_tracebacks.report_byte)
def rtype_report_byte(hop: HighLevelOp) -> Value:
    return _of_programs(hop, "report_byte", [hop.inputarg(Signed, 0)])


def _of_programs(hop: HighLevelOp, opname: str, args: list[Value]) -> Value:
    """The result of the operation; libraries and tests do not know what is being handled."""
    if not hop.rtyper.is_program:
        return Constant(-1, Signed)
    return hop.genop(opname, args, Signed)


def _tells_handlers(hop: HighLevelOp) -> bool:
    """Will anybody ask what is being handled?"""
    return hop.rtyper.is_program or hop.rtyper.own_exceptions.have_context


def _exception(hop: HighLevelOp) -> Value:
    """Operand 0 as an instance of BaseException."""
    return hop.rtyper.classes.upcast(hop.inputarg(hop.args_r[0], 0), hop.llops)
