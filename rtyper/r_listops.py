"""Lists: ``+``, ``*``, comparison, ``list(x)`` and ``sorted(x)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.model import s_Int
from lltypesystem.lltype import Bool, GcArray, GcStruct, Ptr, Signed
from rtyper.items import to_storage
from rtyper.ll import ll_list, ll_range
from rtyper.r_class import void
from rtyper.r_int import BoolRepr, IntegerRepr
from rtyper.r_iter import each_item, iterable_arg
from rtyper.r_list import BaseListRepr, ListRepr
from rtyper.r_listmethods import copied
from rtyper.r_range import RangeRepr
from rtyper.r_slice import index_arg
from rtyper.r_sort import sort_items
from rtyper.r_tuple import TupleRepr
from rtyper.registry import BUILTINS
from rtyper.rmodel import PAIRS, Repr
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp

# -- two lists --------------------------------------------------------------------------------


@PAIRS.register("add", BaseListRepr, BaseListRepr)
def add_lists(hop: HighLevelOp) -> Value:
    r_new: Any = hop.r_result
    parts: list[Value] = []
    for arg, r in enumerate(hop.args_r):
        assert isinstance(r, BaseListRepr)
        parts.extend(r.contents_for(hop.llops, hop.inputarg(r, arg), r_new))
    v_items = hop.gendirectcall(ll_list.ll_concat, *parts)
    new: Value = r_new.from_items(hop.llops, v_items)
    return new


@PAIRS.register("inplace_add", ListRepr, Repr)
def extend_in_place(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    v: Value = hop.inputarg(r, 0)
    r.extend(hop, v, 1)
    return v


@PAIRS.register("eq ne", BaseListRepr, BaseListRepr)
def compare_lists(hop: HighLevelOp) -> Value:
    left, right = hop.args_r
    assert isinstance(left, BaseListRepr) and isinstance(right, BaseListRepr)
    v_left, v_right = hop.inputargs(left, right)
    equal = void(hop.rtyper.items.comparison("eq", left.item, right.item))
    v_equal = hop.gendirectcall(
        ll_list.ll_equal, *left.contents(hop.llops, v_left), *right.contents(hop.llops, v_right),
        equal,
    )  # fmt: skip
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@PAIRS.register("lt le gt ge", BaseListRepr, BaseListRepr)
def order_lists(hop: HighLevelOp) -> Value:
    """By the first items that differ, else by length."""
    left, right = hop.args_r
    assert isinstance(left, BaseListRepr) and isinstance(right, BaseListRepr)
    v_left, v_right = hop.inputargs(left, right)
    items, number = hop.rtyper.items, (s_Int, hop.rtyper.getrepr(s_Int))
    return hop.gendirectcall(
        ll_list.ll_ordered, *left.contents(hop.llops, v_left), *right.contents(hop.llops, v_right),
        void(items.comparison("eq", left.item, right.item)),
        void(items.comparison(hop.opname, left.item, right.item)),
        void(items.comparison(hop.opname, number, number)),
    )  # fmt: skip


# -- a list and a number ----------------------------------------------------------------------


def repeated(hop: HighLevelOp, arg: int) -> Value:
    """Operand ``arg``, a list, repeated as often as the other operand says."""
    r: Any = hop.args_r[arg]
    r_new: Any = hop.r_result
    v_items, v_length = r.contents_for(hop.llops, hop.inputarg(r, arg), r_new)
    v_times = index_arg(hop, 1 - arg)
    v_items = hop.gendirectcall(ll_list.ll_repeat, v_items, v_length, v_times)
    new: Value = r_new.from_items(hop.llops, v_items)
    return new


for _number in (IntegerRepr, BoolRepr):

    @PAIRS.register("mul", BaseListRepr, _number)
    def repeat_list(hop: HighLevelOp) -> Value:
        return repeated(hop, 0)

    @PAIRS.register("mul", _number, BaseListRepr)
    def repeat_list_r(hop: HighLevelOp) -> Value:
        return repeated(hop, 1)

    @PAIRS.register("inplace_mul", ListRepr, _number)
    def repeat_in_place(hop: HighLevelOp) -> Value:
        r: Any = hop.args_r[0]
        v: Value = hop.inputarg(r, 0)
        hop.gendirectcall(ll_list.ll_repeat_in_place, v, index_arg(hop, 1), r.zero())
        return v


# -- list(x) and sorted(x) --------------------------------------------------------------------


@BUILTINS.register(list)
def builtin_list(hop: HighLevelOp) -> Value:
    r_new: Any = hop.r_result
    if hop.nb_args == 0:
        return r_new.new_empty(hop.llops)  # type: ignore[no-any-return]
    r, _ = iterable_arg(hop, 0)
    if isinstance(r, BaseListRepr):
        return copied(hop, r)
    return r_new.from_items(hop.llops, collected(hop, r_new))  # type: ignore[no-any-return]


@BUILTINS.register(sorted)
def builtin_sorted(hop: HighLevelOp) -> Value:
    r_new: Any = hop.r_result
    r, _ = iterable_arg(hop, 0)
    v_new = copied(hop, r) if isinstance(r, BaseListRepr) else builtin_list(hop)
    sort_items(hop, r_new, *r_new.contents(hop.llops, v_new))
    return v_new


def collected(hop: HighLevelOp, r_new: BaseListRepr) -> Value:
    """The items of operand 0, not a list, in a new array of ``r_new``."""
    llops = hop.llops
    r, v = iterable_arg(hop, 0)
    if isinstance(r, TupleRepr):
        v_items = r_new.new_items(llops, Constant(len(r.items_r), Signed))
        for i, r_item in enumerate(r.items_r):
            v_item = llops.convertvar(r.getitem(llops, v, i), r_item, r_new.r_item)
            r_new.put_into(llops, v_items, Constant(i, Signed), v_item)
        return v_items
    if isinstance(r, RangeRepr):
        parts = r.parts(llops, v)
        v_numbers = hop.gendirectcall(ll_range.ll_range_items, void(GcArray(Signed)), *parts)
        if r_new.ITEMS.OF is Signed:
            return v_numbers
    growing = GcStruct("list", ("length", Signed), ("items", Ptr(r_new.ITEMS)))
    v_room = r.length_hint(llops, v) or Constant(4, Signed)
    v_list = llops.gendirectcall(ll_list.ll_newlist_room, void(growing), v_room)

    def body(v_item: Value, state: list[Value], r_iter: Any) -> list[Value]:
        v_item = to_storage(llops.convertvar(v_item, r_iter.r_item, r_new.r_item), r_new.r_item)
        llops.gendirectcall(ll_list.ll_append, v_list, v_item)
        return []

    each_item(hop, 0, [], body)
    return llops.gendirectcall(ll_list.ll_exact_items, v_list)
