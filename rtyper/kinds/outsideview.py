"""Views of memory that Python has: see ``ll.ll_outsideview``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeObject,
    SomeSlice,
)
from rpython.annotator.lattice.outsideviews import SomeNumberView, SomeOutsideView
from rpython.lltypesystem.lltype import Bool, LowLevelType, Ptr, Signed
from rpython.rtyper.indexing import tested_index
from rpython.rtyper.kinds.bytes import ByteIteratorRepr, byte_sequence, to_byte
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IteratorRepr
from rpython.rtyper.kinds.memoryview import MemoryViewRepr
from rpython.rtyper.kinds.slice import index_arg, slice_items
from rpython.rtyper.ll import ll_outsideview
from rpython.rtyper.reading import ReadableRepr
from rpython.rtyper.rmodel import CONVERSIONS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

VIEWPTR = Ptr(ll_outsideview.VIEW)


class OutsideView(ReadableRepr):
    """What views of bytes and of numbers do alike."""

    lowleveltype: LowLevelType = VIEWPTR

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getfield", [v, void("length")], Signed)

    def again(self, v: Value, llops: LowLevelOpList) -> Value:
        """``memoryview(v)``."""
        return llops.gendirectcall(ll_outsideview.ll_view_again, v)

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        v_count = llops.genop("int_sub", [v_stop, v_start], Signed)
        return self.strided(v, v_start, Constant(1, Signed), v_count, llops)

    def strided(
        self, v: Value, v_start: Value, v_step: Value, v_count: Value, llops: LowLevelOpList
    ) -> Value:
        place = (v, v_start, v_step, v_count)
        return llops.gendirectcall(ll_outsideview.ll_part, *place)

    def index(self, hop: HighLevelOp, v: Value) -> Value:
        """Operand 1 as a valid index."""
        llops = hop.llops

        def fail(v_bad: Value) -> None:
            bad, good = llops.branch(v_bad)
            llops.at(bad)
            llops.gendirectcall(ll_outsideview.ll_outside, v)
            llops.unreachable()
            llops.at(good)

        return tested_index(hop, 1, self.length(v, llops), fail)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if isinstance(hop.args_s[1], SomeSlice):
            return super().rtype_getitem(hop)
        return self.item(v, self.index(hop, v), hop.llops)

    def attribute(self, hop: HighLevelOp, v: Value) -> Value:
        name = hop.args_s[1].value
        if name == "readonly":
            v_writable = hop.genop("getfield", [v, void("writable")], Bool)
            return hop.genop("bool_not", [v_writable], Bool)
        v_size: Value = hop.gendirectcall(ll_outsideview.ll_itemsize, v)
        if name == "itemsize":
            return v_size
        return hop.genop("int_mul", [v_size, self.length(v, hop.llops)], Signed)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        v = hop.inputarg(self, 0)
        return v if isinstance(hop.s_result, SomeBuiltinMethod) else self.attribute(hop, v)


class OutsideViewRepr(OutsideView, MemoryViewRepr):
    """Of bytes."""

    lowleveltype: LowLevelType = VIEWPTR

    def data(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_outsideview.ll_tobytes, v)

    def view(self, v_data: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_outsideview.ll_view_of_bytes, v_data)

    def chars(self, v: Value, llops: LowLevelOpList) -> Value:
        return self.r_data.chars(self.data(v, llops), llops)

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_outsideview.ll_byte_at, v, v_index)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_outsideview.ll_require_writable, v)
        if isinstance(hop.args_s[1], SomeSlice):
            return self._assign_slice(hop, v)
        v_index = self.index(hop, v)
        message = "memoryview: invalid value for format 'B'"
        v_char = to_byte(hop.llops, index_arg(hop, 2), message)
        hop.gendirectcall(ll_outsideview.ll_put_char, v, v_index, v_char)
        return void(None)

    def _assign_slice(self, hop: HighLevelOp, v: Value) -> Value:
        place = slice_items(hop, self.length(v, hop.llops))
        r_value, v_value = byte_sequence(hop, 2)
        chars = r_value.chars(v_value, hop.llops), r_value.length(v_value, hop.llops)
        hop.gendirectcall(ll_outsideview.ll_assign, v, *place, *chars)
        return void(None)


class NumberViewRepr(OutsideView):
    """Of ints or floats."""

    index_error = ""  # ``ll_outside`` knows

    def __init__(self, rtyper: RPythonTyper, s: SomeNumberView) -> None:
        self.rtyper = rtyper
        self.s_item = s.s_item
        self.r_item = rtyper.getrepr(s.s_item)
        self.is_float = s.cls is float

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        of = ll_outsideview
        helper = of.ll_float_at if self.is_float else of.ll_int_at
        return llops.gendirectcall(helper, v, v_index)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_outsideview.ll_require_writable, v)
        v_index = self.index(hop, v)
        helper = ll_outsideview.ll_put_float if self.is_float else ll_outsideview.ll_put_int
        hop.gendirectcall(helper, v, v_index, hop.inputarg(self.r_item, 2))
        return void(None)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant not in ("", "reversed"):
            raise TyperError(f"{variant}() of a memoryview is not supported")
        return NumberIteratorRepr(self, variant == "reversed")


class NumberIteratorRepr(ByteIteratorRepr):
    """As that of bytes, with other items."""

    def __init__(self, r_sequence: NumberViewRepr, backwards: bool) -> None:
        sequence: Any = r_sequence
        super().__init__(sequence, backwards)
        self.s_item, self.r_item = r_sequence.s_item, r_sequence.r_item


@repr_for(SomeOutsideView)
def outside_view_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return OutsideViewRepr(rtyper)


@repr_for(SomeNumberView)
def number_view_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    assert isinstance(s, SomeNumberView)
    return NumberViewRepr(rtyper, s)


@CONVERSIONS.register("convert", MemoryViewRepr, OutsideViewRepr)
def convert_view(
    r_from: MemoryViewRepr, r_to: OutsideViewRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_to.view(r_from.data(v, llops), llops)
