"""Transfer rules for ``gc`` and ``rpython.rlib.rgc``."""

from __future__ import annotations

import gc

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_INT,
    SomeInstance,
    SomeObject,
    s_None,
    s_NonNeg,
)
from rpython.annotator.rules.calls import CallArguments
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.annotator.rules.strings import require_kind
from rpython.rlib import objectmodel, rgc


@FUNCTIONS.register(gc.collect)
def collect(ctx: OpContext, s_generation: SomeObject = s_None) -> SomeObject:
    if s_generation is not s_None:
        require_kind(ctx, s_generation, K_INT | K_BOOL, "an int")
    if not ctx.in_helper and _is_result_used(ctx):
        raise ctx.error(
            "how many objects gc.collect() finds is not known: the collector is another one",
            hint="call it without using the result",
        )
    return s_NonNeg


def _is_result_used(ctx: OpContext) -> bool:
    """Does anything look at the result of the operation?"""
    v = ctx.op.result
    for block in ctx.graph.iterblocks():
        if block.exitswitch is v or any(v in link.args for link in block.exits):
            return True
        if any(v in op.args for op in block.operations):
            return True
    return False


@FUNCTIONS.register(rgc.collect)
def rgc_collect(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    for s_arg in args_s:
        require_kind(ctx, s_arg, K_INT | K_BOOL, "an int")
    return s_None


@FUNCTIONS.register(rgc.set_max_heap_size)
def set_max_heap_size(ctx: OpContext, s_nbytes: SomeObject) -> SomeObject:
    require_kind(ctx, s_nbytes, K_INT | K_BOOL, "an int")
    return s_None


@FUNCTIONS.register(objectmodel.keepalive_until_here)
def keepalive_until_here(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return s_None


@HOST_CALLS.append
def register_finalizer(
    ctx: OpContext, function: object, arguments: CallArguments
) -> SomeObject | None:
    """``register_finalizer`` of a FinalizerQueue."""
    if not isinstance(function, rgc.Register):
        return None
    args_s = arguments.plain(ctx, function.__name__).args_s
    if len(args_s) != 1:
        raise ctx.error("register_finalizer() takes one object")
    queue, s_obj = function.queue, args_s[0]
    if not isinstance(queue.Class, type):
        raise ctx.error(f"the attribute Class of {type(queue).__name__} must be a class")
    classdef = ctx.annotator.constants.classdef(queue.Class)
    if not isinstance(s_obj, SomeInstance) or not s_obj.classdef.is_subclass_of(classdef):
        raise ctx.error(f"{s_obj.describe()} in a queue of {classdef.name} objects")
    finalizers = ctx.annotator.finalizers
    for subdef in classdef.subtree():
        definer = finalizers.method_definer(subdef)
        if definer is not None:
            raise ctx.error(
                f"class {definer.name} has a __del__, and its objects are put in a FinalizerQueue",
                hint="rename the __del__, and call it for the objects that next_dead() gives",
            )
    finalizers.add_queue(queue, classdef)
    return s_None
