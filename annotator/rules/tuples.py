"""Transfer rules for tuples, of either form, and ranges."""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeInteger,
    SomeObject,
    SomeRange,
    SomeSlice,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_Int,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.vartuples import SomeVarTuple, tuple_items
from rpython.annotator.rules.comparing import flow_comparison, flow_order
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.numbers import nonneg_of
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY, Looks
from rpython.annotator.rules.strings import INTEGER, require_index, require_kind


@UNARY.register("newtuple", SomeObject)
def newtuple(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    return SomeTuple(tuple(items_s))


@UNARY.register("getitem", SomeTuple)
def tuple_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    if isinstance(s_index, SomeSlice):
        bounds: list[Any] = [part.value if part.is_constant() else s for part in s_index.parts]
        if s in bounds:
            return SomeVarTuple(_one_item(ctx, s, "can only be sliced by constants"))
        return SomeTuple(s.items[slice(*bounds)])
    require_index(ctx, s_index, "tuple indices")
    if s_index.is_constant():
        if not -len(s.items) <= s_index.value < len(s.items):
            raise ctx.error(f"tuple index out of range: the tuple has {len(s.items)} items")
        s_item: SomeObject = s.items[s_index.value]
        return s_item
    return tuple_item(ctx, s)


@UNARY.register("getitem", SomeVarTuple)
def var_tuple_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    assert isinstance(s, SomeVarTuple)
    if isinstance(s_index, SomeSlice):
        return s
    require_index(ctx, s_index, "tuple indices")
    return s.s_item


def tuple_item(ctx: OpContext, s: SomeTuple | SomeVarTuple) -> SomeObject:
    """The join of all items, for an index that is not known."""
    return _one_item(ctx, s, "can only be indexed by a constant")


def _one_item(ctx: OpContext, s: SomeTuple | SomeVarTuple, otherwise: str) -> SomeObject:
    """The join of all items; where there is none, ``otherwise`` says what the tuple is good for."""
    if isinstance(s, SomeVarTuple):
        return s.s_item
    s_item: SomeObject = s_Bottom
    for s_other in s.items:
        s_item = ctx.join(s_item, s_other.without_const())
    if type(s_item) is SomeObject or not ctx.annotator.representable(s_item):
        if ctx.op.opname == "next":
            kinds = dict.fromkeys(s.describe() for s in s.items)
            raise ctx.conflict(
                f"the loop variable would hold both {' and '.join(kinds)}",
                hint="loop over items of one kind, or write the body once for each",
            )
        raise ctx.conflict(
            f"a {s.describe()} {otherwise}",
            hint="its items are of different kinds; unpack it instead",
        )
    return s_item


@UNARY.register("bool not_", SomeVarTuple)
def truth_of_var_tuple(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


@UNARY.register("bool not_", SomeTuple)
def truth_of_tuple(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    return ctx.constant(bool(s.items) == (ctx.op.opname == "bool"))


@METHODS.register("index count", SomeTuple)
@METHODS.register("count", SomeVarTuple)
def tuple_search(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    tuple_contains(ctx, s, s_item)
    return s_NonNeg


@METHODS.register("index", SomeVarTuple)
def var_tuple_index(
    ctx: OpContext, s: SomeObject, s_item: SomeObject, *bounds: SomeObject
) -> SomeObject:
    for s_bound in bounds:
        require_kind(ctx, s_bound, INTEGER, "an int")
    return tuple_search(ctx, s, s_item)


@UNARY.register("contains", SomeTuple)
@UNARY.register("contains", SomeVarTuple)
def tuple_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    for s_known in tuple_items(s) or ():
        flow_comparison(ctx, "eq", s_known, s_item)
    return s_Bool


@BINARY.register("add", SomeTuple, SomeTuple)
def add_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    return SomeTuple(a.items + b.items)


_BOTH = (SomeTuple, SomeVarTuple)
_WITH_VARIABLE = [(a, b) for a in _BOTH for b in _BOTH if SomeVarTuple in (a, b)]

for _left, _right in _WITH_VARIABLE:

    @BINARY.register("add", _left, _right)
    def add_var_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        assert isinstance(a, _BOTH) and isinstance(b, _BOTH)
        items = [_one_item(ctx, s, "has no items of one kind") for s in (a, b)]
        s_item = ctx.join(*items)
        if not ctx.annotator.representable(s_item):
            raise ctx.conflict(
                f"cannot add {a.describe()} and {b.describe()}",
                hint="all items of a tuple of unknown length are of one kind",
            )
        return SomeVarTuple(s_item)


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("mul", SomeVarTuple, _integer)
    @BINARY.register("mul", SomeTuple, _integer)
    def repeat_tuple(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        assert isinstance(a, _BOTH)
        if isinstance(a, SomeTuple) and b.is_constant():
            return SomeTuple(a.items * b.value)
        return SomeVarTuple(_one_item(ctx, a, "can only be repeated by a constant"))

    @BINARY.register("mul", _integer, SomeVarTuple)
    @BINARY.register("mul", _integer, SomeTuple)
    def repeat_tuple_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return repeat_tuple(ctx, b, a)


def plain_tuple(ctx: OpContext, s: SomeObject) -> SomeObject:
    """The items of a tuple as a tuple of the class ``tuple``: a named tuple loses its names."""
    if type(s) is SomeTuple or not isinstance(s, SomeTuple):
        return s
    return ctx.constant(tuple(s.value)) if s.is_constant() else SomeTuple(s.items)


@BINARY.register("eq ne", SomeTuple, SomeTuple)
def compare_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    if len(a.items) != len(b.items):
        return ctx.constant(ctx.op.opname == "ne")
    for s_left, s_right in zip(a.items, b.items):
        flow_comparison(ctx, "eq", s_left, s_right)
    return s_Bool


@BINARY.register("lt le gt ge", SomeTuple, SomeTuple)
def order_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    for i, (s_left, s_right) in enumerate(zip(a.items, b.items)):
        flow_comparison(ctx, "eq", s_left, s_right)
        if i == 0:
            flow_comparison(ctx, ctx.op.opname, s_left, s_right)
        else:
            flow_order(ctx, s_left, s_right)
    return s_Bool


for _left, _right in _WITH_VARIABLE:

    @BINARY.register("eq ne lt le gt ge", _left, _right)
    def compare_var_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        for s_left in tuple_items(a) or ():
            for s_right in tuple_items(b) or ():
                for opname in dict.fromkeys(("eq", ctx.op.opname)):
                    if opname != "ne":
                        flow_comparison(ctx, opname, s_left, s_right)
        return s_Bool


@UNARY.register("unpack", SomeTuple)
def unpack_tuple(ctx: OpContext, s: SomeObject, s_count: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    if len(s.items) != s_count.value:
        problem = "too many values" if len(s.items) > s_count.value else "not enough values"
        # it may be one of tuples of several lengths, the others of which are not known yet
        raise ctx.premature(
            f"{problem} to unpack: the tuple has {len(s.items)} items, not {s_count.value}"
        )
    return s


@UNARY.register("unpack_star", SomeTuple)
def unpack_star_tuple(
    ctx: OpContext, s: SomeObject, s_before: SomeObject, s_after: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeTuple)
    before, end = s_before.value, len(s.items) - s_after.value
    if end < before:
        raise ctx.premature(
            f"not enough values to unpack: the tuple has {len(s.items)} items, not at least "
            f"{before + s_after.value}"
        )
    s_rest = ctx.new_list(s_Bottom)
    for s_item in s.items[before:end]:
        ctx.write(s_rest.listdef.find().item, s_item, "put in the list here")
    return SomeTuple((*s.items[:before], s_rest, *s.items[end:]))


# -- range ------------------------------------------------------------------------------------


@UNARY.register("getattr", SomeRange)
def range_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeRange)
    if s_name.value not in ("start", "stop", "step"):
        return builtin_attribute(ctx, s, s_name)
    if s_name.value == "step" and s.step is not None:
        return ctx.constant(s.step)
    return s_Int


@METHODS.register("index count", SomeRange)
def range_search(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_NonNeg


@UNARY.register("getitem", SomeRange)
def range_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    assert isinstance(s, SomeRange)
    if isinstance(s_index, SomeSlice):
        s_step = s_index.parts[2]
        step: int | None = None
        if s.step is not None and (s_step == s_None or (s_step.is_constant() and s_step.value)):
            step = s.step if s_step == s_None else s.step * s_step.value
        return SomeRange(step, s.nonneg)
    require_index(ctx, s_index, "range indices")
    return range_item(s)


def range_item(s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeRange)
    return s_NonNeg if s.nonneg else s_Int


@UNARY.register("contains", SomeRange)
def range_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_Bool


@FUNCTIONS.register(range, looks=Looks.VALUES)
def builtin_range(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not 1 <= len(args_s) <= 3:
        raise ctx.error(f"range expected 1 to 3 arguments, got {len(args_s)}")
    for s_arg in args_s:
        require_kind(ctx, s_arg, INTEGER, "an int")
    step = 1
    if len(args_s) == 3:
        if not args_s[2].is_constant():
            # the numbers are between start and stop, or above the start
            start, stop, by = map(nonneg_of, args_s)
            return SomeRange(None, start and (stop or by))
        step = int(args_s[2].value)
    if step > 0:
        return SomeRange(step, len(args_s) == 1 or nonneg_of(args_s[0]))
    # counting down, every number is above the stop
    s_stop = args_s[1]
    above = s_stop.value >= -1 if s_stop.is_constant() else nonneg_of(s_stop)
    return SomeRange(step, above)


