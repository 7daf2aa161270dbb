"""Low-level pointers and characters in helpers: each operation is one low-level one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.model import SomeLLChar, SomeObject, SomePtr
from lltypesystem import lltype
from lltypesystem.lloperation import LLOpCaller
from lltypesystem.lltype import Bool, Char, ContainerType, Ptr, Signed, Void, frozendict
from rtyper.r_class import void
from rtyper.registry import BUILTINS
from rtyper.rmodel import PAIRS, Repr, repr_for
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp
    from rtyper.rtyper import RPythonTyper


class PtrRepr(Repr):
    nullable = True

    def __init__(self, rtyper: RPythonTyper, s: SomePtr) -> None:
        self.rtyper = rtyper
        self.lowleveltype = s.ll_ptrtype

    def convert_const(self, value: Any) -> Any:
        return value

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        T = self.lowleveltype.TO._flds[name]  # type: ignore[attr-defined]
        v = hop.inputarg(self, 0)
        if T is Void:
            return void(None)
        if isinstance(T, ContainerType):
            return hop.genop("getsubstruct", [v, void(name)], Ptr(T))
        return hop.genop("getfield", [v, void(name)], T)

    def rtype_setattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        T = self.lowleveltype.TO._flds[name]  # type: ignore[attr-defined]
        if T is not Void:
            v = hop.inputarg(self, 0)
            hop.genop("setfield", [v, void(name), hop.inputarg(T, 2)])
        return void(None)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        T = self.lowleveltype.TO.OF  # type: ignore[attr-defined]
        v, v_index = hop.inputarg(self, 0), hop.inputarg(Signed, 1)
        if isinstance(T, ContainerType):
            return hop.genop("getarraysubstruct", [v, v_index], Ptr(T))
        if T is Void:
            return void(None)
        return hop.genop("getarrayitem", [v, v_index], T)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        T = self.lowleveltype.TO.OF  # type: ignore[attr-defined]
        if T is not Void:
            v, v_index = hop.inputarg(self, 0), hop.inputarg(Signed, 1)
            hop.genop("setarrayitem", [v, v_index, hop.inputarg(T, 2)])
        return void(None)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return hop.genop("getarraysize", [hop.inputarg(self, 0)], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("ptr_nonzero", [hop.inputarg(self, 0)], Bool)

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        return hop.genop("ptr_iszero", [hop.inputarg(self, 0)], Bool)

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        T = self.lowleveltype.TO  # type: ignore[attr-defined]
        args = [hop.inputarg(A, i + 1) for i, A in enumerate(T.ARGS)]
        s_callee = hop.args_s[0]
        if s_callee.is_constant():
            return hop.llops.call_pointer(s_callee.value, args)
        v = hop.inputarg(self, 0)
        return hop.genop("indirect_call", [v, *args, void(None)], T.RESULT)


@repr_for(SomePtr)
def ptr_repr(rtyper: RPythonTyper, s: SomePtr) -> Repr:
    return PtrRepr(rtyper, s)


@PAIRS.register("is_ eq ne", PtrRepr, PtrRepr)
def compare_pointers(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return hop.genop("ptr_ne" if hop.opname == "ne" else "ptr_eq", [v_left, v_right], Bool)


class LLCharRepr(Repr):
    lowleveltype = Char

    def convert_const(self, value: Any) -> Any:
        return value

    def rtype_ord(self, hop: HighLevelOp) -> Value:
        return hop.genop("cast_char_to_int", [hop.inputarg(self, 0)], Signed)


@repr_for(SomeLLChar)
def llchar_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return LLCharRepr()


@PAIRS.register("lt le eq ne gt ge", LLCharRepr, LLCharRepr)
def compare_chars(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return hop.genop(f"char_{hop.opname}", [v_left, v_right], Bool)


# -- lltype functions -------------------------------------------------------------------------


@BUILTINS.register(lltype.malloc)
def rtype_malloc(hop: HighLevelOp) -> Value:
    T = hop.args_s[0].value
    flags = {"flavor": "gc"}
    for key, arg in hop.keywords.items():
        if key in ("flavor", "zero"):
            flags[key] = hop.args_s[arg].value
    v_flags = void(frozendict(flags))
    positional = hop.nb_args - len(hop.keywords)
    if positional > 1:
        v_length = hop.inputarg(Signed, 1)
        return hop.genop("malloc_varsize", [void(T), v_flags, v_length], Ptr(T))
    return hop.genop("malloc", [void(T), v_flags], Ptr(T))


@BUILTINS.register(lltype.free)
def rtype_free(hop: HighLevelOp) -> Value:
    hop.genop("free", [hop.args_v[0]])
    return void(None)


@BUILTINS.register(lltype.nullptr, lltype.typeOf)
def rtype_constant(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@BUILTINS.register(lltype.cast_pointer)
def rtype_cast_pointer(hop: HighLevelOp) -> Value:
    return hop.rtyper.classes.cast(
        hop.inputarg(hop.args_r[1], 1), hop.r_result.lowleveltype, hop.llops
    )


@BUILTINS.register(lltype.cast_primitive)
def rtype_cast_primitive(hop: HighLevelOp) -> Value:
    v = hop.inputarg(hop.args_r[1], 1)
    return hop.genop("cast_primitive", [v], hop.r_result)


@BUILTINS.register(LLOpCaller)
def rtype_llop(hop: HighLevelOp) -> Value:
    """``llop.name(RESULT, *args)``."""
    caller = hop.host_function
    RESULT = hop.args_s[0].value
    args = [
        void(s.value) if r.lowleveltype is Void else hop.inputarg(r, i + 1)
        for i, (s, r) in enumerate(zip(hop.args_s[1:], hop.args_r[1:]))
    ]
    return hop.genop(caller.opname, args, RESULT)

