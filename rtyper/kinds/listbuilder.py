"""Lists that comprehensions fill: an array with room for more, and how much of it is filled.

At the end the array is the list, if that is of fixed size, or becomes its items.  The struct of
both is never part of a list, so that scalar replacement makes two variables of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.listbuilders import SomeListBuilder
from rpython.annotator.lattice.model import SomeList
from rpython.lltypesystem.lltype import Ptr, Signed
from rpython.rtyper.items import to_storage
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IteratorRepr
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.ll import ll_list
from rpython.rtyper.rmodel import Repr, not_null, repr_for
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


class ListBuilderRepr(Repr):
    """See the module text."""

    def __init__(self, rtyper: RPythonTyper, s: SomeListBuilder) -> None:
        self.r_list: BaseListRepr = rtyper.getrepr(SomeList(s.listdef))  # type: ignore[assignment]
        if self.r_list.forward is not None:
            self.r_list.setup()  # a list that may contain itself
        self.struct = ll_list.resizable_list(self.r_list.ITEMS)
        self.lowleveltype = Ptr(self.struct)

    def rtype_list_builder(self, hop: HighLevelOp) -> Value:
        v_room: Value | None = None
        if hop.nb_args:
            r = not_null(hop.args_r[0])
            if r is hop.args_r[0] and isinstance(r, IteratorRepr):
                v_room = r.length_hint(hop.llops, hop.inputarg(r, 0))
        if v_room is None:
            no_items = Constant(self.r_list.no_items(), self.r_list.itemsptr)
            return hop.gendirectcall(ll_list.ll_newlist_empty, void(self.struct), no_items)
        return hop.gendirectcall(ll_list.ll_builder_room, void(self.struct), v_room)

    def rtype_builder_append(self, hop: HighLevelOp) -> Value:
        r_item = self.r_list.r_item
        v_item = to_storage(hop.inputarg(r_item, 1), r_item)
        hop.gendirectcall(ll_list.ll_builder_append, hop.inputarg(self, 0), v_item)
        return void(None)

    def rtype_built_list(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_items = hop.genop("getfield", [v, void("items")], self.r_list.itemsptr)
        v_length = hop.genop("getfield", [v, void("length")], Signed)
        return self.r_list.from_room(hop.llops, v_items, v_length)


@repr_for(SomeListBuilder)
def list_builder_repr(rtyper: RPythonTyper, s: SomeListBuilder) -> Repr:
    return ListBuilderRepr(rtyper, s)
