"""Integers: Signed with overflow checks, and the sized types, which wrap."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBool,
    SomeBuiltinMethod,
    SomeInteger,
    SomeObject,
)
from rpython.annotator.rules.lowlevel import INTEGER_TYPES
from rpython.annotator.rules.numbers import nonneg_of
from rpython.lltypesystem.lltype import (
    Bool,
    Float,
    Int128,
    LowLevelType,
    Primitive,
    Signed,
    Unsigned,
)
from rpython.lltypesystem.operations.integers import WIDE
from rpython.lltypesystem.rarithmetic import r_int64
from rpython.rtyper.ll import ll_int
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


def integer_lltype(knowntype: type) -> Primitive:
    """The low-level type of ``int`` or a sized class; ``r_longlong`` is a Signed that wraps."""
    for T, cls in INTEGER_TYPES.items():
        if cls is knowntype:
            assert isinstance(T, Primitive)
            return T
    if knowntype is r_int64:
        return Signed
    raise TyperError(f"{knowntype.__name__} is not supported yet")


def wide_type(T: LowLevelType) -> Primitive:
    """The type that arithmetic on ``T``, an integer or Bool, is done in."""
    assert isinstance(T, Primitive)
    if T in WIDE:
        return T
    return Signed if T.signed else Unsigned


def holds(T: Primitive, low: int, high: int) -> bool:
    """Are the numbers from ``low`` to ``high`` in the range of ``T``?"""
    return T.min <= low and high <= T.max


def part_of_number(hop: HighLevelOp) -> Value:
    """``n.real``, ``n.denominator`` and the like, or a method that is about to be called."""
    if isinstance(hop.s_result, SomeBuiltinMethod):
        r_self: Repr = hop.r_result.r_self  # type: ignore[attr-defined]
        return hop.inputarg(r_self, 0)
    if hop.s_result.is_constant():
        return hop.result_constant()
    return hop.inputarg(hop.r_result, 0)


class IntegerRepr(Repr):
    """``int`` (``checks``: leaving 64 bits raises) or a sized type (wraps).

    ``wide``: the type arithmetic is done in; ``prefix``: how the names of its operations
    begin.
    """

    def __init__(self, rtyper: RPythonTyper, s: SomeInteger) -> None:
        self.rtyper = rtyper
        self.knowntype = s.knowntype
        self.checks = s.knowntype is int
        self.lowleveltype: Primitive = integer_lltype(s.knowntype)
        self.signed = self.lowleveltype.signed
        self.wide = wide_type(self.lowleveltype)
        self.limits = self.lowleveltype.min, self.lowleveltype.max
        self.prefix = WIDE[self.wide]

    def convert_const(self, value: Any) -> int:
        number = int(value)
        T = self.lowleveltype
        if not T.min <= number <= T.max:
            if self.checks:
                raise TyperError(f"the integer {number} does not fit in 64 bits")
            number = T.wrap(number)
        return number

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return part_of_number(hop)

    def widen(self, v: Value, llops: LowLevelOpList) -> Value:
        """``v`` in the type that arithmetic is done in."""
        if self.lowleveltype is self.wide:
            return v
        if isinstance(v, Constant):
            return Constant(v.value, self.wide)
        return llops.genop("cast_primitive", [v], self.wide)

    def narrow(self, v: Value, llops: LowLevelOpList) -> Value:
        """The result of wide arithmetic, wrapped to this type."""
        if self.lowleveltype is self.wide:
            return v
        return llops.genop("cast_primitive", [v], self.lowleveltype)

    # -- one operand -------------------------------------------------------------------------

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop(f"{self.prefix}_is_true", [self._wide_operand(hop)], Bool)

    def _wide_operand(self, hop: HighLevelOp) -> Value:
        return self.widen(hop.inputarg(self, 0), hop.llops)

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        return self.unary(hop, "neg")

    def rtype_abs(self, hop: HighLevelOp) -> Value:
        return self.unary(hop, "abs")

    def unary(self, hop: HighLevelOp, name: str) -> Value:
        """``neg`` or ``abs``, checked where leaving 64 bits raises."""
        suffix = "_ovf" if self.checks and not hop.wraps else ""
        v = hop.genop(f"{self.prefix}_{name}{suffix}", [self._wide_operand(hop)], self.wide)
        return self.narrow(v, hop.llops)

    def rtype_pos(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    def rtype_invert(self, hop: HighLevelOp) -> Value:
        v = hop.genop(f"{self.prefix}_invert", [self._wide_operand(hop)], self.wide)
        return self.narrow(v, hop.llops)


class BoolRepr(Repr):
    """``bool``; in arithmetic it is the int 0 or 1."""

    lowleveltype = Bool

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return part_of_number(hop)

    def convert_const(self, value: Any) -> bool:
        return bool(value)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_neg", [hop.inputarg(Signed, 0)], Signed)

    def rtype_invert(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_invert", [hop.inputarg(Signed, 0)], Signed)

    def rtype_pos(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(Signed, 0)

    rtype_abs = rtype_pos


@repr_for(SomeInteger)
def integer_repr(rtyper: RPythonTyper, s: SomeInteger) -> Repr:
    if s.may_be_bool or s.mixed or (s.nonneg and s.knowntype is int):
        return rtyper.getrepr(SomeInteger(knowntype=s.knowntype))
    return IntegerRepr(rtyper, s)


@repr_for(SomeBool)
def bool_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return BoolRepr()


# -- conversions ------------------------------------------------------------------------------


@CONVERSIONS.register("convert", BoolRepr, IntegerRepr)
def bool_to_int(r_from: Repr, r_to: IntegerRepr, v: Value, llops: LowLevelOpList) -> Value:
    return r_to.narrow(llops.genop(f"cast_bool_to_{r_to.prefix}", [v], r_to.wide), llops)


@CONVERSIONS.register("convert", IntegerRepr, IntegerRepr)
def int_to_int(r_from: IntegerRepr, r_to: IntegerRepr, v: Value, llops: LowLevelOpList) -> Value:
    """Into a sized type it wraps; where an ``int`` is wanted, it has to be one."""
    if r_from.lowleveltype == r_to.lowleveltype:
        return v
    raises = r_to.checks and not llops.graphtyper.graph.is_helper
    if raises and not holds(r_to.lowleveltype, *r_from.limits):
        return llops.gendirectcall(ll_int.ll_to_int, v)
    return llops.genop("cast_primitive", [v], r_to.lowleveltype)


# -- two operands -----------------------------------------------------------------------------


def operands(hop: HighLevelOp) -> tuple[IntegerRepr, Value, Value]:
    """The result's Repr and both operands in its wide type."""
    r: Any = hop.r_result
    if not isinstance(r, IntegerRepr):
        r = hop.rtyper.getrepr(SomeInteger())
    left, right = (r.widen(v, hop.llops) for v in hop.inputargs(r, r))
    return r, left, right


