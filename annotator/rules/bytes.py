"""Transfer rules for bytes and bytearray; what they share with str is in ``rules.strings``,
methods that are written in Python in ``builtins.overlay``."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeSlice,
    s_Bool,
    s_ByteArray,
    s_Bytes,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.outsideviews import SomeNumberView
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import COMPARISONS
from rpython.annotator.rules.registry import BINARY, METHODS, UNARY
from rpython.annotator.rules.strings import (
    BYTES,
    INTEGER,
    require_index,
    require_kind,
)

for _left, _right, _result in [
    (SomeBytes, SomeBytes, s_Bytes), (SomeBytes, SomeByteArray, s_Bytes),
    (SomeByteArray, SomeBytes, s_ByteArray), (SomeByteArray, SomeByteArray, s_ByteArray),
]:  # fmt: skip

    @BINARY.register("add", _left, _right)
    def add_bytes(
        ctx: OpContext, a: SomeObject, b: SomeObject, s_result: SomeObject = _result
    ) -> SomeObject:
        return s_result

    @BINARY.register(COMPARISONS, _left, _right)
    def compare_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


for _left in (SomeBytes, SomeByteArray):

    @BINARY.register("inplace_add", SomeByteArray, _left)
    def extend_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return a


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("inplace_mul", SomeByteArray, _integer)
    def repeat_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return a


@UNARY.register("getitem", SomeBytes)
def bytes_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_Bytes
    require_index(ctx, s_index, "byte indices")
    return s_NonNeg


@UNARY.register("getitem", SomeByteArray)
def bytearray_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_ByteArray
    require_index(ctx, s_index, "bytearray indices")
    return s_NonNeg


@UNARY.register("setitem", SomeByteArray)
def bytearray_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        require_ints(ctx, s_value)
        return s_None
    require_index(ctx, s_index, "bytearray indices")
    if s_value.kinds & ~INTEGER:
        raise ctx.error(f"an item of a bytearray is an int, not {s_value.describe()}")
    return s_None


@UNARY.register("delitem", SomeByteArray)
def bytearray_delitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if not isinstance(s_index, SomeSlice):
        require_index(ctx, s_index, "bytearray indices")
    return s_None


for _bytes in (SomeBytes, SomeByteArray):

    @UNARY.register("contains", _bytes)
    def bytes_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
        require_kind(ctx, s_item, INTEGER | BYTES, "an int or bytes")
        return s_Bool


@METHODS.register("append", SomeByteArray)
def bytearray_append(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_None


@METHODS.register("insert", SomeByteArray)
def bytearray_insert(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_item: SomeObject
) -> SomeObject:
    require_kind(ctx, s_index, INTEGER, "an int")
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_None


@METHODS.register("remove", SomeByteArray)
def bytearray_remove(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_None


@METHODS.register("extend", SomeByteArray)
def bytearray_extend(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    require_ints(ctx, s_items)
    return s_None


def require_ints(ctx: OpContext, s: SomeObject) -> None:
    """Refuse what is neither bytes nor an iterable of ints, and objects whose bytes CPython would
    read in place of their items; None raises at run time."""
    if isinstance(s, SomeInstance) and s.classdef.class_value("_rpython_buffer_") is not None:
        raise ctx.error(f"{s.describe()} is not read as bytes here", hint="write .tobytes()")
    if isinstance(s, SomeNumberView):
        raise ctx.error(f"the memory of a {s.describe()} is not read as bytes here")
    s_item = item_of(ctx, s)
    if s_item.kinds & ~INTEGER:
        raise ctx.error(
            f"bytes are made of ints in range(0, 256), not of {s_item.describe()}"
        )


@METHODS.register("pop", SomeByteArray)
def bytearray_pop(ctx: OpContext, s: SomeObject, *index: SomeObject) -> SomeObject:
    for s_index in index:
        require_kind(ctx, s_index, INTEGER, "an int")
    return s_NonNeg


@METHODS.register("clear reverse", SomeByteArray)
def bytearray_change(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeByteArray)
def bytearray_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_ByteArray
