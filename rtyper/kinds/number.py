"""Built-in functions on numbers, and ``rpython.rlib.rarithmetic``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.functions import SIZED_TYPES
from rpython.lltypesystem.lltype import Bool, Float, Signed
from rpython.lltypesystem.rarithmetic import intmask, ovfcheck
from rpython.rtyper.kinds.float import FloatRepr, operand
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr, wrapped
from rpython.rtyper.ll import ll_float, ll_int
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.stdlib._numbers import quotient_and_rest
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(abs)
def builtin_abs(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    v: Value = r.rtype_abs(hop)
    return v


@BUILTINS.register(bool)
def builtin_bool(hop: HighLevelOp) -> Value:
    inner = hop.copy()
    inner.opname = "bool"
    v = inner.args_r[0].rtype(inner)
    return v


@BUILTINS.register(divmod)
def builtin_divmod(hop: HighLevelOp) -> Value:
    """Both results; CPython's message for a zero divisor is that of ``//``."""
    helpers: tuple[Any, Any] = (ll_int.ll_int_floordiv, ll_int.ll_int_mod)
    if any(isinstance(r, FloatRepr) for r in hop.args_r):
        v_left, v_right = operand(hop, 0), operand(hop, 1)
        v_zero = hop.genop("float_eq", [v_right, Constant(0.0, Float)], Bool)
        hop.llops.raise_if(v_zero, ZeroDivisionError, "float divmod()")
        helpers = (ll_float.ll_float_floordiv, ll_float.ll_float_mod)
    elif any(isinstance(r, IntegerRepr) and not r.checks for r in hop.args_r):
        return call_overlay(hop, quotient_and_rest)
    else:
        v_left, v_right = hop.inputargs(Signed, Signed)
    v_quotient, v_remainder = [hop.gendirectcall(ll, v_left, v_right) for ll in helpers]
    r_tuple: Any = hop.r_result
    s_items, r_items = r_tuple.items_s, r_tuple.items_r
    items = list(zip((v_quotient, v_remainder), s_items, r_items))
    built: Value = r_tuple.build(hop.llops, items)
    return built


@BUILTINS.register(intmask)
def rlib_intmask(hop: HighLevelOp) -> Value:
    """The low 64 bits as a Signed."""
    return _as_signed(hop)


def _as_signed(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    v = hop.inputarg(r, 0)
    if isinstance(r, BoolRepr):
        return hop.genop("cast_bool_to_int", [v], Signed)
    assert isinstance(r, IntegerRepr)
    if r.lowleveltype is Signed:
        return v
    return hop.genop("cast_primitive", [v], Signed)


@BUILTINS.register(ovfcheck)
def rlib_ovfcheck(hop: HighLevelOp) -> Value:
    """The operation in the argument has checked already; it does so even where nobody else asks
    whether it fits (``translator.opt.wrap_masked``)."""
    v = hop.genop("same_as", [hop.inputarg(hop.args_r[0], 0)], hop.args_r[0].lowleveltype)
    return hop.llops.convertvar(v, hop.args_r[0], hop.r_result)


@BUILTINS.register(*SIZED_TYPES)
def sized_integer(hop: HighLevelOp) -> Value:
    """``r_uint(x)`` and the like: wraps an int, truncates a float."""
    r, r_result = hop.args_r[0], hop.r_result
    assert isinstance(r_result, IntegerRepr)
    if isinstance(r, FloatRepr):
        v_bits = hop.gendirectcall(ll_float.ll_float_to_bits, hop.inputarg(r, 0))
        return wrapped(hop, v_bits, r_result)
    if isinstance(r, (IntegerRepr, BoolRepr)):
        if hop.args_s[0].is_constant():
            return r_result.inputconst(hop.args_s[0].value)
        return hop.llops.convertvar(hop.inputarg(r, 0), r, r_result)
    raise TyperError(f"a sized integer cannot be made from {hop.args_s[0].describe()}")
