"""Calls of values from inside an operation: ``key=``, ``map``, ``filter``.

    call_value(hop, callee, args, r_result)     any callable: a function, method, class,
                                                built-in, instance with __call__, ...
    call_inside(hop, "key", callee, args)       the one that the transfer rule flowed with
                                                ``annotator.builtins.calling.call_inside``
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeHost, SomeObject, s_Bottom, s_Top
from rpython.rtyper.callables import Operand
from rpython.rtyper.hop import HighLevelOp, LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


def call_value(
    hop: HighLevelOp,
    callee: Operand,
    args: Sequence[Operand],
    r_result: Repr,
    s_result: SomeObject = s_Top,
) -> Value:
    """Call a value with positional arguments, as a part of ``hop``.

    Args:
        s_result: the annotation of ``r_result``; rules of some built-ins (``min``) ask for it.

    Returns: a value of ``r_result``.
    """
    called = hop.copy()
    called.spaceop = _operation(hop.llops.rtyper, callee, args, s_result)
    return _dispatch(called, callee, args, r_result, s_result)


def call_inside(
    hop: HighLevelOp, name: str, callee: Operand, args: Sequence[Operand]
) -> Operand:
    """The call that the transfer rule flowed under this name; its result."""
    op = part_of(hop, name)
    s_result = result_inside(hop, name)
    r_result = hop.rtyper.getrepr(s_result)
    if op is None:
        return Operand(Constant(None, r_result.lowleveltype), s_result, r_result)
    given = [as_annotated(hop, arg, op.args[i + 1]) for i, arg in enumerate(args)]
    return Operand(call_value(hop, callee, given, r_result, s_result), s_result, r_result)


def part_of(hop: HighLevelOp, name: str) -> SpaceOperation | None:
    """The part of this operation with that name; None when it is never reached."""
    return hop.rtyper.annotator.parts_of_operations.get((name, hop.spaceop))


def result_inside(hop: HighLevelOp, name: str) -> SomeObject:
    """What that part gives; bottom when it is never reached."""
    op = part_of(hop, name)
    return s_Bottom if op is None else hop.rtyper.annotator.binding(op.result).without_const()


def as_annotated(hop: HighLevelOp, operand: Operand, place: Value) -> Operand:
    """A value as the annotation of an operand of a part says."""
    s = hop.rtyper.annotator.binding(place)
    r = hop.rtyper.getrepr(s)
    return Operand(hop.llops.convertvar(operand.v, operand.r, r), s, r)


def emit_call(
    llops: LowLevelOpList,
    callee: Operand,
    args: Sequence[Operand],
    s_result: SomeObject,
    stop: Callable[[], None],
) -> Value:
    """``call_value`` where there is no operation at hand; a value of the Repr of
    ``s_result``.  ``stop``: emits what StopIteration does."""
    rtyper = llops.rtyper
    spaceop = _operation(rtyper, callee, args, s_result)
    called = HighLevelOp(rtyper, llops, spaceop, [], [], s_result, True)
    called.leave = stop
    return _dispatch(called, callee, args, rtyper.getrepr(s_result), s_result)


def _operation(
    rtyper: RPythonTyper, callee: Operand, args: Sequence[Operand], s_result: SomeObject
) -> SpaceOperation:
    """The call as a high-level operation, which rules look at."""
    operands: list[Value] = []
    for operand in (callee, *args):
        value: Value = Variable("part")
        if isinstance(operand.s, SomeHost):
            value = Constant(operand.s.value)
        value.annotation = operand.s
        operands.append(value)
    result = Variable("result")
    result.annotation = s_result
    return SpaceOperation(HLOPS["simple_call"], operands, result)


def _dispatch(
    called: HighLevelOp,
    callee: Operand,
    args: Sequence[Operand],
    r_result: Repr,
    s_result: SomeObject,
) -> Value:
    operands = (callee, *args)
    called.opname = "simple_call"
    called.args_v = [operand.v for operand in operands]
    called.args_s = [operand.s for operand in operands]
    called.args_r = [operand.r for operand in operands]
    called.s_result, called.r_result = s_result, r_result
    called.keywords, called.host_function = {}, None
    return called.dispatch()
