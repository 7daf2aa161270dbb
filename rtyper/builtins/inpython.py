"""Calls of built-in methods and functions that are written in Python
(``annotator.library_bytes`` and the like)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.library import SPECIAL_METHODS
from rpython.annotator.library_bytes import (
    FUNCTIONS_IN_PYTHON,
    INT_METHODS_IN_PYTHON,
    METHODS_IN_PYTHON,
)
from rpython.annotator.library_exceptions import add_note
from rpython.annotator.library_str import STR_FUNCTIONS_IN_PYTHON, STR_METHODS_IN_PYTHON
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import BytesRepr
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.int import IntegerRepr
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.memoryview import MemoryViewRepr
from rpython.rtyper.kinds.set import AnySetRepr
from rpython.rtyper.kinds.str import CharRepr, StringRepr
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import REPR_METHODS
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def call_in_python(hop: HighLevelOp, function: Any) -> Value:
    """Call the function with the operands of ``hop``, ``self`` among them."""
    desc = hop.rtyper.annotator.constants.function_desc(function)
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args)]
    shape = CallShape(hop.nb_args - len(hop.keywords), tuple(hop.keywords))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result, True)


for _host, _function in {**FUNCTIONS_IN_PYTHON, **STR_FUNCTIONS_IN_PYTHON}.items():

    @BUILTINS.register(_host)
    def host_function(hop: HighLevelOp, function: Any = _function) -> Value:
        return call_in_python(hop, function)


def _register(name: str, repr_class: Any, function: Any) -> None:
    @REPR_METHODS.register(name, repr_class)
    def method(hop: HighLevelOp) -> Value:
        return call_in_python(hop, function)


for _name, _function in METHODS_IN_PYTHON.items():
    _register(_name, ByteArrayRepr, _function)
    if _name != "join":
        _register(_name, BytesRepr, _function)
_register("hex", MemoryViewRepr, METHODS_IN_PYTHON["hex"])
for _name, _function in INT_METHODS_IN_PYTHON.items():
    _register(_name, IntegerRepr, _function)
for _name, _function in STR_METHODS_IN_PYTHON.items():
    _register(_name, StringRepr, _function)
    _register(_name, CharRepr, _function)
for _name, _function in SPECIAL_METHODS.items():
    for _class in (BaseListRepr, DictRepr, AnySetRepr):
        _register(_name, _class, _function)


@REPR_METHODS.register("add_note", InstanceRepr)
def note_of_exception(hop: HighLevelOp) -> Value:
    if hop.rtyper.exception_constructors is not None:
        raise TyperError("add_note() in an extension module: Python would not see the notes")
    return call_in_python(hop, add_note)
