"""Transfer rules for ``weakref``."""

from __future__ import annotations

import weakref

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_INSTANCE, SomeInstance, SomeObject
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import require_kind
from rpython.translator.ir.hlops import CallShape


@FUNCTIONS.register(weakref.ref)
def make_ref(ctx: OpContext, s_target: SomeObject) -> SomeObject:
    require_kind(ctx, s_target, K_INSTANCE, "an instance of a class of the program")
    if not isinstance(s_target, SomeInstance):
        return s_target
    constants = ctx.annotator.constants
    s_class = constants.annotation_of(constants.overlays.references.of(s_target.classdef.cls))
    return call(ctx, s_class, CallArguments(CallShape(1), (s_target,), (None,)))
