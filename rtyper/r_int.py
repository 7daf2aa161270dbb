"""Integers: Signed with overflow checks, and the sized types, which wrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.model import SomeBool, SomeInteger, SomeObject
from annotator.rules_lowlevel import INTEGER_TYPES
from lltypesystem.lltype import Bool, Float, LowLevelType, Signed, Unsigned
from lltypesystem.rarithmetic import r_int64
from rtyper.ll import ll_int
from rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from translator.ir.errors import TyperError
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp, LowLevelOpList
    from rtyper.rtyper import RPythonTyper


def integer_lltype(knowntype: type) -> LowLevelType:
    """The low-level type of ``int`` or a sized class; ``r_longlong`` is a Signed that wraps."""
    for T, cls in INTEGER_TYPES.items():
        if cls is knowntype:
            return T
    if knowntype is r_int64:
        return Signed
    raise TyperError(f"{knowntype.__name__} is not supported yet")


class IntegerRepr(Repr):
    """``int`` (``checks``: leaving 64 bits raises) or a sized type (wraps).

    ``wide``: the type arithmetic is done in, Signed or Unsigned.
    """

    def __init__(self, rtyper: RPythonTyper, s: SomeInteger) -> None:
        self.rtyper = rtyper
        self.knowntype = s.knowntype
        self.checks = s.knowntype is int
        self.lowleveltype: LowLevelType = integer_lltype(s.knowntype)
        self.signed: bool = self.lowleveltype.signed  # type: ignore[attr-defined]
        self.wide: LowLevelType = Signed if self.signed else Unsigned

    def convert_const(self, value: Any) -> int:
        number = int(value)
        T: Any = self.lowleveltype
        if not T.min <= number <= T.max:
            if self.checks:
                raise TyperError(f"the integer {number} does not fit in 64 bits")
            number = T.wrap(number)
        return number

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

    @property
    def prefix(self) -> str:
        return "int" if self.signed else "uint"

    def _wide_operand(self, hop: HighLevelOp) -> Value:
        return self.widen(hop.inputarg(self, 0), hop.llops)

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        return self.unary(hop, "neg")

    def rtype_abs(self, hop: HighLevelOp) -> Value:
        return self.unary(hop, "abs")

    def unary(self, hop: HighLevelOp, name: str) -> Value:
        """``neg`` or ``abs``, checked where leaving 64 bits raises."""
        suffix = "_ovf" if self.checks and hop.checked else ""
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
    if s.may_be_bool or (s.nonneg and s.knowntype is int):
        return rtyper.getrepr(SomeInteger())
    return IntegerRepr(rtyper, s)


@repr_for(SomeBool)
def bool_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return BoolRepr()


# -- conversions ------------------------------------------------------------------------------


@CONVERSIONS.register("convert", BoolRepr, IntegerRepr)
def bool_to_int(r_from: Repr, r_to: IntegerRepr, v: Value, llops: LowLevelOpList) -> Value:
    name = "cast_bool_to_int" if r_to.signed else "cast_bool_to_uint"
    return r_to.narrow(llops.genop(name, [v], r_to.wide), llops)


@CONVERSIONS.register("convert", IntegerRepr, IntegerRepr)
def int_to_int(r_from: IntegerRepr, r_to: IntegerRepr, v: Value, llops: LowLevelOpList) -> Value:
    if r_from.lowleveltype == r_to.lowleveltype:
        return v
    return llops.genop("cast_primitive", [v], r_to.lowleveltype)


# -- two operands -----------------------------------------------------------------------------

_SIMPLE = {"add": "add", "sub": "sub", "mul": "mul"}
_BITWISE = {"and_": "and", "or_": "or", "xor": "xor"}


def operands(hop: HighLevelOp) -> tuple[IntegerRepr, Value, Value]:
    """The result's Repr and both operands in its wide type."""
    r: Any = hop.r_result
    if not isinstance(r, IntegerRepr):
        r = hop.rtyper.getrepr(SomeInteger())
    left, right = (r.widen(v, hop.llops) for v in hop.inputargs(r, r))
    return r, left, right


def division_operands(hop: HighLevelOp) -> tuple[str, Value, Value]:
    """Both operands by value: in Unsigned ('uint') when one is a 64-bit unsigned, else in
    Signed ('int')."""
    unsigned = any(r.lowleveltype is Unsigned for r in hop.args_r)
    wide: LowLevelType = Unsigned if unsigned else Signed
    left, right = hop.inputargs(wide, wide)
    return "uint" if unsigned else "int", left, right


def _known(v: Value) -> int | None:
    return v.value if isinstance(v, Constant) else None


