"""``ord``, ``chr``, ``int``, ``float`` and ``bool``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lltypesystem.lltype import Signed, UniChar
from rtyper.ll import ll_chars
from rtyper.r_slice import index_arg
from rtyper.registry import BUILTINS
from rtyper.rmodel import NoneRepr, NullableRepr
from translator.ir.errors import TyperError
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


def known_not_none(hop: HighLevelOp, arg: int = 0) -> None:
    """Test operand ``arg`` for None at run time, if it may be None."""
    r = hop.args_r[arg]
    if isinstance(r, NullableRepr):
        r.unwrap(hop, arg)


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
    if not hop.llops.graphtyper.graph.checked:
        return hop.genop("cast_int_to_unichar", [hop.inputarg(Signed, 0)], UniChar)
    return hop.gendirectcall(ll_chars.ll_chr, index_arg(hop, 0))
