"""bytes, and what it has in common with bytearray."""

from __future__ import annotations

import sys
from collections.abc import ItemsView
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeBool, SomeBytes, SomeInteger, SomeObject, s_NonNeg
from rpython.lltypesystem.lltype import (
    Bool,
    Char,
    GcStruct,
    LowLevelType,
    Ptr,
    Signed,
    Unsigned,
    Void,
    _ptr,
)
from rpython.lltypesystem.rstr import BYTES, BYTESPTR, make_bytes
from rpython.rtyper.builtins.format import bytes_field, percent_text
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.iter import IteratorRepr
from rpython.rtyper.kinds.slice import index_arg, slice_bounds
from rpython.rtyper.kinds.strmethods import ERROR_MODES, codec_args
from rpython.rtyper.ll import ll_bytearray, ll_bytes, ll_bytes_repr, ll_decode, ll_encode
from rpython.rtyper.reading import Part, ReadableRepr
from rpython.rtyper.rmodel import PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

CHARSPTR = Ptr(BYTES._flds["chars"])
BYTE_ERROR = "byte must be in range(0, 256)"


class ByteSequenceRepr(ReadableRepr):
    """What bytes and bytearray do alike: reading."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper

    # -- how a subclass stores it ----------------------------------------------------------

    def chars(self, v: Value, llops: LowLevelOpList) -> Value:
        """A pointer to an array that starts with the contents; not to be held while
        something is allocated."""
        raise NotImplementedError

    def new(self, v_length: Value, llops: LowLevelOpList) -> Value:
        """A new object of zeros."""
        raise NotImplementedError

    def plain(self, v: Value, llops: LowLevelOpList) -> tuple[ByteSequenceRepr, Value]:
        """The same contents as bytes or a bytearray."""
        return self, v

    def strided(
        self, v: Value, v_start: Value, v_step: Value, v_count: Value, llops: LowLevelOpList
    ) -> Value:
        v_result = self.new(v_count, llops)
        arrays = (self.chars(v_result, llops), v_count, self.chars(v, llops))
        llops.gendirectcall(ll_bytes.ll_fill_strided, *arrays, v_start, v_step)
        return v_result

    # -- operations -------------------------------------------------------------------------

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant not in ("", "reversed"):
            raise TyperError(f"{variant}() of bytes is not supported")
        return ByteIteratorRepr(self, variant == "reversed")

    def as_latin1(self, v: Value, hop: HighLevelOp) -> Value:
        """A str of the same characters."""
        return hop.gendirectcall(ll_decode.ll_decode_latin1, *contents(self, v, hop))

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        v_place = self._search(hop, ll_bytes.ll_find_byte, ll_bytes.ll_find)
        return hop.genop("int_ge", [v_place, Constant(0, Signed)], Bool)

    # -- methods ----------------------------------------------------------------------------

    def _search(self, hop: HighLevelOp, find_byte: Any, find: Any) -> Value:
        """``find(sub, start, stop)`` and its relatives: operands 1, 2 and 3."""
        llops = hop.llops
        v = hop.inputarg(self, 0)
        is_byte = isinstance(hop.args_s[1], (SomeInteger, SomeBool))
        what: list[Value] = []
        if is_byte:
            what.append(byte_arg(hop, 1))
        else:
            r_sub, v_sub = byte_sequence(hop, 1)
            what += [r_sub.chars(v_sub, llops), r_sub.length(v_sub, llops)]
        v_start, v_stop = self.search_bounds(hop, v)
        v_chars = self.chars(v, llops)
        helper = find_byte if is_byte else find
        return hop.gendirectcall(helper, v_chars, *what, v_start, v_stop)

    def rtype_method_find(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_bytes.ll_find_byte, ll_bytes.ll_find)

    def rtype_method_rfind(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_bytes.ll_rfind_byte, ll_bytes.ll_rfind)

    def rtype_method_index(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_bytes.ll_found, self.rtype_method_find(hop))

    def rtype_method_rindex(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_bytes.ll_found, self.rtype_method_rfind(hop))

    def rtype_method_count(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_bytes.ll_count_byte, ll_bytes.ll_count)

    def rtype_method_startswith(self, hop: HighLevelOp) -> Value:
        return self.affix(hop, ll_bytes.ll_startswith)

    def rtype_method_endswith(self, hop: HighLevelOp) -> Value:
        return self.affix(hop, ll_bytes.ll_endswith)

    def rtype_ord(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_bytes_repr.ll_ord, *contents(self, hop.inputarg(self, 0), hop))

    def rtype_method_decode(self, hop: HighLevelOp) -> Value:
        codec, errors = codec_args(hop)
        data = contents(self, hop.inputarg(self, 0), hop)
        if codec == "latin1":
            return hop.gendirectcall(ll_decode.ll_decode_latin1, *data)
        if errors != "strict":
            modes = (Constant(codec == "ascii", Bool), Constant(ERROR_MODES[errors], Signed))
            return hop.gendirectcall(ll_decode.ll_decode_with, *data, *modes)
        if codec == "utf8":
            return hop.gendirectcall(ll_decode.ll_decode_utf8, *data, Constant(False, Bool))
        return hop.gendirectcall(ll_decode.ll_decode_ascii, *data)

    def stands_at(
        self, hop: HighLevelOp, helper: Any, v: Value, part: Part, v_start: Value, v_stop: Value
    ) -> Value:
        v_part, s_part, r_part = part
        if not isinstance(r_part, ByteSequenceRepr):
            raise TyperError(f"expected bytes, not {s_part.describe()}")
        what = contents(r_part, v_part, hop)
        return hop.gendirectcall(helper, self.chars(v, hop.llops), *what, v_start, v_stop)


def byte_sequence(hop: HighLevelOp, arg: int) -> tuple[ByteSequenceRepr, Value]:
    """Operand ``arg``, which must be bytes or bytearray."""
    r = hop.args_r[arg]
    if not isinstance(r, ByteSequenceRepr):
        raise TyperError(f"expected bytes, not {hop.args_s[arg].describe()}")
    return r.plain(hop.inputarg(r, arg), hop.llops)


def contents(r: ByteSequenceRepr, v: Value, hop: HighLevelOp) -> tuple[Value, Value]:
    """The array and the length, for helpers that only read."""
    return r.chars(v, hop.llops), r.length(v, hop.llops)


def byte_arg(hop: HighLevelOp, arg: int, message: str = BYTE_ERROR) -> Value:
    """Operand ``arg``, an int, as a Char; ValueError when it is no byte."""
    return to_byte(hop.llops, index_arg(hop, arg), message)


def to_byte(llops: LowLevelOpList, v: Value, message: str) -> Value:
    """A Signed as a Char; ValueError when it is no byte."""
    if not (isinstance(v, Constant) and 0 <= v.value < 256):
        v_unsigned = llops.genop("cast_int_to_uint", [v], Unsigned)
        v_bad = llops.genop("uint_ge", [v_unsigned, Constant(256, Unsigned)], Bool)
        llops.raise_if(v_bad, ValueError, message)
    return llops.genop("cast_int_to_char", [v], Char)


class UnmadeBytes:
    """``bytes(a)`` of the bytearray ``v``, of which only a slice is wanted."""

    def __init__(self, v: Value) -> None:
        self.v = v


class BytesRepr(ByteSequenceRepr):
    lowleveltype: LowLevelType = BYTESPTR
    index_error = "index out of range"

    def __init__(self, rtyper: RPythonTyper) -> None:
        super().__init__(rtyper)
        self._constants: dict[bytes, _ptr] = {b"": ll_bytes.EMPTY_BYTES}

    def convert_const(self, value: Any) -> _ptr:
        """Equal constants are one object."""
        if not isinstance(value, bytes):
            raise TyperError(f"the constant {value!r} is not bytes")
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = make_bytes(value)
        return known

    def constants(self) -> ItemsView[bytes, _ptr]:
        """The constants converted so far, and their low-level values."""
        return self._constants.items()

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getinteriorarraysize", [v, void("chars")], Signed)

    def chars(self, v: Value, llops: LowLevelOpList) -> Value:
        return llops.genop("getsubstruct", [v, void("chars")], CHARSPTR)

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        v_char = llops.genop("getinteriorfield", [v, void("chars"), v_index], Char)
        return llops.genop("cast_char_to_int", [v_char], Signed)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v = hop.args_v[0]
        if not (isinstance(v, Constant) and isinstance(v.value, UnmadeBytes)):
            return super().rtype_getitem(hop)
        v_source = v.value.v
        v_length = hop.genop("getfield", [v_source, void("length")], Signed)
        bounds = slice_bounds(hop, v_length)
        return hop.gendirectcall(ll_bytearray.ll_bytearray_slice_to_bytes, v_source, *bounds)

    def new(self, v_length: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_bytes.ll_new_bytes, v_length)

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_bytes.ll_bytes_slice, v, v_start, v_stop)


@repr_for(SomeBytes)
def bytes_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return BytesRepr(rtyper)


class ByteIteratorRepr(IteratorRepr):
    """The object and the index of the next byte; a bytearray may change meanwhile."""

    def __init__(self, r_sequence: ByteSequenceRepr, backwards: bool) -> None:
        self.r_sequence = r_sequence
        self.backwards = backwards
        fields = [("sequence", r_sequence.lowleveltype), ("index", Signed)]
        self.struct = GcStruct("bytesiter", *fields)
        self.lowleveltype = Ptr(self.struct)
        self.s_item = s_NonNeg
        self.r_item = r_sequence.rtyper.getrepr(s_NonNeg)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_iter = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("sequence"), v])
        v_first: Value = Constant(0, Signed)
        if self.backwards:
            v_length = self.r_sequence.length(v, llops)
            v_first = llops.genop("int_sub", [v_length, Constant(1, Signed)], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_first])
        return v_iter

    def _parts(self, llops: LowLevelOpList, v_iter: Value) -> tuple[Value, Value]:
        T = self.r_sequence.lowleveltype
        v_sequence = llops.genop("getfield", [v_iter, void("sequence")], T)
        return v_sequence, llops.genop("getfield", [v_iter, void("index")], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_sequence, v_index = self._parts(llops, v_iter)
        if self.backwards:
            return llops.genop("int_ge", [v_index, Constant(0, Signed)], Bool)
        v_length = self.r_sequence.length(v_sequence, llops)
        return llops.genop("int_lt", [v_index, v_length], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_sequence, v_index = self._parts(llops, v_iter)
        v_item = self.r_sequence.item(v_sequence, v_index, llops)
        step = "int_sub" if self.backwards else "int_add"
        v_next = llops.genop(step, [v_index, Constant(1, Signed)], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        return v_item

    def exhausted(self, llops: LowLevelOpList, v_iter: Value) -> None:
        if not self.backwards and not isinstance(self.r_sequence, BytesRepr):
            # a bytearray that grows later has nothing more for this iterator
            llops.genop("setfield", [v_iter, void("index"), Constant(sys.maxsize, Signed)])


# -- two operands -----------------------------------------------------------------------------


@PAIRS.register("add", BytesRepr, BytesRepr)
def concat_bytes(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_bytes.ll_bytes_concat, *hop.inputargs(*hop.args_r))


@PAIRS.register("add", ByteSequenceRepr, ByteSequenceRepr)
def concat(hop: HighLevelOp) -> Value:
    """The result is of the kind of the left operand."""
    llops = hop.llops
    (r_left, v_left), (r_right, v_right) = byte_sequence(hop, 0), byte_sequence(hop, 1)
    v_left_length = r_left.length(v_left, llops)
    v_right_length = r_right.length(v_right, llops)
    v_total = llops.genop("int_add", [v_left_length, v_right_length], Signed)
    v_result = r_left.new(v_total, llops)
    copy(llops, r_left.chars(v_left, llops), r_left.chars(v_result, llops),
         Constant(0, Signed), v_left_length)  # fmt: skip
    copy(llops, r_right.chars(v_right, llops), r_left.chars(v_result, llops),
         v_left_length, v_right_length)  # fmt: skip
    return v_result


def copy(
    llops: LowLevelOpList, v_source: Value, v_target: Value, v_at: Value, v_count: Value
) -> None:
    """Copy the first items of an array to another, from ``v_at`` on."""
    llops.genop("copy_array_items", [v_source, v_target, Constant(0, Signed), v_at, v_count], Void)


@PAIRS.register("eq ne", ByteSequenceRepr, ByteSequenceRepr)
def equality(hop: HighLevelOp) -> Value:
    (r_left, v_left), (r_right, v_right) = byte_sequence(hop, 0), byte_sequence(hop, 1)
    v_equal = hop.gendirectcall(
        ll_bytes.ll_equal, *contents(r_left, v_left, hop), *contents(r_right, v_right, hop)
    )
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@PAIRS.register("lt le gt ge", ByteSequenceRepr, ByteSequenceRepr)
def ordering(hop: HighLevelOp) -> Value:
    (r_left, v_left), (r_right, v_right) = byte_sequence(hop, 0), byte_sequence(hop, 1)
    v_order = hop.gendirectcall(
        ll_bytes.ll_compare, *contents(r_left, v_left, hop), *contents(r_right, v_right, hop)
    )
    return hop.genop(f"int_{hop.opname}", [v_order, Constant(0, Signed)], Bool)


for _integer in (IntegerRepr, BoolRepr):

    @PAIRS.register("mul", ByteSequenceRepr, _integer)
    def repeat(hop: HighLevelOp) -> Value:
        llops = hop.llops
        r, v = byte_sequence(hop, 0)
        v_count = index_arg(hop, 1)
        v_length = r.length(v, llops)
        v_is_bytes = Constant(isinstance(r, BytesRepr), Bool)
        v_total = hop.gendirectcall(ll_bytes.ll_repeated_length, v_length, v_count, v_is_bytes)
        v_result = r.new(v_total, llops)
        v_target, v_source = r.chars(v_result, llops), r.chars(v, llops)
        hop.gendirectcall(ll_bytes.ll_fill_repeated, v_target, v_total, v_source, v_length)
        return v_result

    @PAIRS.register("mul", _integer, ByteSequenceRepr)
    def repeat_swapped(hop: HighLevelOp) -> Value:
        hop.swap_fst_snd_args()
        return repeat(hop)



@PAIRS.register("mod", BytesRepr, Repr)
def percent(hop: HighLevelOp) -> Value:
    """``b"..." % arguments``"""
    template = hop.args_s[0].value.decode("latin-1")
    v_text = percent_text(hop, template, bytes_field, of_bytes=True)
    return hop.gendirectcall(ll_encode.ll_encode_latin1, v_text)
