"""Members of enums that are ints: ints, whose names and texts are looked up."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.enumints import (
    DIGITS,
    NAME,
    SomeEnumInt,
    class_value,
    getter,
    is_int_enum,
    text_of_enum,
)
from rpython.annotator.lattice.model import SomeInteger, SomeObject, s_Str
from rpython.annotator.program.enums import attribute_of
from rpython.annotator.rules.enumints import looks_by_number
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.int import IntegerRepr
from rpython.rtyper.kinds.pbc import iterate_members, with_self
from rpython.rtyper.kinds.text import int_text
from rpython.rtyper.registry import HOST_CALLS
from rpython.rtyper.rmodel import HOST_REPRS, HostRepr, Repr, repr_for
from rpython.rtyper.text import TEXT, literal
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


class EnumIntRepr(IntegerRepr):
    """Members of one enum."""

    def __init__(self, rtyper: RPythonTyper, s: SomeEnumInt) -> None:
        super().__init__(rtyper, s)
        self.s_self = s
        self.cls: Any = s.cls

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        v_self = hop.inputarg(self, 0)
        if name in ("value", "_value_"):
            return v_self
        value = class_value(self.cls, name)
        function = getter(value)
        if function is not None:
            return self.call_method(hop, function, v_self, CallShape(0), [], hop.r_result)
        if hop.s_result.is_constant():
            return hop.result_constant()
        if value is None and self.rtyper.annotator.constants.members.attribute(self.cls, name):
            return self.attribute(hop, v_self, name, hop.r_result)
        return v_self  # a method, about to be called

    def attribute(self, hop: HighLevelOp, v_self: Value, name: str, r_result: Repr) -> Value:
        """What ``attribute_of`` finds."""
        constants = self.rtyper.annotator.constants
        desc = constants.function_desc(attribute_of, None, (self.cls, name))
        s_number = SomeInteger(self.s_self.nonneg)
        values = constants.members.attribute(self.cls, name)
        operands = [Operand(v_self, s_number, self.rtyper.getrepr(s_number))]
        operands.append(_constant(self.rtyper, values))
        return self.rtyper.calls.call_desc(hop.llops, desc, CallShape(2), operands, r_result)

    def call_method(
        self, hop: HighLevelOp, function: Any, v_self: Value, shape: CallShape,
        operands: list[Operand], r_result: Repr,
    ) -> Value:  # fmt: skip
        desc = self.rtyper.annotator.constants.function_desc(function)
        shape, operands = with_self(shape, operands, v_self, self.s_self, self)
        return self.rtyper.calls.call_desc(hop.llops, desc, shape, operands, r_result)

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        function = class_value(self.cls, name)
        if function is None:
            return super().rtype_method(name, hop)
        shape, operands = _arguments(hop)
        v_self = hop.inputarg(self, 0)
        return self.call_method(hop, function, v_self, shape, operands, hop.r_result)


@repr_for(SomeEnumInt)
def enum_int_repr(rtyper: RPythonTyper, s: SomeEnumInt) -> Repr:
    return EnumIntRepr(rtyper, s) if s.const is None else rtyper.getrepr(s.without_const())


def _constant(rtyper: RPythonTyper, value: Any) -> Operand:
    s = rtyper.annotator.constants.annotation_of(value)
    r = rtyper.getrepr(s)
    return Operand(r.inputconst(value), s, r)


def _arguments(hop: HighLevelOp, first: int = 1) -> tuple[CallShape, list[Operand]]:
    operands = [Operand(*hop.operand(i)) for i in range(first, hop.nb_args)]
    return CallShape(len(operands) - len(hop.keywords), tuple(hop.keywords)), operands


@TEXT.register("text", EnumIntRepr)
def enum_int_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: EnumIntRepr, quoted: bool
) -> list[Value]:
    shown = text_of_enum(r.cls, quoted)
    r_str = hop.rtyper.getrepr(s_Str)
    if isinstance(shown, types.FunctionType):
        return [r.call_method(hop, shown, v, CallShape(0), [], r_str)]
    digits = int_text(hop, v, s, r, False)
    if shown == DIGITS:
        return digits
    v_name = r.attribute(hop, v, "name", r_str)
    name: str = r.cls.__name__
    if shown == NAME:
        return [literal(hop.rtyper, name + "."), v_name]
    lead, colon, end = (literal(hop.rtyper, text) for text in (f"<{name}.", ": ", ">"))
    return [lead, v_name, colon, *digits, end]


class IntEnumClassRepr(HostRepr):
    """An enum whose members are ints."""

    def __init__(self, rtyper: RPythonTyper, value: Any) -> None:
        super().__init__(value)
        self.rtyper = rtyper

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        return hop.result_constant()

    def rtype_iter(self, hop: HighLevelOp) -> Value:
        return iterate_members(hop, self.value)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        """``Level["LOW"]``."""
        members = self.rtyper.annotator.constants.members
        return _look_up(hop, self.value, members.by_name(self.value), Operand(*hop.operand(1)))


@HOST_REPRS.append
def int_enum_class_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr | None:
    return IntEnumClassRepr(rtyper, s.value) if is_int_enum(s.value) else None


def _look_up(hop: HighLevelOp, cls: Any, found: tuple[Any, list[Any]], key: Operand) -> Value:
    """A member, by a function of ``annotator.program.enums``."""
    function, more = found
    operands = [Operand(key.v, key.s.without_const(), key.r)]
    operands += [_constant(hop.rtyper, value) for value in more]
    desc = hop.rtyper.annotator.constants.function_desc(function, None, cls)
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)


@HOST_CALLS.append
def member_by_value(hop: HighLevelOp, function: Any) -> Value | None:
    """``Level(n)``, and the class methods of an enum whose members are ints."""
    owner = getattr(function, "__self__", None)
    constants = hop.rtyper.annotator.constants
    if is_int_enum(owner) and isinstance(function, types.MethodType):
        shape, operands = _arguments(hop, 0)
        own = _constant(hop.rtyper, owner)
        shape, operands = with_self(shape, operands, own.v, own.s, own.r)
        desc = constants.function_desc(function.__func__)
        return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
    if not is_int_enum(function):
        return None
    s_value = hop.args_s[0]
    finder = constants.members.by_number if looks_by_number(s_value) else constants.members.by_value
    return _look_up(hop, function, finder(function), Operand(*hop.operand(0)))
