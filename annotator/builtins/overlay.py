"""Transfer rules for built-in functions and methods that are written in Python
(``rpython.stdlib._registry``: ``called_for``, ``method_of``)."""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeMemoryView,
    SomeObject,
    SomeSlice,
    SomeString,
    SomeTuple,
    s_Int,
)
from rpython.annotator.lattice.sets import SomeFrozenSet, SomeSet
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.calls import CallArguments
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import integer_type, is_wide, require_one_type
from rpython.annotator.rules.registry import FUNCTIONS, METHOD_CALLS, METHODS, Looks
from rpython.lltypesystem.rarithmetic import base_int
from rpython.stdlib import _bytes, _containers, _keywords, _numbers, _proxies, _str
from rpython.stdlib._registry import FrozenKeywords, calls, methods

OVERLAYS = (_bytes, _containers, _keywords, _numbers, _proxies, _str)
"""The modules in which these functions are; importing them has registered them."""

_ANNOTATIONS: dict[type, tuple[type[SomeObject], ...]] = {
    str: (SomeString,), bytes: (SomeBytes,), bytearray: (SomeByteArray,),
    memoryview: (SomeMemoryView,), int: (SomeInteger, SomeBool), float: (SomeFloat,),
    list: (SomeList,), dict: (SomeDict,), set: (SomeSet,), frozenset: (SomeFrozenSet,),
    slice: (SomeSlice,), FrozenKeywords: (SomeKeywords,),
}  # fmt: skip

WIDE_METHODS = {name: function for owner, name, function in methods() if owner is base_int}
"""Of integers that do not fit in an int."""


def exact_classes(ctx: OpContext, s: SomeInstance) -> list[ClassDef]:
    """Those that instances may be of exactly, for a function that is chosen by them: the
    operation is annotated again when there are others.  The static class if there are none."""
    s.classdef.note_class_reader(ctx.position)
    s.classdef.counted_at[ctx.position] = None
    found = [d for d in s.classdef.concrete(s.members) if d.instantiated or d.prebuilt]
    return found or [s.classdef]


for _host, _function in calls():

    @FUNCTIONS.register(_host, looks=Looks.VALUES)
    def host_function(
        ctx: OpContext, *args_s: SomeObject, function: Any = _function, **keywords: SomeObject
    ) -> SomeObject:
        for s in (*args_s, *keywords.values()):
            require_one_type(ctx, s, "which decides the type of the result")
        sized = [s for s in args_s if integer_type(s) is not int]
        if function is _numbers.power and sized and len(args_s) + len(keywords) > 2:
            raise ctx.error(
                f"pow() with a modulus takes plain ints, not {sized[0].describe()}",
                hint="convert it first: int(...)",
            )
        return call_overlay(ctx, function, args_s, keywords)


for _owner, _name, _function in methods():
    for _annotation in _ANNOTATIONS.get(_owner, ()):

        @METHODS.register(_name, _annotation)
        def method(
            ctx: OpContext, s: SomeObject, *args_s: SomeObject, function: Any = _function,
            **keywords: SomeObject,
        ) -> SomeObject:  # fmt: skip
            if isinstance(s, SomeInteger | SomeBool):
                if is_wide(s):
                    function = WIDE_METHODS.get(ctx.method_name)
                    if function is None:
                        raise ctx.error(f"{ctx.method_name}() of {s.describe()} is not supported")
                else:
                    s = s_Int
            return call_overlay(ctx, function, (s.without_const(), *args_s), keywords)


@METHOD_CALLS.append
def join_bytearrays(
    ctx: OpContext, name: str, s_self: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """``join`` of bytearrays, and of bytes by a bytearray."""
    if name != "join" or len(arguments.args_s) != 1:
        return None
    s_items = arguments.args_s[0]
    if isinstance(s_self, SomeByteArray):
        if item_of(ctx, s_items).kinds & ~(K_BYTES | K_BYTEARRAY):
            raise ctx.error(f"join needs a list of bytes, not {s_items.describe()}")
        return None
    if not isinstance(s_self, SomeBytes):
        return None
    if isinstance(s_items, SomeTuple):
        if not all(isinstance(s_item, SomeByteArray) for s_item in s_items.items):
            return None
    elif not isinstance(item_of(ctx, s_items), SomeByteArray):
        return None
    if not s_items.kinds or (isinstance(s_items, SomeTuple) and not s_items.items):
        return None
    return call_overlay(ctx, _bytes.join, (s_self, s_items), {})
