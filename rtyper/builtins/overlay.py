"""Calls of built-in functions and methods that are written in Python
(``rpython.stdlib._registry``: ``called_for``, ``method_of``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.overlay import OVERLAYS, WIDE_METHODS
from rpython.annotator.lattice.model import s_Int
from rpython.lltypesystem.lltype import Signed
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import BytesRepr
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.float import FloatRepr
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr, holds
from rpython.rtyper.kinds.keywords import KeywordsRepr
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.memoryview import MemoryViewRepr
from rpython.rtyper.kinds.set import AnySetRepr
from rpython.rtyper.kinds.slice import SliceRepr
from rpython.rtyper.kinds.str import CharRepr, StringRepr
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import REPR_METHODS, Repr
from rpython.stdlib._exceptions import add_note
from rpython.stdlib._registry import FrozenKeywords, calls, methods
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

assert OVERLAYS

_REPRS: dict[type, tuple[type[Repr], ...]] = {
    str: (StringRepr, CharRepr), bytes: (BytesRepr,), bytearray: (ByteArrayRepr,),
    memoryview: (MemoryViewRepr,), int: (IntegerRepr, BoolRepr), float: (FloatRepr,),
    list: (BaseListRepr,), dict: (DictRepr,), set: (AnySetRepr,), FrozenKeywords: (KeywordsRepr,),
    slice: (SliceRepr,),
}  # fmt: skip
"""Of frozensets as of sets."""


for _host, _function in calls():

    @BUILTINS.register(_host)
    def host_function(hop: HighLevelOp, function: Any = _function) -> Value:
        return call_overlay(hop, function)


for _owner, _name, _function in methods():
    for _repr in _REPRS.get(_owner, ()):

        @REPR_METHODS.register(_name, _repr)
        def method(hop: HighLevelOp, name: str = _name, function: Any = _function) -> Value:
            r = hop.args_r[0]
            if isinstance(r, IntegerRepr) and not holds(Signed, *r.limits):
                return call_overlay(hop, WIDE_METHODS[name])
            if isinstance(r, IntegerRepr | BoolRepr):  # as the annotator has it
                hop.replace_arg(0, hop.inputarg(Signed, 0), s_Int, hop.rtyper.getrepr(s_Int))
            return call_overlay(hop, function)


@REPR_METHODS.register("add_note", InstanceRepr)
def note_of_exception(hop: HighLevelOp) -> Value:
    if hop.rtyper.exception_constructors is not None:
        raise TyperError("add_note() in an extension module: Python would not see the notes")
    return call_overlay(hop, add_note)
