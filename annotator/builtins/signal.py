"""Transfer rules for ``rpython.rlib.rsignal`` and ``signal``."""

from __future__ import annotations

import signal
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, s_Int, s_None, s_NonNeg
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import INTEGER, require_kind
from rpython.rlib import rsignal
from rpython.translator.ir.model import FunctionGraph, Variable


@FUNCTIONS.register(rsignal.pypysig_ignore, rsignal.pypysig_default, rsignal.pypysig_setflag)
def set_action(ctx: OpContext, s_number: SomeObject) -> SomeObject:
    require_kind(ctx, s_number, INTEGER, "an int")
    return s_None


@FUNCTIONS.register(rsignal.pypysig_poll)
def poll(ctx: OpContext) -> SomeObject:
    return s_Int


@FUNCTIONS.register(rsignal.c_alarm)
def alarm(ctx: OpContext, s_seconds: SomeObject) -> SomeObject:
    require_kind(ctx, s_seconds, INTEGER, "an int")
    return s_NonNeg


@FUNCTIONS.register(rsignal.c_pause)
def pause(ctx: OpContext) -> SomeObject:
    return s_None


@FUNCTIONS.register(signal.signal)
def set_handler(ctx: OpContext, s_number: SomeObject, s_handler: SomeObject) -> SomeObject:
    """With a constant that is no function: those would have to run between any two operations."""
    require_kind(ctx, s_number, INTEGER, "an int")
    function = handler_setter(s_handler)
    if function is None:
        raise ctx.error(
            "a handler of signals other than signal.SIG_DFL and signal.SIG_IGN is not supported",
            hint="Ctrl-C raises KeyboardInterrupt; rpython.rlib.rsignal tells which signals came",
        )
    if _is_used(ctx.graph, ctx.op.result):
        raise ctx.error("the handler that signal.signal() gives back is not supported")
    return call_overlay(ctx, function, (s_number,), {})


def handler_setter(s_handler: SomeObject) -> Any:
    """The function that makes a constant what happens at a signal; None for other values."""
    if not s_handler.is_constant():
        return None
    return {signal.SIG_DFL: rsignal.use_default, signal.SIG_IGN: rsignal.use_nothing}.get(
        s_handler.value
    )


def _is_used(graph: FunctionGraph, result: Variable) -> bool:
    return any(result in op.args for _, op in graph.iterblockops()) or any(
        result in link.args for link in graph.iterlinks()
    )


@FUNCTIONS.register(signal.getsignal)
def get_handler(ctx: OpContext, s_number: SomeObject) -> SomeObject:
    raise ctx.error("getsignal() is not supported: programs have no handlers of signals")
