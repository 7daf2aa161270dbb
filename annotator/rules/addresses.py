"""Transfer rules for ``llmemory``: addresses, symbolic offsets, raw memory."""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.addresses import (
    SomeAccess,
    SomeAddress,
    SomeOffset,
    s_Address,
    s_Offset,
)
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeInteger,
    SomeObject,
    SomePtr,
    s_Bool,
    s_Int,
    s_None,
)
from rpython.annotator.rules.lltype import attempt, constant_type, pointer_type
from rpython.annotator.rules.lowlevel import note_checks, require, value_annotation
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, UNARY
from rpython.annotator.rules.state import attribute_name
from rpython.lltypesystem import llmemory
from rpython.lltypesystem.lltype import Ptr
from rpython.lltypesystem.simulated.addresses import ACCESS_TYPES

# -- arithmetic ---------------------------------------------------------------------------------
# An int in the place of an offset is a number of bytes.


@BINARY.register("add sub", SomeAddress, SomeInteger)
def move_address_in_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    _require_int(ctx, b, "what is added to an address")
    note_checks(ctx)
    return s_Address


@BINARY.register("add sub", SomeOffset, SomeInteger)
def add_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    _require_int(ctx, b, "what is added to an offset")
    return s_Offset


@BINARY.register("add", SomeInteger, SomeOffset)
def add_to_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return add_bytes(ctx, b, a)


