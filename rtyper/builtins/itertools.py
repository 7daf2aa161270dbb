"""``itertools``: generators; see ``annotator.library_itertools``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance, SomeIterator, SomeObject
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.library_itertools import ITERATORS, check_islice, iterator_places
from rpython.rtyper.builtins.calling import call_inside
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.iter import builtin_iter, iterable_arg, result_of_method, start_iterating
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(iter)
def iterate(hop: HighLevelOp) -> Value:
    return builtin_iter(hop) if hop.nb_args == 1 else make_iterator(hop)


@BUILTINS.register(*(host for host in ITERATORS if host is not iter))
def make_iterator(hop: HighLevelOp) -> Value:
    host = hop.host_function
    annotator = hop.rtyper.annotator
    function = annotator.iterator_functions[hop.spaceop, hop.nb_args]
    operands = [
        Operand(hop.inputarg(hop.args_r[i], i), hop.args_s[i].without_const(), hop.args_r[i])
        for i in range(hop.nb_args)
    ]
    for place in iterator_places(ITERATORS[host][hop.nb_args]):
        operands[place] = _iterator(hop, place)
    if host is itertools.islice:
        call_inside(hop, "check", _constant(hop, check_islice), operands[1:])
    callee: Any = _constant(hop, function)
    made: Value = callee.r.call(hop, CallShape(len(operands)), operands)
    return made


def _constant(hop: HighLevelOp, function: Any) -> Operand:
    s: SomeObject = hop.rtyper.annotator.constants.annotation_of(function)
    r = hop.rtyper.getrepr(s)
    return Operand(r.inputconst(function), s, r)


def _iterator(hop: HighLevelOp, arg: int) -> Operand:
    """``iter(x)`` of an operand."""
    r, v = iterable_arg(hop, arg)
    s = without_none(hop.args_s[arg]).without_const()
    if isinstance(r, InstanceRepr):
        assert isinstance(s, SomeInstance)
        s_iterator = result_of_method(hop.rtyper, s, "__iter__")
        r_iterator = hop.rtyper.getrepr(s_iterator)
        return Operand(r.call_method(hop.llops, "__iter__", v, r_iterator), s_iterator, r_iterator)
    s_iter = s if isinstance(s, SomeIterator) else SomeIterator((s,))
    r_iter, v_iter = start_iterating(hop.llops, s, r, v)
    return Operand(v_iter, s_iter, r_iter)
