"""Values written as a format specification says; ``%`` and ``str.format``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from annotator.formatting import Field, Piece, Spec, parse_braces, parse_percent, parse_spec
from annotator.model import SomeTuple, s_Str
from lltypesystem.lltype import Bool, Float, Signed
from rtyper.ll import ll_chars, ll_float, ll_format, ll_str
from rtyper.r_class import void
from rtyper.r_float import FloatRepr, operand
from rtyper.r_int import BoolRepr, IntegerRepr
from rtyper.r_tuple import TupleRepr
from rtyper.text import Operand, concatenate, literal, text, text_pieces
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp

_FLOAT_TYPES = frozenset("eEfFgG%")
_DECIMAL = Spec(type="d")
_BASES = {"": 10, "d": 10, "b": 2, "o": 8, "x": 16, "X": 16}
_PREFIXES = {"b": "0b", "o": "0o", "x": "0x", "X": "0X"}


def formatted(hop: HighLevelOp, value: Operand, field: Field) -> list[Value]:
    """The STRPTR pieces of one field."""
    v, s, r = value
    spec = field.spec
    if field.conversion == "r":
        value = (text(hop, value, True), s, hop.rtyper.getrepr(s_Str))
        return [_format_string(hop, value[0], replace(spec, type="s"))]
    if field.conversion == "s" or spec.type == "s":
        return [_format_string(hop, text(hop, value, False), spec)]
    if spec == Spec() or (isinstance(r, IntegerRepr) and replace(spec, align="") == _DECIMAL):
        return text_pieces(hop, value, False)
    inner = hop.copy()
    inner.args_v, inner.args_s, inner.args_r = [v], [s], [r]
    if isinstance(r, FloatRepr) and spec.type == "d":
        return [_format_int(hop, inner.gendirectcall(ll_float.ll_float_to_int, v), True, spec)]
    if isinstance(r, FloatRepr) or spec.type in _FLOAT_TYPES:
        return [_format_float(hop, operand(inner, 0), spec)]
    if isinstance(r, IntegerRepr):
        return [_format_int(hop, r.widen(inner.inputarg(r, 0), hop.llops), r.signed, spec)]
    if isinstance(r, BoolRepr):
        return [_format_int(hop, inner.inputarg(Signed, 0), True, spec)]
    return [_format_string(hop, text(hop, value, False), spec)]


def _code(char: str) -> Constant:
    return Constant(ord(char) if char else 0, Signed)


def _signed(number: int) -> Constant:
    return Constant(number, Signed)


def _format_string(hop: HighLevelOp, v: Value, spec: Spec) -> Value:
    if spec.precision >= 0:
        v = hop.gendirectcall(ll_format.ll_truncate, v, _signed(spec.precision))
    if spec.width == 0:
        return v
    align = "<" if spec.align in ("", "=") else spec.align  # '=' from a 0 before the width
    place = (_code(spec.fill), _code(align), _signed(spec.width))
    return hop.gendirectcall(ll_format.ll_pad, v, *place)


def _format_int(hop: HighLevelOp, v: Value, signed: bool, spec: Spec) -> Value:
    if spec.type == "c":
        v_char = hop.gendirectcall(ll_chars.ll_format_chr, v)
        v_text = hop.gendirectcall(ll_str.ll_chr2str, v_char)
        return _format_string(hop, v_text, replace(spec, align=spec.align or ">"))
    if signed:
        v_negative: Value = hop.genop("int_lt", [v, _signed(0)], Bool)
        v = hop.gendirectcall(ll_format.ll_magnitude, v)
    else:
        v_negative = Constant(False, Bool)
    letters = _code("A" if spec.type == "X" else "a")
    base = _signed(_BASES[spec.type])
    v_digits = hop.gendirectcall(ll_format.ll_digits, v, base, letters, _signed(spec.min_digits))
    v_lead = _sign(hop, v_negative, spec)
    if spec.alternate and spec.type in _PREFIXES:
        v_lead = concatenate(hop, [v_lead, literal(hop.rtyper, _PREFIXES[spec.type])])
    v_count = hop.genop("getfield", [v_digits, void("length")], Signed)
    return _number_field(hop, v_lead, v_digits, v_count, spec)


def _sign(hop: HighLevelOp, v_negative: Value, spec: Spec) -> Value:
    plus = _code("" if spec.sign == "-" else spec.sign)
    return hop.gendirectcall(ll_format.ll_sign, v_negative, plus)


def _number_field(
    hop: HighLevelOp, v_lead: Value, v_body: Value, v_digits: Value, spec: Spec
) -> Value:
    if spec.width == 0 and not spec.grouping:
        return concatenate(hop, [v_lead, v_body])
    group = 4 if spec.type in _PREFIXES else 3
    return hop.gendirectcall(
        ll_format.ll_number_field, v_lead, v_body, v_digits, _code(spec.fill),
        _code(spec.align or ">"), _signed(spec.width), _code(spec.grouping), _signed(group),
    )  # fmt: skip


def _format_float(hop: HighLevelOp, v: Value, spec: Spec) -> Value:
    v_negative = hop.gendirectcall(ll_format.ll_is_negative, v)
    v_magnitude = hop.genop("float_abs", [v], Float)
    flags = ll_format.ALTERNATE if spec.alternate else 0
    kind = spec.type
    if not kind:
        kind, flags = "r", flags | ll_format.ADD_DOT_0
    v_body = hop.gendirectcall(
        ll_format.ll_format_float, v_magnitude, _code(kind), _signed(spec.precision),
        _signed(flags),
    )  # fmt: skip
    v_digits = hop.gendirectcall(ll_format.ll_leading_digits, v_body)
    return _number_field(hop, _sign(hop, v_negative, spec), v_body, v_digits, spec)


# -- operations -------------------------------------------------------------------------------


def format_value(hop: HighLevelOp, value: Operand, conversion: str, spec: str) -> Value:
    """``{value!conversion:spec}`` of an f-string."""
    if not spec:
        return text(hop, value, conversion == "r")
    return concatenate(hop, formatted(hop, value, Field(0, conversion, parse_spec(spec))))


def _assemble(hop: HighLevelOp, pieces: list[Piece], arguments: list[Operand]) -> Value:
    result: list[Value] = []
    for piece in pieces:
        if isinstance(piece, str):
            result.append(literal(hop.rtyper, piece))
        else:
            result += formatted(hop, arguments[piece.argument], piece)
    return concatenate(hop, result)


def format_template(hop: HighLevelOp, template: str, arguments: list[Operand]) -> Value:
    """``template.format(*arguments)``"""
    return _assemble(hop, parse_braces(template), arguments)


def percent(hop: HighLevelOp) -> Value:
    """``template % arguments``"""
    pieces = parse_percent(hop.args_s[0].value)
    r, s = hop.args_r[1], hop.args_s[1]
    if not isinstance(r, TupleRepr):
        return _assemble(hop, pieces, [hop.operand(1)])
    assert isinstance(s, SomeTuple)
    v_tuple = hop.inputarg(r, 1)
    items = [
        (r.getitem(hop.llops, v_tuple, i), s_item, r_item)
        for i, (s_item, r_item) in enumerate(zip(s.items, r.items_r, strict=True))
    ]
    return _assemble(hop, pieces, items)
