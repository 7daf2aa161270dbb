"""The items of anything that can be iterated over, in an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Ptr, Signed
from rpython.rtyper.items import to_storage
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import each_item, iterable_arg
from rpython.rtyper.ll import ll_list
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def gather_items(
    hop: HighLevelOp, arg: int, ITEMS: Any, r_item: Repr, message: str
) -> tuple[Value, Value]:
    """The items of operand ``arg``: a new array, which may have room for more, and their number.

    Args:
        ITEMS: the type of the array.
        r_item: what the items are converted to.
        message: of the TypeError that None raises.
    """
    llops = hop.llops
    r, v = iterable_arg(hop, arg, message)
    growing = ll_list.resizable_list(ITEMS)
    v_room = r.length_hint(llops, v) or Constant(4, Signed)
    v_list = llops.gendirectcall(ll_list.ll_newlist_room, void(growing), v_room)

    def body(v_item: Value, state: list[Value], r_iter: Any) -> list[Value]:
        v_item = to_storage(llops.convertvar(v_item, r_iter.r_item, r_item), r_item)
        llops.gendirectcall(ll_list.ll_append, v_list, v_item)
        return []

    each_item(hop, arg, [], body)
    v_items = llops.genop("getfield", [v_list, void("items")], Ptr(ITEMS))
    return v_items, llops.genop("getfield", [v_list, void("length")], Signed)
