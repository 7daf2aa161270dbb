"""Lists: methods that change them.  See ``kinds.list`` for the representation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeSlice
from rpython.annotator.lattice.parts import runs_methods
from rpython.lltypesystem.lltype import Signed
from rpython.rtyper.builtins.sort import sort_in_place
from rpython.rtyper.indexing import checked_index
from rpython.rtyper.items import from_storage, to_storage
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.itemarray import ItemArrayRepr, copied
from rpython.rtyper.kinds.iter import each_item, iterable_arg, not_iterable
from rpython.rtyper.kinds.slice import index_arg, slice_bounds, slice_is_simple, slice_items
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_list
from rpython.rtyper.rmodel import NoneRepr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList


class ListMethods(ItemArrayRepr):
    """Operations on either form that keep the length."""

    name = "list"

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        return copied(hop, self)

    def rtype_method_reverse(self, hop: HighLevelOp) -> Value:
        v_items, v_length = self.contents(hop.llops, hop.inputarg(self, 0))
        hop.gendirectcall(ll_list.ll_reverse, v_items, v_length)
        return void(None)

    def rtype_method_sort(self, hop: HighLevelOp) -> Value:
        sort_in_place(hop, self)
        return void(None)

    # -- writing ----------------------------------------------------------------------------------

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_item = hop.inputarg(self.r_item, 2)
        v_length = self.length(llops, v)
        v_index = checked_index(hop, 1, v_length, "list assignment index out of range")
        self.setitem(llops, v, v_index, v_item)
        return void(None)


class ResizableMethods(ListMethods):
    """Operations that change the length."""

    LIST: Any
    """The struct of length and items."""

    def is_live(self, hop: HighLevelOp) -> bool:
        return runs_methods(self.s_item) or runs_methods(hop.args_s[1])

    def append(self, llops: LowLevelOpList, v: Value, v_item: Value) -> None:
        """Append a value of ``r_item``."""
        llops.gendirectcall(ll_list.ll_append, v, to_storage(v_item, self.r_item))

    def extend(self, hop: HighLevelOp, v: Value, arg: int) -> None:
        """Append all items of operand ``arg``, anything that can be iterated over."""
        llops = hop.llops
        if isinstance(hop.args_r[arg], NoneRepr):
            llops.call_pointer(self.rtyper.raising_function(TypeError, not_iterable(hop)), [])
            return
        r, v_source = iterable_arg(hop, arg)
        if isinstance(r, ItemArrayRepr):
            v_items, v_length = r.contents_for(llops, v_source, self)
            llops.gendirectcall(ll_list.ll_extend, v, v_items, v_length)
        elif isinstance(r, TupleRepr):
            for i, r_item in enumerate(r.items_r):
                v_item = r.getitem(llops, v_source, i)
                self.append(llops, v, llops.convertvar(v_item, r_item, self.r_item))
        else:

            def body(v_item: Value, state: list[Value], r_iter: Any) -> list[Value]:
                self.append(llops, v, llops.convertvar(v_item, r_iter.r_item, self.r_item))
                return []

            each_item(hop, arg, [], body)

    def rtype_method_append(self, hop: HighLevelOp) -> Value:
        self.append(hop.llops, hop.inputarg(self, 0), hop.inputarg(self.r_item, 1))
        return void(None)

    def rtype_method_extend(self, hop: HighLevelOp) -> Value:
        self.extend(hop, hop.inputarg(self, 0), 1)
        return void(None)

    def rtype_method_insert(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_list.ll_insert, v, index_arg(hop, 1), self.item_arg(hop, 2))
        return void(None)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_item: Value
        if hop.nb_args == 1:
            v_item = hop.gendirectcall(ll_list.ll_pop_last, v, self.zero())
        else:
            v_item = hop.gendirectcall(ll_list.ll_pop, v, index_arg(hop, 1), self.zero())
        return hop.llops.convertvar(from_storage(v_item, self.r_item), self.r_item, hop.r_result)

    def rtype_method_clear(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_list.ll_truncate, v, Constant(0, Signed), self.zero())
        return void(None)

    def rtype_method_remove(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        helper = ll_list.ll_remove_live if self.is_live(hop) else ll_list.ll_remove
        hop.gendirectcall(helper, v, *self.wanted(hop), self.zero())
        return void(None)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        if not isinstance(hop.args_s[1], SomeSlice):
            return super().rtype_setitem(hop)
        v = hop.inputarg(self, 0)
        simple = slice_is_simple(hop)
        message = "can only assign an iterable"
        if not simple:
            message = "must assign iterable to extended slice"
        if isinstance(hop.args_r[2], NoneRepr):
            hop.llops.call_pointer(self.rtyper.raising_function(TypeError, message), [])
            return void(None)
        v_length = self.length(hop.llops, v)
        # the bounds come from the length before the other operand is iterated over
        if simple:
            v_start, v_stop = slice_bounds(hop, v_length)
            given = self.gather(hop, 2, message)
            hop.gendirectcall(ll_list.ll_setslice, v, v_start, v_stop, *given, self.zero())
        else:
            v_start, v_step, v_count = slice_items(hop, v_length)
            given = self.gather(hop, 2, message)
            hop.gendirectcall(
                ll_list.ll_setslice_steps, v, v_start, v_step, v_count, *given, self.zero()
            )
        return void(None)

    def rtype_delitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_length = self.length(hop.llops, v)
        if not isinstance(hop.args_s[1], SomeSlice):
            v_start = checked_index(hop, 1, v_length, "list assignment index out of range")
            v_stop: Value = hop.genop("int_add", [v_start, Constant(1, Signed)], Signed)
        elif slice_is_simple(hop):
            v_start, v_stop = slice_bounds(hop, v_length)
        else:
            parts = slice_items(hop, v_length)
            hop.gendirectcall(ll_list.ll_delete_steps, v, *parts, self.zero())
            return void(None)
        hop.gendirectcall(ll_list.ll_delete, v, v_start, v_stop, self.zero())
        return void(None)
