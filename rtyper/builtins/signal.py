"""``rpython.rlib.rsignal`` and ``signal``."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.signal import handler_setter
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lltype import Signed, Void
from rpython.rlib import rsignal
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

_HEADERS = ("rpy_signal.h",)
ACTIONS: dict[Any, Any] = {
    function: llexternal(f"rpy_signal_{name}", [Signed], Void, function, _HEADERS)
    for name, function in (
        ("ignore", rsignal.pypysig_ignore),
        ("default", rsignal.pypysig_default),
        ("setflag", rsignal.pypysig_setflag),
    )
}
c_poll = llexternal("rpy_signal_poll", [], Signed, rsignal.pypysig_poll, _HEADERS)
c_alarm = llexternal("rpy_signal_alarm", [Signed], Signed, rsignal.c_alarm, _HEADERS)
c_pause = llexternal(
    "rpy_signal_pause", [], Void, rsignal.c_pause, _HEADERS, blocking=True
)


@BUILTINS.register(*ACTIONS)
def rtype_action(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    hop.llops.call_pointer(ACTIONS[function], [index_arg(hop, 0)])
    return void(None)


@BUILTINS.register(rsignal.pypysig_poll)
def rtype_poll(hop: HighLevelOp) -> Value:
    return hop.llops.call_pointer(c_poll, [])


@BUILTINS.register(rsignal.c_alarm)
def rtype_alarm(hop: HighLevelOp) -> Value:
    return hop.llops.call_pointer(c_alarm, [index_arg(hop, 0)])


@BUILTINS.register(rsignal.c_pause)
def rtype_pause(hop: HighLevelOp) -> Value:
    hop.llops.call_pointer(c_pause, [])
    return void(None)


@BUILTINS.register(signal.signal)
def rtype_set_handler(hop: HighLevelOp) -> Value:
    rtyper = hop.rtyper
    desc = rtyper.annotator.constants.function_desc(handler_setter(hop.args_s[1]))
    operands = [Operand(*hop.operand(0))]
    return rtyper.calls.call_desc(hop.llops, desc, CallShape(1, ()), operands, hop.r_result)
