"""memoryview of bytes, for reading: an object of its own that holds bytes.

    v[1:]           a new view of a new bytes object; nobody can tell, for bytes never change
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeMemoryView,
    SomeObject,
    s_Bytes,
    s_Int,
)
from rpython.lltypesystem.lltype import GcStruct, LowLevelType, Ptr
from rpython.lltypesystem.rstr import BYTESPTR
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import ByteSequenceRepr, BytesRepr, contents
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.ll import ll_bytearray, ll_bytes
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import PAIRS, Repr, repr_for
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

MEMORYVIEW = GcStruct("memoryview", ("data", BYTESPTR))


class MemoryViewRepr(ByteSequenceRepr):
    lowleveltype: LowLevelType = Ptr(MEMORYVIEW)
    index_error = "index out of bounds on dimension 1"

    def __init__(self, rtyper: RPythonTyper) -> None:
        super().__init__(rtyper)
        r_data = rtyper.getrepr(s_Bytes)
        assert isinstance(r_data, BytesRepr)
        self.r_data = r_data

    def again(self, v: Value, llops: LowLevelOpList) -> Value:
        """``memoryview(v)``."""
        return self.view(self.data(v, llops), llops)

    def data(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getfield", [v, void("data")], BYTESPTR)

    def view(self, v_data: Value, llops: LowLevelOpList) -> Value:
        """A new view of bytes."""
        v = llops.genop("malloc", [void(MEMORYVIEW), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v, void("data"), v_data])
        return v

    def plain(self, v: Value, llops: LowLevelOpList) -> tuple[ByteSequenceRepr, Value]:
        return self.r_data, self.data(v, llops)

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        return self.r_data.length(self.data(v, llops), llops)

    def chars(self, v: Value, llops: LowLevelOpList) -> Value:
        return self.r_data.chars(self.data(v, llops), llops)

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        return self.r_data.item(self.data(v, llops), v_index, llops)

    def new(self, v_length: Value, llops: LowLevelOpList) -> Value:
        return self.view(llops.gendirectcall(ll_bytes.ll_new_bytes, v_length), llops)

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        v_data = self.r_data.slice(self.data(v, llops), v_start, v_stop, llops)
        return self.view(v_data, llops)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        v = hop.inputarg(self, 0)
        return v if isinstance(hop.s_result, SomeBuiltinMethod) else self.length(v, hop.llops)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        chars, length = contents(self, hop.inputarg(self, 0), hop)
        v_number = hop.inputarg(hop.rtyper.getrepr(s_Int), 1)
        return hop.gendirectcall(ll_bytes.ll_view_contains, chars, length, v_number)

    def rtype_method_tobytes(self, hop: HighLevelOp) -> Value:
        return self.data(hop.inputarg(self, 0), hop.llops)


@repr_for(SomeMemoryView)
def memoryview_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return MemoryViewRepr(rtyper)


@BUILTINS.register(memoryview)
def builtin_memoryview(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    r_result: Any = hop.r_result
    v = hop.inputarg(r, 0)
    if type(r) is type(r_result):
        again: Value = r.again(v, hop.llops)
        return again
    assert isinstance(r_result, MemoryViewRepr)
    if isinstance(r, MemoryViewRepr):
        v = r.data(v, hop.llops)
    return r_result.view(v, hop.llops)


@PAIRS.register("inplace_add", ByteArrayRepr, MemoryViewRepr)
def extend_in_place(hop: HighLevelOp) -> Value:
    r = hop.args_r[1]
    assert isinstance(r, MemoryViewRepr)
    v, v_view = hop.inputargs(*hop.args_r)
    hop.gendirectcall(ll_bytearray.ll_extend_bytes, v, r.data(v_view, hop.llops))
    return v
