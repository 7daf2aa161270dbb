"""Transfer rules for attributes of instances some of whose classes define ``__getattr__`` or
``__setattr__``.

    v = getattr(x, 'name')      where some x have no such attribute:
    v = reader(name, ways)(x)

The function is chosen again whenever there is another class, or another attribute of that name.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.annotator.overlay.asked_attributes import (
    Way,
    Ways,
    asker,
    reader,
    reader_or_default,
    writer,
)
from rpython.annotator.overlay.descriptors import assigned_in
from rpython.annotator.program.classdef import (
    ClassDef,
    function_of,
    is_slot,
    prebuilt_attributes,
)
from rpython.annotator.program.hostclasses import is_generated
from rpython.annotator.rules.applying import call_chosen
from rpython.stdlib._attributes import PLAINLY
from rpython.translator.ir.home import Home
from rpython.translator.ir.intrinsics import ProtocolMethod

_COMPUTED = (property, functools.cached_property)
_MAKING = ("__new__", "__init__", "__post_init__")


def read_asked(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject | None:
    """``x.name``; None where no ``__getattr__`` has a part in it."""
    ways = _ways(ctx, s, name)
    return None if ways is None else call_chosen(ctx, reader(name, ways), (s,), {})


def has_asked(
    ctx: OpContext, s: SomeInstance, s_name: SomeObject, name: str
) -> SomeObject | None:
    """``hasattr(x, "name")``; None likewise."""
    ways = _ways(ctx, s, name)
    return None if ways is None else call_chosen(ctx, asker(name, ways), (s, s_name), {})


def read_asked_or_default(
    ctx: OpContext, s: SomeInstance, s_name: SomeObject, name: str, s_default: SomeObject
) -> SomeObject | None:
    """``getattr(x, "name", default)``; None likewise."""
    ways = _ways(ctx, s, name)
    if ways is None:
        return None
    return call_chosen(ctx, reader_or_default(name, ways), (s, s_name, s_default), {})


def write_asked(
    ctx: OpContext, s: SomeInstance, name: str, s_value: SomeObject
) -> SomeObject | None:
    """``x.name = value``; None where no ``__setattr__`` has a part in it."""
    ctx.annotator.notes.chosen.pop(ctx.op, None)
    s.classdef.note_reader("__class__", ctx.position)
    if getattr(ctx.graph.func, PLAINLY, False) or name.startswith("_rpython_"):
        return None
    if not any(map(_decides, s.classdef.subtree())):
        return None
    s.classdef.counted_at[ctx.position] = None
    exact = [d for d in s.classdef.concrete(s.members) if d.instantiated or d.prebuilt]
    ways = _sorted_ways({
        classdef: Way.ASKED if _decides(classdef) else Way.PLAIN
        for classdef in exact or [s.classdef]
    })  # fmt: skip
    return call_chosen(ctx, writer(name, ways), (s, s_value), {})


def _decides(classdef: ClassDef) -> bool:
    """Has the class a ``__setattr__`` of the program's?"""
    found = classdef.class_value("__setattr__")
    return found is not None and isinstance(found[1], FunctionType) and not any(
        is_generated(base, "__setattr__") for base in classdef.cls.__mro__
    )  # fmt: skip


def asking_classes(classdef: ClassDef) -> tuple[type, ...]:
    """The most general classes, this one or below, that define ``__getattr__``."""
    return tuple(found.cls for found in classdef.first_with("__getattr__") if _asks(found))


def _ways(ctx: OpContext, s: SomeInstance, name: str) -> Ways | None:
    """What instances of each class have under the name; None: nothing that ``__getattr__`` has a
    part in."""
    ctx.annotator.notes.chosen.pop(ctx.op, None)
    if isinstance(name, ProtocolMethod) or hasattr(object, name) or name == "__dict__":
        return None
    if name.startswith("_rpython_"):
        return None
    if getattr(ctx.graph.func, PLAINLY, False):
        return None
    s.classdef.note_reader("__class__", ctx.position)
    if not any(_asks(classdef) for classdef in s.classdef.concrete(s.members)):
        return None
    s.classdef.counted_at[ctx.position] = None
    for above in s.classdef.mro():
        above.note_reader(name, ctx.position)
    attribute = s.classdef.find_attribute(name)
    if attribute is not None:
        attribute.readers[ctx.position] = None
    exact = [d for d in s.classdef.concrete(s.members) if d.instantiated or d.prebuilt]
    found = {classdef: _way(classdef, name) for classdef in exact or [s.classdef]}
    if not set(found.values()) - {Way.PLAIN, Way.MISSING}:
        return None
    return _sorted_ways(found)


def _sorted_ways(found: dict[ClassDef, Way]) -> Ways:
    return tuple(
        (classdef.cls, found[classdef])
        for classdef in sorted(found, key=lambda classdef: -classdef.depth)
        if found.get(_nearest(classdef, found)) is not found[classdef]
    )


def _nearest(classdef: ClassDef, found: dict[ClassDef, Way]) -> Any:
    """The class above of which instances are looked at, too."""
    above = classdef.base
    while above is not None and above not in found:
        above = above.base
    return above


def _asks(classdef: ClassDef) -> bool:
    return classdef.home is not Home.OVERLAY and classdef.class_value("__getattr__") is not None


def _way(classdef: ClassDef, name: str) -> Way:
    """What instances of exactly that class have under the name, as far as is known."""
    found = classdef.class_value(name)
    asks = _asks(classdef)
    if found is not None and not is_slot(found[1]) and not classdef.hides(name):
        return Way.COMPUTED if asks and isinstance(found[1], _COMPUTED) else Way.PLAIN
    attribute = classdef.find_attribute(name)
    assigned = attribute is not None and attribute.s_value.kinds != 0
    assigned = assigned or any(name in prebuilt_attributes(x) for x in classdef.prebuilt)
    if not asks:
        return Way.PLAIN if assigned else Way.MISSING
    if attribute is not None and attribute.deleted:
        return Way.EITHER
    if name in _made_with(classdef.cls):
        return Way.PLAIN
    return Way.EITHER if assigned else Way.ASKED


@functools.cache
def _made_with(cls: type) -> frozenset[str]:
    """The attributes that the functions assign which make instances, also as texts:
    ``self.__dict__["x"] = x``."""
    functions = [
        function_of(getattr(value, "__func__", value))
        for base in cls.__mro__ for key, value in vars(base).items() if key in _MAKING
    ]  # fmt: skip
    codes = [function.__code__ for function in functions if function is not None]
    return frozenset(
        name for code in codes for name in (*assigned_in(code), *_assigned_by_text(code))
    )


def _assigned_by_text(code: CodeType) -> Iterator[str]:
    """The names that follow ``.__dict__[`` or ``.__setattr__(``."""
    follows = False
    for instruction in dis.get_instructions(code):
        if instruction.argval in ("__dict__", "__setattr__"):
            follows = True
        elif follows and instruction.opname == "LOAD_CONST":
            follows = False
            if isinstance(instruction.argval, str):
                yield instruction.argval
