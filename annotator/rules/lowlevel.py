"""Transfer rules for low-level values: pointers, chars, operations by name.

Helpers see a ``Char`` as what it is; user code sees the str of one character that it is under
CPython, and what it reads and writes is checked as it is there.
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.addresses import SomeAddress, SomeOffset, s_Address, s_Offset
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeBuiltinMethod,
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
from rpython.annotator.lattice.singlefloats import SomeSingleFloat, s_SingleFloat
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, UNARY
from rpython.annotator.rules.state import attribute_name
from rpython.lltypesystem import lltype
from rpython.lltypesystem.lloperation import LLOpCaller, is_for_programs
from rpython.lltypesystem.lltype import (
    Address,
    Array,
    ArrayBoundsError,
    Bool,
    Char,
    ContainerType,
    FixedSizeArray,
    Float,
    FuncType,
    LowLevelType,
    MemoryFault,
    Offset,
    Ptr,
    Signed,
    SingleFloat,
    UniChar,
    Void,
    low_level_value,
)
from rpython.lltypesystem.operations.llop import UndefinedOperation
from rpython.lltypesystem.rarithmetic import (
    r_int8,
    r_int16,
    r_int32,
    r_int64,
    r_int128,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint128,
)
from rpython.lltypesystem.rstr import STR
from rpython.lltypesystem.simulated.itemnames import named_item

INTEGER_TYPES: dict[LowLevelType, type] = {
    Signed: int, lltype.Unsigned: r_uint, lltype.Int8: r_int8, lltype.Int16: r_int16,
    lltype.Int32: r_int32, lltype.UInt8: r_uint8, lltype.UInt16: r_uint16,
    lltype.UInt32: r_uint32, lltype.Int128: r_int128, lltype.UInt128: r_uint128,
}  # fmt: skip


def lltype_to_annotation(T: LowLevelType) -> SomeObject:
    """The annotation of a value of low-level type ``T`` in a helper.  (In user code see
    ``value_annotation``.)

    Raises TypeError for types that no annotation stands for.
    """
    if isinstance(T, Ptr):
        return SomePtr(T)
    if T in INTEGER_TYPES:
        return SomeInteger(knowntype=INTEGER_TYPES[T])
    simple: dict[LowLevelType, SomeObject] = {
        Bool: s_Bool, Float: s_Float, Char: SomeLLChar(), UniChar: s_Char, Void: s_None,
        SingleFloat: s_SingleFloat, Address: s_Address, Offset: s_Offset,
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
        for Number, cls in INTEGER_TYPES.items():
            if cls is s.knowntype or (Number is Signed and s.knowntype is r_int64):
                return Number
    for cls, result in (
        (SomeBool, Bool), (SomeFloat, Float), (SomeLLChar, Char), (SomeChar, UniChar),
        (SomeNone, Void), (SomeHost, Void), (SomeSingleFloat, SingleFloat),
        (SomeAddress, Address), (SomeOffset, Offset),
    ):  # fmt: skip
        if isinstance(s, cls):
            return result
    raise TypeError(f"{s.describe()} has no low-level type in a helper")


def _container_type(s: SomeObject) -> Any:
    assert isinstance(s, SomePtr)
    return s.ll_ptrtype.TO


def value_annotation(ctx: OpContext, T: LowLevelType) -> SomeObject:
    """The annotation of a value of type ``T`` where ``ctx`` is."""
    return annotation_in(ctx.in_helper, T)


def annotation_in(helper: bool, T: LowLevelType) -> SomeObject:
    """The annotation of a value of type ``T`` in a ``helper`` or in user code."""
    return s_Char if T is Char and not helper else lltype_to_annotation(T)


def _inside(ctx: OpContext, T: LowLevelType) -> SomeObject:
    """Reading a field or item: an inlined container gives a pointer to it."""
    note_checks(ctx)
    return SomePtr(Ptr(T)) if isinstance(T, ContainerType) else value_annotation(ctx, T)


CHECKS: tuple[type[BaseException], ...] = (
    MemoryFault, ArrayBoundsError, TypeError, ValueError, OverflowError,
)  # fmt: skip
"""What the use of a pointer raises in user code."""


def note_checks(ctx: OpContext) -> None:
    """The operation uses a pointer."""
    if not ctx.in_helper:
        for error in CHECKS:
            ctx.annotator.constants.classdef(error)


def require(ctx: OpContext, s_value: SomeObject, T: LowLevelType, where: str) -> None:
    """Refuse a value of another low-level type; ``where``: what it is wanted for."""
    if isinstance(T, ContainerType):
        raise ctx.error(f"{where}: {T._short_name()} is inlined: it cannot be assigned")
    if s_value.kinds == 0 or T is Void:
        return
    if s_value.is_constant() and not isinstance(s_value, SomeHost):
        if ctx.in_helper and isinstance(s_value.value, int) and T in INTEGER_TYPES:
            return
        try:
            low_level_value(T, s_value.value, where)
        except TypeError as error:
            raise ctx.error(str(error)) from None
        return
    try:
        have = annotation_to_lltype(s_value)
    except TypeError:
        fits = False
    else:
        fits = have == T or (T is Char and isinstance(s_value, SomeChar))
    if isinstance(s_value, SomeInteger) and s_value.may_be_bool and not ctx.in_helper:
        raise ctx.error(f"{where}: expected {T._short_name()}, got what may be a bool")
    if not fits:
        raise ctx.error(f"{where}: expected {T._short_name()}, got {s_value.describe()}")


def _field(ctx: OpContext, s: SomeObject) -> tuple[LowLevelType, str]:
    """The type of the field that is named, and what to call it."""
    T, name = _container_type(s), attribute_name(ctx)
    fields = getattr(T, "_flds", {})
    if isinstance(T, FixedSizeArray) and named_item(T, name) is not None:
        return T.OF, f"item of {T._short_name()}"
    if name not in fields:
        has = f" (it has: {', '.join(fields)})" if fields else ""
        hint = ""
        if STR == T and name == "chars":
            hint = "a character has one byte or four: index the str, or use bytes and llbytes()"
        raise ctx.error(f"{T._short_name()} has no field {name!r}{has}", hint=hint)
    return fields[name], f"field {name!r} of {T._short_name()}"


def _items(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> tuple[LowLevelType, str]:
    """The type of the items, and what to call one."""
    T = _container_type(s)
    if not isinstance(T, Array | FixedSizeArray):
        raise ctx.error(f"{T._short_name()} has no items")
    number = isinstance(s_index, SomeInteger) and s_index.knowntype is int
    if not number and not isinstance(s_index, SomeBool):
        raise ctx.error(f"array index must be an int, not {s_index.describe()}")
    return T.OF, f"item of {T._short_name()}"


def adt_member(s: SomeObject, name: str) -> Any:
    """The constant or function of that name that the type of a pointer has; None: none."""
    T = _container_type(s)
    if name in getattr(T, "_flds", {}):
        return None
    return T._adtmeths.get(name)


@UNARY.register("getattr", SomePtr)
def ptr_getattr(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    member = adt_member(s, name)
    if member is not None:
        return SomeBuiltinMethod(name, s) if callable(member) else ctx.constant(member)
    return _inside(ctx, _field(ctx, s)[0])


@UNARY.register("setattr", SomePtr)
def ptr_setattr(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    T, where = _field(ctx, s)
    _inside(ctx, T)
    require(ctx, s_value, T, where)
    return s_None


@UNARY.register("getitem", SomePtr)
def ptr_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    return _inside(ctx, _items(ctx, s, s_index)[0])


@UNARY.register("setitem", SomePtr)
def ptr_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    T, where = _items(ctx, s, s_index)
    _inside(ctx, T)
    require(ctx, s_value, T, where)
    return s_None


def length_of_array(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``len(p)``."""
    T = _container_type(s)
    if not isinstance(T, FixedSizeArray) and not (isinstance(T, Array) and T._has_length()):
        raise ctx.error(f"{T._short_name()} has no length")
    _inside(ctx, Signed)
    return SomeInteger(nonneg=True)


