"""Unpacking: ``a, b = x`` and ``a, *b = x`` give a tuple, whose items are then taken.

    v = unpack(x, 2)  ->  the items of x, one by one; ValueError unless there are two
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.iter import iterable_arg, start_iterating
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_list
from rpython.rtyper.rmodel import GENERAL_RULES
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.kinds.itemarray import ItemArrayRepr
    from rpython.rtyper.oplist import LowLevelOpList


NOT_ITERABLE = "cannot unpack non-iterable NoneType object"


def unpack(hop: HighLevelOp) -> Value:
    """Any iterable: asks for one item more than expected."""
    llops = hop.llops
    count = hop.args_s[1].value
    r, v = iterable_arg(hop, 0, NOT_ITERABLE)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)
    items = []
    for have in range(count):
        message = f"not enough values to unpack (expected {count}, got {have})"
        end = partial(llops.raise_constant, ValueError, message)
        v_item = r_iter.next_item(llops, v_iter, end)
        items.append(Operand(v_item, r_iter.s_item, r_iter.r_item))
    right = Block([])
    r_iter.next_item(llops, v_iter, lambda: llops.goto(right))
    llops.raise_constant(ValueError, f"too many values to unpack (expected {count})")
    llops.at(right)
    return _build(hop, items)


def unpack_items(hop: HighLevelOp, r: ItemArrayRepr) -> Value:
    llops = hop.llops
    count = hop.args_s[1].value
    v_items, v_length = r.contents(llops, hop.inputarg(r, 0))
    require_length(llops, v_length, count)
    s_item, r_item = r.item
    return _build(hop, [
        Operand(r.get_from(llops, v_items, Constant(i, Signed)), s_item, r_item)
        for i in range(count)
    ])  # fmt: skip


def unpack_star(hop: HighLevelOp) -> Value:
    """``a, *b, c = x``."""
    llops = hop.llops
    before, after = hop.args_s[1].value, hop.args_s[2].value
    r_from = hop.args_r[0]
    r_tuple: Any = hop.r_result
    if not isinstance(r_tuple, TupleRepr):
        return _no_items(hop, before + after)
    r_list: Any = r_tuple.items_r[before]
    if isinstance(r_from, TupleRepr):
        return _unpack_star_tuple(hop, r_from, before, after)
    v_items, v_length = r_list.gather(hop, 0, NOT_ITERABLE)
    _require_at_least(llops, v_length, before + after)
    v_end = llops.genop("int_sub", [v_length, Constant(after, Signed)], Signed)
    v_start = Constant(before, Signed)
    v_count = llops.genop("int_sub", [v_end, v_start], Signed)
    v_rest = llops.gendirectcall(ll_list.ll_copy_items, v_items, v_start, v_count)
    s_item, r_item = r_list.item

    def item(v_index: Value) -> Operand:
        return Operand(r_list.get_from(llops, v_items, v_index), s_item, r_item)

    items = [item(Constant(i, Signed)) for i in range(before)]
    items.append(Operand(r_list.from_items(llops, v_rest), r_tuple.items_s[before], r_list))
    for i in range(after):
        items.append(item(llops.genop("int_add", [v_end, Constant(i, Signed)], Signed)))
    return _build(hop, items)


def _unpack_star_tuple(hop: HighLevelOp, r_from: TupleRepr, before: int, after: int) -> Value:
    llops = hop.llops
    v = hop.inputarg(r_from, 0)
    every = [
        Operand(r_from.getitem(llops, v, i), s, r)
        for i, (s, r) in enumerate(zip(r_from.items_s, r_from.items_r))
    ]
    r_tuple: Any = hop.r_result
    r_list: Any = r_tuple.items_r[before]
    middle = every[before : len(every) - after]
    v_items = r_list.new_items(llops, Constant(len(middle), Signed))
    for i, item in enumerate(middle):
        v_item = llops.convertvar(item.v, item.r, r_list.r_item)
        r_list.put_into(llops, v_items, Constant(i, Signed), v_item)
    rest = Operand(r_list.from_items(llops, v_items), r_tuple.items_s[before], r_list)
    every[before : len(every) - after] = [rest]
    return _build(hop, every)


def _build(hop: HighLevelOp, items: list[Operand]) -> Value:
    r_tuple: Any = hop.r_result
    if not isinstance(r_tuple, TupleRepr):
        return hop.llops.dummy(r_tuple.lowleveltype)  # there are never items
    return r_tuple.build(hop.llops, [(item.v, item.s, item.r) for item in items])


def _no_items(hop: HighLevelOp, count: int) -> Value:
    """Of something that never has items."""
    message = f"not enough values to unpack (expected at least {count}, got 0)"
    hop.llops.call_pointer(hop.rtyper.raising_function(ValueError, message), [])
    return hop.llops.dummy(hop.r_result.lowleveltype)


def require_length(llops: LowLevelOpList, v_length: Value, count: int) -> None:
    """Raise what CPython raises unless ``v_length`` is ``count``: the messages are constants,
    one for each length below."""
    wrong, right = llops.branch(llops.genop("int_ne", [v_length, Constant(count, Signed)], Bool))
    llops.at(wrong)
    for have in range(count):
        v_is = llops.genop("int_eq", [v_length, Constant(have, Signed)], Bool)
        message = f"not enough values to unpack (expected {count}, got {have})"
        llops.raise_if(v_is, ValueError, message)
    llops.raise_constant(ValueError, f"too many values to unpack (expected {count})")
    llops.at(right)


def _require_at_least(llops: LowLevelOpList, v_length: Value, count: int) -> None:
    for have in range(count):
        v_is = llops.genop("int_eq", [v_length, Constant(have, Signed)], Bool)
        message = f"not enough values to unpack (expected at least {count}, got {have})"
        llops.raise_if(v_is, ValueError, message)


GENERAL_RULES.update({"unpack": unpack, "unpack_star": unpack_star})
