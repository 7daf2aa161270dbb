"""Transfer rules for lists and slices."""

from __future__ import annotations

from rpython.annotator.builtins.functions import printable
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.listbuilders import SomeListBuilder
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_INSTANCE,
    K_INT,
    K_NONE,
    SomeBool,
    SomeInteger,
    SomeList,
    SomeObject,
    SomeSlice,
    s_Bool,
    s_Bottom,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.parts import is_big, list_item, runs_methods, without_none
from rpython.annotator.program.special_methods import Missing
from rpython.annotator.rules.applying import call_inside
from rpython.annotator.rules.comparing import flow_comparison, flow_order
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import integer_type
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY, Looks
from rpython.annotator.rules.strings import INTEGER, require_index, require_kind
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.hlops import Group, group_of


def require_order(ctx: OpContext, a: SomeObject, b: SomeObject) -> None:
    """Refuse values that ``<`` does not compare."""
    flow_comparison(ctx, "lt", a, b)


def look_for(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> None:
    """Operand 1 is looked for in a list."""
    s_known = ctx.read(list_item(s).item)
    flow_comparison(ctx, "eq", s_known, s_item)
    if runs_methods(s_known) or runs_methods(s_item):
        ctx.resize(list_item(s))  # what they do to the list is seen


@UNARY.register("newlist", SomeObject)
def newlist(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    s_list = ctx.new_list(s_Bottom)
    for i, s_item in enumerate(items_s):
        ctx.write(s_list.listdef.find().item, s_item, "put in the list here", i)
    return s_list


@UNARY.register("list_builder", SomeObject)
def list_builder(ctx: OpContext, *iterator_s: SomeObject) -> SomeObject:
    return SomeListBuilder(ctx.new_list(s_Bottom).listdef)


@UNARY.register("builder_append", SomeListBuilder)
def builder_append(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    assert isinstance(s, SomeListBuilder)
    ctx.write(s.listdef.find().item, s_item, "put in the list here", 1)
    return s_None


@UNARY.register("built_list", SomeListBuilder)
def built_list(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeListBuilder)
    return SomeList(s.listdef)


_NO_BOUND = Missing(
    "slice indices must be integers or None or have an __index__ method", names_class=False
)


def _slices_builtins(ctx: OpContext) -> bool:
    """Is the slice that the operation makes only for indexing built-in containers, outside of
    ``try``?  A method of the program would see the bounds as they were given; and CPython converts
    them when it uses the slice, where a handler is for that."""
    if ctx.block.canraise:
        return False
    users = [op for op in ctx.block.operations if ctx.op.result in op.args]
    return all(
        group_of(op.opname) is Group.ITEM
        and not ctx.annotator.binding(op.args[0]).kinds & K_INSTANCE
        for op in users
    )  # fmt: skip


@UNARY.register("newslice", SomeObject)
def newslice(ctx: OpContext, *parts_s: SomeObject) -> SomeObject:
    for s_part in parts_s:
        if not isinstance(without_none(s_part), (SomeInteger, SomeBool)) and s_part != s_None:
            message = f"slice bounds must be ints, not {s_part.describe()}"
            if not is_big(s_part) and not _slices_builtins(ctx):
                raise ctx.error(message, hint="convert them first: operator.index(...)")
            raise ctx.refusal(s_part, INTEGER | K_NONE, message, _NO_BOUND)
    return SomeSlice(parts_s)


@UNARY.register("getattr", SomeSlice)
def slice_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """``s.start``, ``s.stop`` and ``s.step`` are what was given; else a method."""
    assert isinstance(s, SomeSlice)
    if s_name.value not in SLICE_PARTS:
        return builtin_attribute(ctx, s, s_name)
    s_part = s.parts[SLICE_PARTS.index(s_name.value)]
    other = s_part.kinds & ~(K_INT | K_BOOL | K_NONE)
    if other or (s_part.kinds & K_INT and integer_type(without_none(s_part)) is not int):
        raise ctx.error(f"the {s_name.value} of a slice that is {s_part.describe()} is not an int")
    return s_part


SLICE_PARTS = ("start", "stop", "step")


@UNARY.register("getitem", SomeList)
def list_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        s_item = ctx.read(list_item(s).item)
        return ctx.new_list(s_item, "copied into the new list here")
    require_index(ctx, s_index, "list indices")
    return ctx.read(list_item(s).item)


@UNARY.register("setitem", SomeList)
def list_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        ctx.grow(list_item(s))
        if s_value.kinds == K_NONE:
            return s_Bottom
        ctx.write(list_item(s).item, item_of(ctx, s_value), "stored in the list here")
        return s_None
    require_index(ctx, s_index, "list indices")
    ctx.change(list_item(s))
    ctx.write(list_item(s).item, s_value, "stored in the list here", 2)
    return s_None


@UNARY.register("delitem", SomeList)
def list_delitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if not isinstance(s_index, SomeSlice):
        require_index(ctx, s_index, "list indices")
    ctx.grow(list_item(s))
    return s_None


@UNARY.register("contains", SomeList)
def list_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    return s_Bool


@BINARY.register("add", SomeList, SomeList)
def add_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    s_result = ctx.new_list(s_Bottom)
    for s_part in (a, b):
        s_item = ctx.read(list_item(s_part).item)
        ctx.write(list_item(s_result).item, s_item, "copied into the new list here")
    return s_result


@BINARY.register("inplace_add", SomeList, SomeObject)
def extend_list(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    ctx.grow(list_item(a))
    if b.kinds == K_NONE:
        return s_Bottom
    s_item = item_of(ctx, b)
    ctx.write(list_item(a).item, s_item, "added to the list here")
    return a


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("mul", SomeList, _integer)
    def repeat_list(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        s_item = ctx.read(list_item(a).item)
        return ctx.new_list(s_item, "repeated here")

    @BINARY.register("mul", _integer, SomeList)
    def repeat_list_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return repeat_list(ctx, b, a)

    @BINARY.register("inplace_mul", SomeList, _integer)
    def repeat_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        ctx.grow(list_item(a))
        return a


@BINARY.register("eq ne", SomeList, SomeList)
def compare_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    _compare_items(ctx, "eq", a, b)
    return s_Bool


def _compare_items(ctx: OpContext, opname: str, a: SomeObject, b: SomeObject) -> None:
    items_s = [ctx.read(list_item(s).item) for s in (a, b)]
    if opname in ("eq", "ne") or not ctx.comparing:
        flow_comparison(ctx, opname, *items_s)
    else:
        flow_order(ctx, *items_s)
    if any(map(runs_methods, items_s)):
        for s in (a, b):
            ctx.resize(list_item(s))  # what they do to the lists is seen


@BINARY.register("lt le gt ge", SomeList, SomeList)
def order_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    for opname in ("eq", ctx.op.opname):
        _compare_items(ctx, opname, a, b)
    return s_Bool


@METHODS.register("append", SomeList)
def list_append(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    ctx.grow(list_item(s))
    ctx.write(list_item(s).item, s_item, "appended to the list here", 1)
    return s_None


@METHODS.register("insert", SomeList)
def list_insert(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_item: SomeObject
) -> SomeObject:
    require_index(ctx, s_index, "list indices")
    ctx.grow(list_item(s))
    ctx.write(list_item(s).item, s_item, "inserted in the list here", 2)
    return s_None


@METHODS.register("extend", SomeList)
def list_extend(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    ctx.grow(list_item(s))
    if s_items.kinds == K_NONE:
        return s_Bottom
    s_item = item_of(ctx, s_items)
    ctx.write(list_item(s).item, s_item, "added to the list here")
    return s_None


@METHODS.register("pop", SomeList)
def list_pop(ctx: OpContext, s: SomeObject, *index: SomeObject) -> SomeObject:
    for s_index in index:
        require_index(ctx, s_index, "list indices")
    ctx.grow(list_item(s))
    return ctx.read(list_item(s).item)


@METHODS.register("clear", SomeList)
def list_clear(ctx: OpContext, s: SomeObject) -> SomeObject:
    ctx.grow(list_item(s))
    return s_None


@METHODS.register("reverse", SomeList)
def list_reverse(ctx: OpContext, s: SomeObject) -> SomeObject:
    ctx.change(list_item(s))
    return s_None


@METHODS.register("copy", SomeList)
def list_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    return ctx.new_list(ctx.read(list_item(s).item), "copied here")


@METHODS.register("count", SomeList)
def list_count(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    return s_NonNeg


@METHODS.register("index", SomeList)
def list_index(
    ctx: OpContext, s: SomeObject, s_item: SomeObject, *bounds: SomeObject
) -> SomeObject:
    for s_bound in bounds:
        require_kind(ctx, s_bound, INTEGER, "an int")
    look_for(ctx, s, s_item)
    try:
        printable(ctx, s_item, quoted=True)
    except AnnotatorError:
        return s_NonNeg  # what its text would be is not known: it is left out of the message
    ctx.annotator.notes.shows_operand.add(ctx.op)
    return s_NonNeg


@METHODS.register("remove", SomeList)
def list_remove(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    ctx.grow(list_item(s))
    return s_None


@METHODS.register("sort", SomeList)
def list_sort(
    ctx: OpContext, s: SomeObject, *, s_key: SomeObject = s_None, s_reverse: SomeObject = s_Bool
) -> SomeObject:
    ctx.change(list_item(s))
    s_item = ctx.read(list_item(s).item)
    flow_sort(ctx, s_item, s_key, s_reverse)
    if s_key != s_None or runs_methods(s_item):
        # what is called sees an empty list, as in CPython
        ctx.resize(list_item(s))
    return s_None


def flow_sort(
    ctx: OpContext, s_item: SomeObject, s_key: SomeObject, s_reverse: SomeObject
) -> None:
    """Flow what sorting such items calls."""
    if s_key != s_None:
        s_item = call_inside(ctx, s_key, s_item)
    require_order(ctx, s_item, s_item)
    require_kind(ctx, s_reverse, K_BOOL | K_INT, "a bool")


# -- list(x) and sorted(x)


@FUNCTIONS.register(list, looks=Looks.VALUES)
def builtin_list(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return ctx.new_list(item_of(ctx, args_s[0]) if args_s else s_Bottom, "copied here")


@FUNCTIONS.register(sorted, looks=Looks.ITEMS)
def builtin_sorted(
    ctx: OpContext, s: SomeObject, *, s_key: SomeObject = s_None, s_reverse: SomeObject = s_Bool
) -> SomeObject:
    s_list = ctx.new_list(item_of(ctx, s), "sorted here")
    flow_sort(ctx, ctx.read(list_item(s_list).item), s_key, s_reverse)
    return s_list
