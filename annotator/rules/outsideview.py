"""Transfer rules for views of memory that Python has: writing them, and reading those of numbers;
``rules.memoryview`` has what all views of bytes can do."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_FLOAT,
    K_MEMORYVIEW,
    SomeObject,
    SomeSlice,
    s_Bool,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.outsideviews import SomeNumberView, SomeOutsideView
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.memoryview import view_attribute
from rpython.annotator.rules.registry import UNARY
from rpython.annotator.rules.strings import INTEGER, require_index, require_kind


@UNARY.register("setitem", SomeOutsideView)
def set_byte(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        require_kind(ctx, s_value, K_BYTES | K_BYTEARRAY | K_MEMORYVIEW, "bytes")
        return s_None
    require_index(ctx, s_index, "memoryview indices")
    require_kind(ctx, s_value, INTEGER, "an int")
    return s_None


@UNARY.register("getattr", SomeOutsideView)
def outside_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    return s_Bool if s_name.value == "readonly" else view_attribute(ctx, s, s_name)


@UNARY.register("getitem", SomeNumberView)
def number_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s
    assert isinstance(s, SomeNumberView)
    require_index(ctx, s_index, "memoryview indices")
    return s.s_item


@UNARY.register("setitem", SomeNumberView)
def set_number(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeNumberView)
    if isinstance(s_index, SomeSlice):
        raise ctx.error(
            f"a slice of a {s.describe()} cannot be assigned", hint="assign item by item"
        )
    require_index(ctx, s_index, "memoryview indices")
    if s.cls is float:
        require_kind(ctx, s_value, K_FLOAT | INTEGER, "a number")
    else:
        require_kind(ctx, s_value, INTEGER, "an int")
    return s_None


@UNARY.register("getattr", SomeNumberView)
def number_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if s_name.value == "ndim":
        return ctx.constant(1)
    if s_name.value == "readonly":
        return s_Bool
    if s_name.value in ("itemsize", "nbytes"):
        return s_NonNeg
    return builtin_attribute(ctx, s, s_name)
