"""Transfer rules for ``gc`` and ``rpython.rlib.rgc``."""

from __future__ import annotations

import gc

from annotator.context import OpContext
from annotator.model import K_BOOL, K_INT, SomeObject, s_None, s_NonNeg
from annotator.registry import FUNCTIONS
from annotator.rules_strings import require_kind
from rpython.rlib import objectmodel, rgc


@FUNCTIONS.register(gc.collect)
def collect(ctx: OpContext, s_generation: SomeObject = s_None) -> SomeObject:
    if s_generation is not s_None:
        require_kind(ctx, s_generation, K_INT | K_BOOL, "an int")
    return s_NonNeg


@FUNCTIONS.register(rgc.collect)
def rgc_collect(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    for s_arg in args_s:
        require_kind(ctx, s_arg, K_INT | K_BOOL, "an int")
    return s_None


@FUNCTIONS.register(objectmodel.keepalive_until_here)
def keepalive_until_here(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return s_None
