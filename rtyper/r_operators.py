"""Operators on instances: calls of the methods that their classes define."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from annotator.classdef import ClassDef, Lookup
from annotator.model import SomeInstance, s_Bool, s_Int
from annotator.parts import without_none
from annotator.rules_special import ARITHMETIC, REFLECTED, UNARY_METHODS, may_be_subclass
from lltypesystem.lltype import Bool, Signed
from rtyper.callables import Operand
from rtyper.ll import ll_class
from rtyper.rmodel import PAIRS, NullableRepr, Repr
from translator.ir.hlops import CallShape
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp, LowLevelOpList
    from rtyper.rtyper import RPythonTyper

_ARITHMETIC_OPS = " ".join([*ARITHMETIC, "lt le gt ge"])
_IN_PLACE_OPS = " ".join(f"inplace_{name}" for name in ARITHMETIC.values())


class OperatorMethods(Repr):
    """Mixin of InstanceRepr."""

    nullable: ClassVar[bool] = True
    converts_null: ClassVar[bool] = True
    rtyper: RPythonTyper
    classdef: ClassDef
    members: frozenset[ClassDef] | None = None
    """See ``SomeInstance``."""

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        """How many items iteration gives: not known."""
        return None

    def has_method(self, name: str, kind: type | None = None) -> bool:
        found = self.classdef.class_value(name)
        return found is not None and (kind is None or isinstance(found[1], kind))

    def call_special(
        self,
        hop: HighLevelOp,
        name: str,
        *operands: int,
        r_result: Repr | None = None,
        own: int = 0,
    ) -> Value:
        """Call a method of operand ``own`` with other operands of the operation."""
        args = [Operand(*hop.operand(i)) for i in operands]
        return self._call(hop, name, hop.inputarg(self, own), CallShape(len(args)), args, r_result)

    def _call(
        self,
        hop: HighLevelOp,
        name: str,
        v_self: Value,
        shape: CallShape,
        args: list[Operand],
        r_result: Repr | None = None,
    ) -> Value:
        return self.call_lookup(hop, Lookup(name), v_self, shape, args, r_result)

    def call_lookup(
        self,
        hop: HighLevelOp,
        lookup: Lookup,
        v_self: Value,
        shape: CallShape,
        args: list[Operand],
        r_result: Repr | None = None,
    ) -> Value:
        """Call what a lookup finds on an instance of this Repr."""
        longer = CallShape(shape.positional + 1, shape.keywords, shape.star)
        return self._call_method(hop.llops, lookup, v_self, longer, args, r_result or hop.r_result)

    def _call_method(
        self,
        llops: LowLevelOpList,
        lookup: Lookup,
        v_self: Value,
        shape: CallShape,
        args: list[Operand],
        r_result: Repr,
    ) -> Value:
        s_self = SomeInstance(self.classdef, None, self.members)
        everything = [Operand(v_self, s_self, self), *args]
        classdefs = self.classdef.concrete(self.members)
        return self.rtyper.calls.call_method(
            llops, self.classdef, classdefs, lookup, shape, everything, r_result
        )

    def call_method(
        self, llops: LowLevelOpList, name: str, v_self: Value, r_result: Repr
    ) -> Value:
        """Call a method without arguments."""
        return self._call_method(llops, Lookup(name), v_self, CallShape(1), [], r_result)

    def call_without_arguments(
        self, hop: HighLevelOp, name: str, v_self: Value, r_result: Repr
    ) -> Value:
        """Call a method of an instance that is no operand."""
        return self._call(hop, name, v_self, CallShape(0), [], r_result)

    def _operator(self, hop: HighLevelOp) -> Value:
        name = UNARY_METHODS[hop.opname]
        return self.call_special(hop, name, *range(1, hop.nb_args))

    rtype_neg = rtype_pos = rtype_invert = _operator
    rtype_getitem = rtype_setitem = rtype_delitem = rtype_contains = _operator
    rtype_iter = rtype_next = _operator

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        args = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
        return self._call(hop, "__call__", hop.inputarg(self, 0), CallShape(len(args)), args)

    def rtype_call_args(self, hop: HighLevelOp) -> Value:
        args = [Operand(*hop.operand(i)) for i in range(2, hop.nb_args)]
        shape: Any = hop.spaceop.args[1]
        return self._call(hop, "__call__", hop.inputarg(self, 0), shape.value, args)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        if self.has_method("__bool__"):
            return self.call_special(hop, "__bool__", r_result=self.rtyper.getrepr(s_Bool))
        if self.has_method("__len__"):
            return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)
        return Constant(True, Bool)

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        v_true = self.rtype_bool(hop)
        if isinstance(v_true, Constant):
            return Constant(not v_true.value, Bool)
        return hop.genop("bool_not", [v_true], Bool)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        v_length = self.call_special(hop, "__len__", r_result=self.rtyper.getrepr(s_Int))
        v_negative = hop.genop("int_lt", [v_length, Constant(0, Signed)], Bool)
        hop.llops.raise_if(v_negative, ValueError, "__len__() should return >= 0")
        return v_length

    def compare(self, hop: HighLevelOp) -> Value:
        """A comparison by the method of operand 0 or, when operand 1 is of a subclass of its
        class, by the reflected method of that."""
        r_right: Any = hop.args_r[1]
        r_inner = r_right.inner if isinstance(r_right, NullableRepr) else r_right
        if not isinstance(r_inner, OperatorMethods):
            return self.ask(hop, hop.opname, 0, 1)
        reflected = REFLECTED[hop.opname]
        known = any(r_inner.has_method(f"__{name}__") for name in _ALTERNATIVES[reflected])
        if not known or not may_be_subclass(self.classdef, r_inner.classdef):
            return self.ask(hop, hop.opname, 0, 1)
        llops, classes = hop.llops, self.rtyper.classes
        done = llops.new_join(hop.r_result.lowleveltype)
        v_left, v_right = hop.inputarg(self, 0), hop.inputarg(r_right, 1)
        both = [classes.upcast(v, llops) for v in (v_left, v_right)]
        yes, no = llops.branch(llops.gendirectcall(ll_class.ll_right_first, *both))
        llops.at(yes)
        swapped = hop.copy()
        swapped.replace_arg(1, v_right, without_none(hop.args_s[1]), r_inner)
        llops.goto(done, r_inner.ask(swapped, reflected, 1, 0))
        llops.at(no)
        llops.goto(done, self.ask(hop, hop.opname, 0, 1))
        llops.at(done)
        return done.inputargs[0]

    def ask(self, hop: HighLevelOp, opname: str, own: int, other: int) -> Value:
        """Call the comparison method of operand ``own``; ``!=`` may be the opposite of
        ``__eq__``."""
        name = f"__{opname}__"
        if opname != "ne" or self.has_method(name):
            return self.call_special(hop, name, other, own=own)
        r_bool = self.rtyper.getrepr(s_Bool)
        v_equal = self.call_special(hop, "__eq__", other, r_result=r_bool, own=own)
        return hop.genop("bool_not", [v_equal], Bool)


_ALTERNATIVES = {name: (name,) for name in REFLECTED} | {"ne": ("ne", "eq")}
"""Comparison -> the methods that can decide it."""


@PAIRS.register(_ARITHMETIC_OPS, OperatorMethods, Repr)
@PAIRS.register(_IN_PLACE_OPS, OperatorMethods, Repr)
def operate(hop: HighLevelOp) -> Value:
    """The left operand's method or, where its class has none, the right one's."""
    r_left = hop.args_r[0]
    assert isinstance(r_left, OperatorMethods)
    opname = hop.opname
    in_place = opname.startswith("inplace_")
    word = opname.removeprefix("inplace_").strip("_")
    if in_place and r_left.has_method(f"__i{word}__"):
        return r_left.call_special(hop, f"__i{word}__", 1)
    if r_left.has_method(f"__{word}__"):
        if opname in REFLECTED:
            return r_left.compare(hop)
        return r_left.call_special(hop, f"__{word}__", 1)
    return operate_reflected(hop)


@PAIRS.register(_ARITHMETIC_OPS, Repr, OperatorMethods)
def operate_reflected(hop: HighLevelOp) -> Value:
    r_left, r_right = hop.args_r
    if isinstance(r_left, NullableRepr) and isinstance(r_left.inner, OperatorMethods):
        r_left.unwrap(hop, 0)
        return operate(hop)
    assert isinstance(r_right, OperatorMethods)
    opname = hop.opname.removeprefix("inplace_").strip("_")
    name = f"__{REFLECTED[opname]}__" if opname in REFLECTED else f"__r{opname}__"
    return r_right.call_special(hop, name, 0, own=1)
