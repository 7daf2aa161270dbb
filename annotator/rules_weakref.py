"""Transfer rules for ``weakref``."""

from __future__ import annotations

import weakref
from typing import Any

from annotator.context import OpContext
from annotator.library_weakdicts import KINDS
from annotator.model import K_INSTANCE, SomeInstance, SomeObject
from annotator.registry import FUNCTIONS
from annotator.rules_calls import CallArguments, call
from annotator.rules_strings import require_kind
from translator.ir.hlops import CallShape


@FUNCTIONS.register(weakref.ref)
def make_ref(ctx: OpContext, s_target: SomeObject) -> SomeObject:
    require_kind(ctx, s_target, K_INSTANCE, "an instance of a class of the program")
    if not isinstance(s_target, SomeInstance):
        return s_target
    constants = ctx.annotator.constants
    s_class = constants.annotation_of(constants.references.of(s_target.classdef.cls))
    return call(ctx, s_class, CallArguments(CallShape(1), (s_target,), (None,)))


@FUNCTIONS.register(*KINDS)
def make_dictionary(ctx: OpContext) -> SomeObject:
    constants = ctx.annotator.constants
    host = ctx.annotator.binding(ctx.op.args[0]).value
    s_class = constants.annotation_of(constants.references.dictionaries.of(host, ctx.op))
    return call(ctx, s_class, CallArguments(CallShape(0), (), ()))


for _host in (weakref.WeakSet, weakref.WeakMethod, weakref.finalize, weakref.proxy):

    @FUNCTIONS.register(_host)
    def refused(ctx: OpContext, *args_s: SomeObject, host: Any = _host) -> SomeObject:
        hint = "weakref.ref, WeakValueDictionary and WeakKeyDictionary are supported"
        raise ctx.error(f"weakref.{host.__name__} is not supported", hint=hint)
