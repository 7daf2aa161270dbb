"""Transfer rule for attributes that are something else in each of several classes: a property, a
method, a plain attribute.

    v = getattr(x, 'name')      x: Pattern, which has no such attribute itself
    v = reader(x)               asks for the class, Option or Argument, and reads that one's

Where the classes that have it in different ways are not apart, one extends the other, the attribute
is refused (``mixed_attribute``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.annotator.overlay.mixed_attributes import reader_by_class
from rpython.annotator.program.classdef import ClassDef, is_abstract, is_slot, prebuilt_attributes
from rpython.annotator.program.excattrs import is_fact
from rpython.annotator.rules.applying import call_chosen
from rpython.stdlib._registry import classes_below
from rpython.translator.ir.intrinsics import ProtocolMethod

_COMPUTED = (FunctionType, property, functools.cached_property, staticmethod, classmethod)


def read_mixed(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject | None:
    """``x.name``; None where all classes that have the attribute have it in one way, or nobody can
    tell by the class which."""
    ctx.annotator.notes.chosen.pop(ctx.op, None)
    if isinstance(name, ProtocolMethod) or hasattr(object, name) or s.members is not None:
        return None
    classdef = s.classdef
    if classdef.class_value(name) is not None or classdef.find_attribute(name) is not None:
        return None
    if not _computed_below(ctx, classdef, name):
        return None
    classdef.note_reader("__class__", ctx.position)
    classdef.note_reader(name, ctx.position)
    classdef.counted_at[ctx.position] = None
    known = {subdef: _sort(subdef, name) for subdef in classdef.subtree()}
    sorts = set(known.values()) - {None}
    if sorts and object not in sorts:
        return None
    tops = _apart(classdef, known)
    if tops is None:
        return None
    read = reader_by_class(name, tuple(top.cls for top in tops))
    return call_chosen(ctx, read, (s,), {})


def _computed_below(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Has one of the subclasses, of which the program knows some, a method or a property under the
    name?  Kept until the program knows more classes."""
    kept = ctx.annotator.notes.computed_below
    asked = (classdef, name, len(classdef.relatives))
    if asked not in kept:
        below = classes_below(classdef.cls)
        kept[asked] = any(isinstance(vars(cls).get(name), _COMPUTED) for cls in below)
    return kept[asked]


def _sort(classdef: ClassDef, name: str) -> type | None:
    """In which way instances of exactly that class have the attribute: by a method, a property, ...
    or (``object``) as a value; None: they have none."""
    found = classdef.class_value(name)
    if found is not None and not is_slot(found[1]):
        value = found[1]
        if is_abstract(value):
            return None
        return next((sort for sort in _COMPUTED if isinstance(value, sort)), object)
    attribute = classdef.find_attribute(name)
    assigned = attribute is not None and attribute.s_value.kinds != 0
    kept = assigned or is_fact(classdef.cls, name) or any(map(_has(name), classdef.prebuilt))
    return object if kept else None


def _has(name: str) -> Callable[[Any], bool]:
    return lambda x: name in prebuilt_attributes(x)


def _apart(classdef: ClassDef, known: dict[ClassDef, type | None]) -> list[ClassDef] | None:
    """The most general classes that have the attribute each in one way; None where a class below
    another has it in another way, or extends several of them: who is an instance of such a class
    is not known to be below it."""
    tops: list[ClassDef] = []
    stack = [classdef]
    while stack:
        top = stack.pop()
        sort = known[top]
        if sort is None:
            stack.extend(reversed(top.subdefs))
        elif (
            all(known[subdef] is sort for subdef in top.subtree())
            and classdef.tops(top.cls) == [top]
        ):
            tops.append(top)
        else:
            return None
    return tops
