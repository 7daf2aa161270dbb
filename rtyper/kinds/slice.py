"""Slices, shared by all sequences.

A slice exists only between ``newslice`` and the operation that uses it, so it is normally
a translation-time note of the values it was made of.  One that crosses to another block is
a GcStruct.

A sequence's ``rtype_getitem`` whose index is a slice does

    if slice_is_simple(hop):
        v_start, v_stop = slice_bounds(hop, v_length)
    else:
        v_start, v_step, v_count = slice_items(hop, v_length)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_BOOL,
    K_NONE,
    SomeInteger,
    SomeObject,
    SomeSlice,
    s_None,
)
from rpython.annotator.lattice.parts import without_none
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.int import saturated
from rpython.rtyper.ll import ll_slice
from rpython.rtyper.rmodel import NullableRepr, Repr, repr_for
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper

SLICE = GcStruct(
    "slice", ("start", Signed), ("stop", Signed), ("step", Signed), ("given", Signed)
)  # fmt: skip
"""``given``: a bit for each part that is not None."""
_FIELDS = ("start", "stop", "step")


class SliceParts:
    """The low-level values a slice was made of; None where the part is not given."""

    def __init__(self, values: tuple[Value | None, ...]) -> None:
        self.values = values


class SliceRepr(Repr):
    lowleveltype = Ptr(SLICE)

    def rtype_newslice(self, hop: HighLevelOp) -> Value:
        graphtyper, result = hop.llops.graphtyper, hop.spaceop.result
        is_note = not graphtyper.leaves_block(result) and not graphtyper.is_passed_on(result)
        given = Constant(0, Signed) if is_note else _given(hop)
        v_step = _part(hop, 2, lambda: Constant(1, Signed))
        negative = _is_negative(hop, v_step)
        first = _choose(hop, negative, _LAST, _FIRST)
        last = _choose(hop, negative, _BEFORE_ALL, _LAST)
        parts = (_part(hop, 0, first), _part(hop, 1, last), v_step)
        if is_note:
            return Constant(SliceParts(parts), self.lowleveltype)
        v_slice = hop.genop("malloc", [void(SLICE), GC_FLAGS], self.lowleveltype)
        hop.genop("setfield", [v_slice, void("given"), given])
        defaults = (first, last, _one)
        for name, v_part, default in zip(_FIELDS, parts, defaults):
            v_field = default() if v_part is None else v_part
            hop.genop("setfield", [v_slice, void(name), v_field])
        return v_slice

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        """A part, as it was given, or a method."""
        if hop.s_result.is_constant():
            return hop.result_constant()
        name = hop.args_s[1].value
        v_slice = hop.inputarg(self, 0)
        if name not in _FIELDS:
            return v_slice
        which = _FIELDS.index(name)
        llops, r_result = hop.llops, hop.r_result
        s_part = without_none(_parts_s(hop, 0)[which])
        v_part = hop.genop("getfield", [v_slice, void(name)], Signed)
        if s_part.kinds == K_BOOL:
            v_part = hop.genop("int_is_true", [v_part], Bool)
        r_part = hop.rtyper.getrepr(s_part.without_const())
        if not isinstance(r_result, NullableRepr):
            return llops.convertvar(v_part, r_part, r_result)
        v_given = hop.genop("getfield", [v_slice, void("given")], Signed)
        v_bit = hop.genop("int_and", [v_given, Constant(1 << which, Signed)], Signed)
        done = llops.new_join(r_result.lowleveltype)
        yes, no = llops.branch(hop.genop("int_is_true", [v_bit], Bool))
        llops.at(no)
        llops.goto(done, llops.convertvar(void(None), hop.rtyper.getrepr(s_None), r_result))
        llops.at(yes)
        llops.goto(done, llops.convertvar(v_part, r_part, r_result))
        llops.at(done)
        return done.inputargs[0]


def _given(hop: HighLevelOp) -> Value:
    """Which of the operands of ``newslice`` are not None: a bit for each."""
    known, llops = 0, hop.llops
    v_bits: Value | None = None
    for arg, r in enumerate(hop.args_r):
        if isinstance(r, NullableRepr):
            v_null = r.is_null(hop.inputarg(r, arg), llops)
            v_bit = llops.genop("bool_not", [v_null], Bool)
            v_bit = llops.genop("cast_bool_to_int", [v_bit], Signed)
            v_bit = llops.genop("int_lshift", [v_bit, Constant(arg, Signed)], Signed)
            v_bits = v_bit if v_bits is None else llops.genop("int_or", [v_bits, v_bit], Signed)
        elif hop.args_s[arg].kinds != K_NONE:
            known |= 1 << arg
    if v_bits is None:
        return Constant(known, Signed)
    v_all: Value = llops.genop("int_or", [v_bits, Constant(known, Signed)], Signed)
    return v_all


@repr_for(SomeSlice)
def slice_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return SliceRepr()


def _one() -> Value:
    return Constant(1, Signed)


_FIRST, _LAST, _BEFORE_ALL = (
    Constant(bound, Signed) for bound in (0, 9223372036854775807, -9223372036854775808)
)
"""Bounds that stand for None: clamped, they are the ends of every sequence."""


def _is_negative(hop: HighLevelOp, v_step: Value | None) -> bool | Value:
    """Is the step of a slice negative?"""
    if v_step is None:
        return False
    if isinstance(v_step, Constant):
        return bool(v_step.value < 0)
    return hop.genop("int_lt", [v_step, Constant(0, Signed)], Bool)


def _choose(
    hop: HighLevelOp, condition: bool | Value, v_yes: Constant, v_no: Constant
) -> Callable[[], Value]:
    """What emits one of two Signed constants."""

    def emit() -> Value:
        if isinstance(condition, bool):
            return v_yes if condition else v_no
        llops = hop.llops
        done = llops.new_join(Signed)
        yes, no = llops.branch(condition)
        llops.at(yes)
        llops.goto(done, v_yes)
        llops.at(no)
        llops.goto(done, v_no)
        llops.at(done)
        return done.inputargs[0]

    return emit


def _part(hop: HighLevelOp, arg: int, default: Callable[[], Value]) -> Value | None:
    """One of the operands of ``newslice`` as a Signed; None is None when that is known at
    translation time, and ``default()`` at run time."""
    r = hop.args_r[arg]
    if hop.args_s[arg].kinds == K_NONE:
        return None
    if not isinstance(r, NullableRepr):
        return index_arg(hop, arg)
    llops = hop.llops
    v = hop.inputarg(r, arg)
    done = llops.new_join(Signed)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, default())
    llops.at(other)
    hop.replace_arg(arg, v, without_none(hop.args_s[arg]), r.inner)
    r.inner.open_operand(hop, arg)
    llops.goto(done, index_arg(hop, arg))
    llops.at(done)
    return done.inputargs[0]


def index_arg(hop: HighLevelOp, arg: int) -> Value:
    """Operand ``arg``, an int of any type, as a Signed index.

    One beyond the range of Signed becomes the largest or smallest Signed, which is out of the
    range of every sequence.
    """
    return saturated(hop, arg)


def slice_is_simple(hop: HighLevelOp, arg: int = 1) -> bool:
    """Is the slice that is operand ``arg`` one with step 1?"""
    s_step = _parts_s(hop, arg)[2]
    return s_step.kinds == K_NONE or (s_step.is_constant() and s_step.value == 1)


def slice_bounds(hop: HighLevelOp, v_length: Value, arg: int = 1) -> tuple[Value, Value]:
    """The clamped bounds, 0 <= start <= stop <= length, of a simple slice.

    ``v_length``: Signed, the length of the sequence.
    """
    s_start, s_stop, _ = _parts_s(hop, arg)
    v_start, v_stop, _ = _parts_v(hop, arg)
    from_start = v_start is None or (s_start.is_constant() and s_start.value == 0)
    v_first = Constant(0, Signed) if from_start else _clamp(hop, s_start, v_start, v_length)
    if v_stop is None:
        return v_first, v_length
    v_last = _clamp(hop, s_stop, v_stop, v_length)
    if not from_start:
        v_last = hop.gendirectcall(ll_slice.ll_at_least, v_last, v_first)
    return v_first, v_last


def slice_indices(hop: HighLevelOp, v_length: Value, arg: int = 1) -> tuple[Value, Value, Value]:
    """Start, stop and step as ``slice.indices(length)`` gives them.

    Raises (at run time) ValueError when the step is 0.
    """
    v_start, v_stop, v_step = _parts_v(hop, arg)
    v_step = Constant(1, Signed) if v_step is None else v_step
    v_step = hop.gendirectcall(ll_slice.ll_check_step, v_step)
    if v_start is None:
        v_start = hop.gendirectcall(ll_slice.ll_default_start, v_length, v_step)
    else:
        v_start = hop.gendirectcall(ll_slice.ll_clamp_for_step, v_start, v_length, v_step)
    if v_stop is None:
        v_stop = hop.gendirectcall(ll_slice.ll_default_stop, v_length, v_step)
    else:
        v_stop = hop.gendirectcall(ll_slice.ll_clamp_for_step, v_stop, v_length, v_step)
    return v_start, v_stop, v_step


def slice_items(hop: HighLevelOp, v_length: Value, arg: int = 1) -> tuple[Value, Value, Value]:
    """Start, step and number of items of any slice: item i is at start + i * step.

    Raises (at run time) ValueError when the step is 0.
    """
    v_start, v_stop, v_step = slice_indices(hop, v_length, arg)
    v_count = hop.gendirectcall(ll_slice.ll_slice_count, v_start, v_stop, v_step)
    return v_start, v_step, v_count


def _parts_s(hop: HighLevelOp, arg: int) -> tuple[SomeObject, ...]:
    s_slice = hop.args_s[arg]
    assert isinstance(s_slice, SomeSlice)
    return s_slice.parts


def _parts_v(hop: HighLevelOp, arg: int) -> list[Any]:
    """Start, stop and step as Signed values, None where not given."""
    v_slice = hop.args_v[arg]
    if isinstance(v_slice, Constant):
        return list(v_slice.value.values)
    result: list[Any] = []
    for name, s_part in zip(_FIELDS, _parts_s(hop, arg)):
        if s_part.kinds == K_NONE:
            result.append(None)
        elif s_part.is_constant():
            result.append(Constant(int(s_part.value), Signed))
        else:
            result.append(hop.genop("getfield", [v_slice, void(name)], Signed))
    return result


def _clamp(hop: HighLevelOp, s_bound: SomeObject, v_bound: Value, v_length: Value) -> Value:
    nonneg = isinstance(s_bound, SomeInteger) and s_bound.nonneg
    helper = ll_slice.ll_clamp_nonneg if nonneg else ll_slice.ll_clamp
    return hop.gendirectcall(helper, v_bound, v_length)
