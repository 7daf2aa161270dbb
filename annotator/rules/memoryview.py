"""Transfer rules for memoryview of bytes, for reading."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BYTES,
    K_MEMORYVIEW,
    K_NUMBERVIEW,
    SomeByteArray,
    SomeBytes,
    SomeMemoryView,
    SomeObject,
    SomeSlice,
    s_Bool,
    s_Bytes,
    s_NonNeg,
)
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY
from rpython.annotator.rules.strings import INTEGER, require_index, require_kind


@FUNCTIONS.register(memoryview)
def builtin_memoryview(ctx: OpContext, s: SomeObject) -> SomeObject:
    if isinstance(s, SomeByteArray):
        raise ctx.error(
            "memoryview() of a bytearray is not supported: it would show changes made later",
            hint="make one of bytes(...)",
        )
    require_kind(ctx, s, K_BYTES | K_MEMORYVIEW | K_NUMBERVIEW, "bytes")
    return SomeMemoryView() if isinstance(s, SomeBytes) else s


@UNARY.register("getitem", SomeMemoryView)
def view_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s
    require_index(ctx, s_index, "memoryview indices")
    return s_NonNeg


VIEW_FACTS = {"ndim": 1, "itemsize": 1, "format": "B"}
"""What all views of bytes have in common."""


@UNARY.register("getattr", SomeMemoryView)
def view_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if s_name.value in VIEW_FACTS:
        return ctx.constant(VIEW_FACTS[s_name.value])
    return s_NonNeg if s_name.value == "nbytes" else builtin_attribute(ctx, s, s_name)


@UNARY.register("contains", SomeMemoryView)
def view_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_Bool


@BINARY.register("inplace_add", SomeByteArray, SomeMemoryView)
def extend_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return a


@METHODS.register("tobytes", SomeMemoryView)
def view_tobytes(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bytes


for _other in (SomeMemoryView, SomeBytes, SomeByteArray):

    @BINARY.register("eq ne", SomeMemoryView, _other)
    def compare_views(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


for _other in (SomeBytes, SomeByteArray):

    @BINARY.register("eq ne", _other, SomeMemoryView)
    def compare_with_view(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


@BINARY.register("add", SomeBytes, SomeMemoryView)
def add_view(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bytes
