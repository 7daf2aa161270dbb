"""Transfer rules for copies of instances: a function for the classes that an instance may be of
names their attributes (``rpython.stdlib.copy``)."""

from __future__ import annotations

import enum
import types

from rpython.annotator.builtins.overlay import exact_classes
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_DICT,
    K_FROZENSET,
    K_INSTANCE,
    K_LIST,
    K_METHOD,
    K_SET,
    K_TUPLE,
    SomeInstance,
    SomeObject,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.vartuples import SomeVarTuple, tuple_items
from rpython.annotator.program.classdef import ClassDef, is_state_machine
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.lowlevel import lltype_to_annotation
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem.llmemory import GCREF
from rpython.stdlib import copy
from rpython.stdlib._registry import Refused
from rpython.stdlib._subclasses import Extended
from rpython.translator.ir.home import home_of_class

_COPIED = (
    K_LIST | K_DICT | K_SET | K_FROZENSET | K_TUPLE | K_BYTEARRAY | K_INSTANCE | K_METHOD
)
"""Kinds of which a deep copy is not the value itself; that of a method raises an error."""
_NOT_COPIED = (
    type(None), bool, int, float, str, bytes, enum.Enum, types.MemberDescriptorType,
)  # fmt: skip
"""Of the class: an attribute of that name in an instance is its own, or need not be copied."""


@FUNCTIONS.register(copy.of_instance)
def of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    return _choose(ctx, False, s)


@FUNCTIONS.register(copy.deep_of_instance)
def deep_of_instance(ctx: OpContext, s: SomeObject, s_memo: SomeObject) -> SomeObject:
    return _choose(ctx, True, s, s_memo)


def _choose(ctx: OpContext, deep: bool, s: SomeObject, *rest_s: SomeObject) -> SomeObject:
    name = "deepcopy" if deep else "copy"
    if not isinstance(s, SomeInstance):
        raise ctx.error(f"{name}() of {s.describe()} is not supported")
    classdefs = exact_classes(ctx, s)
    try:
        described = tuple(
            (d.cls, _attributes(ctx, d) if deep and copy.COPIED not in vars(d.cls) else ())
            for d in classdefs
        )
        chosen = copy.instance_copier(deep, described)
    except Refused as error:
        raise ctx.error(f"{name}() of {s.describe()} is not supported: {error}") from None
    return call_chosen(ctx, chosen, (s, *rest_s), {})


def _attributes(ctx: OpContext, classdef: ClassDef) -> tuple[str, ...]:
    """The names of what instances of exactly that class may hold that is copied.  Raises
    Refused."""
    names = []
    for above in classdef.mro():
        above.note_reader("__dict__", ctx.position)
        for name, attribute in above.attrs.items():
            attribute.looked_at.add(ctx.position)
            if not ctx.read(attribute).kinds & _COPIED:
                continue
            found = classdef.class_value(name)
            if found is not None and not isinstance(found[1], _NOT_COPIED):
                raise Refused(f"its attribute {name!r} may be that of class {found[0].__name__}")
            names.append(name)
    return tuple(names)


@FUNCTIONS.register(copy.deep_of_tuple)
def deep_of_tuple(ctx: OpContext, s: SomeObject, s_memo: SomeObject) -> SomeObject:
    cls = s.cls if isinstance(s, SomeNamedTuple) else tuple
    items_s = None if isinstance(s, SomeVarTuple) else tuple_items(s)
    chosen = copy.tuple_copier(cls, None if items_s is None else len(items_s))
    return call_chosen(ctx, chosen, (s, s_memo), {})


@FUNCTIONS.register(copy.same_again)
def same_again(ctx: OpContext, s: SomeObject, s_class: SomeObject) -> SomeObject:
    classdef = ctx.annotator.constants.classdef(s_class.value)
    ours = any(home_of_class(base).is_ours for base in classdef.cls.__mro__)
    if (
        (ours and not hasattr(classdef.cls, "__copy__") and not issubclass(classdef.cls, Extended))
        or issubclass(classdef.cls, BaseException)
        or is_state_machine(classdef)
    ):
        raise ctx.error(f"a copy of {s.describe()} is not supported")
    ctx.annotator.instantiate(classdef)
    return SomeInstance(classdef)


@FUNCTIONS.register(copy.as_reference)
def as_reference(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert not s.kinds & ~(K_LIST | K_DICT | K_SET | K_INSTANCE)
    return lltype_to_annotation(GCREF)


@FUNCTIONS.register(copy.referred)
def referred(ctx: OpContext, s: SomeObject, s_example: SomeObject) -> SomeObject:
    return s_example
