"""Lists: ``+``, ``*``, comparison, ``list(x)`` and ``sorted(x)``.  (Some of it is for tuples of
unknown length, too: ``kinds.vartuple``.)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import s_Int
from rpython.annotator.lattice.parts import runs_methods
from rpython.lltypesystem.lltype import Bool
from rpython.rtyper.builtins.sort import sort_items
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.itemarray import ItemArrayRepr, copied
from rpython.rtyper.kinds.iter import iterable_arg
from rpython.rtyper.kinds.list import BaseListRepr, ListRepr
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.ll import ll_list
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import PAIRS, Repr
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

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
    assert isinstance(left, ItemArrayRepr) and isinstance(right, ItemArrayRepr)
    v_left, v_right = hop.inputargs(left, right)
    equal = void(hop.rtyper.items.comparison("eq", left.item, right.item))
    if _is_live(left, right):
        v_same = hop.gendirectcall(ll_list.ll_equal_live, v_left, v_right, equal)
        return v_same if hop.opname == "eq" else hop.genop("bool_not", [v_same], Bool)
    v_equal = hop.gendirectcall(
        ll_list.ll_equal, *left.contents(hop.llops, v_left), *right.contents(hop.llops, v_right),
        equal,
    )  # fmt: skip
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@PAIRS.register("lt le gt ge", BaseListRepr, BaseListRepr)
def order_lists(hop: HighLevelOp) -> Value:
    """By the first items that differ, else by length."""
    left, right = hop.args_r
    assert isinstance(left, ItemArrayRepr) and isinstance(right, ItemArrayRepr)
    v_left, v_right = hop.inputargs(left, right)
    items, number = hop.rtyper.items, (s_Int, hop.rtyper.getrepr(s_Int))
    functions = [
        void(items.comparison("eq", left.item, right.item)),
        void(items.comparison(hop.opname, left.item, right.item)),
        void(items.comparison(hop.opname, number, number)),
    ]
    if _is_live(left, right):
        return hop.gendirectcall(ll_list.ll_ordered_live, v_left, v_right, *functions)
    return hop.gendirectcall(
        ll_list.ll_ordered, *left.contents(hop.llops, v_left), *right.contents(hop.llops, v_right),
        *functions,
    )  # fmt: skip


def _is_live(left: ItemArrayRepr, right: ItemArrayRepr) -> bool:
    """May comparing items change the lists?"""
    if not isinstance(left, ListRepr) or not isinstance(right, ListRepr):
        return False
    return runs_methods(left.s_item) or runs_methods(right.s_item)


# -- a list and a number ----------------------------------------------------------------------


for _number in (IntegerRepr, BoolRepr):

    @PAIRS.register("mul", BaseListRepr, _number)
    def repeat_list(hop: HighLevelOp) -> Value:
        r: Any = hop.args_r[0]
        return r.repeated(hop, 0)  # type: ignore[no-any-return]

    @PAIRS.register("mul", _number, BaseListRepr)
    def repeat_list_r(hop: HighLevelOp) -> Value:
        r: Any = hop.args_r[1]
        return r.repeated(hop, 1)  # type: ignore[no-any-return]

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
    if isinstance(r, ItemArrayRepr):
        return copied(hop, r)
    v_items, v_length = r_new.gather(hop, 0)
    v_items = hop.gendirectcall(ll_list.ll_exact_items, v_items, v_length)
    return r_new.from_items(hop.llops, v_items)  # type: ignore[no-any-return]


@BUILTINS.register(sorted)
def builtin_sorted(hop: HighLevelOp) -> Value:
    r_new: Any = hop.r_result
    r, _ = iterable_arg(hop, 0)
    v_new = copied(hop, r) if isinstance(r, ItemArrayRepr) else builtin_list(hop)
    sort_items(hop, r_new, *r_new.contents(hop.llops, v_new))
    return v_new
