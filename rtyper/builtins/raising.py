"""``raise_with_message(E, p)`` and its like in helpers: a new instance, its message, the
exception exit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, s_Bottom, s_Bytes, s_NonNeg, s_Str
from rpython.annotator.program.excattrs import REPR
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.kinds.exceptions import is_read, set_arguments, set_field, set_message
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.ll.ll_raise import (
    ll_codec_of,
    ll_copy_bytes,
    ll_reason_of,
    raise_decode_error,
    raise_encode_error,
    raise_with_message,
)
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.text import Operand
from rpython.translator.ir.model import Link, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@FUNCTIONS.register(raise_with_message)
def annotate_raise(ctx: OpContext, s_class: SomeObject, s_message: SomeObject) -> SomeObject:
    ctx.annotator.constants.classdef(s_class.value)
    return s_Bottom


@FUNCTIONS.register(raise_decode_error)
def annotate_decode_error(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    ctx.annotator.constants.classdef(UnicodeDecodeError)
    return s_Bottom


@FUNCTIONS.register(raise_encode_error)
def annotate_encode_error(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    ctx.annotator.constants.classdef(UnicodeEncodeError)
    return s_Bottom


@BUILTINS.register(raise_with_message)
def rtype_raise(hop: HighLevelOp) -> Value:
    _, v_instance, _ = _new_instance(hop, hop.args_s[0].value, 1)
    return _raise(hop, v_instance)


@BUILTINS.register(raise_decode_error)
def rtype_raise_decode_error(hop: HighLevelOp) -> Value:
    r, v_instance, v_message = _new_instance(hop, UnicodeDecodeError, 0)
    _set_place(hop, r, v_instance, v_message)
    if _is_subject_read(hop, r):
        v_data = hop.gendirectcall(ll_copy_bytes, hop.args_v[3], hop.args_v[4])
        subject = (v_data, s_Bytes, hop.rtyper.getrepr(s_Bytes))
        _keep_subject(hop, r, v_instance, v_message, subject)
    return _raise(hop, v_instance)


@BUILTINS.register(raise_encode_error)
def rtype_raise_encode_error(hop: HighLevelOp) -> Value:
    r, v_instance, v_message = _new_instance(hop, UnicodeEncodeError, 0)
    _set_place(hop, r, v_instance, v_message)
    if _is_subject_read(hop, r):
        v_text = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), 3)
        subject = (v_text, s_Str, hop.rtyper.getrepr(s_Str))
        _keep_subject(hop, r, v_instance, v_message, subject)
    return _raise(hop, v_instance)


def _new_instance(
    hop: HighLevelOp, cls: type[BaseException], message: int
) -> tuple[InstanceRepr, Value, Value]:
    """An instance, with the message that is an argument with this number."""
    assert hop.llops.handlers is None, "helpers do not catch what they raise with a message"
    r: InstanceRepr = hop.rtyper.instance_repr(hop.rtyper.annotator.constants.classdef(cls))
    v_message = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), message)
    v_instance = r.new_instance(hop.llops)
    set_message(hop, r, v_instance, v_message)
    return r, v_instance, v_message


def _raise(hop: HighLevelOp, v_instance: Value) -> Value:
    llops = hop.llops
    v_exception = hop.rtyper.classes.upcast(v_instance, llops)
    llops.block.closeblock(Link([v_exception], llops.graphtyper.llgraph.exceptblock))
    return void(None)


def _is_subject_read(hop: HighLevelOp, r: InstanceRepr) -> bool:
    return hop.rtyper.exception_constructors is not None or is_read(r, "args") or is_read(r, REPR)


def _keep_subject(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, v_message: Value, subject: Operand
) -> None:
    """What could not be decoded or encoded, and where: for ``args``, and for Python."""
    r_str, r_int = hop.rtyper.getrepr(s_Str), hop.rtyper.getrepr(s_NonNeg)
    place = [(hop.inputarg(r_int, arg), s_NonNeg, r_int) for arg in (1, 2)]
    codec = (hop.gendirectcall(ll_codec_of, v_message), s_Str, r_str)
    reason = (hop.gendirectcall(ll_reason_of, v_message), s_Str, r_str)
    set_arguments(hop, r, v_instance, [codec, subject, *place, reason])
    if hop.rtyper.exception_constructors is not None:
        hop.rtyper.exception_constructors.keep_as(hop, r, v_instance, "codec", [subject, *place])


def _set_place(hop: HighLevelOp, r: InstanceRepr, v_instance: Value, v_message: Value) -> None:
    """What the program reads of a UnicodeError."""
    r_str = hop.rtyper.getrepr(s_Str)
    r_int = hop.rtyper.getrepr(s_NonNeg)
    for arg, name in ((1, "start"), (2, "end")):
        set_field(hop, r, v_instance, name, (hop.inputarg(r_int, arg), s_NonNeg, r_int))
    for helper, name in ((ll_codec_of, "encoding"), (ll_reason_of, "reason")):
        if is_read(r, name):
            v_text = hop.gendirectcall(helper, v_message)
            set_field(hop, r, v_instance, name, (v_text, s_Str, r_str))
