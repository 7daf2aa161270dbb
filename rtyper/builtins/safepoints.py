"""Safe points and the exceptions being handled: in executables operations, elsewhere nothing but
what the program reads."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from rpython.lltypesystem.lltype import Signed
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.errors import TyperError
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


@BUILTINS.register(traceback.print_exc)
def rtype_print_exc(hop: HighLevelOp) -> Value:
    if not hop.rtyper.is_program:
        raise TyperError(
            "traceback.print_exc is for executables: libraries and tests do not know what is "
            "being handled",
            hint="raise the exception, or print its text",
        )
    hop.genop("print_handled", [])
    return void(None)


def _tells_handlers(hop: HighLevelOp) -> bool:
    """Will anybody ask what is being handled?"""
    return hop.rtyper.is_program or hop.rtyper.own_exceptions.have_context


def _exception(hop: HighLevelOp) -> Value:
    """Operand 0 as an instance of BaseException."""
    return hop.rtyper.classes.upcast(hop.inputarg(hop.args_r[0], 0), hop.llops)
