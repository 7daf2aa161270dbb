"""Transfer rules for what no restricted Python can say in ``rpython.rlib.objectmodel`` and
``debug``, and for functions with an ExtRegistryEntry."""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_INSTANCE,
    K_NONE,
    SomeClass,
    SomeDict,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeObject,
    s_Bottom,
)
from rpython.annotator.lattice.parts import has_text, without_none
from rpython.annotator.lattice.sets import SomeSet
from rpython.annotator.program.desc import ClassDesc
from rpython.annotator.program.extregistry import asking, lookup
from rpython.annotator.program.promises import Promise
from rpython.annotator.rules.calls import CallArguments
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.rlib import debug, objectmodel


@FUNCTIONS.register(objectmodel.compute_identity_hash)
def identity(ctx: OpContext, s: SomeObject) -> SomeObject:
    if not isinstance(without_none(s), SomeInstance) or without_none(s) != s:
        message = f"only instances have an identity to ask for, not {s.describe()}"
        raise ctx.refusal(s, K_INSTANCE, message)
    return SomeInteger()


@FUNCTIONS.register(objectmodel.compute_unique_id)
def number_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    """None has a number, too."""
    return SomeInteger() if s.kinds == K_NONE else identity(ctx, without_none(s))


@FUNCTIONS.register(id)
def unique_id(ctx: OpContext, s: SomeObject) -> SomeObject:
    if not isinstance(without_none(s), SomeInstance | SomeList | SomeDict | SomeSet):
        raise ctx.error(
            f"id() of {s.describe()} is not supported",
            hint="instances, lists, dicts and sets have an identity",
        )
    return SomeInteger()


@FUNCTIONS.register(object.__new__)
def new_object(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    """In a ``__new__`` of the program, where CPython takes no other argument."""
    if args_s:
        raise ctx.error("object.__new__() takes exactly one argument (the type to instantiate)")
    return instantiate(ctx, s)


@FUNCTIONS.register(objectmodel.instantiate)
def instantiate(ctx: OpContext, s: SomeObject, s_nonmovable: SomeObject = s_Bottom) -> SomeObject:
    if not isinstance(s, SomeClass):
        raise ctx.error(f"instantiate() takes a class, not {s.describe()}")
    s_result: SomeObject = s_Bottom
    for desc in s.descs:
        assert isinstance(desc, ClassDesc)
        if issubclass(desc.classdef.cls, BaseException | type(None)):
            raise ctx.error(f"instantiate() of {desc.name} is not supported")
        ctx.annotator.instantiate(desc.classdef)
        desc.classdef.bare = True
        s_result = ctx.join(s_result, SomeInstance(desc.classdef))
    return s_result


for _host in (debug.make_sure_not_resized, debug.make_sure_not_modified):

    @FUNCTIONS.register(_host)
    def promise(ctx: OpContext, s: SomeObject, host: Any = _host) -> SomeObject:
        some = without_none(s)
        if s.kinds != K_NONE and not isinstance(some, SomeList):
            raise ctx.error(f"{host.__name__}() takes a list, not {s.describe()}")
        if isinstance(some, SomeList):
            modified = host is debug.make_sure_not_modified
            promised = Promise(some.listdef, modified, ctx.op.span)
            ctx.annotator.notes.promises[ctx.op] = promised
        return s


@FUNCTIONS.register(debug.name_of_kind)
def name_of_kind(ctx: OpContext, s: SomeObject) -> SomeObject:
    return ctx.constant(None if has_text(s) else f"<{s.describe()}>")


@HOST_CALLS.append
def registered(ctx: OpContext, function: object, arguments: CallArguments) -> SomeObject | None:
    """A function that a library has an ExtRegistryEntry for."""
    entry = lookup(function)
    if entry is None:
        return None
    plain = arguments.plain(ctx, getattr(function, "__name__", repr(function)))
    count = plain.shape.positional
    keywords = {f"s_{k}": s for k, s in zip(plain.shape.keywords, plain.args_s[count:])}
    with asking(entry, ctx.annotator.bookkeeper):
        return entry.compute_result_annotation(*plain.args_s[:count], **keywords)
