"""``raise_with_message(E, p)`` in helpers: a new instance, its message, the exception exit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.context import OpContext
from annotator.model import SomeObject, s_Bottom
from annotator.registry import FUNCTIONS
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_raise import raise_with_message
from rtyper.r_class import void
from rtyper.r_exceptions import set_message
from rtyper.registry import BUILTINS
from translator.ir.model import Link, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@FUNCTIONS.register(raise_with_message)
def annotate_raise(ctx: OpContext, s_class: SomeObject, s_message: SomeObject) -> SomeObject:
    ctx.annotator.constants.classdef(s_class.value)
    return s_Bottom


@BUILTINS.register(raise_with_message)
def rtype_raise(hop: HighLevelOp) -> Value:
    llops = hop.llops
    classes = hop.rtyper.classes
    assert llops.handlers is None, "helpers do not catch what they raise with a message"
    classdef = hop.rtyper.annotator.constants.classdef(hop.args_s[0].value)
    r: Any = hop.rtyper.instance_repr(classdef)
    v_message = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), 1)
    v_instance = r.new_instance(llops)
    set_message(hop, r, v_instance, v_message)
    v_exception = classes.upcast(v_instance, llops)
    llops.block.closeblock(Link([v_exception], llops.graphtyper.llgraph.exceptblock))
    return void(None)
