"""Graphs that read the attributes of an instance, and make one of them: for copy and pickle.

    rpx_state_N(words)      words: a handle; written: the attributes
    rpx_restore_N(words)    words: the attributes; written: the handle of a new instance
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeInteger
from rpython.annotator.program.classdef import ClassDef
from rpython.lltypesystem.lltype import FuncType, Signed, Void
from rpython.rtyper.boundary.marshal import WORDSPTR, Frame
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.ll import ll_extension
from rpython.translator.ir.model import FunctionGraph, Value

if TYPE_CHECKING:
    from rpython.rtyper.boundary.extension import ExtensionMarshaller


def state_graph(
    marshaller: ExtensionMarshaller, symbol: str, classdef: ClassDef, names: Sequence[str]
) -> FunctionGraph:
    rtyper = marshaller.rtyper
    frame, r, v_reader = _begin(marshaller, symbol, classdef)
    llops = frame.llops
    v = marshaller.decode(llops, r, v_reader)
    llops.gendirectcall(ll_extension.ll_begun, marshaller.v_state)
    v_writer = llops.gendirectcall(ll_extension.ll_state_writer, marshaller.v_state)
    for name in names:
        r_home = _home(r, name)
        v_home = rtyper.classes.cast(v, r_home.lowleveltype, llops)
        r_field = r_home.fields[name][1]
        field = [v_home, void(f"inst_{name}")]
        v_value: Value = llops.genop("getfield", field, r_field.lowleveltype)
        marshaller.encode(llops, r_field, v_writer, v_value)
    return frame.finish(void(None))


def restore_graph(
    marshaller: ExtensionMarshaller, symbol: str, classdef: ClassDef, names: Sequence[str]
) -> FunctionGraph:
    rtyper = marshaller.rtyper
    frame, r, v_reader = _begin(marshaller, symbol, classdef)
    llops = frame.llops
    values: list[Value] = []
    for name in names:
        attribute, r_field = _home(r, name).fields[name]
        v_value = marshaller.decode(llops, r_field, v_reader)
        s = attribute.s_value
        if isinstance(s, SomeInteger) and s.nonneg and r_field.lowleveltype is Signed:
            llops.gendirectcall(ll_extension.ll_require_nonneg, v_value)
        values.append(v_value)
    llops.gendirectcall(ll_extension.ll_begun, marshaller.v_state)
    v_new = r.new_instance(llops)
    for name, v_value in zip(names, values, strict=True):
        v_home = rtyper.classes.cast(v_new, _home(r, name).lowleveltype, llops)
        llops.genop("setfield", [v_home, void(f"inst_{name}"), v_value])
    v_writer = llops.gendirectcall(ll_extension.ll_state_writer, marshaller.v_state)
    marshaller.encode(llops, r, v_writer, v_new)
    return frame.finish(void(None))


def _begin(
    marshaller: ExtensionMarshaller, symbol: str, classdef: ClassDef
) -> tuple[Frame, InstanceRepr, Value]:
    """A graph that begins to read words, the Repr of the instances, and what reads."""
    frame = Frame(marshaller.rtyper, symbol, FuncType([WORDSPTR], Void))
    r: InstanceRepr = marshaller.rtyper.instance_repr(classdef)
    begin = ll_extension.ll_begin
    return frame, r, frame.llops.gendirectcall(begin, marshaller.v_state, frame.args[0])


def _home(r: InstanceRepr, name: str) -> InstanceRepr:
    """The Repr of the class that has the field."""
    home: InstanceRepr | None = r
    while home is not None:
        home.setup()
        if name in home.fields:
            return home
        home = home.base
    raise AssertionError(name)
