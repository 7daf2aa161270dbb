"""``ord``, ``chr``, ``int`` and ``float``."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from rpython.lltypesystem.lltype import Float, Ptr, Signed, SingleFloat, UniChar
from rpython.lltypesystem.rarithmetic import r_singlefloat
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import BytesRepr
from rpython.rtyper.kinds.float import FloatRepr, SingleFloatRepr, extended, operand
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.kinds.str import CharRepr, StringRepr, string_repr
from rpython.rtyper.kinds.strmethods import flags_table
from rpython.rtyper.ll import ll_chars, ll_float, ll_parse
from rpython.rtyper.ll.ll_unicode import CODES
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import NoneRepr, NullableRepr
from rpython.rtyper.unicode_tables import digit_zeros
from rpython.stdlib._numbers import float_of_bytes, int_of_bytes
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def known_not_none(hop: HighLevelOp, arg: int = 0) -> None:
    """Test operand ``arg`` for None at run time, if it may be None."""
    r = hop.args_r[arg]
    if isinstance(r, NullableRepr):
        r.unwrap(hop, arg)


@BUILTINS.register(operator.index)
def rtype_index(hop: HighLevelOp) -> Value:
    """The int as it is, a bool as an int."""
    return hop.inputarg(hop.r_result, 0)


@BUILTINS.register(ord)
def rtype_ord(hop: HighLevelOp) -> Value:
    """``rtype_ord`` of the argument's Repr."""
    if isinstance(hop.args_r[0], NoneRepr):
        return hop.raise_none_error()
    known_not_none(hop)
    method = getattr(hop.args_r[0], "rtype_ord", None)
    if method is None:
        raise TyperError(f"ord() of {hop.args_s[0].describe()} is not supported")
    result: Value = method(hop)
    return result


@BUILTINS.register(chr)
def rtype_chr(hop: HighLevelOp) -> Value:
    if hop.llops.graphtyper.graph.is_helper:
        return hop.genop("cast_int_to_unichar", [hop.inputarg(Signed, 0)], UniChar)
    return hop.gendirectcall(ll_chars.ll_chr, index_arg(hop, 0))


def _number_tables() -> tuple[Constant, Constant]:
    return flags_table(), Constant(digit_zeros(), Ptr(CODES))


@BUILTINS.register(int)
def rtype_int(hop: HighLevelOp) -> Value:
    if hop.nb_args == 0:
        return Constant(0, Signed)
    if isinstance(hop.args_r[0], NoneRepr):
        return hop.raise_none_error()
    known_not_none(hop)
    r = hop.args_r[0]
    if isinstance(r, (BytesRepr, ByteArrayRepr)):
        return call_overlay(hop, int_of_bytes)
    if isinstance(r, (StringRepr, CharRepr)):
        v = hop.inputarg(string_repr(hop.rtyper), 0)
        v_base = index_arg(hop, 1) if hop.nb_args > 1 else Constant(10, Signed)
        return hop.gendirectcall(ll_parse.ll_str2int, v, v_base, *_number_tables())
    if isinstance(r, FloatRepr):
        return hop.gendirectcall(ll_float.ll_float_to_int, hop.inputarg(r, 0))
    return hop.inputarg(Signed, 0)


@BUILTINS.register(float)
def rtype_float(hop: HighLevelOp) -> Value:
    if hop.nb_args == 0:
        return Constant(0.0, Float)
    if isinstance(hop.args_r[0], NoneRepr):
        return hop.raise_none_error()
    known_not_none(hop)
    r = hop.args_r[0]
    if isinstance(r, (BytesRepr, ByteArrayRepr)):
        return call_overlay(hop, float_of_bytes)
    if isinstance(r, (StringRepr, CharRepr)):
        v = hop.inputarg(string_repr(hop.rtyper), 0)
        return hop.gendirectcall(ll_parse.ll_str2float, v, *_number_tables())
    if isinstance(r, SingleFloatRepr):
        return extended(hop.llops, hop.inputarg(r, 0))
    return operand(hop, 0)


@BUILTINS.register(r_singlefloat)
def rtype_single_float(hop: HighLevelOp) -> Value:
    return hop.genop("cast_float_to_singlefloat", [rtype_float(hop)], SingleFloat)
