"""``list.sort`` and ``sorted``.

The sorting itself is a function of items, a length and, where they are given, the order and
the key:

    sort(items, length, backwards, key)

With a key, each item is put in a pair with its key, the pairs are sorted by their first
halves, and the items are put back in that order.  While a list is sorted by code of the
program (a key, ``__lt__``), it looks empty, as in CPython.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import K_NONE, SomeTuple, s_Bool, s_Int
from rpython.annotator.lattice.parts import runs_methods
from rpython.lltypesystem.lltype import Bool, GcArray, Ptr, Signed, Void
from rpython.rtyper.callables import Operand
from rpython.rtyper.items import ItemFunction, ItemFunctions, to_storage
from rpython.rtyper.kinds.float import FloatRepr
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.itemarray import ItemArrayRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_sort
from rpython.rtyper.rmodel import NoneRepr, Repr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.kinds.listmethods import ListMethods
    from rpython.rtyper.oplist import LowLevelOpList

ZERO = Constant(0, Signed)


def sort_in_place(hop: HighLevelOp, r: ListMethods) -> None:
    """``list.sort``."""
    llops = hop.llops
    v = hop.inputarg(r, 0)
    key = _key(hop)
    if isinstance(key.r, NoneRepr) and not runs_methods(r.s_item):
        sort_items(hop, r, *r.contents(llops, v))
        return
    v_marker = r.new_items(llops, ZERO)
    sorter = _sorter(hop, r, key)
    v_key = to_storage(key.v, key.r)
    hop.gendirectcall(
        ll_sort.ll_sort_detached, v, v_marker, _backwards(hop), v_key, void(sorter)
    )


def sort_items(hop: HighLevelOp, r: ListMethods, v_items: Value, v_length: Value) -> None:
    """Sort the first items of an array of ``r`` that no list of the program uses."""
    key = _key(hop)
    args = [v_items, v_length, _backwards(hop), to_storage(key.v, key.r)]
    hop.llops.call_pointer(_sorter(hop, r, key).pointer, args)


def _key(hop: HighLevelOp) -> Operand:
    """The ``key`` argument; None when it is not given."""
    arg = hop.keywords.get("key")
    if arg is None or hop.args_s[arg].kinds == K_NONE:
        return Operand(void(None), hop.rtyper.annotator.constants.annotation_of(None), NoneRepr())
    return Operand(hop.inputarg(hop.args_r[arg], arg), hop.args_s[arg], hop.args_r[arg])


def _backwards(hop: HighLevelOp) -> Value:
    """The ``reverse`` argument as a Bool."""
    arg = hop.keywords.get("reverse")
    if arg is None:
        return Constant(False, Bool)
    if hop.args_s[arg].kinds & s_Int.kinds:
        return hop.genop("int_is_true", [hop.inputarg(Signed, arg)], Bool)
    return hop.inputarg(Bool, arg)


def _sorter(hop: HighLevelOp, r: ListMethods, key: Operand) -> ItemFunction:
    """The function that sorts items of ``r`` for this operation."""
    rtyper = hop.rtyper
    args_r = (
        rtyper.primitive_repr(Ptr(r.ITEMS)), rtyper.getrepr(s_Int), rtyper.getrepr(s_Bool), key.r,
    )  # fmt: skip
    keyed = not isinstance(key.r, NoneRepr)

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        v_items, v_length, v_backwards, v_key = args
        if keyed:
            _sort_by_key(inner, r, v_items, v_length, v_backwards, Operand(v_key, key.s, key.r))
        else:
            _refuse_nan(inner, v_items, v_length, r.r_item)
            less = r.item_function("lt")
            llops.gendirectcall(ll_sort.ll_sort_reverse, v_items, v_length, less, v_backwards)
        return void(None)

    if r.s_item.kinds == 0:
        return rtyper.items.make(
            ("sort nothing", r, key.r), "sort_nothing", args_r, Void, lambda llops, args: void(None)
        )
    identity: object = hop.spaceop if keyed else r
    graph = hop.llops.graphtyper.graph
    return rtyper.items.make(("sort", identity), "sort_items", args_r, Void, build, graph)


def _sort_by_key(
    hop: HighLevelOp, r: ListMethods, v_items: Value, v_length: Value, v_backwards: Value,
    key: Operand,
) -> None:  # fmt: skip
    llops, rtyper = hop.llops, hop.rtyper
    s_item, r_item = r.item
    s_key = rtyper.calls.result_applied(key.s, [s_item])
    r_pair: Any = rtyper.getrepr(SomeTuple((s_key, r.s_item)))
    ARRAY = GcArray(r_pair.lowleveltype)
    v_pairs = llops.genop("malloc_varsize", [void(ARRAY), GC_FLAGS, v_length], Ptr(ARRAY))

    def pair(llops: LowLevelOpList, args: list[Value]) -> Value:
        item = Operand(args[0], s_item, r_item)
        made = rtyper.calls.apply(llops, Operand(args[1], key.s, key.r), [item])
        halves = [(each.v, each.s, each.r) for each in (made, item)]
        built: Value = r_pair.build(llops, halves)
        return built

    v_key = to_storage(key.v, key.r)
    pair_of = rtyper.items.make(
        ("pair of", hop.spaceop), "pair_of", (r_item, key.r), r_pair.lowleveltype, pair,
        llops.graphtyper.graph,
    )  # fmt: skip
    llops.gendirectcall(ll_sort.ll_pair_items, v_pairs, v_items, v_length, v_key, void(pair_of))

    r_key = r_pair.items_r[0]
    _refuse_nan_in_pairs(hop, v_pairs, v_length, r_pair, r_key)

    def first_less(llops: LowLevelOpList, args: list[Value]) -> Value:
        left, right = ((r_pair.getitem(llops, v, 0), s_key, r_key) for v in args)
        return rtyper.items.compare("lt", llops, left, right)

    less = rtyper.items.make(
        ("lt of first", r_pair), "keys_lt", (r_pair, r_pair), Bool, first_less
    )
    if r_item.lowleveltype is Void:
        llops.gendirectcall(ll_sort.ll_sort_reverse, v_pairs, v_length, void(less), v_backwards)
    else:
        llops.gendirectcall(
            ll_sort.ll_sort_pairs, v_pairs, v_items, v_length, void(less), v_backwards
        )


# -- NaN --------------------------------------------------------------------------------------


def _has_floats(r: Repr) -> bool:
    """Is it the Repr of tuples with floats?  Floats by themselves compare as in CPython."""
    if isinstance(r, ItemArrayRepr) and r.name == "tuple":
        return isinstance(r.r_item, FloatRepr) or _has_floats(r.r_item)
    if not isinstance(r, TupleRepr):
        return False
    return any(isinstance(item, FloatRepr) or _has_floats(item) for item in r.items_r)


def _emit_has_nan(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    """Is a float NaN, or a tuple one with a NaN in it?"""
    if isinstance(r, ItemArrayRepr):
        has_nan = void(_item_has_nan(r.rtyper.items, r.r_item))
        return llops.gendirectcall(ll_sort.ll_has_nan, v, has_nan)
    if not isinstance(r, TupleRepr):
        return llops.genop("float_ne", [v, v], Bool)
    v_result: Value = Constant(False, Bool)
    for i, r_item in enumerate(r.items_r):
        if isinstance(r_item, FloatRepr) or _has_floats(r_item):
            v_item = r.getitem(llops, v, i)
            v_result = llops.either(v_result, _emit_has_nan(llops, v_item, r_item))
    return v_result


def _refuse_nan(hop: HighLevelOp, v_items: Value, v_length: Value, r_item: Repr) -> None:
    if _has_floats(r_item):
        has_nan = _item_has_nan(hop.rtyper.items, r_item)
        hop.gendirectcall(ll_sort.ll_refuse_nan, v_items, v_length, void(has_nan))


def _item_has_nan(items: ItemFunctions, r_item: Repr) -> ItemFunction:
    return items.make(
        ("nan", r_item), "item_has_nan", (r_item,), Bool,
        lambda llops, args: _emit_has_nan(llops, args[0], r_item),
    )  # fmt: skip


def _refuse_nan_in_pairs(
    hop: HighLevelOp, v_pairs: Value, v_length: Value, r_pair: TupleRepr, r_key: Repr
) -> None:
    if _has_floats(r_key):
        has_nan = hop.rtyper.items.make(
            ("nan in key", r_pair), "key_has_nan", (r_pair,), Bool,
            lambda llops, args: _emit_has_nan(llops, r_pair.getitem(llops, args[0], 0), r_key),
        )  # fmt: skip
        hop.gendirectcall(ll_sort.ll_refuse_nan, v_pairs, v_length, void(has_nan))