for _left in (IntegerRepr, BoolRepr):
    for _right in (IntegerRepr, BoolRepr):

        @PAIRS.register("add sub mul", _left, _right)
        def arithmetic(hop: HighLevelOp) -> Value:
            r, left, right = operands(hop)
            suffix = "_ovf" if r.checks and hop.checked else ""
            v = hop.genop(f"{r.prefix}_{_SIMPLE[hop.opname]}{suffix}", [left, right], r.wide)
            return r.narrow(v, hop.llops)

        @PAIRS.register("and_ or_ xor", _left, _right)
        def bitwise(hop: HighLevelOp) -> Value:
            r, left, right = operands(hop)
            v = hop.genop(f"{r.prefix}_{_BITWISE[hop.opname]}", [left, right], r.wide)
            if isinstance(hop.r_result, BoolRepr):
                return hop.genop("int_is_true", [v], Bool)
            return r.narrow(v, hop.llops)

        @PAIRS.register("floordiv mod", _left, _right)
        def division(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            if not hop.llops.graphtyper.graph.checked:
                r, left, right = operands(hop)
                v = hop.genop(f"{r.prefix}_{hop.opname}", [left, right], r.wide)
                return r.narrow(v, hop.llops)  # type: ignore[no-any-return]
            prefix, left, right = division_operands(hop)
            helper = getattr(ll_int, f"ll_{prefix}_{hop.opname}")
            divisor = _known(right)
            if prefix == "int" and divisor not in (None, 0, -1):
                helper = getattr(ll_int, f"ll_int_{hop.opname}_safe")
                if divisor > 0 and getattr(hop.args_s[0], "nonneg", False):
                    v = hop.genop(f"int_{hop.opname}", [left, right], Signed)
                    return hop.llops.convertvar(v, hop.rtyper.primitive_repr(Signed), r)
            elif prefix == "int" and hop.opname == "floordiv" and not (r.checks and hop.checked):
                helper = ll_int.ll_int_floordiv_wrap
            v = hop.gendirectcall(helper, left, right)
            return hop.llops.convertvar(v, hop.rtyper.primitive_repr(v.concretetype), r)

        @PAIRS.register("truediv", _left, _right)
        def true_division(hop: HighLevelOp) -> Value:
            prefix, left, right = division_operands(hop)
            return hop.gendirectcall(getattr(ll_int, f"ll_{prefix}_truediv"), left, right)

        @PAIRS.register("pow", _left, _right)
        def power(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            left, right = hop.inputargs(r, Signed)
            if r.checks and hop.checked:
                return hop.gendirectcall(ll_int.ll_int_pow, left, right)
            if left.concretetype is not Signed:
                left = hop.genop("cast_primitive", [left], Signed)
            helper = ll_int.ll_int_pow_wrap if r.checks else ll_int.ll_sized_pow
            v_power: Value = hop.gendirectcall(helper, left, right)
            if r.lowleveltype is not Signed:
                v_power = hop.genop("cast_primitive", [v_power], r.lowleveltype)
            return v_power

        @PAIRS.register("lshift rshift", _left, _right)
        def shift(hop: HighLevelOp) -> Value:
            r: Any = hop.r_result
            left = r.widen(hop.inputarg(r, 0), hop.llops)
            if hop.args_r[1].lowleveltype is Unsigned:
                huge = hop.inputarg(Unsigned, 1)
                count: Value = hop.gendirectcall(ll_int.ll_shift_count, huge)
            else:
                count = hop.inputarg(Signed, 1)
            name = f"{r.prefix}_{hop.opname}"
            wraps = not (r.checks and hop.checked)
            in_range = _known(count) is not None and 0 <= count.value < 64  # type: ignore[union-attr]
            if in_range or not hop.llops.graphtyper.graph.checked:
                if hop.opname == "lshift" and not wraps:
                    name += "_ovf"
                v_direct: Value = r.narrow(hop.genop(name, [left, count], r.wide), hop.llops)
                return v_direct
            suffix = "_wrap" if hop.opname == "lshift" and wraps and r.signed else ""
            helper = getattr(ll_int, f"ll_{name}{suffix}")
            v_shifted: Value = r.narrow(hop.gendirectcall(helper, left, count), hop.llops)
            return v_shifted

        @PAIRS.register("lt le eq ne gt ge", _left, _right)
        def comparison(hop: HighLevelOp) -> Value:
            reprs: list[Any] = [
                r if isinstance(r, IntegerRepr) else hop.rtyper.getrepr(SomeInteger())
                for r in hop.args_r
            ]
            values = [r.widen(hop.inputarg(r, i), hop.llops) for i, r in enumerate(reprs)]
            if reprs[0].signed == reprs[1].signed:
                return hop.genop(f"{reprs[0].prefix}_{hop.opname}", values, Bool)
            return compare_mixed(hop, values, signed_first=reprs[0].signed)


SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def compare_mixed(hop: HighLevelOp, values: list[Value], signed_first: bool) -> Value:
    """Compare a Signed with an Unsigned by value: a negative number is below them all."""
    name = hop.opname if signed_first else SWAPPED[hop.opname]
    v_signed, v_unsigned = values if signed_first else values[::-1]
    llops = hop.llops
    negative = llops.genop("int_lt", [v_signed, Constant(0, Signed)], Bool)
    done = llops.new_join(Bool)
    below, other = llops.branch(negative)
    llops.at(below)
    llops.goto(done, Constant(name in ("lt", "le", "ne"), Bool))
    llops.at(other)
    v_cast = llops.genop("cast_int_to_uint", [v_signed], Unsigned)
    llops.goto(done, llops.genop(f"uint_{name}", [v_cast, v_unsigned], Bool))
    llops.at(done)
    return done.inputargs[0]


def to_float(hop: HighLevelOp, arg: int) -> Value:
    """Integer or bool operand ``arg`` as a Float."""
    r = hop.args_r[arg]
    if isinstance(r, IntegerRepr) and not r.signed:
        v = r.widen(hop.inputarg(r, arg), hop.llops)
        return hop.genop("cast_uint_to_float", [v], Float)
    return hop.genop("cast_int_to_float", [hop.inputarg(Signed, arg)], Float)
