"""Values as text: putting pieces together.  The rules per kind are in ``kinds.text``.

``TEXT`` has a rule per kind, ``rule(hop, v, s, r, quoted) -> [Value, ...]``: the STRPTR
pieces of ``str`` (or ``repr``, when ``quoted``) of the value ``v`` with annotation ``s``
and Repr ``r``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeObject, s_Str
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.lltypesystem.rstr import read_str
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.ll import ll_str
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.dispatch import DispatchTable
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper

TEXT = DispatchTable("rtyper, text of a value", 1)
Operand = tuple[Value, SomeObject, Repr]
LITERAL_TYPES = (int, float, bool, str, type(None))


def text_pieces(hop: HighLevelOp, operand: Operand, quoted: bool) -> list[Value]:
    """``str`` or (``quoted``) ``repr`` of a value, as STRPTR pieces."""
    v, s, r = operand
    if s.is_constant() and type(s.value) in LITERAL_TYPES:
        return [literal(hop.rtyper, repr(s.value) if quoted else str(s.value))]
    rule = TEXT.lookup("text", type(r))
    if rule is None:
        raise TyperError(f"{s.describe()} has no text")
    pieces: list[Value] = rule(hop, v, s, r, quoted)
    return pieces


def text(hop: HighLevelOp, operand: Operand, quoted: bool) -> Value:
    """``str`` or ``repr`` of a value, a STRPTR."""
    return concatenate(hop, text_pieces(hop, operand, quoted))


def literal(rtyper: RPythonTyper, value: str) -> Constant:
    return rtyper.getrepr(s_Str).inputconst(value)


def concatenate(hop: HighLevelOp, pieces: Sequence[Value]) -> Value:
    """The pieces as one str, in one allocation."""
    pieces = _merge_literals(hop, pieces)
    if len(pieces) == 0:
        return literal(hop.rtyper, "")
    if len(pieces) == 1:
        return pieces[0]
    if len(pieces) == 2:
        return hop.gendirectcall(ll_str.ll_strconcat, *pieces)
    v_length: Value = Constant(0, Signed)
    v_wide: Value = Constant(False, Bool)
    for v in pieces:
        if isinstance(v, Constant):
            v_more: Value = Constant(v.value.length, Signed)
            if v.value.wide:
                v_wide = Constant(True, Bool)
        else:
            v_more = hop.genop("getfield", [v, void("length")], Signed)
            v_wide = _or_wide(hop, v_wide, v)
        v_length = hop.genop("int_add", [v_length, v_more], Signed)
    v_result = hop.gendirectcall(ll_str.ll_alloc, v_length, v_wide)
    v_at: Value = Constant(0, Signed)
    for v in pieces:
        v_at = hop.gendirectcall(ll_str.ll_put, v_result, v_at, v)
    return v_result


def _or_wide(hop: HighLevelOp, v_wide: Value, v: Value) -> Value:
    """``v_wide or v.wide``"""
    if isinstance(v_wide, Constant) and v_wide.value:
        return v_wide
    v_this = hop.genop("getfield", [v, void("wide")], Bool)
    return v_this if isinstance(v_wide, Constant) else hop.llops.either(v_wide, v_this)


def _merge_literals(hop: HighLevelOp, pieces: Sequence[Value]) -> list[Value]:
    result: list[Value] = []
    for v in pieces:
        if isinstance(v, Constant):
            known = read_str(v.value) if v.value else ""  # null: never reached
            if not known:
                continue
            if result and isinstance(result[-1], Constant):
                result[-1] = literal(hop.rtyper, read_str(result[-1].value) + known)
                continue
        result.append(v)
    return result
