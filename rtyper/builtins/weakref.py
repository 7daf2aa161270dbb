"""``weakref.ref``; see ``annotator.library_weakref``."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.library_weakdicts import KINDS
from rpython.rtyper.builtins.convert import known_not_none
from rpython.rtyper.callables import Operand
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(weakref.ref)
def make_ref(hop: HighLevelOp) -> Value:
    """An instance of the class of references to such objects."""
    known_not_none(hop)
    operand = Operand(*hop.operand(0))
    assert isinstance(operand.s, SomeInstance)
    constants = hop.rtyper.annotator.constants
    s_class = constants.annotation_of(constants.references.of(operand.s.classdef.cls))
    r_class: Any = hop.rtyper.getrepr(s_class)
    made: Value = r_class.call(hop, CallShape(1), [operand])
    return made


@BUILTINS.register(*KINDS)
def make_dictionary(hop: HighLevelOp) -> Value:
    constants = hop.rtyper.annotator.constants
    cls = constants.references.dictionaries.made_by(hop.host_function, hop.spaceop)
    r_class: Any = hop.rtyper.getrepr(constants.annotation_of(cls))
    made: Value = r_class.call(hop, CallShape(0), [])
    return made
