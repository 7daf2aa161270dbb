"""Named tuples: tuples whose items have names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject, SomeTuple, s_Str
from rpython.annotator.lattice.namedtuples import (
    SomeNamedTuple,
    class_method,
    class_value,
    field_number,
    is_named_tuple,
    new_signature,
    operator_function,
    text_function,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.argument import (
    FromArg,
    FromDefault,
    match_arguments,
    split_arguments,
)
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.pbc import with_self
from rpython.rtyper.kinds.text import named_text
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import HOST_CALLS
from rpython.rtyper.rmodel import PAIRS, NullableRepr, Repr, repr_for
from rpython.rtyper.text import TEXT
from rpython.stdlib._seen import BEGINS_WITH
from rpython.stdlib.dataclasses import namedtuple_made
from rpython.translator.ir.hlops import CallShape, plain_name
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


class NamedTupleRepr(TupleRepr):
    """Tuples of one class made by ``namedtuple`` or ``NamedTuple``."""

    def __init__(self, rtyper: RPythonTyper, s: SomeNamedTuple) -> None:
        super().__init__(rtyper, s)
        self.s_self = s
        self.cls: Any = s.cls

    def make_host(self, items: Any) -> Any:
        """The host tuple of these host values."""
        return self.cls._make(items)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        v_self = hop.inputarg(self, 0)
        number = field_number(self.cls, name)
        if number is not None:
            v = self.getitem(hop.llops, v_self, number)
            return hop.llops.convertvar(v, self.items_r[number], hop.r_result)
        value = class_value(self.cls, name)
        if isinstance(value, property):
            function: Any = value.fget
            return self.call_method(hop, function, v_self, CallShape(0), [])
        if hop.s_result.is_constant():
            return hop.result_constant()
        return v_self  # a method, about to be called

    def call_method(
        self, hop: HighLevelOp, function: Any, v_self: Value, shape: CallShape,
        operands: list[Operand],
    ) -> Value:  # fmt: skip
        desc = self.rtyper.annotator.constants.function_desc(function)
        shape, operands = with_self(shape, operands, v_self, self.s_self, self)
        return self.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        v_self = hop.inputarg(self, 0)
        if name == "_replace":
            return self._replace(hop, v_self)
        function = class_value(self.cls, name)
        if function is None:
            return super().rtype_method(name, hop)
        operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
        shape = CallShape(len(operands) - len(hop.keywords), tuple(hop.keywords))
        return self.call_method(hop, function, v_self, shape, operands)

    def rtype_neg(self, hop: HighLevelOp) -> Value:
        called = call_operator(hop)
        assert called is not None
        return called

    rtype_pos = rtype_invert = rtype_neg

    def _replace(self, hop: HighLevelOp, v_self: Value) -> Value:
        items = [
            (self.getitem(hop.llops, v_self, i), s.without_const(), r)
            for i, (s, r) in enumerate(zip(self.items_s, self.items_r))
        ]
        for key, arg in hop.keywords.items():
            number = field_number(self.cls, key)
            assert number is not None
            items[number] = hop.operand(arg)
        r_result: Any = hop.r_result
        built: Value = r_result.build(hop.llops, items)
        return built


@PAIRS.register("by_operators", NamedTupleRepr, Repr)
@PAIRS.register("by_operators", Repr, NamedTupleRepr)
def call_operator(hop: HighLevelOp) -> Value | None:
    """An operator that the class of an operand defines, if one does."""
    found = operator_function(plain_name(hop.opname), list(map(without_none, hop.args_s)))
    if found is None:
        return None
    function, own = found
    r: Any = hop.args_r[own]
    if isinstance(r, NullableRepr):
        r.unwrap(hop, own)
        r = r.inner
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args) if i != own]
    called: Value = r.call_method(
        hop, function, hop.inputarg(r, own), CallShape(len(operands)), operands
    )
    return called


@repr_for(SomeNamedTuple)
def named_tuple_repr(rtyper: RPythonTyper, s: SomeNamedTuple) -> Repr:
    plain = s.without_const()
    if plain != s:
        return rtyper.getrepr(plain)
    return NamedTupleRepr(rtyper, s)


@HOST_CALLS.append
def make_named_tuple(hop: HighLevelOp, function: Any) -> Value | None:
    """``Match(a, b, size=n)`` and ``Match._make(items)``."""
    r_result: Any = hop.r_result
    if is_named_tuple(function):
        items = _arguments(hop, function)
        built: Value = r_result.build(hop.llops, items)
        return built
    owner: Any = getattr(function, "__self__", None)
    if not is_named_tuple(owner):
        return None
    own = class_method(function)
    if own is not None:
        constants = hop.rtyper.annotator.constants
        s_class = constants.annotation_of(owner)
        r_class = hop.rtyper.getrepr(s_class)
        operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args)]
        shape = CallShape(len(operands) - len(hop.keywords), tuple(hop.keywords))
        v_class = r_class.inputconst(owner)
        shape, operands = with_self(shape, operands, v_class, s_class, r_class)
        desc = constants.function_desc(own)
        return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, r_result)
    if function.__name__ != "_make":
        return None
    r: Any = hop.args_r[0]
    s: Any = hop.args_s[0]
    if not isinstance(s, SomeTuple):
        return call_overlay(hop, namedtuple_made(owner))
    v = hop.inputarg(r, 0)
    made: Value = r_result.build(
        hop.llops,
        [
            (r.getitem(hop.llops, v, i), s_item.without_const(), r.items_r[i])
            for i, s_item in enumerate(s.items)
        ],
    )
    return made


def _arguments(hop: HighLevelOp, cls: Any) -> list[tuple[Value, SomeObject, Repr]]:
    """The items of a new tuple, from the arguments of the call and defaults."""
    shape = CallShape(hop.nb_args - len(hop.keywords) + 1, tuple(hop.keywords))
    split = split_arguments(cls.__name__, shape, 0, {})
    result: list[tuple[Value, SomeObject, Repr]] = []
    for source in match_arguments(cls.__name__, new_signature(cls), split)[1:]:
        if isinstance(source, FromDefault):
            s_default = hop.rtyper.annotator.constants.annotation_of(source.value)
            r_default = hop.rtyper.getrepr(s_default)
            result.append((r_default.inputconst(source.value), s_default, r_default))
        else:
            assert isinstance(source, FromArg)
            result.append(hop.operand(source.index - 1))
    return result


@TEXT.register("text", NamedTupleRepr)
def named_tuple_text(
    hop: HighLevelOp, v: Value, s: SomeTuple, r: NamedTupleRepr, quoted: bool
) -> list[Value]:
    own = text_function(r.cls, quoted)
    if own is None:
        begins_with = vars(r.cls).get(BEGINS_WITH, r.cls.__name__)
        return named_text(hop, v, s, r, begins_with, r.cls._fields)
    inner = hop.copy()
    inner.r_result = hop.rtyper.getrepr(s_Str)
    return [r.call_method(inner, own, v, CallShape(0), [])]
