"""Transfer rules for ``x.__dict__`` and ``vars(x)``, of which the object is written in Python
(``stdlib._attributes``)."""

from __future__ import annotations

import enum
import functools

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeInstance, SomeInteger, SomeObject, s_None
from rpython.annotator.overlay.descriptors import HIDES
from rpython.annotator.program.classdef import ClassDef, prebuilt_attributes
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.stdlib._attributes import (
    Shapes,
    attribute_names,
    attribute_order,
    attribute_value,
    dict_of,
    names_of,
    reserve_attribute,
    set_attributes,
    setter_of,
    value_of,
)

_NO_NAMES = "variables and attributes have no names at run time: keep the values in a dict"


@FUNCTIONS.register(vars)
def builtin_vars(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if len(args_s) != 1 or not isinstance(args_s[0], SomeInstance):
        raise ctx.error("calling the built-in vars is not supported", hint=_NO_NAMES)
    return read_dict(ctx, args_s[0])


def read_dict(ctx: OpContext, s: SomeInstance) -> SomeObject:
    """``x.__dict__``"""
    for classdef in s.classdef.mro():
        if hasattr(classdef.cls, "_rpython_shows_dict_"):
            continue
        if not classdef.home.is_program or issubclass(classdef.cls, BaseException | enum.Enum):
            hint = "name the attributes, or keep the values in a dict"
            raise ctx.error("attribute '__dict__' is not supported", hint=hint)
    for classdef in s.classdef.subtree():
        if classdef.cls.__dictoffset__ == 0:
            raise ctx.error(f"instances of {classdef.name} have no __dict__, but __slots__")
    s.classdef.note_class_reader(ctx.position)
    return call_chosen(ctx, dict_of, (s,), {})


@FUNCTIONS.register(attribute_names)
def names_that_are_set(ctx: OpContext, s: SomeObject) -> SomeObject:
    return call_chosen(ctx, names_of(_shapes(ctx, s)), (s,), {})


@FUNCTIONS.register(attribute_value)
def value_by_name(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    return call_chosen(ctx, value_of(_shapes(ctx, s)), (s, s_key), {})


@FUNCTIONS.register(set_attributes)
def assign_each(ctx: OpContext, s: SomeObject, s_values: SomeObject) -> SomeObject:
    if not isinstance(s_values, SomeKeywords):
        raise ctx.error(
            f"update() of vars(x) with {s_values.describe()} is not supported",
            hint="update it with keyword arguments, or assign the attributes by name",
        )
    call_chosen(ctx, setter_of(s_values.names), (s, s_values), {})
    return s_None


@FUNCTIONS.register(attribute_order)
def order_of_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    ctx.annotator.notes.ordered[s.classdef.root()] = None
    return SomeInteger(nonneg=True)


@FUNCTIONS.register(reserve_attribute)
def reserve_place(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    return s_None


def _shapes(ctx: OpContext, s: SomeObject) -> Shapes:
    """The attributes that instances of each class may have."""
    assert isinstance(s, SomeInstance)
    s.classdef.note_class_reader(ctx.position)
    s.classdef.counted_at[ctx.position] = None
    for above in s.classdef.mro():
        above.note_reader("__dict__", ctx.position)
    classdefs = s.classdef.concrete(s.members)
    exact = [d for d in classdefs if d.instantiated or d.prebuilt] or [s.classdef]
    exact.sort(key=lambda classdef: -classdef.depth)
    return tuple((classdef.cls, _names(ctx, classdef)) for classdef in exact)


def _names(ctx: OpContext, classdef: ClassDef) -> tuple[str, ...]:
    known: dict[str, None] = {}
    for above in classdef.mro():
        above.note_reader("__dict__", ctx.position)
        for name, attribute in above.attrs.items():
            attribute.readers[ctx.position] = None
            attribute.looked_at.add(ctx.position)
            if name.startswith(HIDES):
                raise ctx.error(
                    f"the __dict__ of {classdef.name} is not supported: its descriptor "
                    f"{name.removeprefix(HIDES)!r} lets instances have an attribute of that name"
                )
            if attribute.s_value.kinds and (attribute.written or _is_cached(classdef, name)):
                known[name] = None
    for x in classdef.prebuilt:
        known.update(dict.fromkeys(prebuilt_attributes(x)))
    return tuple(sorted(name for name in known if not name.startswith("_rpython_")))


def _is_cached(classdef: ClassDef, name: str) -> bool:
    """Is it set by a ``functools.cached_property``?"""
    found = classdef.class_value(name)
    return found is not None and isinstance(found[1], functools.cached_property)
