"""Transfer rules for ``weakref``."""

from __future__ import annotations

import weakref
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_INSTANCE, SomeInstance, SomeObject
from rpython.annotator.library_weakdicts import KINDS
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import require_kind
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Variable


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
    dictionaries = constants.references.dictionaries
    if ctx.op not in dictionaries.places:
        dictionaries.places[ctx.op] = _place_made_for(ctx.graph, ctx.op)
    s_class = constants.annotation_of(dictionaries.made_by(host, ctx.op))
    return call(ctx, s_class, CallArguments(CallShape(0), (), ()))


def _place_made_for(graph: FunctionGraph, made: SpaceOperation) -> object:
    """Where the dictionary goes that the operation makes: the attribute (of the class whose method
    this is) in which it is stored, else the variable.  Dictionaries that go to one place have one
    type of keys and one of values."""
    same = _variables_meeting(graph, made.result)
    operations = [op for _, op in graph.iterblockops()]
    for op in operations:
        if op.opname == "setattr" and op.args[2] in same and isinstance(op.args[1], Constant):
            function: Any = graph.func
            return (function.__module__, function.__qualname__.rpartition(".")[0], op.args[1].value)
    return next(op for op in operations if op.result in same)


def _variables_meeting(graph: FunctionGraph, start: Variable) -> set[Variable]:
    """The variables that get their value where ``start`` does, or from it."""
    beside: dict[Variable, list[Variable]] = {}
    for link in graph.iterlinks():
        for arg, into in zip(link.args, link.target.inputargs, strict=True):
            if isinstance(arg, Variable):
                beside.setdefault(arg, []).append(into)
                beside.setdefault(into, []).append(arg)
    meeting = {start}
    todo = [start]
    while todo:
        more = [v for v in beside.get(todo.pop(), ()) if v not in meeting]
        meeting.update(more)
        todo += more
    return meeting


for _host in (weakref.WeakSet, weakref.WeakMethod, weakref.finalize, weakref.proxy):

    @FUNCTIONS.register(_host)
    def refused(ctx: OpContext, *args_s: SomeObject, host: Any = _host) -> SomeObject:
        hint = "weakref.ref, WeakValueDictionary and WeakKeyDictionary are supported"
        raise ctx.error(f"weakref.{host.__name__} is not supported", hint=hint)
