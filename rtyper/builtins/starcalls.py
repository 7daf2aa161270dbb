"""Calls of built-in functions with ``*items`` of unknown length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.namedtuples import is_named_tuple
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.pbc import with_self
from rpython.rtyper.registry import STAR_CALLS
from rpython.stdlib._starcalls import CALLED_WITH_STAR
from rpython.stdlib.dataclasses import namedtuple_new
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@STAR_CALLS.append
def rtype_call_with_star(hop: HighLevelOp, function: Any) -> Value | None:
    """Call what does the same in restricted Python."""
    if hop.spaceop.opname != "call_args":
        return None
    shape: Any = hop.args_s[0].value
    if not shape.star or not isinstance(hop.args_s[-1], SomeVarTuple):
        return None
    operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
    constants, called = hop.rtyper.annotator.constants, CALLED_WITH_STAR.get(function)
    if is_named_tuple(function):
        called, s_class = namedtuple_new(function), constants.annotation_of(function)
        r_class = hop.rtyper.getrepr(s_class)
        v_class = r_class.inputconst(function)
        shape, operands = with_self(shape, operands, v_class, s_class, r_class)
    if called is None:
        return None
    desc = constants.function_desc(called)
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
