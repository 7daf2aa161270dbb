"""``llmemory``: addresses and offsets, each operation one low-level one.

In user code the null address is tested for; nothing else is, in compiled programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.addresses import SomeAccess, SomeAddress, SomeOffset
from rpython.annotator.lattice.model import SomeObject
from rpython.lltypesystem import llmemory
from rpython.lltypesystem.llmemory import NULL, ArrayItemsOffset, FieldOffset, ItemOffset
from rpython.lltypesystem.lltype import (
    Address,
    Bool,
    Char,
    LowLevelType,
    MemoryFault,
    Offset,
    Signed,
    Struct,
    frozendict,
)
from rpython.lltypesystem.simulated.offsets import in_bytes
from rpython.rtyper.hashing import HASHES
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.int import IntegerRepr
from rpython.rtyper.kinds.ptr import converted, is_user_code, stored_value
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class AddressRepr(Repr):
    lowleveltype = Address

    def convert_const(self, value: Any) -> Any:
        return value

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("adr_ne", [hop.inputarg(self, 0), Constant(NULL, Address)], Bool)


class OffsetRepr(Repr):
    lowleveltype = Offset

    def convert_const(self, value: Any) -> Any:
        return in_bytes(value) if isinstance(value, int) else value

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        return hop.genop("offset_neg", [hop.inputarg(self, 0)], Offset)


class AccessRepr(Repr):
    """``adr.signed``: the address."""

    lowleveltype = Address

    def __init__(self, T: LowLevelType) -> None:
        self.T = T

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v_adr, v_index = live_address(hop, 0), hop.inputarg(Signed, 1)
        return converted(hop, hop.genop("raw_load", [v_adr, v_index], self.T), self.T)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        v_adr, v_index = live_address(hop, 0), hop.inputarg(Signed, 1)
        v_value = stored_value(hop, self.T, 2, "value")
        assert v_value is not None
        hop.genop("raw_store", [void(self.T), v_adr, v_index, v_value])
        return void(None)


@repr_for(SomeAddress)
def address_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return AddressRepr()


@repr_for(SomeOffset)
def offset_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return OffsetRepr()


@repr_for(SomeAccess)
def access_repr(rtyper: RPythonTyper, s: SomeAccess) -> Repr:
    return AccessRepr(s.T)


@CONVERSIONS.register("convert", IntegerRepr, OffsetRepr)
def offset_in_bytes(r_from: IntegerRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    """A number of bytes."""
    return llops.genop("offset_mul", [Constant(ItemOffset(Char), Offset), v], Offset)


@HASHES.register("hash", AddressRepr)
def hash_address(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.genop("cast_adr_to_int", [v], Signed)


def live_address(hop: HighLevelOp, arg: int) -> Value:
    """An address, tested for NULL in user code."""
    v = hop.inputarg(hop.args_r[arg], arg)
    if is_user_code(hop):
        v_null = hop.genop("adr_eq", [v, Constant(NULL, Address)], Bool)
        hop.llops.raise_if(v_null, MemoryFault, "null address dereferenced")
    return v


# -- arithmetic ---------------------------------------------------------------------------------


@PAIRS.register("add sub", AddressRepr, IntegerRepr)
@PAIRS.register("add sub", AddressRepr, OffsetRepr)
def move_address(hop: HighLevelOp) -> Value:
    return hop.genop(f"adr_{hop.opname}", [live_address(hop, 0), hop.inputarg(Offset, 1)], Address)


@PAIRS.register("sub", AddressRepr, AddressRepr)
def subtract_addresses(hop: HighLevelOp) -> Value:
    return hop.genop("adr_delta", [live_address(hop, 0), live_address(hop, 1)], Offset)


@PAIRS.register("add sub", OffsetRepr, IntegerRepr)
@PAIRS.register("add", IntegerRepr, OffsetRepr)
@PAIRS.register("add sub", OffsetRepr, OffsetRepr)
def add_offsets(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(Offset, Offset)
    if hop.opname == "sub":
        v_right = hop.genop("offset_neg", [v_right], Offset)
    return hop.genop("offset_add", [v_left, v_right], Offset)


@PAIRS.register("mul", OffsetRepr, IntegerRepr)
def multiply_offset(hop: HighLevelOp) -> Value:
    return hop.genop("offset_mul", hop.inputargs(Offset, Signed), Offset)


@PAIRS.register("mul", IntegerRepr, OffsetRepr)
def multiply_by_offset(hop: HighLevelOp) -> Value:
    hop.swap_fst_snd_args()
    return multiply_offset(hop)


@PAIRS.register("eq ne lt le gt ge", AddressRepr, AddressRepr)
def compare_addresses(hop: HighLevelOp) -> Value:
    return hop.genop(f"adr_{hop.opname}", hop.inputargs(Address, Address), Bool)


# -- casts --------------------------------------------------------------------------------------


@BUILTINS.register(llmemory.cast_ptr_to_adr)
def cast_ptr_to_adr(hop: HighLevelOp) -> Value:
    return hop.genop("cast_ptr_to_adr", [hop.inputarg(hop.args_r[0], 0)], Address)


@BUILTINS.register(llmemory.cast_adr_to_ptr)
def cast_adr_to_ptr(hop: HighLevelOp) -> Value:
    return hop.genop("cast_adr_to_ptr", [hop.inputarg(Address, 0)], hop.r_result)


@BUILTINS.register(llmemory.cast_adr_to_int)
def cast_adr_to_int(hop: HighLevelOp) -> Value:
    return hop.genop("cast_adr_to_int", [hop.inputarg(Address, 0)], Signed)


# -- offsets ------------------------------------------------------------------------------------


@BUILTINS.register(
    llmemory.offsetof, llmemory.FieldOffset, llmemory.ArrayItemsOffset, llmemory.ArrayLengthOffset
)
def constant_offset(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@BUILTINS.register(llmemory.sizeof, llmemory.itemoffsetof, llmemory.ItemOffset)
def sizeof(hop: HighLevelOp) -> Value:
    """A constant, or one and a number of items."""
    if hop.s_result.is_constant():
        return hop.result_constant()
    T = hop.args_s[0].value
    before = []
    if hop.host_function is not llmemory.ItemOffset:
        if isinstance(T, Struct):
            assert T._arrayfld is not None
            before.append(FieldOffset(T, T._arrayfld))
            T = T._flds[T._arrayfld]
        before.append(ArrayItemsOffset(T))
        T = T.OF
    item = Constant(ItemOffset(T), Offset)
    v = hop.genop("offset_mul", [item, hop.inputarg(Signed, 1)], Offset)
    for offset in reversed(before):
        v = hop.genop("offset_add", [Constant(offset, Offset), v], Offset)
    return v


@BUILTINS.register(llmemory.CompositeOffset)
def composite_offset(hop: HighLevelOp) -> Value:
    if hop.s_result.is_constant():
        return hop.result_constant()
    v = hop.inputarg(Offset, 0)
    for arg in range(1, hop.nb_args):
        v = hop.genop("offset_add", [v, hop.inputarg(Offset, arg)], Offset)
    return v


# -- raw memory ---------------------------------------------------------------------------------


@BUILTINS.register(llmemory.raw_malloc)
def raw_malloc(hop: HighLevelOp) -> Value:
    zero = hop.nb_args > 1 and bool(hop.args_s[1].value)
    flags = frozendict({"zero": True} if zero else {})
    return hop.genop("raw_malloc", [hop.inputarg(Offset, 0), void(flags)], Address)


@BUILTINS.register(llmemory.raw_free)
def raw_free(hop: HighLevelOp) -> Value:
    hop.genop("raw_free", [live_address(hop, 0)])
    return void(None)


@BUILTINS.register(llmemory.raw_memclear)
def raw_memclear(hop: HighLevelOp) -> Value:
    hop.genop("raw_memclear", [live_address(hop, 0), hop.inputarg(Offset, 1)])
    return void(None)


@BUILTINS.register(llmemory.raw_memcopy)
def raw_memcopy(hop: HighLevelOp) -> Value:
    v_source, v_target = live_address(hop, 0), live_address(hop, 1)
    hop.genop("raw_memcopy", [v_source, v_target, hop.inputarg(Offset, 2)])
    return void(None)
