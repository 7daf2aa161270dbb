"""``raise_with_message(E, p)`` in helpers: a new instance, its message, the exception exit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.context import OpContext
from annotator.model import SomeObject, s_Bottom, s_NonNeg, s_Str
from annotator.registry import FUNCTIONS
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_raise import (
    ll_codec_of,
    ll_reason_of,
    raise_unicode_error,
    raise_with_message,
)
from rtyper.r_class import void
from rtyper.r_exceptions import is_read, set_field, set_message
from rtyper.registry import BUILTINS
from translator.ir.model import Link, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@FUNCTIONS.register(raise_with_message)
def annotate_raise(ctx: OpContext, s_class: SomeObject, s_message: SomeObject) -> SomeObject:
    ctx.annotator.constants.classdef(s_class.value)
    return s_Bottom


@FUNCTIONS.register(raise_unicode_error)
def annotate_unicode_error(
    ctx: OpContext, s_class: SomeObject, s_message: SomeObject, s_start: SomeObject,
    s_end: SomeObject,
) -> SomeObject:  # fmt: skip
    return annotate_raise(ctx, s_class, s_message)


@BUILTINS.register(raise_with_message, raise_unicode_error)
def rtype_raise(hop: HighLevelOp) -> Value:
    llops = hop.llops
    classes = hop.rtyper.classes
    assert llops.handlers is None, "helpers do not catch what they raise with a message"
    classdef = hop.rtyper.annotator.constants.classdef(hop.args_s[0].value)
    r: Any = hop.rtyper.instance_repr(classdef)
    v_message = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), 1)
    v_instance = r.new_instance(llops)
    set_message(hop, r, v_instance, v_message)
    if hop.nb_args > 2:
        _set_place(hop, r, v_instance, v_message)
    v_exception = classes.upcast(v_instance, llops)
    llops.block.closeblock(Link([v_exception], llops.graphtyper.llgraph.exceptblock))
    return void(None)


def _set_place(hop: HighLevelOp, r: Any, v_instance: Value, v_message: Value) -> None:
    """What the program reads of a UnicodeError."""
    r_str = hop.rtyper.getrepr(s_Str)
    r_int = hop.rtyper.getrepr(s_NonNeg)
    for arg, name in ((2, "start"), (3, "end")):
        set_field(hop, r, v_instance, name, (hop.inputarg(r_int, arg), s_NonNeg, r_int))
    for helper, name in ((ll_codec_of, "encoding"), (ll_reason_of, "reason")):
        if is_read(r, name):
            v_text = hop.gendirectcall(helper, v_message)
            set_field(hop, r, v_instance, name, (v_text, s_Str, r_str))