def common_type(hop: HighLevelOp) -> Primitive | None:
    """The first type arithmetic is done in that holds the values of both operands."""
    limits = [_limits(*operand) for operand in zip(hop.args_r, hop.args_s)]
    low, high = min(low for low, _ in limits), max(high for _, high in limits)
    return next((T for T in WIDE if holds(T, low, high)), None)


def _limits(r: Repr, s: SomeObject) -> tuple[int, int]:
    if isinstance(r, BoolRepr):
        return 0, 1
    assert isinstance(r, IntegerRepr)
    low, high = r.limits
    return (0 if nonneg_of(s) else low), high


def division_operands(hop: HighLevelOp) -> tuple[IntegerRepr, Value, Value]:
    """Both operands by value, and the Repr of the type they are in."""
    T = common_type(hop)
    assert T is not None  # the annotator has refused the others
    left, right = hop.inputargs(T, T)
    r: Any = hop.rtyper.primitive_repr(T)
    return r, left, right


def _known(v: Value) -> int | None:
    return v.value if isinstance(v, Constant) else None


for _left in (IntegerRepr, BoolRepr):
    for _right in (IntegerRepr, BoolRepr):

        @PAIRS.register("add sub mul", _left, _right)
        def arithmetic(hop: HighLevelOp) -> Value:
            if _may_be_plain(hop):
                return plain_arithmetic(hop, *hop.inputargs(Int128, Int128))
            r, left, right = operands(hop)
            suffix = "_ovf" if r.checks and not hop.wraps else ""
            v = hop.genop(f"{r.prefix}_{hop.opname}{suffix}", [left, right], r.wide)
            return r.narrow(v, hop.llops)

        @PAIRS.register("and_ or_ xor", _left, _right)
        def bitwise(hop: HighLevelOp) -> Value:
            r, left, right = operands(hop)
            v = hop.genop(f"{r.prefix}_{hop.opname.rstrip('_')}", [left, right], r.wide)
            if isinstance(hop.r_result, BoolRepr):
                return hop.genop("int_is_true", [v], Bool)
            return r.narrow(v, hop.llops)

        @PAIRS.register("floordiv mod", _left, _right)
        def division(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            if hop.llops.graphtyper.graph.is_helper:
                r, left, right = operands(hop)
                v = hop.genop(f"{r.prefix}_{hop.opname}", [left, right], r.wide)
                return r.narrow(v, hop.llops)  # type: ignore[no-any-return]
            r_wide, left, right = division_operands(hop)
            sign = "int" if r_wide.signed else "uint"
            helper = getattr(ll_int, f"ll_{sign}_{hop.opname}")
            divisor = _known(right)
            if r_wide.signed and divisor not in (None, 0, -1):
                helper = getattr(ll_int, f"ll_int_{hop.opname}_safe")
                if divisor > 0 and nonneg_of(hop.args_s[0]):
                    v = hop.genop(f"{r_wide.prefix}_{hop.opname}", [left, right], r_wide.wide)
                    return wrapped(hop, v, r)
            elif r_wide.signed and hop.opname == "floordiv" and (not r.checks or hop.wraps):
                helper = ll_int.ll_int_floordiv_wrap
            return wrapped(hop, hop.gendirectcall(helper, left, right), r)

        @PAIRS.register("truediv", _left, _right)
        def true_division(hop: HighLevelOp) -> Value:
            r, left, right = division_operands(hop)
            v_zero = hop.genop(f"{r.prefix}_eq", [right, Constant(0, r.wide)], Bool)
            hop.llops.raise_if(v_zero, ZeroDivisionError, "division by zero")
            return hop.genop(f"{r.prefix}_truediv", [left, right], Float)

        @PAIRS.register("pow", _left, _right)
        def power(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            left, right = hop.inputargs(r, Signed)
            if r.checks and not hop.wraps:
                return hop.gendirectcall(ll_int.ll_int_pow, left, right)
            helper = ll_int.ll_pow_wrap if r.checks else ll_int.ll_sized_pow
            left = r.widen(left, hop.llops)
            v: Value = hop.gendirectcall(helper, left, right, Constant(1, r.wide))
            return r.narrow(v, hop.llops)  # type: ignore[no-any-return]

        @PAIRS.register("lshift rshift", _left, _right)
        def shift(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            if hop.opname == "lshift" and _may_be_plain(hop):
                v_left, v_count = hop.inputarg(Int128, 0), saturated(hop, 1)
                return hop.gendirectcall(ll_int.ll_plain_lshift, v_left, v_count)
            left = r.widen(hop.inputarg(r, 0), hop.llops)
            count = saturated(hop, 1)
            name = f"{r.prefix}_{hop.opname}"
            wraps = not r.checks or hop.wraps
            bits = r.wide.bits
            known = _known(count)
            in_range = known is not None and 0 <= known < bits
            if in_range or hop.llops.graphtyper.graph.is_helper:
                if hop.opname == "lshift" and not wraps:
                    name += "_ovf"
                v_direct: Value = r.narrow(hop.genop(name, [left, count], r.wide), hop.llops)
                return v_direct
            if hop.opname == "lshift" and not wraps:
                return hop.gendirectcall(ll_int.ll_int_lshift, left, count)
            helper = ll_int.ll_lshift_wrap
            if hop.opname == "rshift":
                helper = ll_int.ll_int_rshift if r.signed else ll_int.ll_uint_rshift
            v_shifted: Value = hop.gendirectcall(helper, left, count, Constant(bits, Signed))
            return r.narrow(v_shifted, hop.llops)  # type: ignore[no-any-return]

        @PAIRS.register("lt le eq ne gt ge", _left, _right)
        def comparison(hop: HighLevelOp) -> Value:
            T = common_type(hop)
            wide = [wide_type(r.lowleveltype) for r in hop.args_r]
            if T is None or T.bits > max(W.bits for W in wide):
                return compare_mixed(hop, wide)
            return hop.genop(f"{WIDE[T]}_{hop.opname}", hop.inputargs(T, T), Bool)


def _may_be_plain(hop: HighLevelOp) -> bool:
    """Is it arithmetic on plain ints that are among ``r_uint``, or else on such?"""
    s = hop.s_result
    return isinstance(s, SomeInteger) and s.mixed and s.knowntype is not int and not hop.wraps


def plain_arithmetic(hop: HighLevelOp, left: Value, right: Value) -> Value:
    """The exact result, where it is one that ints and ``r_uint`` agree about; else OverflowError
    is raised."""
    v = hop.genop(f"{WIDE[Int128]}_{hop.opname}", [left, right], Int128)
    return hop.gendirectcall(ll_int.ll_plain_uint, v)



def compare_mixed(hop: HighLevelOp, wide: list[Primitive]) -> Value:
    """Compare a signed with an unsigned by value, in the ``wide`` type of each: a negative
    number is below them all."""
    signed, unsigned = (0, 1) if wide[0].signed else (1, 0)
    name = hop.opname if signed == 0 else HLOPS[hop.opname].reflected
    T, U = wide[signed], wide[unsigned]
    v_signed, v_unsigned = hop.inputarg(T, signed), hop.inputarg(U, unsigned)
    llops = hop.llops
    negative = llops.genop(f"{WIDE[T]}_lt", [v_signed, Constant(0, T)], Bool)
    done = llops.new_join(Bool)
    below, other = llops.branch(negative)
    llops.at(below)
    llops.goto(done, Constant(getattr(operator, name)(-1, 0), Bool))
    llops.at(other)
    v_cast = llops.genop("cast_primitive", [v_signed], U)
    llops.goto(done, llops.genop(f"{WIDE[U]}_{name}", [v_cast, v_unsigned], Bool))
    llops.at(done)
    return done.inputargs[0]


def saturated(hop: HighLevelOp, arg: int) -> Value:
    """Integer or bool operand ``arg`` as the Signed nearest to it."""
    r = hop.args_r[arg]
    if isinstance(r, IntegerRepr) and not holds(Signed, *r.limits):
        return hop.gendirectcall(ll_int.ll_saturate, hop.inputarg(r, arg))
    return hop.inputarg(Signed, arg)


def wrapped(hop: HighLevelOp, v: Value, r: IntegerRepr) -> Value:
    """The integer ``v``, of any type, as a value of ``r``."""
    if v.concretetype is r.lowleveltype:
        return v
    return hop.genop("cast_primitive", [v], r.lowleveltype)


def to_float(hop: HighLevelOp, arg: int) -> Value:
    """Integer or bool operand ``arg`` as a Float."""
    r = hop.args_r[arg]
    if not isinstance(r, IntegerRepr):
        return hop.genop("cast_int_to_float", [hop.inputarg(Signed, arg)], Float)
    v = r.widen(hop.inputarg(r, arg), hop.llops)
    return hop.genop(f"cast_{r.prefix}_to_float", [v], Float)
