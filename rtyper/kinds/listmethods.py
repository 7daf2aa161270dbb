"""Lists: slices, searching, methods.  See ``kinds.list`` for the representation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject, SomeSlice
from rpython.annotator.lattice.parts import runs_methods
from rpython.lltypesystem.lltype import Bool, LowLevelType, Ptr, Signed
from rpython.rtyper.builtins.calling import part_of
from rpython.rtyper.builtins.collect import collect_items
from rpython.rtyper.builtins.sort import sort_in_place
from rpython.rtyper.builtins.unpack import unpack_list
from rpython.rtyper.indexing import checked_index
from rpython.rtyper.items import Item, ItemFunction, from_storage, to_storage, zero_item
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import NOT_ITERABLE, IterableRepr, each_item, iterable_arg
from rpython.rtyper.kinds.range import RangeRepr
from rpython.rtyper.kinds.slice import index_arg, slice_bounds, slice_is_simple, slice_items
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_error, ll_list, ll_range
from rpython.rtyper.rmodel import NoneRepr, Repr
from rpython.rtyper.text import concatenate, literal, text_pieces
from rpython.translator.ir.model import Block, Constant, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp, LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


MAXINT = Constant((1 << 63) - 1, Signed)


class ListMethods(IterableRepr):
    """Operations on either form, written over its item array and length."""

    rtyper: RPythonTyper
    s_item: SomeObject
    r_item: Repr
    ITEMS: Any
    """The GcArray of the items."""

    # -- for other kinds: see the text of r_list ---------------------------------------------

    def length(self, llops: LowLevelOpList, v: Value) -> Value:
        raise NotImplementedError

    def items(self, llops: LowLevelOpList, v: Value) -> Value:
        raise NotImplementedError

    def from_items(self, llops: LowLevelOpList, v_items: Value) -> Value:
        raise NotImplementedError

    def newlist(self, llops: LowLevelOpList, v_length: Value) -> Value:
        return self.from_items(llops, self.new_items(llops, v_length))

    @property
    def itemsptr(self) -> LowLevelType:
        return Ptr(self.ITEMS)

    def new_items(self, llops: LowLevelOpList, v_length: Value) -> Value:
        """An array of zero items."""
        args = [void(self.ITEMS), GC_FLAGS, v_length]
        return llops.genop("malloc_varsize", args, self.itemsptr)

    def getitem(self, llops: LowLevelOpList, v: Value, v_index: Value) -> Value:
        return self.get_from(llops, self.items(llops, v), v_index)

    def setitem(self, llops: LowLevelOpList, v: Value, v_index: Value, v_item: Value) -> None:
        self.put_into(llops, self.items(llops, v), v_index, v_item)

    def get_from(self, llops: LowLevelOpList, v_items: Value, v_index: Value) -> Value:
        """An item of an array, as a value of ``r_item``."""
        v = llops.genop("getarrayitem", [v_items, v_index], self.ITEMS.OF)
        return from_storage(v, self.r_item)

    def put_into(
        self, llops: LowLevelOpList, v_items: Value, v_index: Value, v_item: Value
    ) -> None:
        """Store a value of ``r_item`` in an array."""
        llops.genop("setarrayitem", [v_items, v_index, to_storage(v_item, self.r_item)])

    def zero(self) -> Constant:
        return zero_item(self.r_item)

    def contents(self, llops: LowLevelOpList, v: Value) -> tuple[Value, Value]:
        """Item array and length."""
        return self.items(llops, v), self.length(llops, v)

    def contents_for(
        self, llops: LowLevelOpList, v: Value, target: ListMethods
    ) -> tuple[Value, Value]:
        """Item array and length, the items as ``target`` stores them: in a new array when
        they have to be converted."""
        v_items, v_length = self.contents(llops, v)
        return self.convert_items(llops, v_items, v_length, target), v_length

    def convert_items(
        self, llops: LowLevelOpList, v_items: Value, v_length: Value, target: ListMethods
    ) -> Value:
        """An item array as ``target`` stores it: the same one, or a new one."""
        if self.r_item is target.r_item:
            return v_items
        v_new = target.new_items(llops, v_length)
        head = Block([Variable("i", Signed)])
        llops.goto(head, Constant(0, Signed))
        llops.at(head)
        (v_i,) = head.inputargs
        body, done = llops.branch(llops.genop("int_lt", [v_i, v_length], Bool))
        llops.at(body)
        v_item = self.get_from(llops, v_items, v_i)
        v_converted = llops.convertvar(v_item, self.r_item, target.r_item)
        target.put_into(llops, v_new, v_i, v_converted)
        llops.goto(head, llops.genop("int_add", [v_i, Constant(1, Signed)], Signed))
        llops.at(done)
        return v_new

    def collect(
        self, hop: HighLevelOp, arg: int, message: str = NOT_ITERABLE
    ) -> tuple[Value, Value]:
        """The items of operand ``arg``, anything that can be iterated over, as this kind of
        list stores them: an array, which may be the operand's own, and a length.  None raises
        TypeError with ``message``."""
        llops = hop.llops
        r, v = iterable_arg(hop, arg, message)
        if isinstance(r, ListMethods):
            return r.contents_for(llops, v, self)
        if isinstance(r, TupleRepr):
            v_length: Value = Constant(len(r.items_r), Signed)
            v_items = self.new_items(llops, v_length)
            for i, r_item in enumerate(r.items_r):
                v_item = llops.convertvar(r.getitem(llops, v, i), r_item, self.r_item)
                self.put_into(llops, v_items, Constant(i, Signed), v_item)
            return v_items, v_length
        if isinstance(r, RangeRepr) and self.ITEMS.OF is Signed:
            parts = r.parts(llops, v)
            v_items = hop.gendirectcall(ll_range.ll_range_items, void(self.ITEMS), *parts)
            return v_items, llops.genop("getarraysize", [v_items], Signed)
        return collect_items(hop, arg, self.ITEMS, self.r_item, message)

    def rtype_unpack(self, hop: HighLevelOp) -> Value:
        return unpack_list(hop, self)

    # -- items as operands ----------------------------------------------------------------------

    @property
    def item(self) -> Item:
        return self.s_item, self.r_item

    def item_function(self, opname: str) -> Value:
        """The comparison of two items, as a constant for helpers."""
        function: ItemFunction = self.rtyper.items.comparison(opname, self.item, self.item)
        return void(function)

    def item_arg(self, hop: HighLevelOp, arg: int) -> Value:
        """Operand ``arg`` as it is stored."""
        return to_storage(hop.inputarg(self.r_item, arg), self.r_item)

    def wanted(self, hop: HighLevelOp) -> tuple[Value, Value]:
        """Operand 1, which is looked for and may be of another kind than the items: as the
        helpers take it, and the function that compares an item with it."""
        _, s, r = hop.operand(1)
        equal: ItemFunction = self.rtyper.items.comparison("eq", self.item, (s.without_const(), r))
        return to_storage(hop.inputarg(r, 1), r), void(equal)

    # -- reading ----------------------------------------------------------------------------------

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_length = self.length(llops, v)
        if isinstance(hop.args_s[1], SomeSlice):
            return self.getslice(hop, v, v_length)
        v_index = checked_index(hop, 1, v_length, "list index out of range")
        return llops.convertvar(self.getitem(llops, v, v_index), self.r_item, hop.r_result)

    def getslice(self, hop: HighLevelOp, v: Value, v_length: Value) -> Value:
        v_items = self.items(hop.llops, v)
        v_count: Value
        if slice_is_simple(hop):
            v_start, v_stop = slice_bounds(hop, v_length)
            v_count = hop.genop("int_sub", [v_stop, v_start], Signed)
            v_new: Value = hop.gendirectcall(
                ll_list.ll_copy_items, v_items, v_start, v_count
            )
        else:
            v_start, v_step, v_count = slice_items(hop, v_length)
            v_new = hop.gendirectcall(ll_list.ll_take, v_items, v_start, v_step, v_count)
        r_new: Any = hop.r_result
        v_new = self.convert_items(hop.llops, v_new, v_count, r_new)
        new: Value = r_new.from_items(hop.llops, v_new)
        return new

    def is_live(self, hop: HighLevelOp) -> bool:
        """May looking for operand 1 change the list, other than its items?"""
        methods = runs_methods(self.s_item) or runs_methods(hop.args_s[1])
        return methods and isinstance(self, ResizableMethods)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        if self.is_live(hop):
            v = hop.inputarg(self, 0)
            v_at = hop.gendirectcall(
                ll_list.ll_find_live, v, Constant(0, Signed), MAXINT, *self.wanted(hop)
            )
            return hop.genop("int_ge", [v_at, Constant(0, Signed)], Bool)
        v_items, v_length = self.contents(hop.llops, hop.inputarg(self, 0))
        return hop.gendirectcall(
            ll_list.ll_contains, v_items, v_length, *self.wanted(hop)
        )

    def rtype_method_count(self, hop: HighLevelOp) -> Value:
        if self.is_live(hop):
            v = hop.inputarg(self, 0)
            return hop.gendirectcall(ll_list.ll_count_live, v, *self.wanted(hop))
        v_items, v_length = self.contents(hop.llops, hop.inputarg(self, 0))
        return hop.gendirectcall(
            ll_list.ll_count, v_items, v_length, *self.wanted(hop)
        )

    def rtype_method_index(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v_items, v_length = self.contents(llops, hop.inputarg(self, 0))
        v_start: Value = Constant(0, Signed)
        v_stop = v_length
        if hop.nb_args > 2:
            v_start = hop.gendirectcall(ll_list.ll_search_bound, index_arg(hop, 2), v_length)
        if hop.nb_args > 3:
            v_stop = hop.gendirectcall(ll_list.ll_search_bound, index_arg(hop, 3), v_length)
        v_at: Value
        if self.is_live(hop):
            v = hop.inputarg(self, 0)
            v_at = hop.gendirectcall(
                ll_list.ll_find_live, v, v_start, v_stop, *self.wanted(hop)
            )
        else:
            v_at = hop.gendirectcall(
                ll_list.ll_find, v_items, v_start, v_stop, *self.wanted(hop)
            )
        v_missing = hop.genop("int_lt", [v_at, Constant(0, Signed)], Bool)
        missing, found = llops.branch(v_missing)
        llops.at(missing)
        if part_of(hop, "shown") is None:
            llops.raise_constant(ValueError, "list.index(x): x not in list")
        else:
            pieces = text_pieces(hop, hop.operand(1), True)
            v_message = concatenate(hop, [*pieces, literal(self.rtyper, " is not in list")])
            hop.gendirectcall(ll_error.ll_value_error, v_message)
            llops.unreachable()
        llops.at(found)
        return v_at

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

    def append(self, llops: LowLevelOpList, v: Value, v_item: Value) -> None:
        """Append a value of ``r_item``."""
        llops.gendirectcall(ll_list.ll_append, v, to_storage(v_item, self.r_item))

    def extend(self, hop: HighLevelOp, v: Value, arg: int) -> None:
        """Append all items of operand ``arg``, anything that can be iterated over."""
        llops = hop.llops
        if isinstance(hop.args_r[arg], NoneRepr):
            llops.call_pointer(self.rtyper.raising_function(TypeError, NOT_ITERABLE), [])
            return
        r, v_source = iterable_arg(hop, arg)
        if isinstance(r, ListMethods):
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
            given = self.collect(hop, 2, message)
            hop.gendirectcall(ll_list.ll_setslice, v, v_start, v_stop, *given, self.zero())
        else:
            v_start, v_step, v_count = slice_items(hop, v_length)
            given = self.collect(hop, 2, message)
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


def copied(hop: HighLevelOp, r: ListMethods) -> Value:
    """A new list, of the result's Repr, of the items of operand 0, a list of ``r``."""
    r_new: Any = hop.r_result
    llops = hop.llops
    v_items, v_length = r.contents_for(llops, hop.inputarg(r, 0), r_new)
    if r.r_item is r_new.r_item:
        zero = Constant(0, Signed)
        v_items = hop.gendirectcall(ll_list.ll_copy_items, v_items, zero, v_length)
    new: Value = r_new.from_items(llops, v_items)
    return new
