"""``NotImplemented``, alone or where a method returns that or an answer.

    bool or NotImplemented     Signed: 0, 1 or 2
    T or NotImplemented        as ``T | None``, NotImplemented being the null pointer
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import K_BOOL, K_NOTIMPLEMENTED, SomeUnion, s_None
from rpython.annotator.lattice.notimplemented import SomeNotImplemented
from rpython.annotator.lattice.parts import from_parts, without_kinds
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, NullableRepr, Repr, VoidRepr, repr_for
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

_DECLINED = 2


class NotImplementedRepr(VoidRepr):
    """NotImplemented alone."""


class AnswerRepr(Repr):
    """An answer or NotImplemented."""

    def __init__(self, rtyper: RPythonTyper, s: SomeUnion) -> None:
        s_answer = without_kinds(s, K_NOTIMPLEMENTED)
        self.is_bool = s_answer.kinds == K_BOOL
        self.r_answer = rtyper.getrepr(s_answer)
        """The Repr of what it is when it is not NotImplemented."""
        nullable: Any = self.r_answer
        if not self.is_bool:
            nullable = rtyper.getrepr(from_parts([s_None, s_answer]))
            assert isinstance(nullable, NullableRepr)
        self.r_stored = nullable
        self.lowleveltype = Signed if self.is_bool else nullable.lowleveltype

    def setup(self) -> None:
        if not self.is_bool:
            self.lowleveltype = self.r_stored.lowleveltype

    def convert_const(self, value: Any) -> Any:
        if value is NotImplemented:
            return _DECLINED if self.is_bool else self.r_stored.null()
        return int(value) if self.is_bool else self.r_stored.convert_const(value)

    def is_declined(self, llops: LowLevelOpList, v: Value) -> Value:
        """Is it NotImplemented?  A Bool."""
        if self.is_bool:
            return llops.genop("int_eq", [v, Constant(_DECLINED, Signed)], Bool)
        declined: Value = self.r_stored.is_null(v, llops)
        return declined

    def answer(self, llops: LowLevelOpList, v: Value) -> Value:
        """The answer, a value of ``r_answer``, when it is one."""
        if self.is_bool:
            return llops.genop("int_is_true", [v], Bool)
        return llops.convertvar(v, self.r_stored, self.r_answer)

    def store(self, llops: LowLevelOpList, v: Value, r: Repr) -> Value:
        """An answer of Repr ``r``, as a value of this one."""
        if self.is_bool:
            return llops.genop("cast_bool_to_int", [v], Signed)
        return llops.convertvar(v, r, self.r_stored)


@repr_for(SomeNotImplemented)
def not_implemented_repr(rtyper: RPythonTyper, s: SomeNotImplemented) -> Repr:
    return NotImplementedRepr()


def answer_repr(rtyper: RPythonTyper, s: SomeUnion) -> Repr:
    """The Repr of a union with NotImplemented."""
    return AnswerRepr(rtyper, s)


@CONVERSIONS.register("convert", NotImplementedRepr, AnswerRepr)
def not_implemented_to_answer(
    r_from: Repr, r_to: AnswerRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_to.inputconst(NotImplemented)


@CONVERSIONS.register("convert", AnswerRepr, NotImplementedRepr)
def answer_to_not_implemented(
    r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_to.inputconst(NotImplemented)


@CONVERSIONS.register("convert", Repr, AnswerRepr)
def to_answer(r_from: Repr, r_to: AnswerRepr, v: Value, llops: LowLevelOpList) -> Value:
    return r_to.store(llops, v, r_from)


@CONVERSIONS.register("convert", AnswerRepr, Repr)
def from_answer(r_from: AnswerRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    # only where the annotator has proved that it is not NotImplemented
    return llops.convertvar(r_from.answer(llops, v), r_from.r_answer, r_to)


@CONVERSIONS.register("convert", AnswerRepr, AnswerRepr)
def between_answers(
    r_from: AnswerRepr, r_to: AnswerRepr, v: Value, llops: LowLevelOpList
) -> Value:
    done = llops.new_join(r_to.lowleveltype)
    declined, other = llops.branch(r_from.is_declined(llops, v))
    llops.at(declined)
    llops.goto(done, r_to.inputconst(NotImplemented))
    llops.at(other)
    v_answer = llops.convertvar(r_from.answer(llops, v), r_from.r_answer, r_to.r_answer)
    llops.goto(done, r_to.store(llops, v_answer, r_to.r_answer))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_", AnswerRepr, NotImplementedRepr)
@PAIRS.register("is_", NotImplementedRepr, AnswerRepr)
def is_not_implemented(hop: HighLevelOp) -> Value:
    arg = 0 if isinstance(hop.args_r[0], AnswerRepr) else 1
    r: Any = hop.args_r[arg]
    v: Value = r.is_declined(hop.llops, hop.inputarg(r, arg))
    return v


