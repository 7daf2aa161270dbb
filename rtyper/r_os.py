"""``os.read``, ``os.write``, ``os.open`` and ``os.close``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from annotator.context import OpContext
from annotator.model import SomeObject, s_Bottom, s_Int, s_Str
from annotator.registry import FUNCTIONS
from lltypesystem.lltype import Signed
from lltypesystem.rstr import STRPTR
from rtyper.ll import ll_bytearray, ll_os
from rtyper.ll.ll_os import raise_os_error
from rtyper.r_bytearray import ByteArrayRepr
from rtyper.r_bytes import byte_sequence
from rtyper.r_class import InstanceRepr, void
from rtyper.r_exceptions import set_field, set_message
from rtyper.r_slice import index_arg
from rtyper.r_str import string_repr
from rtyper.r_strmethods import flags_table
from rtyper.registry import BUILTINS
from translator.ir.model import Constant, Link, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@FUNCTIONS.register(raise_os_error)
def annotate_raise(
    ctx: OpContext, s_class: SomeObject, s_message: SomeObject, s_number: SomeObject
) -> SomeObject:
    ctx.annotator.constants.classdef(s_class.value)
    return s_Bottom


@BUILTINS.register(raise_os_error)
def rtype_raise(hop: HighLevelOp) -> Value:
    llops = hop.llops
    classes = hop.rtyper.classes
    constants = hop.rtyper.annotator.constants
    r: InstanceRepr = hop.rtyper.instance_repr(constants.classdef(hop.args_s[0].value))
    v_message = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), 1)
    v_number = hop.inputarg(Signed, 2)
    v_instance = r.new_instance(llops)
    set_message(hop, r, v_instance, v_message)
    set_field(hop, r, v_instance, "errno", (v_number, s_Int, hop.rtyper.getrepr(s_Int)))
    if r.classdef.find_attribute("strerror") is not None:
        v_text = hop.gendirectcall(ll_os.ll_error_text, v_number)
        set_field(hop, r, v_instance, "strerror", (v_text, s_Str, hop.rtyper.getrepr(s_Str)))
    v_exception = classes.upcast(v_instance, llops)
    llops.block.closeblock(Link([v_exception], llops.graphtyper.llgraph.exceptblock))
    return void(None)


@BUILTINS.register(os.read)
def rtype_read(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_os.ll_os_read, index_arg(hop, 0), index_arg(hop, 1))


@BUILTINS.register(os.write)
def rtype_write(hop: HighLevelOp) -> Value:
    v_fd = index_arg(hop, 0)
    r_data, v_data = byte_sequence(hop, 1)
    if isinstance(r_data, ByteArrayRepr):
        v_data = hop.gendirectcall(ll_bytearray.ll_bytearray_to_bytes, v_data)
    return hop.gendirectcall(ll_os.ll_os_write, v_fd, v_data)


@BUILTINS.register(os.open)
def rtype_open(hop: HighLevelOp) -> Value:
    v_path = hop.inputarg(string_repr(hop.rtyper), 0)
    v_mode: Value = Constant(0o777, Signed)
    if hop.nb_args > 2:
        v_mode = index_arg(hop, 2)
    return hop.gendirectcall(ll_os.ll_os_open, v_path, index_arg(hop, 1), v_mode, flags_table())


@BUILTINS.register(os.close)
def rtype_close(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_os.ll_os_close, index_arg(hop, 0))
    return void(None)
