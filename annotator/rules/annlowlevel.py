"""Transfer rules between the values of restricted code and low-level ones."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_NONE,
    SomeChar,
    SomeFunction,
    SomeInstance,
    SomeObject,
    SomePtr,
    s_Bytes,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.rules.applying import call_inside
from rpython.annotator.rules.lowlevel import annotation_to_lltype, value_annotation
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem import annlowlevel
from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import Char, FuncType, LowLevelType, Ptr
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR


@FUNCTIONS.register(annlowlevel.llhelper)
def llhelper(ctx: OpContext, s_type: SomeObject, s_function: SomeObject) -> SomeObject:
    F = s_type.value if s_type.is_constant() else None
    if not isinstance(F, Ptr) or not isinstance(F.TO, FuncType):
        raise ctx.error("the first argument of llhelper() must be a constant Ptr(FuncType(...))")
    functions = plain_functions(s_function)
    if not functions:
        raise ctx.error("llhelper() takes functions known at translation time, not closures")
    args_s = tuple(value_annotation(ctx, A) for A in F.TO.ARGS)
    for desc in functions:
        s_result = call_inside(ctx, ctx.constant(desc.func), *args_s)
        if s_result.kinds and not _fits(s_result, F.TO.RESULT):
            raise ctx.error(
                f"the function gives {s_result.describe()}, not the {F.TO.RESULT} of {F.TO}"
            )
    return SomePtr(F)


def plain_functions(s: SomeObject) -> list[FunctionDesc]:
    """The functions that a value may be; none where it may be a closure or something else."""
    if not isinstance(s, SomeFunction):
        return []
    functions = [desc for desc in s.descs if isinstance(desc, FunctionDesc)]
    return [] if any(desc.closure is not None for desc in functions) else functions


def _fits(s_result: SomeObject, RESULT: LowLevelType) -> bool:
    """Is the annotation that of the low-level type?"""
    try:
        fits: bool = annotation_to_lltype(s_result) == RESULT
    except TypeError:
        fits = False
    return fits or (RESULT is Char and isinstance(s_result, SomeChar))


@FUNCTIONS.register(annlowlevel.llstr)
def llstr(ctx: OpContext, s: SomeObject) -> SomeObject:
    return _text_as(ctx, s, s_Str, "llstr", STRPTR)


@FUNCTIONS.register(annlowlevel.llbytes)
def llbytes(ctx: OpContext, s: SomeObject) -> SomeObject:
    return _text_as(ctx, s, s_Bytes, "llbytes", BYTESPTR)


def _text_as(ctx: OpContext, s: SomeObject, s_text: SomeObject, name: str, T: Ptr) -> SomeObject:
    if without_none(s).kinds & ~s_text.kinds:
        raise ctx.error(f"{name}() takes {s_text.describe()} or None, not {s.describe()}")
    return SomePtr(T)


@FUNCTIONS.register(annlowlevel.hlstr)
def hlstr(ctx: OpContext, s: SomeObject) -> SomeObject:
    _require_pointer(ctx, s, STRPTR, "hlstr")
    return ctx.join(s_Str, s_None)


@FUNCTIONS.register(annlowlevel.hlbytes)
def hlbytes(ctx: OpContext, s: SomeObject) -> SomeObject:
    _require_pointer(ctx, s, BYTESPTR, "hlbytes")
    return ctx.join(s_Bytes, s_None)


@FUNCTIONS.register(annlowlevel.cast_instance_to_base_ptr)
def cast_instance_to_base_ptr(ctx: OpContext, s: SomeObject) -> SomeObject:
    return _instance_as(ctx, s, OBJECTPTR)


@FUNCTIONS.register(annlowlevel.cast_instance_to_gcref)
def cast_instance_to_gcref(ctx: OpContext, s: SomeObject) -> SomeObject:
    return _instance_as(ctx, s, GCREF)


def _instance_as(ctx: OpContext, s: SomeObject, T: Ptr) -> SomeObject:
    inner = without_none(s)
    if not isinstance(inner, SomeInstance) and s.kinds & ~K_NONE:
        raise ctx.error(f"{s.describe()} is no instance of a class of the program")
    return SomePtr(T)


@FUNCTIONS.register(annlowlevel.cast_base_ptr_to_instance)
def cast_base_ptr_to_instance(ctx: OpContext, s_class: SomeObject, s: SomeObject) -> SomeObject:
    _require_pointer(ctx, s, OBJECTPTR, "cast_base_ptr_to_instance")
    return _instance_of(ctx, s_class)


@FUNCTIONS.register(annlowlevel.cast_gcref_to_instance)
def cast_gcref_to_instance(ctx: OpContext, s_class: SomeObject, s: SomeObject) -> SomeObject:
    _require_pointer(ctx, s, GCREF, "cast_gcref_to_instance")
    return _instance_of(ctx, s_class)


def _instance_of(ctx: OpContext, s_class: SomeObject) -> SomeObject:
    if not s_class.is_constant() or not isinstance(s_class.value, type):
        raise ctx.error("the class must be known at translation time")
    ctx.annotator.constants.classdef(TypeError)
    return ctx.join(SomeInstance(ctx.annotator.constants.classdef(s_class.value)), s_None)


def _require_pointer(ctx: OpContext, s: SomeObject, T: Ptr, name: str) -> None:
    if s.kinds and (not isinstance(s, SomePtr) or s.ll_ptrtype != T):
        raise ctx.error(f"{name}() takes a {T._short_name()}, not {s.describe()}")
