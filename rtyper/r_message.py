"""The message of an exception: ``str()`` of the argument it is made with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.classdef import ClassDef
from rtyper.ll import ll_number
from rtyper.ll.ll_str import ll_chr2str
from rtyper.r_float import FloatRepr
from rtyper.r_int import BoolRepr, IntegerRepr
from rtyper.r_str import CharRepr, StringRepr
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


def exception_message(hop: HighLevelOp, classdef: ClassDef, arg: int) -> Value | None:
    """The STRPTR to keep for an exception of this class made with operand ``arg``; None for
    kinds that have no text here."""
    r = hop.args_r[arg]
    v = hop.inputarg(r, arg)
    if isinstance(r, StringRepr):
        return v
    if isinstance(r, CharRepr):
        return hop.gendirectcall(ll_chr2str, v)
    if isinstance(r, IntegerRepr):
        helper = ll_number.ll_int2str if r.signed else ll_number.ll_uint2str
        return hop.gendirectcall(helper, r.widen(v, hop.llops))
    if isinstance(r, BoolRepr):
        return hop.gendirectcall(ll_number.ll_bool2str, v)
    if isinstance(r, FloatRepr):
        return hop.gendirectcall(ll_number.ll_float2str, v)
    return None