@BINARY.register("add sub", SomeAddress, SomeOffset)
def move_address(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    note_checks(ctx)
    return s_Address


@BINARY.register("sub", SomeAddress, SomeAddress)
def subtract_addresses(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    note_checks(ctx)
    return s_Offset


@BINARY.register("add sub", SomeOffset, SomeOffset)
def add_offsets(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Offset


@BINARY.register("mul", SomeOffset, SomeInteger)
def multiply_offset(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return _times(ctx, b)


@BINARY.register("mul", SomeInteger, SomeOffset)
def multiply_by_offset(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return _times(ctx, a)


def _times(ctx: OpContext, s_n: SomeObject) -> SomeObject:
    _require_int(ctx, s_n, "what an offset is multiplied by")
    return s_Offset


@UNARY.register("neg", SomeOffset)
def negate_offset(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Offset


@BINARY.register("eq ne lt le gt ge", SomeAddress, SomeAddress)
def compare_addresses(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


@BINARY.register("is_", SomeAddress, SomeAddress)
def identity_of_addresses(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    raise ctx.error("'is' of addresses: each is an object of its own under CPython", hint="use ==")


@BINARY.register("eq ne lt le gt ge is_", SomeOffset, SomeOffset)
def compare_offsets(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    raise ctx.error(
        "offsets are not compared: they are no numbers under CPython", hint="compare addresses"
    )


@UNARY.register("hash", SomeAddress)
def hash_of_address(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Int


@UNARY.register("bool not_", SomeAddress)
def truth_of_address(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


# -- access -------------------------------------------------------------------------------------


@UNARY.register("getattr", SomeAddress)
def address_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    if name not in ACCESS_TYPES:
        raise ctx.error(
            f"an address has no attribute {name!r} (it has: {', '.join(ACCESS_TYPES)})"
        )
    return SomeAccess(ACCESS_TYPES[name])


@UNARY.register("getitem", SomeAccess)
def load(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    assert isinstance(s, SomeAccess)
    _require_int(ctx, s_index, "the index")
    note_checks(ctx)
    return value_annotation(ctx, s.T)


@UNARY.register("setitem", SomeAccess)
def store(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeAccess)
    _require_int(ctx, s_index, "the index")
    note_checks(ctx)
    require(ctx, s_value, s.T, "value")
    return s_None


# -- casts --------------------------------------------------------------------------------------


@FUNCTIONS.register(llmemory.cast_ptr_to_adr)
def cast_ptr_to_adr(ctx: OpContext, s_ptr: SomeObject) -> SomeObject:
    pointer_type(ctx, s_ptr, "cast_ptr_to_adr")
    return s_Address


@FUNCTIONS.register(llmemory.cast_adr_to_ptr)
def cast_adr_to_ptr(ctx: OpContext, s_adr: SomeObject, s_type: SomeObject) -> SomeObject:
    _require_address(ctx, s_adr, "cast_adr_to_ptr")
    T = constant_type(ctx, s_type, "cast_adr_to_ptr")
    if not isinstance(T, Ptr):
        raise ctx.error(f"cast_adr_to_ptr: {T} is not a pointer type")
    return SomePtr(T)


@FUNCTIONS.register(llmemory.cast_adr_to_int)
def cast_adr_to_int(
    ctx: OpContext, s_adr: SomeObject, s_mode: SomeObject = s_None
) -> SomeObject:
    _require_address(ctx, s_adr, "cast_adr_to_int")
    return s_Int


# -- offsets ------------------------------------------------------------------------------------


@FUNCTIONS.register(llmemory.offsetof, llmemory.FieldOffset)
def offsetof(ctx: OpContext, s_type: SomeObject, s_field: SomeObject) -> SomeObject:
    T = constant_type(ctx, s_type, "offsetof")
    if not s_field.is_constant():
        raise ctx.error("offsetof() needs a constant field name")
    return ctx.constant(attempt(ctx, llmemory.offsetof, T, s_field.value))


@FUNCTIONS.register(llmemory.ArrayItemsOffset)
def array_items_offset(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    T = constant_type(ctx, s_type, "ArrayItemsOffset")
    return ctx.constant(attempt(ctx, llmemory.ArrayItemsOffset, T))


@FUNCTIONS.register(llmemory.ArrayLengthOffset)
def array_length_offset(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    T = constant_type(ctx, s_type, "ArrayLengthOffset")
    return ctx.constant(attempt(ctx, llmemory.ArrayLengthOffset, T))


@FUNCTIONS.register(llmemory.sizeof, llmemory.itemoffsetof, llmemory.ItemOffset)
def sizeof(ctx: OpContext, s_type: SomeObject, s_n: SomeObject = s_None) -> SomeObject:
    function: Any = ctx.annotator.binding(ctx.op.args[0]).value
    T = constant_type(ctx, s_type, function.__name__)
    if s_n == s_None:
        return ctx.constant(attempt(ctx, function, T))
    _require_int(ctx, s_n, "the number of items")
    if s_n.is_constant():
        return ctx.constant(attempt(ctx, function, T, int(s_n.value)))
    attempt(ctx, function, T, 1)
    return s_Offset


@FUNCTIONS.register(llmemory.CompositeOffset)
def composite_offset(ctx: OpContext, *offsets_s: SomeObject) -> SomeObject:
    for s in offsets_s:
        _require_offset(ctx, s, "CompositeOffset")
    if all(s.is_constant() for s in offsets_s):
        return ctx.constant(llmemory.CompositeOffset(*(s.value for s in offsets_s)))
    return s_Offset


# -- raw memory ---------------------------------------------------------------------------------


@FUNCTIONS.register(llmemory.raw_malloc)
def raw_malloc(ctx: OpContext, s_size: SomeObject, s_zero: SomeObject = s_None) -> SomeObject:
    _require_offset(ctx, s_size, "raw_malloc")
    if not s_zero.is_constant():
        raise ctx.error("raw_malloc(): zero must be a constant")
    return s_Address


@FUNCTIONS.register(llmemory.raw_free)
def raw_free(ctx: OpContext, s_adr: SomeObject) -> SomeObject:
    _require_address(ctx, s_adr, "raw_free")
    note_checks(ctx)
    return s_None


@FUNCTIONS.register(llmemory.raw_memclear)
def raw_memclear(ctx: OpContext, s_adr: SomeObject, s_size: SomeObject) -> SomeObject:
    _require_address(ctx, s_adr, "raw_memclear")
    _require_offset(ctx, s_size, "raw_memclear")
    note_checks(ctx)
    return s_None


@FUNCTIONS.register(llmemory.raw_memcopy)
def raw_memcopy(
    ctx: OpContext, s_source: SomeObject, s_target: SomeObject, s_size: SomeObject
) -> SomeObject:
    _require_address(ctx, s_source, "raw_memcopy")
    _require_address(ctx, s_target, "raw_memcopy")
    _require_offset(ctx, s_size, "raw_memcopy")
    note_checks(ctx)
    return s_None


# -- arguments ----------------------------------------------------------------------------------


def _require_address(ctx: OpContext, s: SomeObject, name: str) -> None:
    if not isinstance(s, SomeAddress):
        raise ctx.error(f"{name}() takes an address, not {s.describe()}")


def _require_offset(ctx: OpContext, s: SomeObject, name: str) -> None:
    if not isinstance(s, SomeOffset) and not is_plain_int(s):
        raise ctx.error(f"{name}() takes a size or offset, not {s.describe()}")


def is_plain_int(s: SomeObject) -> bool:
    """Is it an ``int``, of no particular size?"""
    return isinstance(s, SomeInteger) and s.knowntype is int


def _require_int(ctx: OpContext, s: SomeObject, what: str) -> None:
    if not is_plain_int(s) and not isinstance(s, SomeBool):
        raise ctx.error(f"{what} must be an int, not {s.describe()}")
