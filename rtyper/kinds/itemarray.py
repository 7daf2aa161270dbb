"""Items of one kind in an array, behind lists of both forms and tuples of unknown length: reading,
slices, searching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rpython.annotator.lattice.model import SomeObject, SomeSlice
from rpython.lltypesystem.lltype import Bool, LowLevelType, Ptr, Signed
from rpython.rtyper.builtins.gather import gather_items
from rpython.rtyper.builtins.unpack import unpack_items
from rpython.rtyper.indexing import checked_index
from rpython.rtyper.items import Item, ItemFunction, from_storage, to_storage, zero_item
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import NOT_ITERABLE, IterableRepr, iterable_arg
from rpython.rtyper.kinds.range import RangeRepr
from rpython.rtyper.kinds.slice import index_arg, slice_bounds, slice_is_simple, slice_items
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_error, ll_list, ll_range
from rpython.rtyper.rmodel import Repr
from rpython.rtyper.text import concatenate, literal, text_pieces
from rpython.translator.ir.model import Block, Constant, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


MAXINT = Constant((1 << 63) - 1, Signed)


class ItemArrayRepr(IterableRepr):
    """Items of one kind, in an array: operations that only read, written over the array and its
    length.  As it stands, the value is the array; a subclass may keep it elsewhere."""

    nullable = True
    name: ClassVar[str]
    """Of the host class, for messages."""
    rtyper: RPythonTyper
    s_item: SomeObject
    r_item: Repr
    ITEMS: Any
    """The GcArray of the items."""

    # -- for other kinds: see the text of kinds.list -----------------------------------------

    def length(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.genop("getarraysize", [v], Signed)

    def items(self, llops: LowLevelOpList, v: Value) -> Value:
        return v

    def from_items(self, llops: LowLevelOpList, v_items: Value) -> Value:
        return v_items

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return self.length(llops, v)

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
        self, llops: LowLevelOpList, v: Value, target: ItemArrayRepr
    ) -> tuple[Value, Value]:
        """Item array and length, the items as ``target`` stores them: in a new array when
        they have to be converted."""
        v_items, v_length = self.contents(llops, v)
        return self.convert_items(llops, v_items, v_length, target), v_length

    def convert_items(
        self, llops: LowLevelOpList, v_items: Value, v_length: Value, target: ItemArrayRepr
    ) -> Value:
        """An item array as ``target`` stores it: the same one, or a new one."""
        if converts_as_is(llops, self.r_item, target.r_item):
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

    def gather(
        self, hop: HighLevelOp, arg: int, message: str = NOT_ITERABLE
    ) -> tuple[Value, Value]:
        """The items of operand ``arg``, anything that can be iterated over, as they are stored
        here: an array, which may be the operand's own, and a length.  None raises
        TypeError with ``message``."""
        llops = hop.llops
        r, v = iterable_arg(hop, arg, message)
        if isinstance(r, ItemArrayRepr):
            return r.contents_for(llops, v, self)
        if isinstance(r, TupleRepr):
            return self.items_of_tuple(llops, r, v), Constant(len(r.items_r), Signed)
        if isinstance(r, RangeRepr) and self.ITEMS.OF is Signed:
            parts = r.parts(llops, v)
            v_items = hop.gendirectcall(ll_range.ll_range_items, void(self.ITEMS), *parts)
            return v_items, llops.genop("getarraysize", [v_items], Signed)
        return gather_items(hop, arg, self.ITEMS, self.r_item, message)

    def items_of_tuple(self, llops: LowLevelOpList, r: TupleRepr, v: Value) -> Value:
        """A new array of the items of a tuple of known length."""
        v_items = self.new_items(llops, Constant(len(r.items_r), Signed))
        for i, r_item in enumerate(r.items_r):
            v_item = llops.convertvar(r.getitem(llops, v, i), r_item, self.r_item)
            self.put_into(llops, v_items, Constant(i, Signed), v_item)
        return v_items

    def rtype_unpack(self, hop: HighLevelOp) -> Value:
        return unpack_items(hop, self)

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

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return self.length(hop.llops, hop.inputarg(self, 0))

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_length = self.length(llops, v)
        if isinstance(hop.args_s[1], SomeSlice):
            return self.getslice(hop, v, v_length)
        v_index = checked_index(hop, 1, v_length, f"{self.name} index out of range")
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

    def repeated(self, hop: HighLevelOp, arg: int) -> Value:
        """Operand ``arg``, as a value of this Repr, repeated as often as the other one says."""
        r_new: Any = hop.r_result
        v_items, v_length = self.contents_for(hop.llops, hop.inputarg(self, arg), r_new)
        v_times = index_arg(hop, 1 - arg)
        v_total = hop.gendirectcall(ll_list.ll_repeated_length, v_length, v_times)
        v_new = r_new.new_items(hop.llops, v_total)
        hop.gendirectcall(ll_list.ll_fill, v_new, v_items, v_length)
        new: Value = r_new.from_items(hop.llops, v_new)
        return new

    def is_live(self, hop: HighLevelOp) -> bool:
        """May looking for operand 1 change the length?"""
        return False

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
        if hop.spaceop not in self.rtyper.annotator.notes.shows_operand:
            llops.raise_constant(ValueError, f"{self.name}.index(x): x not in {self.name}")
        else:
            pieces = text_pieces(hop, hop.operand(1), True)
            v_message = concatenate(hop, [*pieces, literal(self.rtyper, " is not in list")])
            hop.gendirectcall(ll_error.ll_value_error, v_message)
            llops.unreachable()
        llops.at(found)
        return v_at


def converts_as_is(llops: LowLevelOpList, r_from: Repr, r_to: Repr) -> bool:
    """Are values of one Repr values of the other without any operation?"""
    if r_from is r_to:
        return True
    if r_from.lowleveltype != r_to.lowleveltype:
        return False
    here, trial = llops.block, Block([v := Variable("item", r_from.lowleveltype)])
    llops.at(trial)
    v_converted = llops.convertvar(v, r_from, r_to)
    llops.at(here)
    return v_converted is v


def copied(hop: HighLevelOp, r: ItemArrayRepr) -> Value:
    """A new list, or tuple, of the result's Repr, of the items of operand 0, a value of ``r``."""
    r_new: Any = hop.r_result
    llops = hop.llops
    v_items, v_length = r.contents_for(llops, hop.inputarg(r, 0), r_new)
    if converts_as_is(llops, r.r_item, r_new.r_item):
        zero = Constant(0, Signed)
        v_items = hop.gendirectcall(ll_list.ll_copy_items, v_items, zero, v_length)
    new: Value = r_new.from_items(llops, v_items)
    return new
