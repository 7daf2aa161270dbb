"""Calling C: see ``annotator.rules.c``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import s_Bytes
from rpython.annotator.overlay.c_data import (
    checked_bytes,
    checked_float,
    checked_int,
    checked_pointer,
)
from rpython.annotator.overlay.c_pointers import CPointerCall
from rpython.annotator.overlay.callbacks import CallbackAddress
from rpython.annotator.rules.c import ANNOTATIONS, call_plan, constant_of, in_python, is_operation
from rpython.lltypesystem.foreign.cdef import CFunction
from rpython.lltypesystem.foreign.cmemory import (
    CHARSPTR,
    CPrimitive,
    bytes_at,
    c_free,
    c_get,
    c_put,
    put_bytes,
)
from rpython.lltypesystem.lltype import Bool, Float, LowLevelType, Signed, Void, functionptr
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.ll import ll_bytes
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


_FLOAT_CASTS: dict[LowLevelType, str] = {Bool: "cast_bool_to_float", Signed: "cast_int_to_float"}


@BUILTINS.register(checked_int, checked_float, checked_bytes, checked_pointer)
def rtype_checked(hop: HighLevelOp) -> Value:
    T = hop.args_r[0].lowleveltype
    if hop.r_result.lowleveltype is Float and T in _FLOAT_CASTS:
        return hop.genop(_FLOAT_CASTS[T], [hop.inputarg(hop.args_r[0], 0)], Float)
    return hop.llops.convertvar(hop.inputarg(hop.args_r[0], 0), hop.args_r[0], hop.r_result)


@BUILTINS.register(bytes_at)
def rtype_bytes_at(hop: HighLevelOp) -> Value:
    v_address, v_size = hop.inputargs(Signed, Signed)
    v_bytes = hop.gendirectcall(ll_bytes.ll_new_bytes, v_size)
    v_chars = hop.genop("getsubstruct", [v_bytes, void("chars")], CHARSPTR)
    hop.llops.call_pointer(c_get, [v_address, v_chars, v_size])
    return v_bytes


@BUILTINS.register(put_bytes)
def rtype_put_bytes(hop: HighLevelOp) -> Value:
    v_address, v_size = hop.inputarg(Signed, 0), hop.inputarg(Signed, 2)
    v_bytes = hop.inputarg(hop.rtyper.getrepr(s_Bytes), 1)
    v_chars = hop.genop("getsubstruct", [v_bytes, void("chars")], CHARSPTR)
    hop.llops.call_pointer(c_put, [v_address, v_chars, Constant(0, Signed), v_size])
    return void(None)


@HOST_CALLS.append
def call_primitive(hop: HighLevelOp, function: Any) -> Value | None:
    if not isinstance(function, CPrimitive):
        return None
    args = [hop.inputarg(T, i) for i, T in enumerate(function.ARGS)]
    return hop.llops.call_pointer(function.funcptr, args)


@HOST_CALLS.append
def find_callback_address(hop: HighLevelOp, function: Any) -> Value | None:
    if not isinstance(function, CallbackAddress):
        return None
    desc = hop.rtyper.annotator.constants.function_desc(function.called)
    (graph,) = desc.graphs.values()
    pointer = hop.rtyper.graph_pointer(graph)
    (wanted,) = function.funcptr._TYPE.TO.ARGS
    given = pointer._TYPE.TO
    if given.ARGS != wanted.TO.ARGS or given.RESULT not in (wanted.TO.RESULT, Void):
        raise TyperError(
            f"the callback {function.callback.function.__name__} is {given}, not of the type "
            f"{function.callback.ctype.cname!r}"
        )
    if given != wanted.TO:  # it always raises
        pointer = functionptr(wanted.TO, graph.name, graph=pointer._obj.graph)
    return hop.llops.call_pointer(function.funcptr, [Constant(pointer, wanted)])


@HOST_CALLS.append
def call_c_function(hop: HighLevelOp, function: Any) -> Value | None:
    """Convert the arguments, call the wrapper, free temporary memory, convert the result."""
    if not isinstance(function, (CFunction, CPointerCall)):
        return None
    plan = call_plan(function, tuple(hop.args_s))
    values: list[Value] = [void(None)] * hop.nb_args
    order = sorted(range(hop.nb_args), key=lambda i: plan.conversions[i].temporary)
    for i in order:  # what may raise comes before memory is allocated
        function = plan.conversions[i].function
        r = hop.rtyper.getrepr(ANNOTATIONS[plan.raw.ARGS[i]])
        values[i] = call_python(hop, function, Operand(*hop.operand(i)), r)
    v = hop.llops.call_pointer(plan.raw.funcptr, values)
    for conversion, v_arg in zip(plan.conversions, values):
        if conversion.temporary:
            hop.llops.call_pointer(c_free.funcptr, [v_arg])
    s_raw = ANNOTATIONS[plan.raw.RESULT]
    raw = Operand(v, s_raw, hop.rtyper.getrepr(s_raw))
    return call_python(hop, plan.give, raw, hop.r_result)


def call_python(hop: HighLevelOp, function: Any, operand: Operand, r_result: Repr) -> Value:
    """Call a function in Python of one argument, which the annotator has flowed."""
    desc = hop.rtyper.annotator.constants.function_desc(function)
    given = Operand(operand.v, operand.s.without_const(), operand.r)
    return hop.rtyper.calls.call_desc(hop.llops, desc, CallShape(1), [given], r_result)


@HOST_CALLS.append
def call_operation(hop: HighLevelOp, function: Any) -> Value | None:
    """A call of a function in Python."""
    if not is_operation(function):
        return None
    if constant_of(function.__self__, function.__name__, tuple(hop.args_s)) is not None:
        return hop.result_constant()
    chosen, indices = in_python(function, tuple(hop.args_s))
    desc = hop.rtyper.annotator.constants.function_desc(chosen)
    operands = [Operand(*hop.operand(i)) for i in indices]
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
