"""``weakref.ref``; see ``annotator.overlay.references``."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance
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
    s_class = constants.annotation_of(constants.overlays.references.of(operand.s.classdef.cls))
    r_class: Any = hop.rtyper.getrepr(s_class)
    made: Value = r_class.call(hop, CallShape(1), [operand])
    return made
