"""``lltypesystem.rffi``: external functions, casts, sizes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.rffi import COPIERS, FIELD_FUNCTIONS, field_function, scoped_type
from rpython.annotator.lattice.model import K_FUNCTION, SomeNone
from rpython.annotator.overlay.rffi import maker
from rpython.lltypesystem import lltype, rffi
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lltype import LowLevelType, Primitive, Ptr, Signed, Void, _ptr, nullptr
from rpython.lltypesystem.simulated.cmirror import MIRRORS
from rpython.rtyper.builtins.c import call_python
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.annlowlevel import function_pointer
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.lltype import cast_to_primitive
from rpython.rtyper.kinds.ptr import converted
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@HOST_CALLS.append
def call_external(hop: HighLevelOp, function: Any) -> Value | None:
    """Convert the arguments, call, free the copies of text."""
    if not isinstance(function, rffi.ExternalFunction):
        return None
    values: list[Value] = []
    copies: list[Value] = []
    for i, T in enumerate(function.ARGS):
        s = hop.args_s[i]
        if isinstance(T, Ptr) and s.kinds in COPIERS:
            r = hop.rtyper.primitive_repr(rffi.CCHARP)
            v = call_python(hop, COPIERS[s.kinds], Operand(*hop.operand(i)), r)
            copies.append(v)
        elif isinstance(T, Ptr) and s.kinds == K_FUNCTION:
            v = _callback(hop, i, T)
        else:
            v = _converted(hop, i, T)
        values.append(v)
    v_result = hop.llops.call_pointer(function.funcptr, values)
    for v in copies:
        hop.genop("free", [v])
    return void(None) if function.RESULT is Void else v_result


def _callback(hop: HighLevelOp, arg: int, T: Ptr) -> Value:
    """A pointer to the function that C calls for a function of the program."""
    called = rffi.guarded_function(T.TO, hop.args_s[arg].value)
    s_called = hop.rtyper.annotator.constants.annotation_of(called)
    r_called = hop.rtyper.getrepr(s_called)
    callee = Operand(r_called.inputconst(called), s_called, r_called)
    return function_pointer(hop, callee, T)


def _converted(hop: HighLevelOp, arg: int, T: LowLevelType) -> Value:
    """An operand as C converts it."""
    if isinstance(T, Ptr) and isinstance(hop.args_s[arg], SomeNone):
        return Constant(nullptr(T.TO), T)
    v = hop.inputarg(hop.args_r[arg], arg)
    S = v.concretetype
    if S == T:
        return v
    if isinstance(S, Ptr) or isinstance(T, Ptr):
        if isinstance(S, Ptr) and not isinstance(T, Ptr):
            if S._gckind == "gc":
                v = hop.genop("cast_ptr_to_int", [v], Signed)
            else:
                v = hop.llops.call_pointer(_address_function(S), [v])
            return v if T is Signed else hop.genop("cast_primitive", [v], T)
        if not isinstance(S, Ptr) and S is not Signed:
            v, S = hop.genop("cast_primitive", [v], Signed), Signed
        return hop.llops.call_pointer(_cast_function(S, T), [v])
    assert isinstance(T, Primitive)
    return cast_to_primitive(hop, v, T)


@functools.cache
def _cast_function(S: LowLevelType, T: Ptr) -> _ptr:
    """A pointer as another type, or what is at an address."""

    def host(value: Any) -> Any:
        return MIRRORS.cast(T, value) if isinstance(S, Ptr) else MIRRORS.pointer(T, value)

    return llexternal("rpy_c_same", [S], T, host, ["rpy_c.h"])


@functools.cache
def _address_function(S: Ptr) -> _ptr:
    return llexternal("rpy_c_address", [S], Signed, MIRRORS.address, ["rpy_c.h"])


@BUILTINS.register(rffi.cast)
def rtype_cast(hop: HighLevelOp) -> Value:
    T = hop.args_s[0].value
    return converted(hop, _converted(hop, 1, T), T)


@BUILTINS.register(rffi.sizeof, rffi.offsetof)
def rtype_constant(hop: HighLevelOp) -> Value:
    return hop.result_constant()


for _host in FIELD_FUNCTIONS:

    @BUILTINS.register(_host)
    def on_fields(hop: HighLevelOp, host: Any = _host) -> Value:
        return call_overlay(hop, field_function(host, hop.args_s))


@BUILTINS.register(rffi.make)
def make_struct(hop: HighLevelOp) -> Value:
    return call_overlay(hop, maker(hop.args_s[0].value))


@HOST_CALLS.append
def scoped_alloc(hop: HighLevelOp, function: Any) -> Value | None:
    """An instance of the class for the type."""
    if function is not lltype.scoped_alloc:
        return None
    cls = scoped_type(tuple(hop.args_s), tuple(hop.keywords))
    s_class = hop.rtyper.annotator.constants.annotation_of(cls)
    r_class: Any = hop.rtyper.getrepr(s_class)
    sizes = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args - len(hop.keywords))]
    made: Value = r_class.call(hop, CallShape(len(sizes)), sizes)
    return made
