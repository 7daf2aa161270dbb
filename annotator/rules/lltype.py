"""Transfer rules for the functions of ``lltype`` and for the methods of low-level types."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeFloat,
    SomeInteger,
    SomeLLChar,
    SomeObject,
    SomePtr,
    SomeString,
    s_Int,
    s_None,
)
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.lowlevel import (
    adt_member,
    annotation_to_lltype,
    note_checks,
    value_annotation,
)
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS, METHOD_CALLS
from rpython.lltypesystem import lltype
from rpython.lltypesystem.lltype import FixedSizeArray, LowLevelType, Ptr


def constant_type(ctx: OpContext, s: SomeObject, name: str) -> Any:
    """The low-level type that the first argument of ``name()`` is."""
    if not s.is_constant() or not isinstance(s.value, LowLevelType):
        raise ctx.error(f"{name}() needs a low-level type known at translation time")
    return s.value


def pointer_type(ctx: OpContext, s: SomeObject, name: str) -> Ptr:
    """The type of the pointer given to ``name()``."""
    if not isinstance(s, SomePtr):
        raise ctx.error(f"{name}() takes a low-level pointer, not {s.describe()}")
    T: Ptr = s.ll_ptrtype
    return T


def attempt(ctx: OpContext, function: Callable[..., Any], *args: Any, **kwds: Any) -> Any:
    """What the host function says about types; its TypeError is an error of the program."""
    note_checks(ctx)
    try:
        return function(*args, **kwds)
    except TypeError as error:
        raise ctx.error(str(error)) from None


# -- memory -------------------------------------------------------------------------------------


@FUNCTIONS.register(lltype.malloc)
def ll_malloc(
    ctx: OpContext, s_type: SomeObject, s_n: SomeObject = s_None, *,
    s_flavor: SomeObject = s_None, s_zero: SomeObject = s_None, s_immortal: SomeObject = s_None,
    s_track_allocation: SomeObject = s_None, s_add_memory_pressure: SomeObject = s_None,
    s_nonmovable: SomeObject = s_None,
) -> SomeObject:  # fmt: skip
    T = constant_type(ctx, s_type, "malloc")
    if ctx.in_helper:
        return SomePtr(Ptr(T))
    given = {"flavor": s_flavor, "zero": s_zero, "immortal": s_immortal}
    flags: dict[str, Any] = {}
    for name, s in given.items():
        if s != s_None:
            if not s.is_constant():
                raise ctx.error(f"malloc(): {name} must be a constant")
            flags[name] = s.value
    length = None if s_n == s_None else 0
    if length == 0 and not _is_length(s_n):
        raise ctx.error(f"malloc: the length must be an int, not {s_n.describe()}")
    attempt(ctx, lltype.malloc, T, length, track_allocation=False, **flags)
    return SomePtr(Ptr(T))


def _is_length(s: SomeObject) -> bool:
    """Is it an integer of at most 64 bits?"""
    return isinstance(s, SomeInteger) and getattr(s.knowntype, "BITS", 64) <= 64


@FUNCTIONS.register(lltype.free)
def ll_free(
    ctx: OpContext, s_ptr: SomeObject, s_flavor: SomeObject = s_None, *,
    s_track_allocation: SomeObject = s_None,
) -> SomeObject:  # fmt: skip
    T = pointer_type(ctx, s_ptr, "free")
    if T._gckind != "raw" or (s_flavor.is_constant() and s_flavor.value not in ("raw", None)):
        raise ctx.error(f"free: only raw memory can be freed, not {T._short_name()}")
    note_checks(ctx)
    return s_None


@FUNCTIONS.register(lltype.render_immortal)
def ll_render_immortal(
    ctx: OpContext, s_ptr: SomeObject, s_track_allocation: SomeObject = s_None
) -> SomeObject:
    if pointer_type(ctx, s_ptr, "render_immortal")._gckind != "raw":
        raise ctx.error("render_immortal: only raw memory is freed")
    note_checks(ctx)
    return s_None


@FUNCTIONS.register(lltype.nullptr)
def ll_nullptr(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    T = constant_type(ctx, s_type, "nullptr")
    return ctx.constant(attempt(ctx, lltype.nullptr, T))


# -- types --------------------------------------------------------------------------------------


@FUNCTIONS.register(lltype.typeOf)
def ll_typeof(ctx: OpContext, s: SomeObject) -> SomeObject:
    if not ctx.in_helper and isinstance(s, SomeString):
        raise ctx.error("typeOf() of a str depends on the character")
    return ctx.constant(attempt(ctx, annotation_to_lltype, s))


@FUNCTIONS.register(Ptr)
def ll_ptr(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    return ctx.constant(attempt(ctx, Ptr, constant_type(ctx, s_type, "Ptr")))


@FUNCTIONS.register(lltype.getRuntimeTypeInfo, lltype.attachRuntimeTypeInfo)
def ll_runtime_type(
    ctx: OpContext, s_type: SomeObject, s_query: SomeObject = s_None, s_del: SomeObject = s_None
) -> SomeObject:
    function = ctx.annotator.binding(ctx.op.args[0]).value
    T = constant_type(ctx, s_type, function.__name__)
    if s_query != s_None or s_del != s_None:
        raise ctx.error("attachRuntimeTypeInfo() with functions: call it before translating")
    return ctx.constant(attempt(ctx, function, T))


@FUNCTIONS.register(lltype.runtime_type_info)
def ll_runtime_type_info(ctx: OpContext, s_ptr: SomeObject) -> SomeObject:
    T = pointer_type(ctx, s_ptr, "runtime_type_info").TO
    attempt(ctx, lltype.getRuntimeTypeInfo, T)
    return SomePtr(Ptr(lltype.RuntimeTypeInfo))


# -- casts --------------------------------------------------------------------------------------


@FUNCTIONS.register(lltype.cast_pointer)
def ll_cast_pointer(ctx: OpContext, s_type: SomeObject, s_ptr: SomeObject) -> SomeObject:
    return _cast(ctx, lltype.cast_pointer, s_type, s_ptr)


@FUNCTIONS.register(lltype.cast_opaque_ptr)
def ll_cast_opaque_ptr(ctx: OpContext, s_type: SomeObject, s_ptr: SomeObject) -> SomeObject:
    return _cast(ctx, lltype.cast_opaque_ptr, s_type, s_ptr)


def _cast(
    ctx: OpContext, function: Callable[..., Any], s_type: SomeObject, s_ptr: SomeObject
) -> SomeObject:
    TARGET = constant_type(ctx, s_type, function.__name__)
    SOURCE = pointer_type(ctx, s_ptr, function.__name__)
    if not isinstance(TARGET, Ptr):
        raise ctx.error(f"{function.__name__}: {TARGET} is not a pointer type")
    attempt(ctx, function, TARGET, SOURCE._defl())
    return SomePtr(TARGET)


@FUNCTIONS.register(lltype.cast_primitive)
def ll_cast_primitive(ctx: OpContext, s_type: SomeObject, s_value: SomeObject) -> SomeObject:
    T = constant_type(ctx, s_type, "cast_primitive")
    character = isinstance(s_value, SomeLLChar | SomeString)
    kinds = (SomeInteger, SomeBool, SomeFloat, SomeSingleFloat, SomeLLChar, SomeString)
    if not isinstance(s_value, kinds):
        raise ctx.error(f"cast_primitive: {s_value.describe()} is not a primitive value")
    if not ctx.in_helper:
        attempt(ctx, annotation_to_lltype, s_value)
    attempt(ctx, lltype.cast_primitive, T, "\0" if character else 0)
    return value_annotation(ctx, T)


@FUNCTIONS.register(lltype.cast_ptr_to_int)
def ll_cast_ptr_to_int(ctx: OpContext, s_ptr: SomeObject) -> SomeObject:
    pointer_type(ctx, s_ptr, "cast_ptr_to_int")
    return s_Int


@FUNCTIONS.register(lltype.identityhash)
def ll_identityhash(ctx: OpContext, s_ptr: SomeObject) -> SomeObject:
    if pointer_type(ctx, s_ptr, "identityhash")._gckind != "gc":
        raise ctx.error("identityhash() takes a GC pointer")
    note_checks(ctx)
    return s_Int


# -- pointers into the middle of containers -----------------------------------------------------


@FUNCTIONS.register(lltype.direct_fieldptr)
def ll_direct_fieldptr(ctx: OpContext, s_ptr: SomeObject, s_field: SomeObject) -> SomeObject:
    S = pointer_type(ctx, s_ptr, "direct_fieldptr").TO
    if not s_field.is_constant():
        raise ctx.error("direct_fieldptr() needs a constant field name")
    return SomePtr(attempt(ctx, lltype.direct_fieldptr_type, S, s_field.value))


@FUNCTIONS.register(lltype.direct_arrayitems)
def ll_direct_arrayitems(ctx: OpContext, s_ptr: SomeObject) -> SomeObject:
    A = pointer_type(ctx, s_ptr, "direct_arrayitems").TO
    if not isinstance(A, lltype.Array | FixedSizeArray):
        raise ctx.error(f"direct_arrayitems: {A._short_name()} is not an array")
    note_checks(ctx)
    return SomePtr(Ptr(FixedSizeArray(A.OF, 1)))


@FUNCTIONS.register(lltype.direct_ptradd)
def ll_direct_ptradd(ctx: OpContext, s_ptr: SomeObject, s_n: SomeObject) -> SomeObject:
    A = pointer_type(ctx, s_ptr, "direct_ptradd").TO
    if not lltype.is_bare_array(A):
        raise ctx.error(f"direct_ptradd: {A._short_name()} is not a bare array")
    if not isinstance(s_n, SomeInteger) or s_n.knowntype is not int:
        raise ctx.error(f"direct_ptradd: {s_n.describe()} is not an int")
    note_checks(ctx)
    return SomePtr(Ptr(A))


# -- methods ------------------------------------------------------------------------------------


@METHOD_CALLS.append
def adt_method(
    ctx: OpContext, name: str, s_self: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """``p.method(args)``: a function in the ``adtmeths`` of the type."""
    if not isinstance(s_self, SomePtr):
        return None
    function = adt_member(s_self, name)
    if not isinstance(function, types.FunctionType):
        raise ctx.error(f"{name!r} in the adtmeths of a type must be a function")
    if getattr(function, "_static_method", False):
        return call(ctx, ctx.constant(function), arguments)
    s_first = s_self.without_const()
    if getattr(function, "_type_method", False):
        s_first = ctx.constant(s_self.ll_ptrtype.TO)
    return call(ctx, ctx.constant(function), arguments.prepend(s_first))


@HOST_CALLS.append
def type_method(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """``T.method(args)``: a ``typeMethod``."""
    T = getattr(function, "__self__", None)
    if not isinstance(function, types.MethodType) or not isinstance(T, LowLevelType):
        return None
    return call(ctx, ctx.constant(function.__func__), arguments.prepend(ctx.constant(T)))
