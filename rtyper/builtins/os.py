"""Calls of the operating system, and the OSErrors of those that fail; ``time.sleep``."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, s_Bottom, s_Int, s_Str
from rpython.annotator.program.excattrs import REPR
from rpython.annotator.rules.exceptions import s_Text
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem.foreign.sockettable import SYSTEM_CALLS
from rpython.lltypesystem.foreign.systemcalls import REQUIRED, Parameter, SystemCall
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import byte_sequence
from rpython.rtyper.kinds.exceptions import is_read, set_arguments, set_field, set_message
from rpython.rtyper.kinds.float import operand
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.kinds.str import string_repr
from rpython.rtyper.kinds.strmethods import flags_table
from rpython.rtyper.ll import ll_bytearray, ll_files, ll_os
from rpython.rtyper.ll.ll_os import raise_os_error
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.text import Operand
from rpython.translator.ir.model import Constant, Link, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@FUNCTIONS.register(raise_os_error)
def annotate_raise(
    ctx: OpContext, s_class: SomeObject, s_message: SomeObject, s_number: SomeObject,
    s_path: SomeObject, s_other: SomeObject,
) -> SomeObject:  # fmt: skip
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
    r_int = hop.rtyper.getrepr(s_Int)
    set_message(hop, r, v_instance, v_message)
    set_field(hop, r, v_instance, "errno", (v_number, s_Int, r_int))
    r_text = hop.rtyper.getrepr(s_Text)
    told: list[Operand] = [(v_number, s_Int, r_int)]
    for place, name in enumerate(("filename", "filename2"), 3):
        v_path = hop.inputarg(hop.rtyper.primitive_repr(STRPTR), place)
        told.append((v_path, s_Text, r_text))
        set_field(hop, r, v_instance, name, told[-1])
    if hop.rtyper.exception_constructors is not None:
        hop.rtyper.exception_constructors.keep_as(hop, r, v_instance, "system", told)
    described = [name for name in ("strerror", "args", REPR) if is_read(r, name)]
    if described:
        r_str = hop.rtyper.getrepr(s_Str)
        v_text = hop.gendirectcall(ll_os.ll_error_text, v_number)
        operands = [(v_number, s_Int, r_int), (v_text, s_Str, r_str)]
        set_field(hop, r, v_instance, "strerror", operands[1])
        set_arguments(hop, r, v_instance, operands)
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


_CHECKS = {
    "fd": ll_os.ll_c_int, "cint": ll_os.ll_c_int, "uid": ll_os.ll_uid, "gid": ll_os.ll_gid,
    "device": ll_os.ll_device,
}  # fmt: skip
"""What refuses numbers that C has no room for, by the kind of the parameter."""


def _checked_arg(hop: HighLevelOp, parameter: Parameter, place: int | None) -> Value:
    """The value of a parameter; ``place``: the operand, None for the default."""
    if place is None:
        assert parameter.default is not REQUIRED
        return Constant(parameter.default, Signed)
    if parameter.kind in ("path", "text"):
        return hop.inputarg(string_repr(hop.rtyper), place)
    if parameter.kind == "data":
        return byte_sequence(hop, place)[1]
    v = index_arg(hop, place)
    return v if parameter.kind == "int" else hop.gendirectcall(_CHECKS[parameter.kind], v)


def system_call(hop: HighLevelOp, call: SystemCall) -> Value:
    """The call of a row of the table ``lltypesystem.foreign.systemtable``."""
    count = hop.nb_args - len(hop.keywords)
    places = dict(zip((parameter.name for parameter in call.parameters), range(count)))
    places.update(hop.keywords)
    values = [_checked_arg(hop, p, places.get(p.name)) for p in call.parameters]
    paths: list[Value] = []
    raw: list[Value] = []
    args: list[Value] = []
    for parameter, v in zip(call.parameters, values):
        if parameter.kind in ("path", "text"):
            hop.gendirectcall(ll_os.ll_check_text, v)
    for parameter, v in zip(call.parameters, values):
        if parameter.kind == "path":
            paths.append(v)
        if parameter.kind in ("path", "text"):
            v = hop.gendirectcall(ll_os.ll_to_system, v)
            raw.append(v)
        elif parameter.kind == "data":
            raw.append(hop.gendirectcall(ll_os.ll_data_to_system, v))
            args.append(raw[-1])
            v = hop.gendirectcall(ll_os.ll_data_length, v)
        args.append(v)
    v_result: Value = hop.llops.call_pointer(call.function, args)
    for v in raw:
        hop.gendirectcall(ll_os.ll_release, v)
    if call.result == "data":
        return hop.gendirectcall(ll_os.ll_data_from_system, v_result)
    if call.fails:
        if not paths:
            v_result = hop.gendirectcall(ll_os.ll_check, v_result)
        else:
            helper = ll_os.ll_check_path if len(paths) == 1 else ll_os.ll_check_paths
            v_result = hop.gendirectcall(helper, v_result, *paths, flags_table())
    if call.host in (os.kill, os.killpg):
        hop.genop("safepoint", [])  # the process may have sent SIGINT to itself
    if call.result == "none":
        return void(None)
    if call.result == "bool":
        return hop.genop("int_is_true", [v_result], Bool)
    if call.result == "text":
        return hop.gendirectcall(ll_os.ll_text_from_system, v_result)
    return v_result


for _call in SYSTEM_CALLS.values():

    @BUILTINS.register(_call.host)
    def rtype_row(hop: HighLevelOp, call: SystemCall = _call) -> Value:
        return system_call(hop, call)


@BUILTINS.register(time.sleep)
def rtype_sleep(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_files.ll_sleep, operand(hop, 0))
    return void(None)
