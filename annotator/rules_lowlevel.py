"""Transfer rules for low-level values in helpers: pointers, chars, ``lltype`` functions."""

from __future__ import annotations

from typing import Any

from annotator.context import OpContext
from annotator.model import (
    SomeBool,
    SomeChar,
    SomeFloat,
    SomeHost,
    SomeInteger,
    SomeLLChar,
    SomeNone,
    SomeObject,
    SomePtr,
    SomeString,
    s_Bool,
    s_Char,
    s_Float,
    s_None,
)
from annotator.registry import BINARY, FUNCTIONS, UNARY
from annotator.rules_instances import attribute_name
from annotator.singlefloats import SomeSingleFloat, s_SingleFloat
from lltypesystem import lltype
from lltypesystem.lloperation import LLOpCaller
from lltypesystem.lltype import (
    Bool,
    Char,
    ContainerType,
    Float,
    FuncType,
    LowLevelType,
    Ptr,
    Signed,
    SingleFloat,
    UniChar,
    Void,
)
from lltypesystem.rarithmetic import (
    r_int8,
    r_int16,
    r_int32,
    r_int128,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint128,
)

INTEGER_TYPES: dict[LowLevelType, type] = {
    Signed: int, lltype.Unsigned: r_uint, lltype.Int8: r_int8, lltype.Int16: r_int16,
    lltype.Int32: r_int32, lltype.UInt8: r_uint8, lltype.UInt16: r_uint16,
    lltype.UInt32: r_uint32, lltype.Int128: r_int128, lltype.UInt128: r_uint128,
}  # fmt: skip


def lltype_to_annotation(T: LowLevelType) -> SomeObject:
    """The annotation of a value of low-level type ``T`` in a helper.

    Raises TypeError for types that no annotation stands for.
    """
    if isinstance(T, Ptr):
        return SomePtr(T)
    if T in INTEGER_TYPES:
        return SomeInteger(knowntype=INTEGER_TYPES[T])
    simple: dict[LowLevelType, SomeObject] = {
        Bool: s_Bool, Float: s_Float, Char: SomeLLChar(), UniChar: s_Char, Void: s_None,
        SingleFloat: s_SingleFloat,
    }  # fmt: skip
    if T in simple:
        return simple[T]
    raise TypeError(f"no annotation stands for {T}")


def annotation_to_lltype(s: SomeObject) -> LowLevelType:
    """The inverse, for arguments of helpers.  Raises TypeError."""
    if isinstance(s, SomePtr):
        T: LowLevelType = s.ll_ptrtype
        return T
    if isinstance(s, SomeInteger):
        return next(T for T, cls in INTEGER_TYPES.items() if cls is s.knowntype)
    for cls, result in (
        (SomeBool, Bool), (SomeFloat, Float), (SomeLLChar, Char), (SomeChar, UniChar),
        (SomeNone, Void), (SomeHost, Void), (SomeSingleFloat, SingleFloat),
    ):  # fmt: skip
        if isinstance(s, cls):
            return result
    raise TypeError(f"{s.describe()} has no low-level type in a helper")


def _container_type(s: SomeObject) -> Any:
    assert isinstance(s, SomePtr)
    return s.ll_ptrtype.TO


def _inside(T: LowLevelType) -> SomeObject:
    """Reading a field or item: an inlined container gives a pointer to it."""
    return SomePtr(Ptr(T)) if isinstance(T, ContainerType) else lltype_to_annotation(T)


def _require(ctx: OpContext, s_value: SomeObject, T: LowLevelType) -> None:
    """Refuse to store a value of another low-level type."""
    if s_value.kinds == 0 or T is Void:
        return
    have = annotation_to_lltype(s_value)
    adapts = s_value.is_constant() and (
        (isinstance(s_value.value, int) and T in INTEGER_TYPES)
        or (isinstance(s_value, SomeChar) and T is Char)
    )
    if have != T and not adapts:
        raise ctx.error(f"storing {have} where {T} is expected")


@UNARY.register("getattr", SomePtr)
def ptr_getattr(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    T = _container_type(s)
    name = attribute_name(ctx)
    if name not in getattr(T, "_flds", {}):
        raise ctx.error(f"{T} has no field {name!r}")
    return _inside(T._flds[name])


@UNARY.register("setattr", SomePtr)
def ptr_setattr(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    _require(ctx, s_value, _container_type(s)._flds[attribute_name(ctx)])
    return s_None


@UNARY.register("getitem", SomePtr)
def ptr_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    return _inside(_container_type(s).OF)


@UNARY.register("setitem", SomePtr)
def ptr_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    _require(ctx, s_value, _container_type(s).OF)
    return s_None


@UNARY.register("bool not_", SomePtr)
def ptr_truth(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


@UNARY.register("simple_call", SomePtr)
def ptr_call(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    T = _container_type(s)
    if not isinstance(T, FuncType) or len(T.ARGS) != len(args_s):
        raise ctx.error(f"{T} cannot be called with {len(args_s)} arguments")
    return lltype_to_annotation(T.RESULT)


@BINARY.register("eq ne is_", SomePtr, SomePtr)
def compare_ptrs(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


@BINARY.register("eq ne lt le gt ge", SomeLLChar, SomeLLChar)
def compare_llchars(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


@BINARY.register("eq ne", SomeLLChar, SomeString)
def compare_llchar_string(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


# -- functions of lltype ------------------------------------------------------------------------


@FUNCTIONS.register(lltype.malloc)
def ll_malloc(
    ctx: OpContext, s_type: SomeObject, s_n: SomeObject = s_None, *,
    s_flavor: SomeObject = s_None, s_zero: SomeObject = s_None, s_immortal: SomeObject = s_None,
) -> SomeObject:  # fmt: skip
    return SomePtr(Ptr(s_type.value))


@FUNCTIONS.register(lltype.free)
def ll_free(ctx: OpContext, s_ptr: SomeObject, *, s_flavor: SomeObject) -> SomeObject:
    return s_None


@FUNCTIONS.register(lltype.nullptr)
def ll_nullptr(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    return ctx.constant(lltype.nullptr(s_type.value))


@FUNCTIONS.register(lltype.cast_pointer)
def ll_cast_pointer(ctx: OpContext, s_type: SomeObject, s_ptr: SomeObject) -> SomeObject:
    return SomePtr(s_type.value)


@FUNCTIONS.register(lltype.cast_primitive)
def ll_cast_primitive(ctx: OpContext, s_type: SomeObject, s_value: SomeObject) -> SomeObject:
    return lltype_to_annotation(s_type.value)


@FUNCTIONS.register(lltype.typeOf)
def ll_typeof(ctx: OpContext, s: SomeObject) -> SomeObject:
    return ctx.constant(annotation_to_lltype(s))


@FUNCTIONS.register(LLOpCaller)
def ll_operation(ctx: OpContext, s_result: SomeObject, *args_s: SomeObject) -> SomeObject:
    if s_result.value is Void:
        return s_None
    return lltype_to_annotation(s_result.value)


def specialisation_key(args_s: tuple[SomeObject, ...]) -> tuple[object, ...]:
    """What decides which copy of a helper serves a call: the low-level types of its
    arguments, and the values of those that are host objects."""
    return tuple(s if isinstance(s, SomeHost) else annotation_to_lltype(s) for s in args_s)
