"""The base of the Reprs of str, bytes and bytearray: length, truth, items, slices, search
bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rpython.annotator.lattice.model import K_NONE, SomeObject, SomeSlice, SomeTuple
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.indexing import checked_index
from rpython.rtyper.kinds.iter import IterableRepr
from rpython.rtyper.kinds.slice import index_arg, slice_bounds, slice_is_simple, slice_items
from rpython.rtyper.ll import ll_slice
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList

Part = tuple[Value, SomeObject, Repr]


def method_arg(hop: HighLevelOp, position: int, keyword: str = "") -> int | None:
    """The operand number of an argument given by position or keyword; None when it is not
    given or is None."""
    if position < hop.nb_args - len(hop.keywords):
        arg: int | None = position
    else:
        arg = hop.keywords.get(keyword)
    return None if arg is None or hop.args_s[arg].kinds == K_NONE else arg


class ReadableRepr(IterableRepr):
    """See the module text; a subclass says how it is stored."""

    nullable = True
    index_error: ClassVar[str]

    # -- how a subclass stores it ----------------------------------------------------------

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        raise NotImplementedError

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        """The item at a valid index."""
        raise NotImplementedError

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        """The part between two clamped bounds."""
        raise NotImplementedError

    def strided(
        self, v: Value, v_start: Value, v_step: Value, v_count: Value, llops: LowLevelOpList
    ) -> Value:
        """``count`` items from a valid index on, ``step`` apart."""
        raise NotImplementedError

    def stands_at(self, hop: HighLevelOp, helper: Any, v: Value, part: Part, v_start: Value,
                  v_stop: Value) -> Value:  # fmt: skip
        """``helper``, one of the two of ``startswith`` and ``endswith``, for one part."""
        raise NotImplementedError

    # -- operations -------------------------------------------------------------------------

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return self.length(v, llops)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return self.length(hop.inputarg(self, 0), hop.llops)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_length = self.length(v, llops)
        if not isinstance(hop.args_s[1], SomeSlice):
            return self.item(v, checked_index(hop, 1, v_length, self.index_error), llops)
        if slice_is_simple(hop):
            return self.slice(v, *slice_bounds(hop, v_length), llops)
        return self.strided(v, *slice_items(hop, v_length), llops)

    def search_bounds(self, hop: HighLevelOp, v: Value) -> tuple[Value, Value]:
        """Operands 2 and 3, where to search; the first may be after the second."""
        v_length = self.length(v, hop.llops)
        start, stop = method_arg(hop, 2), method_arg(hop, 3)
        v_start: Value = Constant(0, Signed)
        v_stop = v_length
        if start is not None:
            v_start = hop.gendirectcall(ll_slice.ll_search_start, index_arg(hop, start), v_length)
        if stop is not None:
            v_stop = hop.gendirectcall(ll_slice.ll_clamp, index_arg(hop, stop), v_length)
        return v_start, v_stop

    def affix(self, hop: HighLevelOp, helper: Any) -> Value:
        """``startswith`` or ``endswith`` of one part, or of a tuple of parts to be tried."""
        v = hop.inputarg(self, 0)
        bounds = self.search_bounds(hop, v)
        if not isinstance(hop.args_s[1], SomeTuple):
            return self.stands_at(hop, helper, v, hop.operand(1), *bounds)
        r_tuple: Any = hop.args_r[1]
        v_tuple = hop.inputarg(r_tuple, 1)
        llops = hop.llops
        done = llops.new_join(Bool)
        for i, (s_item, r_item) in enumerate(zip(hop.args_s[1].items, r_tuple.items_r)):
            part = (r_tuple.getitem(llops, v_tuple, i), s_item.without_const(), r_item)
            yes, no = llops.branch(self.stands_at(hop, helper, v, part, *bounds))
            llops.at(yes)
            llops.goto(done, Constant(True, Bool))
            llops.at(no)
        llops.goto(done, Constant(False, Bool))
        llops.at(done)
        return done.inputargs[0]
