"""Transfer rules for memoryview of bytes, for reading."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BYTES,
    K_MEMORYVIEW,
    SomeByteArray,
    SomeBytes,
    SomeMemoryView,
    SomeObject,
    SomeSlice,
    s_Bool,
    s_Bytes,
    s_NonNeg,
)
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY
from rpython.annotator.rules.strings import require_index, require_kind


@FUNCTIONS.register(memoryview)
def builtin_memoryview(ctx: OpContext, s: SomeObject) -> SomeObject:
    if isinstance(s, SomeByteArray):
        raise ctx.error(
            "memoryview() of a bytearray is not supported: it would show changes made later",
            hint="make one of bytes(...)",
        )
    require_kind(ctx, s, K_BYTES | K_MEMORYVIEW, "bytes")
    return SomeMemoryView()


@UNARY.register("getitem", SomeMemoryView)
def view_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s
    require_index(ctx, s_index, "memoryview indices")
    return s_NonNeg


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
