"""Floats, and the ones of 32 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeFloat, SomeObject
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.lltypesystem.lltype import Bool, Float, SingleFloat
from rpython.lltypesystem.rarithmetic import r_singlefloat
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr, part_of_number, to_float
from rpython.rtyper.ll import ll_float
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class FloatRepr(Repr):
    lowleveltype = Float

    def convert_const(self, value: Any) -> float:
        if not isinstance(value, (int, float)):
            raise TyperError(f"{value!r} is not a float")
        return float(value)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return part_of_number(hop)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("float_is_true", [hop.inputarg(self, 0)], Bool)

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        return hop.genop("float_neg", [hop.inputarg(self, 0)], Float)

    def rtype_abs(self, hop: HighLevelOp) -> Value:
        return hop.genop("float_abs", [hop.inputarg(self, 0)], Float)

    def rtype_pos(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)


@repr_for(SomeFloat)
def float_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return FloatRepr()


def operand(hop: HighLevelOp, arg: int) -> Value:
    """Operand ``arg``, a float, int or bool, as a Float."""
    r = hop.args_r[arg]
    if isinstance(r, FloatRepr):
        return hop.inputarg(r, arg)
    return to_float(hop, arg)


for _left, _right in [
    (FloatRepr, FloatRepr), (FloatRepr, IntegerRepr), (IntegerRepr, FloatRepr),
    (FloatRepr, BoolRepr), (BoolRepr, FloatRepr),
]:  # fmt: skip

    @PAIRS.register("add sub mul", _left, _right)
    def arithmetic(hop: HighLevelOp) -> Value:
        return hop.genop(f"float_{hop.opname}", [operand(hop, 0), operand(hop, 1)], Float)

    @PAIRS.register("truediv floordiv mod", _left, _right)
    def division(hop: HighLevelOp) -> Value:
        v_left, v_right = operand(hop, 0), operand(hop, 1)
        if hop.opname == "truediv" and isinstance(v_right, Constant) and v_right.value != 0.0:
            return hop.genop("float_truediv", [v_left, v_right], Float)
        helper = getattr(ll_float, f"ll_float_{hop.opname}")
        return hop.gendirectcall(helper, v_left, v_right)

    @PAIRS.register("pow", _left, _right)
    def power(hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_float.ll_float_pow, operand(hop, 0), operand(hop, 1))

    @PAIRS.register("lt le eq ne gt ge", _left, _right)
    def comparison(hop: HighLevelOp) -> Value:
        for arg, r in enumerate(hop.args_r):
            if isinstance(r, IntegerRepr) and not fits_in_float(r, hop.args_s[arg]):
                return compare_by_value(hop, r, arg)
        return hop.genop(f"float_{hop.opname}", [operand(hop, 0), operand(hop, 1)], Bool)


def fits_in_float(r: IntegerRepr, s: SomeObject) -> bool:
    """Is every such int a float?"""
    if s.is_constant():
        number: int = s.value
        return int(float(number)) == number
    return r.lowleveltype is not r.wide


def compare_by_value(hop: HighLevelOp, r: IntegerRepr, arg: int) -> Value:
    """Compare a wide int, operand ``arg``, with a float, the other one."""
    name = hop.opname if arg == 0 else HLOPS[hop.opname].reflected
    helper = getattr(ll_float, f"ll_{'eq' if name == 'ne' else name}_float")
    v_int = r.widen(hop.inputarg(r, arg), hop.llops)
    v_limit = Constant(float(r.wide.max), Float)
    v = hop.gendirectcall(helper, v_int, hop.inputarg(Float, 1 - arg), v_limit)
    return hop.genop("bool_not", [v], Bool) if name == "ne" else v


@CONVERSIONS.register("convert", IntegerRepr, FloatRepr)
@CONVERSIONS.register("convert", BoolRepr, FloatRepr)
def convert_to_float(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    """Where a float is declared (``annotator.program.declared``)."""
    if isinstance(r_from, IntegerRepr):
        return llops.genop(f"cast_{r_from.prefix}_to_float", [r_from.widen(v, llops)], Float)
    return llops.genop("cast_bool_to_float", [v], Float)


# -- 32 bits ----------------------------------------------------------------------------------


class SingleFloatRepr(Repr):
    """``r_singlefloat``: stored, compared and converted only."""

    lowleveltype = SingleFloat

    def convert_const(self, value: Any) -> float:
        return float(value)

    def to_host(self, value: float) -> r_singlefloat:
        return r_singlefloat(value)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        hop.llops.raise_if(Constant(True, Bool), TypeError, "r_singlefloat has no truth value")
        return Constant(False, Bool)


@repr_for(SomeSingleFloat)
def single_float_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return SingleFloatRepr()


@PAIRS.register("eq ne", SingleFloatRepr, SingleFloatRepr)
def single_comparison(hop: HighLevelOp) -> Value:
    values = hop.inputargs(SingleFloat, SingleFloat)
    return hop.genop(f"singlefloat_{hop.opname}", values, Bool)


def extended(llops: LowLevelOpList, v: Value) -> Value:
    """A SingleFloat as a Float."""
    return llops.genop("cast_singlefloat_to_float", [v], Float)
