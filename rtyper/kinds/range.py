"""Ranges: a start, a stop and, when it is not known at translation time, a step.

An iterator is the next number and where to end.  Steps of 1 and -1 compare with ``stop``;
for others the number *after the last one* is computed beforehand, and counting wraps to
exactly that number, so that no step overflows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeInteger,
    SomeObject,
    SomeRange,
    SomeSlice,
    s_Int,
)
from rpython.lltypesystem.lltype import Bool, GcStruct, LowLevelType, Ptr, Signed, malloc
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr
from rpython.rtyper.kinds.slice import index_arg, slice_indices
from rpython.rtyper.ll import ll_error, ll_list, ll_range
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.rtyper.text import TEXT, concatenate, literal, text_pieces
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

RANGE = GcStruct("range", ("start", Signed), ("stop", Signed))
RANGE_STEP = GcStruct("rangestep", ("start", Signed), ("stop", Signed), ("step", Signed))
RANGE_ITER = GcStruct("rangeiter", ("next", Signed), ("stop", Signed))
RANGE_STEP_ITER = GcStruct("rangestepiter", ("next", Signed), ("stop", Signed), ("step", Signed))

Parts = tuple[Value, Value, Value]


class RangeRepr(IterableRepr):
    """``step``: the constant step, or None when it varies."""

    nullable = True

    def __init__(self, rtyper: RPythonTyper, step: int | None) -> None:
        self.rtyper = rtyper
        self.step = step
        self.struct = RANGE_STEP if step is None else RANGE
        self.lowleveltype: LowLevelType = Ptr(self.struct)

    def convert_const(self, value: Any) -> Any:
        if not isinstance(value, range):
            raise TyperError(f"{value!r} is not a range")
        if any(not -(1 << 63) <= part < 1 << 63 for part in (value.start, value.stop)):
            raise TyperError(f"{value!r} does not fit in 64 bits")
        p = malloc(self.struct, immortal=True)
        p.start, p.stop = value.start, value.stop
        if self.step is None:
            p.step = value.step
        return p

    def build(self, llops: LowLevelOpList, v_start: Value, v_stop: Value, v_step: Value) -> Value:
        v = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v, void("start"), v_start])
        llops.genop("setfield", [v, void("stop"), v_stop])
        if self.step is None:
            llops.genop("setfield", [v, void("step"), v_step])
        return v

    def parts(self, llops: LowLevelOpList, v: Value) -> Parts:
        """Start, stop and step."""
        v_start = llops.genop("getfield", [v, void("start")], Signed)
        v_stop = llops.genop("getfield", [v, void("stop")], Signed)
        if self.step is None:
            return v_start, v_stop, llops.genop("getfield", [v, void("step")], Signed)
        return v_start, v_stop, Constant(self.step, Signed)

    def length(self, llops: LowLevelOpList, v: Value) -> Value:
        v_start, v_stop, v_step = self.parts(llops, v)
        if self.step == 1:
            return llops.gendirectcall(ll_range.ll_range_len_1, v_start, v_stop)
        return llops.gendirectcall(ll_range.ll_range_len, v_start, v_stop, v_step)

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return self.length(llops, v)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return RangeIteratorRepr(self, variant == "reversed")

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return self.length(hop.llops, hop.inputarg(self, 0))

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        v_start, v_stop, v_step = self.parts(hop.llops, hop.inputarg(self, 0))
        if self.step == 1:
            return hop.genop("int_lt", [v_start, v_stop], Bool)
        v_end = hop.gendirectcall(ll_range.ll_range_end, v_start, v_stop, v_step)
        return hop.genop("int_ne", [v_start, v_end], Bool)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if isinstance(hop.args_s[1], SomeSlice):
            return self._getslice(hop, v)
        parts = self.parts(hop.llops, v)
        return hop.gendirectcall(ll_range.ll_range_item, *parts, index_arg(hop, 1))

    def _getslice(self, hop: HighLevelOp, v: Value) -> Value:
        """The range of the items that a slice chooses."""
        llops = hop.llops
        v_from, v_to, v_by = slice_indices(hop, self.length(llops, v))
        v_start, _, v_step = self.parts(llops, v)

        def item(v_index: Value) -> Value:
            v_offset = llops.genop("int_mul_ovf", [v_index, v_step], Signed)
            return llops.genop("int_add_ovf", [v_start, v_offset], Signed)

        r: Any = hop.r_result
        v_new_step = llops.genop("int_mul_ovf", [v_step, v_by], Signed)
        new: Value = r.build(llops, item(v_from), item(v_to), v_new_step)
        return new

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        if isinstance(hop.s_result, SomeBuiltinMethod):
            return hop.inputarg(self, 0)
        if hop.s_result.is_constant():
            return hop.result_constant()
        return hop.genop("getfield", [hop.inputarg(self, 0), void(name)], Signed)

    def rtype_method_count(self, hop: HighLevelOp) -> Value:
        return hop.genop("cast_bool_to_int", [self.rtype_contains(hop)], Signed)

    def rtype_method_index(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        found, missing = llops.branch(self.rtype_contains(hop))
        llops.at(missing)
        number = (hop.inputarg(Signed, 1), s_Int, hop.rtyper.getrepr(s_Int))
        text = [*text_pieces(hop, number, True), literal(hop.rtyper, " is not in range")]
        hop.gendirectcall(ll_error.ll_value_error, concatenate(hop, text))
        llops.unreachable()
        llops.at(found)
        parts = self.parts(llops, hop.inputarg(self, 0))
        return hop.gendirectcall(ll_range.ll_range_index, *parts, hop.inputarg(Signed, 1))

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        parts = self.parts(hop.llops, hop.inputarg(self, 0))
        return hop.gendirectcall(ll_range.ll_range_contains, *parts, hop.inputarg(Signed, 1))


@repr_for(SomeRange)
def range_repr(rtyper: RPythonTyper, s: SomeRange) -> Repr:
    if s.nonneg:
        return rtyper.getrepr(SomeRange(s.step, False))
    return RangeRepr(rtyper, s.step)


@CONVERSIONS.register("convert", RangeRepr, RangeRepr)
def convert_range(r_from: RangeRepr, r_to: RangeRepr, v: Value, llops: LowLevelOpList) -> Value:
    """To a range whose step varies; ranges are immutable, so a copy is as good."""
    return r_to.build(llops, *r_from.parts(llops, v))


@PAIRS.register("eq ne", RangeRepr, RangeRepr)
def compare_ranges(hop: HighLevelOp) -> Value:
    parts: list[Value] = []
    for arg, r in enumerate(hop.args_r):
        assert isinstance(r, RangeRepr)
        parts.extend(r.parts(hop.llops, hop.inputarg(r, arg)))
    v_equal = hop.gendirectcall(ll_range.ll_range_equal, *parts)
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@BUILTINS.register(range)
def builtin_range(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    args = [hop.inputarg(Signed, i) for i in range(hop.nb_args)]
    v_start: Value = args[0] if len(args) > 1 else Constant(0, Signed)
    v_stop = args[0] if len(args) == 1 else args[1]
    v_step: Value = Constant(1, Signed)
    if len(args) == 3:
        v_step = args[2]
        if not (isinstance(v_step, Constant) and v_step.value):
            v_step = hop.gendirectcall(ll_range.ll_range_step, v_step)
    v: Value = r.build(hop.llops, v_start, v_stop, v_step)
    return v


@TEXT.register("text", RangeRepr)
def range_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: RangeRepr, quoted: bool
) -> list[Value]:
    llops = hop.llops
    r_int = hop.rtyper.getrepr(s_Int)
    v_start, v_stop, v_step = r.parts(llops, v)

    def number(v_number: Value) -> list[Value]:
        return text_pieces(hop, (v_number, s_Int, r_int), True)

    comma, end = literal(hop.rtyper, ", "), literal(hop.rtyper, ")")
    pieces = [literal(hop.rtyper, "range("), *number(v_start), comma, *number(v_stop)]
    if r.step == 1:
        return [*pieces, end]
    if r.step is not None:
        return [*pieces, comma, *number(v_step), end]
    done = llops.new_join(STRPTR)
    short, long = llops.branch(llops.genop("int_eq", [v_step, Constant(1, Signed)], Bool))
    llops.at(short)
    llops.goto(done, end)
    llops.at(long)
    llops.goto(done, concatenate(hop, [comma, *number(v_step), end]))
    llops.at(done)
    return [*pieces, done.inputargs[0]]


class RangeIteratorRepr(IteratorRepr):
    """See the module text.  ``step`` is that of the iteration, so negated in reverse."""

    def __init__(self, r_range: RangeRepr, backwards: bool) -> None:
        self.r_range = r_range
        self.backwards = backwards
        step = r_range.step
        self.step = step
        if backwards and step not in (None, -(1 << 63)):
            self.step = -step
        self.struct = RANGE_STEP_ITER if step is None else RANGE_ITER
        self.lowleveltype = Ptr(self.struct)
        self.s_item: SomeObject = SomeInteger()
        self.r_item = r_range.rtyper.getrepr(self.s_item)

    @property
    def compares(self) -> bool:
        """Does the loop end by comparing with ``stop``, rather than at the exact end?"""
        return self.step in (1, -1) and not self.backwards

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        if self.step != 1 or self.backwards:
            return None
        v_next = llops.genop("getfield", [v, void("next")], Signed)
        v_stop = llops.genop("getfield", [v, void("stop")], Signed)
        return llops.gendirectcall(ll_list.ll_remaining, v_next, v_stop)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_start, v_stop, v_step = self.r_range.parts(llops, v)
        v_first = v_start
        if not self.compares:
            v_end: Value = llops.gendirectcall(ll_range.ll_range_end, v_start, v_stop, v_step)
            v_stop = v_end
            if self.backwards:
                v_first = llops.genop("int_sub", [v_end, v_step], Signed)
                v_stop = llops.genop("int_sub", [v_start, v_step], Signed)
        v_iter = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("next"), v_first])
        llops.genop("setfield", [v_iter, void("stop"), v_stop])
        if self.step is None:
            if self.backwards:
                v_step = llops.genop("int_neg", [v_step], Signed)
            llops.genop("setfield", [v_iter, void("step"), v_step])
        return v_iter

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_next = llops.genop("getfield", [v_iter, void("next")], Signed)
        v_stop = llops.genop("getfield", [v_iter, void("stop")], Signed)
        name = "int_ne"
        if self.compares:
            name = "int_lt" if self.step == 1 else "int_gt"
        return llops.genop(name, [v_next, v_stop], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_next = llops.genop("getfield", [v_iter, void("next")], Signed)
        v_step: Value = Constant(self.step, Signed)
        if self.step is None:
            v_step = llops.genop("getfield", [v_iter, void("step")], Signed)
        v_after = llops.genop("int_add", [v_next, v_step], Signed)
        llops.genop("setfield", [v_iter, void("next"), v_after])
        return v_next
