"""Low-level pointers and characters: each operation is one low-level one.

In user code the use of a pointer is tested first: null raises MemoryFault, an index out of
bounds ArrayBoundsError.  Nothing tests arrays without a length, and raw memory that was freed.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeChar, SomeLLChar, SomeObject, SomePtr
from rpython.annotator.rules.lowlevel import adt_member
from rpython.lltypesystem.lloperation import LLOpCaller
from rpython.lltypesystem.lltype import (
    Bool,
    Char,
    ContainerType,
    FixedSizeArray,
    LowLevelType,
    MemoryFault,
    Ptr,
    Signed,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.operations.llop import LLOp, UndefinedOperation, undefined
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.simulated.itemnames import named_item
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.pbc import with_self
from rpython.rtyper.kinds.str import CharRepr
from rpython.rtyper.ll.ll_memory import ll_raise_out_of_bounds
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class PtrRepr(Repr):
    def __init__(self, rtyper: RPythonTyper, s: SomePtr) -> None:
        self.rtyper = rtyper
        self.s = s
        self.lowleveltype = s.ll_ptrtype

    def convert_const(self, value: Any) -> Any:
        return value

    # -- fields and items --

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        member = adt_member(self.s, name)
        if callable(member):
            return hop.inputarg(self, 0)
        if member is not None:
            return hop.result_constant()
        S: Any = self.lowleveltype.TO  # type: ignore[attr-defined]
        number = named_item(S, name)
        if number is not None:
            operands = [live_pointer(hop, 0), Constant(number, Signed)]
            return read(hop, S.OF, operands, "getarrayitem", "getarraysubstruct")
        T = S._flds[name]
        return read(hop, T, [live_pointer(hop, 0), void(name)], "getfield", "getsubstruct")

    def rtype_setattr(self, hop: HighLevelOp) -> Value:
        S: Any = self.lowleveltype.TO  # type: ignore[attr-defined]
        name = hop.args_s[1].value
        number = named_item(S, name)
        if number is not None:
            v_item = stored_value(hop, S.OF, 2, f"item of {S._short_name()}")
            v = live_pointer(hop, 0)
            if v_item is not None:
                hop.genop("setarrayitem", [v, Constant(number, Signed), v_item])
            return void(None)
        where = f"field {name!r} of {S._short_name()}"
        v_value = stored_value(hop, S._flds[name], 2, where)
        v = live_pointer(hop, 0)
        if v_value is not None:
            hop.genop("setfield", [v, void(name), v_value])
        return void(None)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        T = self.lowleveltype.TO.OF  # type: ignore[attr-defined]
        v = live_pointer(hop, 0)
        v_index = checked_item(hop, v, hop.inputarg(Signed, 1))
        return read(hop, T, [v, v_index], "getarrayitem", "getarraysubstruct")

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        A: Any = self.lowleveltype.TO  # type: ignore[attr-defined]
        v = live_pointer(hop, 0)
        v_index = checked_item(hop, v, hop.inputarg(Signed, 1))
        v_value = stored_value(hop, A.OF, 2, f"item of {A._short_name()}")
        if v_value is not None:
            hop.genop("setarrayitem", [v, v_index, v_value])
        return void(None)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        A: Any = self.lowleveltype.TO  # type: ignore[attr-defined]
        if isinstance(A, FixedSizeArray):
            return Constant(A.length, Signed)
        return hop.genop("getarraysize", [live_pointer(hop, 0)], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("ptr_nonzero", [hop.inputarg(self, 0)], Bool)

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        return hop.genop("ptr_iszero", [hop.inputarg(self, 0)], Bool)

    # -- calls --

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        T = self.lowleveltype.TO  # type: ignore[attr-defined]
        args = [
            stored_value(hop, A, i + 1, f"argument {i}") or void(None)
            for i, A in enumerate(T.ARGS)
        ]
        s_callee = hop.args_s[0]
        if s_callee.is_constant() and s_callee.value:
            v_result: Value = hop.llops.call_pointer(s_callee.value, args)
        else:
            v = live_pointer(hop, 0)
            v_result = hop.genop("indirect_call", [v, *args, void(None)], T.RESULT)
        return converted(hop, v_result, T.RESULT)

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        """A function in the ``adtmeths`` of the type."""
        function = adt_member(self.s, name)
        first: Operand | None = Operand(hop.inputarg(self, 0), self.s.without_const(), self)
        if getattr(function, "_static_method", False):
            first = None
        elif getattr(function, "_type_method", False):
            first = host_operand(hop, self.s.ll_ptrtype.TO)
        operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
        return call_adt_function(hop, function, first, operands)


def host_operand(hop: HighLevelOp, value: Any) -> Operand:
    """A host object as an operand."""
    s = hop.rtyper.annotator.constants.annotation_of(value)
    return Operand(void(value), s, hop.rtyper.getrepr(s))


def call_adt_function(
    hop: HighLevelOp, function: Any, first: Operand | None, operands: list[Operand]
) -> Value:
    """Call a function in the ``adtmeths`` of a type.  ``first``: None of a static method."""
    shape = CallShape(len(operands) - len(hop.keywords), tuple(hop.keywords))
    if first is not None:
        shape, operands = with_self(shape, operands, first.v, first.s, first.r)
    r_function: Any = hop.rtyper.getrepr(hop.rtyper.annotator.constants.annotation_of(function))
    v_result: Value = r_function.call(hop, shape, operands)
    return v_result


@HOST_CALLS.append
def type_method(hop: HighLevelOp, function: Any) -> Value | None:
    """``T.method(args)``."""
    T = getattr(function, "__self__", None)
    if not isinstance(function, MethodType) or not isinstance(T, LowLevelType):
        return None
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args)]
    return call_adt_function(hop, function.__func__, host_operand(hop, T), operands)


@repr_for(SomePtr)
def ptr_repr(rtyper: RPythonTyper, s: SomePtr) -> Repr:
    return PtrRepr(rtyper, s)


@PAIRS.register("is_ eq ne", PtrRepr, PtrRepr)
def compare_pointers(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return hop.genop("ptr_ne" if hop.opname == "ne" else "ptr_eq", [v_left, v_right], Bool)


# -- checks -------------------------------------------------------------------------------------


def is_user_code(hop: HighLevelOp) -> bool:
    """Are the uses of pointers tested?"""
    return not hop.llops.graphtyper.graph.is_helper


def live_pointer(hop: HighLevelOp, arg: int) -> Value:
    """A pointer operand, tested for null in user code."""
    v = hop.inputarg(hop.args_r[arg], arg)
    known = isinstance(v, Constant) and v.value
    if is_user_code(hop) and not known:
        v_null = hop.genop("ptr_iszero", [v], Bool)
        what = v.concretetype._short_name()
        hop.llops.raise_if(v_null, MemoryFault, f"null pointer dereferenced: {what}")
    return v


def checked_item(hop: HighLevelOp, v: Value, v_index: Value) -> Value:
    """An index, tested in user code against the length, if the array has one.  (Of arrays of
    one item most are pointers into the middle of something else.)"""
    assert isinstance(v.concretetype, Ptr)
    A = v.concretetype.TO
    llops = hop.llops
    if not is_user_code(hop):
        return v_index
    if isinstance(A, FixedSizeArray):
        if A.length == 1:
            return v_index
        v_length: Value = Constant(A.length, Signed)
        if isinstance(v_index, Constant) and 0 <= v_index.value < A.length:
            return v_index
    elif A._has_length():
        v_length = hop.genop("getarraysize", [v], Signed)
    else:
        return v_index
    pair = [hop.genop("cast_int_to_uint", [each], Unsigned) for each in (v_index, v_length)]
    bad, good = llops.branch(hop.genop("uint_ge", pair, Bool))
    llops.at(bad)
    hop.gendirectcall(ll_raise_out_of_bounds, v_index, v_length)
    llops.unreachable()
    llops.at(good)
    return v_index


# -- values of memory ---------------------------------------------------------------------------


def converted(hop: HighLevelOp, v: Value, T: LowLevelType) -> Value:
    """A value of type ``T`` as what the operation gives."""
    if T is Void:
        return void(None)
    return hop.llops.convertvar(v, hop.rtyper.primitive_repr(T), hop.r_result)


def read(hop: HighLevelOp, T: LowLevelType, args: list[Value], opname: str, inside: str) -> Value:
    """Read a field or item of type ``T``; what is inlined gives a pointer."""
    if T is Void:
        return void(None)
    if isinstance(T, ContainerType):
        return hop.genop(inside, args, Ptr(T))
    return converted(hop, hop.genop(opname, args, T), T)


def stored_value(hop: HighLevelOp, T: LowLevelType, arg: int, where: str) -> Value | None:
    """Operand ``arg`` as a value of type ``T``; None for Void.  ``where``: what for."""
    if T is Void:
        return None
    if T is Char and isinstance(hop.args_s[arg], SomeChar) and not hop.args_s[arg].is_constant():
        return narrow_char(hop.llops, hop.inputarg(UniChar, arg), where)
    return hop.inputarg(T, arg)


def narrow_char(llops: LowLevelOpList, v: Value, where: str) -> Value:
    """A UniChar as a Char; TypeError when it is none."""
    v_number = llops.genop("cast_unichar_to_int", [v], Signed)
    v_beyond = llops.genop("int_gt", [v_number, Constant(0xFF, Signed)], Bool)
    llops.raise_if(v_beyond, TypeError, f"{where}: a Char is a character up to U+00FF")
    return llops.genop("cast_int_to_char", [v_number], Char)


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


@CONVERSIONS.register("convert", LLCharRepr, CharRepr)
def widen_char(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    v_number = llops.genop("cast_char_to_int", [v], Signed)
    return llops.genop("cast_int_to_unichar", [v_number], UniChar)


@CONVERSIONS.register("convert", CharRepr, LLCharRepr)
def convert_char(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    return narrow_char(llops, v, "value")


# -- operations by name -------------------------------------------------------------------------


@BUILTINS.register(LLOpCaller)
def rtype_llop(hop: HighLevelOp) -> Value:
    """``llop.name(RESULT, *args)``."""
    caller = hop.host_function
    RESULT = hop.args_s[0].value
    args = [
        void(s.value) if r.lowleveltype is Void else hop.inputarg(r, i + 1)
        for i, (s, r) in enumerate(zip(hop.args_s[1:], hop.args_r[1:]))
    ]
    if is_user_code(hop):
        _test_operands(hop, LLOPS[caller.opname], args, RESULT)
    return hop.genop(caller.opname, args, RESULT)


def _test_operands(hop: HighLevelOp, row: LLOp, args: Sequence[Value], RESULT: Any) -> None:
    """Refuse operands of other types; raise UndefinedOperation outside of the domain."""
    problem = row.mismatch(args, RESULT)
    if problem is not None:
        raise TyperError(f"llop.{row.name} {problem}")
    if row.name == "gc_identityhash":
        live_pointer(hop, 1)
    if row.domain is not None:
        v_holds = hop.llops.gendirectcall(row.domain, *args)
        v_undefined = hop.genop("bool_not", [v_holds], Bool)
        hop.llops.raise_if(v_undefined, UndefinedOperation, undefined(row.name))

