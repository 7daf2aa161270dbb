"""bytearray: indexing, assignment and append are written into the caller.

    a.append(x)         if (unsigned) x >= 256: raise ValueError
                        n = a.length
                        if n < len(a.items): a.items[n] = x; a.length = n + 1
                        else:                ll_append_slow(a, x)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_NONE,
    SomeByteArray,
    SomeObject,
    SomeSlice,
    SomeString,
)
from rpython.annotator.lattice.parts import without_none
from rpython.lltypesystem.lltype import Bool, Char, LowLevelType, Ptr, Signed, _ptr, malloc
from rpython.lltypesystem.rstr import (
    BYTEARRAY,
    BYTEARRAY_ITEMS,
    BYTEARRAYPTR,
    fill_bytearray,
    read_bytearray,
)
from rpython.rtyper.hashing import HASHES, refuse_hash
from rpython.rtyper.indexing import checked_index
from rpython.rtyper.kinds.bytes import (
    BYTE_ERROR,
    ByteSequenceRepr,
    BytesRepr,
    UnmadeBytes,
    byte_arg,
    byte_sequence,
    to_byte,
)
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.iter import IteratorRepr, each_item, iterable_arg
from rpython.rtyper.kinds.slice import index_arg, slice_bounds, slice_is_simple, slice_items
from rpython.rtyper.ll import ll_bytearray, ll_bytes
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import PAIRS, NoneRepr, NullableRepr, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

_ITEMSPTR = Ptr(BYTEARRAY_ITEMS)


class ByteArrayRepr(ByteSequenceRepr):
    lowleveltype: LowLevelType = BYTEARRAYPTR
    index_error = "bytearray index out of range"

    def convert_const(self, value: Any) -> _ptr:
        if not isinstance(value, bytearray):
            raise TyperError(f"the constant {value!r} is not a bytearray")
        p: _ptr = self.rtyper.prebuilt.get(self, value, _make_prebuilt, _fill_prebuilt)
        return p

    def to_host(self, value: Any) -> bytearray:
        return read_bytearray(value)

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getfield", [v, void("length")], Signed)

    def chars(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getfield", [v, void("items")], _ITEMSPTR)

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        v_char = llops.genop("getarrayitem", [self.chars(v, llops), v_index], Char)
        return llops.genop("cast_char_to_int", [v_char], Signed)

    def new(self, v_length: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_bytearray.ll_new_bytearray, v_length)

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_bytearray.ll_bytearray_slice, v, v_start, v_stop)

    # -- changing it --------------------------------------------------------------------------

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_length = self.length(v, llops)
        if isinstance(hop.args_s[1], SomeSlice):
            r_value, v_value = self._new_items(hop, 2)
            v_length = self.length(v, llops)  # making them may have changed it
            if not slice_is_simple(hop):
                if isinstance(r_value, BytesRepr):
                    v_value = hop.gendirectcall(ll_bytearray.ll_bytes_to_bytearray, v_value)
                place = slice_items(hop, v_length)
                hop.gendirectcall(ll_bytearray.ll_assign_strided, v, *place, v_value)
                return void(None)
            v_start, v_stop = slice_bounds(hop, v_length)
            helper = _by_kind(
                r_value, ll_bytearray.ll_assign_bytes, ll_bytearray.ll_assign_bytearray
            )
            hop.gendirectcall(helper, v, v_start, v_stop, v_value)
            return void(None)
        v_char = byte_arg(hop, 2)
        v_index = checked_index(hop, 1, v_length, self.index_error)
        hop.genop("setarrayitem", [self.chars(v, llops), v_index, v_char])
        return void(None)

    def _new_items(self, hop: HighLevelOp, arg: int) -> tuple[ByteSequenceRepr, Value]:
        """Operand ``arg``, or a new bytearray of the ints that it gives."""
        if isinstance(hop.args_r[arg], ByteSequenceRepr):
            return byte_sequence(hop, arg)
        return self, from_ints(hop, arg, BYTE_ERROR)

    def rtype_delitem(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_length = self.length(v, llops)
        if not isinstance(hop.args_s[1], SomeSlice):
            v_index = checked_index(hop, 1, v_length, self.index_error)
            v_stop = llops.genop("int_add", [v_index, Constant(1, Signed)], Signed)
            hop.gendirectcall(ll_bytearray.ll_delete, v, v_index, v_stop)
        elif slice_is_simple(hop):
            hop.gendirectcall(ll_bytearray.ll_delete, v, *slice_bounds(hop, v_length))
        else:
            hop.gendirectcall(ll_bytearray.ll_delete_strided, v, *slice_items(hop, v_length))
        return void(None)

    def rtype_method_append(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        append(hop.llops, v, byte_arg(hop, 1))
        return void(None)

    def rtype_method_extend(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        r_items, v_items = self._new_items(hop, 1)
        helper = _by_kind(r_items, ll_bytearray.ll_extend_bytes, ll_bytearray.ll_extend_bytearray)
        hop.gendirectcall(helper, v, v_items)
        return void(None)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_index = index_arg(hop, 1) if hop.nb_args > 1 else Constant(-1, Signed)
        return hop.gendirectcall(ll_bytearray.ll_pop, v, v_index)

    def rtype_method_insert(self, hop: HighLevelOp) -> Value:
        v, v_index, v_value = hop.inputarg(self, 0), index_arg(hop, 1), index_arg(hop, 2)
        hop.gendirectcall(ll_bytearray.ll_insert, v, v_index, v_value)
        return void(None)

    def rtype_method_remove(self, hop: HighLevelOp) -> Value:
        v, v_char = hop.inputarg(self, 0), byte_arg(hop, 1)
        hop.gendirectcall(ll_bytearray.ll_remove, v, v_char)
        return void(None)

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        return self.slice(v, Constant(0, Signed), self.length(v, hop.llops), hop.llops)

    def rtype_method_clear(self, hop: HighLevelOp) -> Value:
        hop.gendirectcall(ll_bytearray.ll_clear, hop.inputarg(self, 0))
        return void(None)

    def rtype_method_reverse(self, hop: HighLevelOp) -> Value:
        hop.gendirectcall(ll_bytearray.ll_reverse, hop.inputarg(self, 0))
        return void(None)


@repr_for(SomeByteArray)
def bytearray_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return ByteArrayRepr(rtyper)


def _make_prebuilt(x: Any) -> _ptr:
    p = malloc(BYTEARRAY, immortal=True)
    p.items = ll_bytearray.NO_ITEMS
    return p


def _fill_prebuilt(p: _ptr, x: Any) -> None:
    if x:
        fill_bytearray(p, x, immortal=True)


def append(llops: LowLevelOpList, v: Value, v_char: Value) -> None:
    """Append a Char; see the module text."""
    v_length = llops.genop("getfield", [v, void("length")], Signed)
    v_items = llops.genop("getfield", [v, void("items")], _ITEMSPTR)
    v_room = llops.genop("getarraysize", [v_items], Signed)
    done = Block([])
    roomy, full = llops.branch(llops.genop("int_lt", [v_length, v_room], Bool))
    llops.at(roomy)
    llops.genop("setarrayitem", [v_items, v_length, v_char])
    v_longer = llops.genop("int_add", [v_length, Constant(1, Signed)], Signed)
    llops.genop("setfield", [v, void("length"), v_longer])
    llops.goto(done)
    llops.at(full)
    llops.gendirectcall(ll_bytearray.ll_append_slow, v, v_char)
    llops.goto(done)
    llops.at(done)


def _by_kind(r: Repr, for_bytes: Any, for_bytearray: Any) -> Any:
    return for_bytes if isinstance(r, BytesRepr) else for_bytearray


@PAIRS.register("inplace_add", ByteArrayRepr, ByteSequenceRepr)
def extend_in_place(hop: HighLevelOp) -> Value:
    v, v_items = hop.inputargs(*hop.args_r)
    helper = _by_kind(
        hop.args_r[1], ll_bytearray.ll_extend_bytes, ll_bytearray.ll_iadd_bytearray
    )
    hop.gendirectcall(helper, v, v_items)
    return v


for _integer in (IntegerRepr, BoolRepr):

    @PAIRS.register("inplace_mul", ByteArrayRepr, _integer)
    def repeat_in_place(hop: HighLevelOp) -> Value:
        v = hop.inputarg(hop.args_r[0], 0)
        hop.gendirectcall(ll_bytearray.ll_repeat_in_place, v, index_arg(hop, 1))
        return v


# -- construction -----------------------------------------------------------------------------


def from_ints(hop: HighLevelOp, arg: int, message: str) -> Value:
    """A bytearray of the ints that operand ``arg`` gives; ValueError for any other."""
    llops = hop.llops
    v_result = hop.gendirectcall(ll_bytearray.ll_new_bytearray, Constant(0, Signed))
    r_items, v_items = iterable_arg(hop, arg)
    v_hint = r_items.length_hint(llops, v_items)
    if v_hint is not None:
        hop.gendirectcall(ll_bytearray.ll_reserve, v_result, v_hint)

    def add(v_item: Value, state: list[Value], r_iter: IteratorRepr) -> Sequence[Value]:
        v_int = llops.convertvar(v_item, r_iter.r_item, hop.rtyper.primitive_repr(Signed))
        v_char = to_byte(llops, v_int, message)
        append(llops, v_result, v_char)
        return []

    each_item(hop, arg, [], add)
    return v_result


def refuse_none(hop: HighLevelOp, name: str) -> None:
    """Raise, at run time, when the argument of ``bytes`` or ``bytearray`` is None."""
    r = hop.args_r[0]
    message = f"cannot convert 'NoneType' object to {name}"
    if isinstance(r, NoneRepr):
        hop.llops.call_pointer(hop.rtyper.raising_function(TypeError, message), [])
    elif isinstance(r, NullableRepr):
        v = hop.inputarg(r, 0)
        hop.llops.raise_if(r.is_null(v, hop.llops), TypeError, message)
        hop.replace_arg(0, v, without_none(hop.args_s[0]), r.inner)


def only_sliced(hop: HighLevelOp) -> bool:
    """Is all that happens to ``bytes(a)`` that one slice is taken from it, before anything
    can change ``a``?  Then only the slice is copied."""
    made = hop.spaceop.result
    if hop.llops.graphtyper.leaves_block(made):
        return False
    after = hop.llops.graphtyper.operations_after(hop.spaceop)
    using = [op for op in after or () if made in op.args]
    if after is None or len(using) != 1 or using[0].opname != "getitem":
        return False
    s_slice = hop.rtyper.annotator.binding(using[0].args[1])
    if not isinstance(s_slice, SomeSlice) or s_slice.parts[2].kinds != K_NONE:
        return False
    between = after[: after.index(using[0])]
    return all(op.opname in ("getattr", "newslice") for op in between)


@BUILTINS.register(bytes)
def make_bytes(hop: HighLevelOp) -> Value:
    if hop.nb_args == 0:
        return hop.r_result.inputconst(b"")
    refuse_none(hop, "bytes")
    r: Any = hop.args_r[0]
    if isinstance(r, NoneRepr):
        return hop.r_result.inputconst(b"")
    if isinstance(r, BytesRepr):
        return hop.inputarg(r, 0)
    if isinstance(r, ByteArrayRepr):
        v = hop.inputarg(r, 0)
        if only_sliced(hop):
            return Constant(UnmadeBytes(v), hop.r_result.lowleveltype)
        return hop.gendirectcall(ll_bytearray.ll_bytearray_to_bytes, v)
    if isinstance(r, (IntegerRepr, BoolRepr)):
        return hop.gendirectcall(ll_bytes.ll_zeros, index_arg(hop, 0))
    if isinstance(hop.args_s[0], SomeString):
        encoded: Value = r.rtype_method("encode", hop)
        return encoded
    v_ints = from_ints(hop, 0, "bytes must be in range(0, 256)")
    return hop.gendirectcall(ll_bytearray.ll_bytearray_to_bytes, v_ints)


@BUILTINS.register(bytearray)
def make_bytearray(hop: HighLevelOp) -> Value:
    if hop.nb_args == 0:
        return hop.gendirectcall(ll_bytearray.ll_new_bytearray, Constant(0, Signed))
    refuse_none(hop, "bytearray")
    r: Any = hop.args_r[0]
    if isinstance(r, NoneRepr):
        return hop.llops.dummy(BYTEARRAYPTR)
    if isinstance(r, BytesRepr):
        return hop.gendirectcall(ll_bytearray.ll_bytes_to_bytearray, hop.inputarg(r, 0))
    if isinstance(r, ByteArrayRepr):
        v = hop.inputarg(r, 0)
        v_length = r.length(v, hop.llops)
        return hop.gendirectcall(
            ll_bytearray.ll_bytearray_slice, v, Constant(0, Signed), v_length
        )
    if isinstance(r, (IntegerRepr, BoolRepr)):
        return hop.gendirectcall(ll_bytearray.ll_zeros, index_arg(hop, 0))
    if isinstance(hop.args_s[0], SomeString):
        v_bytes = r.rtype_method("encode", hop)
        return hop.gendirectcall(ll_bytearray.ll_bytes_to_bytearray, v_bytes)
    return from_ints(hop, 0, BYTE_ERROR)


@HASHES.register("hash", ByteArrayRepr)
def hash_bytearray(llops: LowLevelOpList, v: Value, r: ByteArrayRepr) -> Value:
    return refuse_hash(llops, "bytearray")
