"""Values written as a format specification says; ``%``, ``str.format`` and ``format``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.format import (
    fits_percent,
    formats_at_run_time,
    refused_format,
)
from rpython.annotator.builtins.formatting import (
    NONE_FOR_STAR,
    NONE_WITH_SPEC,
    Field,
    Piece,
    Spec,
    brace_field,
    parse_braces,
    parse_percent,
)
from rpython.annotator.lattice.enumints import enum_of
from rpython.annotator.lattice.model import (
    SomeChar,
    SomeInteger,
    SomeString,
    SomeTuple,
    s_Str,
)
from rpython.annotator.lattice.parts import is_big, type_name, without_none
from rpython.annotator.program.classdef import Lookup
from rpython.lltypesystem.lltype import Bool, Float, Signed, UInt128, Unsigned
from rpython.lltypesystem.operations.integers import WIDE
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.callables import Operand as Argument
from rpython.rtyper.kinds.float import FloatRepr, operand
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.mixed import MixedRepr, split
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_chars, ll_float, ll_format, ll_number, ll_repr, ll_spec, ll_str
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import NoneRepr, NullableRepr, not_null
from rpython.rtyper.text import Operand, concatenate, literal, text, text_pieces
from rpython.stdlib import _formats
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

_FLOAT_TYPES = frozenset("eEfFgG%")
_DECIMAL = Spec(type="d")
_BASES = {"": 10, "d": 10, "b": 2, "o": 8, "x": 16, "X": 16}
_PREFIXES = {"b": "0b", "o": "0o", "x": "0x", "X": "0X"}


@dataclass(frozen=True, slots=True)
class Layout:
    """A specification, and as low-level values what may be taken from arguments."""

    spec: Spec
    fill: Value
    align: Value
    width: Value
    precision: Value
    least: Value
    """How many digits an int has at least."""
    fixed: bool = True
    """Is all of it known at translation time?"""


def _layout(spec: Spec) -> Layout:
    return Layout(
        spec, _code(spec.fill), _code(spec.align), _signed(spec.width), _signed(spec.precision),
        _signed(spec.min_digits),
    )  # fmt: skip


def _star_layout(hop: HighLevelOp, field: Field, arguments: Sequence[Operand]) -> Layout:
    """The layout of a field of ``%`` whose width or precision are arguments."""
    layout = _layout(field.spec)
    if field.width >= 0:
        v = _star(hop, arguments[field.width])
        layout = replace(
            layout, fixed=False,
            width=hop.gendirectcall(ll_format.ll_star_width, v),
            align=hop.gendirectcall(ll_format.ll_star_align, v, layout.align),
            fill=hop.gendirectcall(ll_format.ll_star_fill, v, layout.fill),
        )  # fmt: skip
    if field.precision >= 0:
        v = _star(hop, arguments[field.precision])
        layout = replace(
            layout, fixed=False, spec=replace(layout.spec, precision=0),
            precision=hop.gendirectcall(ll_format.ll_star_precision, v),
            least=hop.gendirectcall(ll_format.ll_least_digits, v),
        )  # fmt: skip
    return layout


def _star(hop: HighLevelOp, value: Operand) -> Value:
    some = _not_none(hop, value, NONE_FOR_STAR)
    if some is None:
        return _signed(0)
    inner = hop.copy()
    inner.args_v, inner.args_s, inner.args_r = [some[0]], [some[1]], [some[2]]
    return index_arg(inner, 0)


def _not_none(hop: HighLevelOp, value: Operand, message: str) -> Operand | None:
    """The value; TypeError with this message when it is None.  None: it always is."""
    v, s, r = value
    if isinstance(r, NoneRepr):
        hop.llops.call_pointer(hop.rtyper.raising_function(TypeError, message), [])
        return None
    if not isinstance(r, NullableRepr):
        return value
    hop.llops.raise_if(r.is_null(v, hop.llops), TypeError, message)
    inner = hop.copy()
    inner.args_v, inner.args_s, inner.args_r = [v], [without_none(s)], [r.inner]
    r.inner.open_operand(inner, 0)
    return inner.operand(0)


def formatted(hop: HighLevelOp, value: Operand, field: Field, layout: Layout) -> list[Value]:
    """The STRPTR pieces of one field."""
    if field.none_error:
        some = _not_none(hop, value, field.none_error)
        if some is None:
            return []
        value = some
    v, s, r = value
    spec = layout.spec
    if not_null(r).is_mixed and field.conversion not in ("r", "a") and spec.type != "s":
        return [_formatted_mixed(hop, value, field, layout)]
    if field.conversion in ("r", "a"):
        return [_format_string(hop, converted(hop, value, field.conversion), layout)]
    if field.conversion == "s" or spec.type == "s":
        return [_format_string(hop, text(hop, value, False), layout)]
    if is_big(s):
        return [_format_big(hop, value, layout)]
    if enum_of(s) is not None and spec != Spec():
        s = SomeInteger()
        value = v, s, r = v, s, hop.rtyper.getrepr(s)
    plain = spec == Spec() or (isinstance(r, IntegerRepr) and replace(spec, align="") == _DECIMAL)
    if plain and layout.fixed:
        return text_pieces(hop, value, False)
    if spec.type == "n":
        spec = replace(spec, type="g" if isinstance(r, FloatRepr) else "d")
        layout = replace(layout, spec=spec)
    inner = hop.copy()
    inner.args_v, inner.args_s, inner.args_r = [v], [s], [r]
    if isinstance(r, FloatRepr) and spec.type == "d":
        v_int = inner.gendirectcall(ll_float.ll_float_to_int, v)
        return [_format_int(hop, v_int, layout)]
    if isinstance(r, FloatRepr) or spec.type in _FLOAT_TYPES:
        return [_format_float(hop, operand(inner, 0), layout)]
    if isinstance(r, IntegerRepr):
        return [_format_int(hop, r.widen(inner.inputarg(r, 0), hop.llops), layout)]
    if isinstance(r, BoolRepr):
        return [_format_int(hop, inner.inputarg(Signed, 0), layout)]
    if spec.type == "c" and isinstance(s, SomeString) and not isinstance(s, SomeChar):
        v = hop.gendirectcall(ll_chars.ll_format_one, inner.inputarg(hop.rtyper.getrepr(s_Str), 0))
        return [_format_string(hop, v, layout)]
    return [_format_string(hop, text(hop, value, False), layout)]


def _formatted_mixed(hop: HighLevelOp, value: Operand, field: Field, layout: Layout) -> Value:
    """A field of any of several kinds; those that it is not for raise TypeError or ValueError."""
    llops = hop.llops
    done = llops.new_join(STRPTR)

    def show(part: Operand) -> None:
        refused: Exception | None = None
        if field.text:
            refused = refused_format(part[1], field.text)
        elif not fits_percent(part[1], field):
            refused = TypeError(field.none_error.replace("NoneType", type_name(part[1])))
        if refused is not None:
            llops.raise_constant(type(refused), str(refused))
            return
        llops.goto(done, concatenate(hop, formatted(hop, part, field, layout)))

    split(llops, value, show)
    llops.at(done)
    return done.inputargs[0]


def converted(hop: HighLevelOp, value: Operand, conversion: str) -> Value:
    """``{value!conversion}``, a STRPTR."""
    v = text(hop, value, conversion in ("r", "a"))
    return hop.gendirectcall(ll_repr.ll_ascii, v) if conversion == "a" else v


def _code(char: str) -> Constant:
    return Constant(ord(char) if char else 0, Signed)


def _signed(number: int) -> Constant:
    return Constant(number, Signed)


def _format_string(hop: HighLevelOp, v: Value, layout: Layout) -> Value:
    spec = layout.spec
    if spec.precision >= 0:
        v = hop.gendirectcall(ll_format.ll_truncate, v, layout.precision)
    if spec.width == 0 and isinstance(layout.width, Constant):
        return v
    align = layout.align
    if spec.align in ("", "="):  # '=' from a 0 before the width
        align = _code("<")
    return hop.gendirectcall(ll_format.ll_pad, v, layout.fill, align, layout.width)


def magnitude(hop: HighLevelOp, v: Value) -> tuple[Value, Value]:
    """Is the integer negative?  And its absolute value, Unsigned or UInt128."""
    T: Any = v.concretetype
    if not T.signed:
        return Constant(False, Bool), v
    name = WIDE[T]
    U = UInt128 if T.bits == UInt128.bits else Unsigned
    v_negative = hop.genop(f"{name}_lt", [v, Constant(0, T)], Bool)
    v_absolute = hop.genop(f"{name}_abs", [v], T)
    return v_negative, hop.genop("cast_primitive", [v_absolute], U)


def _format_int(hop: HighLevelOp, v: Value, layout: Layout) -> Value:
    spec = layout.spec
    if spec.type == "c":
        v_char = hop.gendirectcall(ll_chars.ll_format_chr, v)
        v_text = hop.gendirectcall(ll_str.ll_chr2str, v_char)
        if spec.align in ("", "="):
            layout = replace(layout, spec=replace(spec, align=">"), align=_code(">"))
        return _format_string(hop, v_text, layout)
    v_negative, v = magnitude(hop, v)
    letters = _code("A" if spec.type == "X" else "a")
    base = _signed(_BASES[spec.type])
    v_digits = hop.gendirectcall(ll_number.ll_digits, v, base, letters, layout.least)
    v_lead = _sign(hop, v_negative, spec)
    if spec.alternate and spec.type in _PREFIXES:
        v_lead = concatenate(hop, [v_lead, literal(hop.rtyper, _PREFIXES[spec.type])])
    v_count = hop.genop("getfield", [v_digits, void("length")], Signed)
    return _number_field(hop, v_lead, v_digits, v_count, layout)


def _format_big(hop: HighLevelOp, value: Operand, layout: Layout) -> Value:
    """An int beyond 64 bits in a field of ``%``."""
    spec = layout.spec
    error = "%c arg not in range(0x110000)" if spec.type == "c" else (
        "" if layout.fixed and spec.min_digits == 1 else "int too large for this format"
    )  # fmt: skip
    if error:
        hop.llops.call_pointer(hop.rtyper.raising_function(OverflowError, error), [])
        return hop.llops.dummy(STRPTR)
    v = _own_format(hop, value, "", spec.text())
    assert v is not None
    return v


def _sign(hop: HighLevelOp, v_negative: Value, spec: Spec) -> Value:
    plus = _code("" if spec.sign == "-" else spec.sign)
    return hop.gendirectcall(ll_format.ll_sign, v_negative, plus)


def _number_field(
    hop: HighLevelOp, v_lead: Value, v_body: Value, v_digits: Value, layout: Layout
) -> Value:
    spec = layout.spec
    if spec.width == 0 and isinstance(layout.width, Constant) and not spec.grouping:
        return concatenate(hop, [v_lead, v_body])
    group = 4 if spec.type in _PREFIXES else 3
    align = layout.align if spec.align else _code(">")
    return hop.gendirectcall(
        ll_format.ll_number_field, v_lead, v_body, v_digits, layout.fill, align, layout.width,
        _code(spec.grouping), _signed(group),
    )  # fmt: skip


def _format_float(hop: HighLevelOp, v: Value, layout: Layout) -> Value:
    spec = layout.spec
    v_negative = hop.gendirectcall(ll_format.ll_is_negative, v)
    v_magnitude = hop.genop("float_abs", [v], Float)
    flags = ll_format.ALTERNATE if spec.alternate else 0
    if not spec.type and spec.precision >= 0:
        v_body = hop.gendirectcall(
            ll_format.ll_format_general, v_magnitude, layout.precision, _signed(flags)
        )
    else:
        kind = spec.type
        if not kind:
            kind, flags = "r", flags | ll_format.ADD_DOT_0
        v_body = hop.gendirectcall(
            ll_format.ll_format_float, v_magnitude, _code(kind), layout.precision, _signed(flags)
        )
    if spec.alternate and not spec.type and spec.precision < 0:
        v_body = hop.gendirectcall(ll_format.ll_with_point, v_body)
    if spec.no_minus_zero:
        v_negative = hop.gendirectcall(ll_format.ll_keeps_sign, v_negative, v_body)
    v_digits = hop.gendirectcall(ll_format.ll_leading_digits, v_body)
    return _number_field(hop, _sign(hop, v_negative, spec), v_body, v_digits, layout)


# -- specifications known at run time only --------------------------------------------------------


def _format_by(hop: HighLevelOp, value: Operand, conversion: str, v_spec: Value) -> Value:
    """``{value!conversion:spec}`` with any specification, a STRPTR."""
    v, s, r = value
    if conversion:
        v = converted(hop, value, conversion)
        return hop.gendirectcall(ll_spec.ll_format_str_by, v, v_spec)
    if isinstance(r, NoneRepr):
        return _none_by(hop, v_spec)
    if isinstance(r, NullableRepr):
        return _nullable_by(hop, value, v_spec)
    if isinstance(r, MixedRepr):
        done = hop.llops.new_join(STRPTR)
        split(hop.llops, value, lambda part: hop.llops.goto(
            done, _own_format(hop, part, "", v_spec) or _format_by(hop, part, "", v_spec)
        ))  # fmt: skip
        hop.llops.at(done)
        return done.inputargs[0]
    inner = hop.copy()
    inner.args_v, inner.args_s, inner.args_r = [v], [s], [r]
    r.open_operand(inner, 0)
    r = inner.args_r[0]
    if isinstance(s, SomeString):
        v = converted(hop, value, conversion)
        return hop.gendirectcall(ll_spec.ll_format_str_by, v, v_spec)
    if isinstance(r, FloatRepr):
        return hop.gendirectcall(ll_spec.ll_format_float_by, inner.inputarg(r, 0), v_spec)
    if isinstance(r, BoolRepr):
        return hop.gendirectcall(ll_spec.ll_format_bool_by, inner.inputarg(r, 0), v_spec)
    if not isinstance(r, IntegerRepr):
        return _without_format(hop, value, v_spec)
    v_wide = r.widen(inner.inputarg(r, 0), hop.llops)
    v_negative, v_magnitude = magnitude(hop, v_wide)
    return hop.gendirectcall(ll_spec.ll_format_int_by, v_magnitude, v_negative, v_spec)


def _without_format(hop: HighLevelOp, value: Operand, v_spec: Value) -> Value:
    """What has no specifications: its text where there is none."""
    llops = hop.llops
    done = llops.new_join(STRPTR)
    v_length = llops.genop("getfield", [v_spec, void("length")], Signed)
    some, none = llops.branch(llops.genop("int_is_true", [v_length], Bool))
    llops.at(some)
    name = type_name(value[1])
    llops.raise_constant(TypeError, f"unsupported format string passed to {name}.__format__")
    llops.at(none)
    llops.goto(done, text(hop, value, False))
    llops.at(done)
    return done.inputargs[0]


def _none_by(hop: HighLevelOp, v_spec: Value) -> Value:
    message = literal(hop.rtyper, NONE_WITH_SPEC)
    return hop.gendirectcall(ll_spec.ll_format_none_by, v_spec, message)


def _nullable_by(hop: HighLevelOp, value: Operand, v_spec: Value) -> Value:
    """The same for what may be None."""
    v, s, r = value
    assert isinstance(r, NullableRepr)
    llops = hop.llops
    done = llops.new_join(STRPTR)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, _none_by(hop, v_spec))
    llops.at(other)
    llops.goto(done, _format_by(hop, (v, without_none(s), r.inner), "", v_spec))
    llops.at(done)
    return done.inputargs[0]


def _own_format(
    hop: HighLevelOp, value: Operand, conversion: str, spec: Value | str
) -> Value | None:
    """What ``__format__`` of the value gives, a STRPTR; None where its class has none."""
    v, _, r = value
    inner = r.inner if isinstance(r, NullableRepr) else r
    if conversion or not isinstance(inner, InstanceRepr):
        return None
    if inner.classdef.class_value("__format__") is None:
        return None
    llops = hop.llops
    r_str = hop.rtyper.getrepr(s_Str)
    v_spec = literal(hop.rtyper, spec) if isinstance(spec, str) else spec
    done = llops.new_join(STRPTR)
    if isinstance(r, NullableRepr):
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        llops.goto(done, _none_by(hop, v_spec))
        llops.at(other)
        v = llops.convertvar(v, r, inner)
    args = [Argument(v_spec, s_Str, r_str)]
    lookup = Lookup("__format__")
    llops.goto(done, inner.call_lookup(hop, lookup, v, CallShape(1), args, r_str))
    llops.at(done)
    return done.inputargs[0]


# -- operations -------------------------------------------------------------------------------


def format_value(hop: HighLevelOp, value: Operand, conversion: str, spec: Operand) -> Value:
    """``{value!conversion:spec}`` of an f-string."""
    v_spec, s_spec, r_spec = spec
    if not s_spec.is_constant():
        r_str = hop.rtyper.getrepr(s_Str)
        v_spec = hop.llops.convertvar(v_spec, r_spec, r_str)
    own = _own_format(hop, value, conversion, s_spec.value if s_spec.is_constant() else v_spec)
    if own is not None:
        return own
    if not s_spec.is_constant():
        return _format_by(hop, value, conversion, v_spec)
    if not s_spec.value:
        return converted(hop, value, conversion)
    field = brace_field(0, conversion, s_spec.value)
    return concatenate(hop, formatted(hop, value, field, _layout(field.spec)))


@BUILTINS.register(format)
def builtin_format(hop: HighLevelOp) -> Value:
    if hop.nb_args == 1:
        own = _own_format(hop, hop.operand(0), "", "")
        return text(hop, hop.operand(0), False) if own is None else own
    return format_value(hop, hop.operand(0), "", hop.operand(1))


@BUILTINS.register(ascii)
def builtin_ascii(hop: HighLevelOp) -> Value:
    return converted(hop, hop.operand(0), "a")


Find = Callable[[int | str], Operand]


def _template(hop: HighLevelOp, pieces: Sequence[Piece], find: Find) -> Value:
    """The pieces of a template of ``str.format`` as one STRPTR."""
    result: list[Value] = []
    for piece in pieces:
        if isinstance(piece, str):
            result.append(literal(hop.rtyper, piece))
            continue
        value = find(piece.argument)
        v_spec = _template(hop, piece.nested, find) if piece.nested else None
        own = _own_format(hop, value, piece.conversion, v_spec or piece.text)
        if own is not None:
            result.append(own)
        elif v_spec is not None:
            result.append(_format_by(hop, value, piece.conversion, v_spec))
        else:
            result += formatted(hop, value, piece, _layout(piece.spec))
    return concatenate(hop, result)


def format_template(hop: HighLevelOp) -> Value:
    """``template.format(*arguments, **keywords)``; operand 0 is the template."""
    if not hop.args_s[0].is_constant():
        return call_overlay(hop, _formats.format_text)

    def find(argument: int | str) -> Operand:
        number = argument + 1 if isinstance(argument, int) else hop.keywords[argument]
        return hop.operand(number)

    return _template(hop, parse_braces(hop.args_s[0].value), find)


Pieces = Callable[["HighLevelOp", Operand, Field, Layout], list[Value]]


def percent_text(
    hop: HighLevelOp, template: str, pieces_of: Pieces = formatted, of_bytes: bool = False
) -> Value:
    """``template % operand 1``, a STRPTR; ``pieces_of``: how a field is written."""
    arguments = _percent_arguments(hop)
    result: list[Value] = []
    for piece in parse_percent(template, of_bytes):
        if isinstance(piece, str):
            result.append(literal(hop.rtyper, piece))
        else:
            assert isinstance(piece.argument, int)
            layout = _star_layout(hop, piece, arguments)
            value = _as_number(hop, arguments[piece.argument], piece)
            result += pieces_of(hop, value, piece, layout)
    return concatenate(hop, result)


def _as_number(hop: HighLevelOp, value: Operand, field: Field) -> Operand:
    """The number that a field of ``%`` shows of an instance; others as they are."""
    noted = hop.rtyper.annotator.notes.percent_numbers.get((hop.spaceop, field.argument))
    if noted is None:
        return value
    function, s_number = noted
    v_wrong = literal(hop.rtyper, field.none_error.removesuffix("NoneType"))
    operands = [Argument(*value), Argument(v_wrong, s_Str, hop.rtyper.getrepr(s_Str))]
    desc = hop.rtyper.annotator.constants.function_desc(function)
    r_number = hop.rtyper.getrepr(s_number)
    v = hop.rtyper.calls.call_desc(hop.llops, desc, CallShape(2), operands, r_number)
    return v, s_number, r_number


def percent(hop: HighLevelOp) -> Value:
    """``template % arguments``"""
    if formats_at_run_time(*hop.args_s):
        return call_overlay(hop, _formats.percent_text)
    return percent_text(hop, hop.args_s[0].value)


def _percent_arguments(hop: HighLevelOp) -> list[Operand]:
    r: Any = hop.args_r[1]
    s = hop.args_s[1]
    if not isinstance(r, TupleRepr):
        return [hop.operand(1)]
    assert isinstance(s, SomeTuple)
    v_tuple = hop.inputarg(r, 1)
    return [
        (r.getitem(hop.llops, v_tuple, i), s_item, r_item)
        for i, (s_item, r_item) in enumerate(zip(s.items, r.items_r, strict=True))
    ]


def bytes_field(hop: HighLevelOp, value: Operand, field: Field, layout: Layout) -> list[Value]:
    """The STRPTR pieces of one field of ``bytes % arguments``: Latin-1 text."""
    kind = field.spec.type
    if field.none_error:
        some = _not_none(hop, value, field.none_error)
        if some is None:
            return []
        value = some
    v, s, r = value
    if kind in ("r", "a"):
        return [_format_string(hop, converted(hop, value, "a"), layout)]
    data: Any = r
    if hasattr(data, "as_latin1"):
        v_text = data.as_latin1(v, hop)
        if kind == "c":
            v_text = hop.gendirectcall(ll_chars.ll_format_one_byte, v_text)
        return [_format_string(hop, v_text, layout)]
    if kind == "c":
        inner = hop.copy()
        inner.args_v, inner.args_s, inner.args_r = [v], [s], [r]
        v_char = hop.gendirectcall(ll_chars.ll_format_byte, index_arg(inner, 0))
        return [_format_string(hop, v_char, layout)]
    return formatted(hop, value, field, layout)
