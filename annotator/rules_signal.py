"""Transfer rules for ``rpython.rlib.rsignal``."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import SomeObject, s_Int, s_None, s_NonNeg
from annotator.registry import FUNCTIONS
from annotator.rules_strings import INTEGER, require_kind
from rpython.rlib import rsignal


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