@UNARY.register("bool not_", SomePtr)
def ptr_truth(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


@UNARY.register("simple_call", SomePtr)
def ptr_call(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    T = _container_type(s)
    if not isinstance(T, FuncType):
        raise ctx.error(f"{T._short_name()} is not a function")
    if len(T.ARGS) != len(args_s):
        raise ctx.error(f"{T} cannot be called with {len(args_s)} arguments")
    for i, (A, s_arg) in enumerate(zip(T.ARGS, args_s)):
        require(ctx, s_arg, A, f"argument {i}")
    return _inside(ctx, T.RESULT)


@BINARY.register("eq ne is_", SomePtr, SomePtr)
def compare_ptrs(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomePtr) and isinstance(b, SomePtr)
    if ctx.op.opname == "is_" and not ctx.in_helper:
        raise ctx.error(
            "'is' of low-level pointers: each is an object of its own under CPython", hint="use =="
        )
    if a.ll_ptrtype != b.ll_ptrtype:
        raise ctx.error(f"comparing pointers of two types: {a.ll_ptrtype} and {b.ll_ptrtype}")
    return s_Bool


@BINARY.register("eq ne lt le gt ge", SomeLLChar, SomeLLChar)
def compare_llchars(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


@BINARY.register("eq ne", SomeLLChar, SomeString)
def compare_llchar_string(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


# -- operations by name ---------------------------------------------------------------------------


@FUNCTIONS.register(LLOpCaller)
def ll_operation(ctx: OpContext, s_result: SomeObject, *args_s: SomeObject) -> SomeObject:
    if not ctx.in_helper:
        name = ctx.annotator.binding(ctx.op.args[0]).value.opname
        if not is_for_programs(name):
            raise ctx.error(
                f"llop.{name} is for the toolchain's own helpers: nothing tests its operands",
                hint="use p.x, p[i] and the functions of lltype and llmemory, which are tested",
            )
        for error in (*CHECKS, UndefinedOperation):
            ctx.annotator.constants.classdef(error)
    if s_result.value is Void:
        return s_None
    return lltype_to_annotation(s_result.value)


def specialisation_key(args_s: tuple[SomeObject, ...]) -> tuple[object, ...]:
    """What decides which copy of a helper serves a call: the low-level types of its
    arguments, and the values of those that are host objects."""
    return tuple(s if isinstance(s, SomeHost) else annotation_to_lltype(s) for s in args_s)


def annotations_of_key(key: tuple[Any, ...]) -> tuple[SomeObject, ...]:
    """The annotations of arguments for which that copy is made."""
    return tuple(part if isinstance(part, SomeHost) else lltype_to_annotation(part) for part in key)


def helper_annotations(args_s: tuple[SomeObject, ...]) -> tuple[SomeObject, ...]:
    """What a helper knows of arguments that it is called with: no more than the low-level types,
    so that it does not depend on who calls it.  Raises TypeError."""
    return annotations_of_key(specialisation_key(args_s))
