"""``str`` and ``repr`` of each kind."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeObject, SomeTuple, s_Str
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.excattrs import REPR
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.kinds.float import FloatRepr, SingleFloatRepr, extended
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.pbc import ClassRepr, switch_class
from rpython.rtyper.kinds.str import CharRepr, StringRepr, string_repr
from rpython.rtyper.kinds.strmethods import flags_table
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_class, ll_number, ll_repr, ll_text
from rpython.rtyper.ll.ll_class import CLASS_VTABLE_PTR
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import (
    REPR_METHODS,
    HostRepr,
    ImpossibleRepr,
    NoneRepr,
    NullableRepr,
    Repr,
)
from rpython.rtyper.text import TEXT, literal, text, text_pieces
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


# -- the kinds --------------------------------------------------------------------------------


@TEXT.register("text", StringRepr)
def string_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: StringRepr, quoted: bool
) -> list[Value]:
    return [hop.gendirectcall(ll_repr.ll_repr, v, flags_table())] if quoted else [v]


@TEXT.register("text", CharRepr)
def char_text(hop: HighLevelOp, v: Value, s: SomeObject, r: CharRepr, quoted: bool) -> list[Value]:
    if quoted:
        return [hop.gendirectcall(ll_repr.ll_chr_repr, v, flags_table())]
    return [hop.llops.convertvar(v, r, string_repr(hop.rtyper))]


@TEXT.register("text", IntegerRepr)
def int_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: IntegerRepr, quoted: bool
) -> list[Value]:
    v_wide = r.widen(v, hop.llops)
    unsigned = ll_number.ll_uint2str
    helpers = {"int": ll_number.ll_int2str, "lllong": ll_number.ll_lllong2str}
    v_digits = hop.gendirectcall(helpers.get(r.prefix, unsigned), v_wide)
    if quoted and not r.checks:
        name = r.knowntype.__name__
        return [literal(hop.rtyper, name + "("), v_digits, literal(hop.rtyper, ")")]
    return [v_digits]


@TEXT.register("text", BoolRepr)
def bool_text(hop: HighLevelOp, v: Value, s: SomeObject, r: Repr, quoted: bool) -> list[Value]:
    return [hop.gendirectcall(ll_number.ll_bool2str, v)]


@TEXT.register("text", FloatRepr)
def float_text(hop: HighLevelOp, v: Value, s: SomeObject, r: Repr, quoted: bool) -> list[Value]:
    return [hop.gendirectcall(ll_number.ll_float2str, v)]


@TEXT.register("text", SingleFloatRepr)
def single_float_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: Repr, quoted: bool
) -> list[Value]:
    v_digits = hop.gendirectcall(ll_number.ll_float2str, extended(hop.llops, v))
    return [literal(hop.rtyper, "r_singlefloat("), v_digits, literal(hop.rtyper, ")")]


@TEXT.register("text", ImpossibleRepr)
def no_text(hop: HighLevelOp, v: Value, s: SomeObject, r: Repr, quoted: bool) -> list[Value]:
    """Of the items of a container that nothing is ever put into."""
    return []


@TEXT.register("text", NoneRepr)
def none_text(hop: HighLevelOp, v: Value, s: SomeObject, r: Repr, quoted: bool) -> list[Value]:
    return [literal(hop.rtyper, "None")]


@TEXT.register("text", NullableRepr)
def nullable_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: NullableRepr, quoted: bool
) -> list[Value]:
    llops = hop.llops
    done = llops.new_join(STRPTR)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, literal(hop.rtyper, "None"))
    llops.at(other)
    llops.goto(done, text(hop, (v, without_none(s), r.inner), quoted))
    llops.at(done)
    return [done.inputargs[0]]


@TEXT.register("text", TupleRepr)
def tuple_text(hop: HighLevelOp, v: Value, s: SomeTuple, r: TupleRepr, quoted: bool) -> list[Value]:
    return named_text(hop, v, s, r, "", ())


def named_text(
    hop: HighLevelOp, v: Value, s: SomeTuple, r: TupleRepr, name: str, fields: tuple[str, ...]
) -> list[Value]:
    """The text of a tuple, which has a class and field names or has neither."""
    pieces: list[Value] = [literal(hop.rtyper, name + "(")]
    for i, (s_item, r_item) in enumerate(zip(s.items, r.items_r, strict=True)):
        if i > 0:
            pieces.append(literal(hop.rtyper, ", "))
        if fields:
            pieces.append(literal(hop.rtyper, f"{fields[i]}="))
        pieces += text_pieces(hop, (r.getitem(hop.llops, v, i), s_item, r_item), True)
    comma = len(r.items_r) == 1 and not fields
    pieces.append(literal(hop.rtyper, ",)" if comma else ")"))
    return pieces


@TEXT.register("text", InstanceRepr)
def instance_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: InstanceRepr, quoted: bool
) -> list[Value]:
    """What the class defines."""
    if issubclass(r.classdef.cls, BaseException):
        name, otherwise = ("__repr__", _exception_repr) if quoted else ("__str__", _exception_str)
        return [_defined_text(hop, v, r, (name,), otherwise)]
    if issubclass(r.classdef.cls, enum.Enum):
        name = r.classdef.text_method(quoted) or ""
        return [r.call_without_arguments(hop, name, v, hop.rtyper.getrepr(s_Str))]
    names = ("__repr__",) if quoted else ("__str__", "__repr__")
    return [_defined_text(hop, v, r, names, _object_text)]


@TEXT.register("text", ClassRepr)
def class_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: ClassRepr, quoted: bool
) -> list[Value]:
    classes, r_str = hop.rtyper.classes, hop.rtyper.getrepr(s_Str)
    shown = {desc: r_str.inputconst(classes.class_text(desc.classdef.cls)) for desc in r.descs}
    if len(shown) == 1:
        return list(shown.values())
    inner = hop.copy()
    inner.r_result = r_str
    return [switch_class(inner, v, r.descs, lambda desc: shown[desc])]


@TEXT.register("text", HostRepr)
def host_class_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: HostRepr, quoted: bool
) -> list[Value]:
    return [literal(hop.rtyper, hop.rtyper.classes.class_text(s.value))]


Otherwise = Callable[["HighLevelOp", Value, InstanceRepr], Value]


def _defined_text(
    hop: HighLevelOp, v: Value, r: InstanceRepr, names: Sequence[str], otherwise: Otherwise
) -> Value:
    """What the first of these methods gives that a class of the program defines, here or below;
    for the other classes what ``otherwise`` emits."""
    classes, llops = hop.rtyper.classes, hop.llops
    r_str = hop.rtyper.getrepr(s_Str)
    done = llops.new_join(STRPTR)
    v_text: Value | None = None
    some = False
    for name in names:
        for classdef in r.classdef.text_definers(name) if v_text is None else ():
            if classdef is r.classdef:  # all of them have it
                v_text = r.call_without_arguments(hop, name, v, r_str)
                continue
            some = True
            yes, no = llops.branch(classes.isinstance_test(v, classdef, llops))
            llops.at(yes)
            r_class: InstanceRepr = hop.rtyper.instance_repr(classdef)
            v_special = classes.cast(v, r_class.lowleveltype, llops)
            llops.goto(done, r_class.call_without_arguments(hop, name, v_special, r_str))
            llops.at(no)
    if v_text is None:
        v_text = otherwise(hop, v, r)
    if not some:
        return v_text
    llops.goto(done, v_text)
    llops.at(done)
    return done.inputargs[0]


def _object_text(hop: HighLevelOp, v: Value, r: InstanceRepr) -> Value:
    """What ``object`` defines."""
    return hop.gendirectcall(ll_class.ll_object_repr, hop.rtyper.classes.upcast(v, hop.llops))


def _exception_str(hop: HighLevelOp, v: Value, r: InstanceRepr) -> Value:
    """What ``BaseException`` defines."""
    llops = hop.llops
    v_base = hop.rtyper.classes.cast(v, r.exception_base().lowleveltype, llops)
    v_message = llops.genop("getfield", [v_base, void("message")], STRPTR)
    return hop.rtyper.texts.read(llops, v_message)


def _exception_repr(hop: HighLevelOp, v: Value, r: InstanceRepr) -> Value:
    llops, classes = hop.llops, hop.rtyper.classes
    v_class = classes.cast(classes.typeptr(v, llops), CLASS_VTABLE_PTR, llops)
    v_name = llops.genop("getfield", [v_class, void("pyname")], STRPTR)
    v_base = classes.cast(v, r.exception_base().lowleveltype, llops)
    v_shown = llops.genop("getfield", [v_base, void(f"inst_{REPR}")], STRPTR)
    v_arguments = hop.rtyper.texts.read(llops, v_shown)
    return llops.gendirectcall(ll_text.ll_exception_repr, v_name, v_arguments)


for _name, _emit in (("__str__", _exception_str), ("__repr__", _exception_repr)):

    @REPR_METHODS.register(_name, InstanceRepr)
    def text_by_super(hop: HighLevelOp, emit: Otherwise = _emit) -> Value:
        """``super().__str__()`` of the built-in class."""
        r: InstanceRepr = hop.args_r[0]  # type: ignore[assignment]
        return emit(hop, hop.inputarg(r, 0), r)


# -- operations -------------------------------------------------------------------------------


@BUILTINS.register(str)
def rtype_str(hop: HighLevelOp) -> Value:
    if hop.nb_args == 0:
        return literal(hop.rtyper, "")
    r = hop.args_r[0]
    if hop.nb_args > 1:
        return r.rtype_method("decode", hop)
    return text(hop, hop.operand(0), False)


@BUILTINS.register(repr)
def rtype_repr(hop: HighLevelOp) -> Value:
    return text(hop, hop.operand(0), True)
