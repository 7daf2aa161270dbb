"""Operators on instances: calls of the methods that their classes define."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rpython.annotator.conversions import RESULTS, Conversion, method_called
from rpython.annotator.lattice.model import SomeInstance, SomeObject, s_Bool, s_Int, s_Str
from rpython.annotator.lattice.parts import is_big, parts_of
from rpython.annotator.program.classdef import ClassDef, Lookup, is_state_machine
from rpython.annotator.program.special_methods import MISSING, Missing, lacking, truth_methods
from rpython.annotator.rules.binary_methods import kind_of_operand
from rpython.annotator.rules.instances import receivers
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.callables import Operand
from rpython.rtyper.ll import ll_class
from rpython.rtyper.rmodel import GENERAL_RULES, Repr
from rpython.translator.ir.hlops import HLOPS, CallShape
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


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

    def some_has_method(self, name: str) -> bool:
        """Does a class that the instances may be of have the method?"""
        classdefs = self.classdef.concrete(self.members)
        return any(classdef.class_value(name) is not None for classdef in classdefs)

    def test_method(self, llops: LowLevelOpList, v_self: Value, name: str) -> Value:
        """Has the instance the method?  A Bool, constant where all or none have."""
        s_self = SomeInstance(self.classdef, None, self.members)
        without = lacking(s_self, name)
        if not any(classdef.instantiated or classdef.prebuilt for classdef in without):
            return Constant(True, Bool)
        v_result: Value = Constant(False, Bool)
        for i, classdef in enumerate(self.classdef.first_with(name)):
            v_test = self.rtyper.classes.isinstance_test(v_self, classdef, llops)
            v_result = v_test if i == 0 else llops.either(v_result, v_test)
        return v_result

    def require_method(
        self, llops: LowLevelOpList, v_self: Value, name: str, missing: Missing
    ) -> None:
        """Raise what CPython raises where the class of the instance lacks the method of an
        operation."""
        v_has = self.test_method(llops, v_self, name)
        if isinstance(v_has, Constant) and v_has.value:
            return
        if not missing.names_class:
            llops.raise_if(llops.genop("bool_not", [v_has], Bool), TypeError, missing.before)
            return
        r_str: Any = self.rtyper.getrepr(s_Str)
        texts = [r_str.inputconst(text) for text in (missing.before, missing.after)]
        good, bad = llops.branch(v_has)
        llops.at(bad)
        v_base = self.rtyper.classes.upcast(v_self, llops)
        llops.gendirectcall(ll_class.ll_no_method, v_base, *texts)
        llops.unreachable()
        llops.at(good)

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
        if lookup.name in MISSING and lookup.after is None:
            self.require_method(llops, v_self, lookup.name, MISSING[lookup.name])
        return self._call_found(llops, lookup, v_self, shape, args, r_result)

    def _call_found(
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
        selfs = receivers(self.classdef, lookup, self.members)
        return self.rtyper.calls.call_method(
            llops, self.classdef, selfs, lookup, shape, everything, r_result
        )

    def call_method(self, llops: LowLevelOpList, name: str, v_self: Value, r_result: Repr) -> Value:
        """Call a method without arguments."""
        return self._call_method(llops, Lookup(name), v_self, CallShape(1), [], r_result)

    def method_called(self, conversion: Conversion) -> str:
        """The name of the method that instances are converted with."""
        return method_called(SomeInstance(self.classdef, None, self.members), conversion)

    def converted(
        self, llops: LowLevelOpList, v_self: Value, conversion: Conversion, s_result: SomeObject
    ) -> Value:
        """What a special method makes of an instance, as a value of the Repr of ``s_result``."""
        name = self.method_called(conversion)
        r_result = self.rtyper.getrepr(s_result)
        of_any_size = any(is_big(part) for part in parts_of(s_result))
        r_number = r_result if of_any_size else self.rtyper.getrepr(RESULTS.get(name, s_result))
        self.require_method(llops, v_self, name, conversion.missing)
        v = self._call_found(llops, Lookup(name), v_self, CallShape(1), [], r_number)
        return llops.convertvar(v, r_number, r_result)

    def call_without_arguments(
        self, hop: HighLevelOp, name: str, v_self: Value, r_result: Repr
    ) -> Value:
        """Call a method of an instance that is no operand."""
        return self._call(hop, name, v_self, CallShape(0), [], r_result)

    def _operator(self, hop: HighLevelOp) -> Value:
        other = kind_of_operand(hop.args_s[1]) if hop.nb_args > 1 else None
        lookup = Lookup(HLOPS[hop.opname].method, other=other)
        args = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
        return self.call_lookup(hop, lookup, hop.inputarg(self, 0), CallShape(len(args)), args)

    rtype_neg = rtype_pos = rtype_invert = _operator
    rtype_getitem = rtype_setitem = rtype_delitem = _operator
    rtype_next = _operator

    def rtype_iter(self, hop: HighLevelOp) -> Value:
        if is_state_machine(self.classdef) and hop.r_result is self:
            return hop.inputarg(self, 0)  # a generator is its own iterator
        return self._operator(hop)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        if self.some_has_method("__contains__"):
            return self._operator(hop)
        return GENERAL_RULES["contains"](hop)

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        args = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
        return self._call(hop, "__call__", hop.inputarg(self, 0), CallShape(len(args)), args)

    def rtype_call_args(self, hop: HighLevelOp) -> Value:
        args = [Operand(*hop.operand(i)) for i in range(2, hop.nb_args)]
        shape: Any = hop.spaceop.args[1]
        return self._call(hop, "__call__", hop.inputarg(self, 0), shape.value, args)

    def _truth_by_class(self, hop: HighLevelOp, points: list[tuple[ClassDef, str]]) -> Value:
        """Where instances of different classes have their truth from different methods."""
        llops, classes = hop.llops, self.rtyper.classes
        v_self = hop.inputarg(self, 0)
        done = llops.new_join(Bool)
        for classdef, name in points:
            other = None
            if classdef is not self.classdef:
                test = classes.isinstance_test(v_self, classdef, llops)
                same, other = llops.branch(test)
                llops.at(same)
            r: OperatorMethods = self.rtyper.instance_repr(classdef)
            v = classes.cast(v_self, r.lowleveltype, llops)
            if name == "__bool__":
                r_bool = self.rtyper.getrepr(s_Bool)
                v_true: Value = r.call_without_arguments(hop, name, v, r_bool)
            elif name:
                v_length = r.call_without_arguments(hop, name, v, self.rtyper.getrepr(s_Int))
                v_negative = hop.genop("int_lt", [v_length, Constant(0, Signed)], Bool)
                llops.raise_if(v_negative, ValueError, "__len__() should return >= 0")
                v_true = hop.genop("int_is_true", [v_length], Bool)
            else:
                v_true = Constant(True, Bool)
            llops.goto(done, v_true)
            if other is not None:
                llops.at(other)
        llops.at(done)
        return done.inputargs[0]

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        points = truth_methods(self.classdef)
        if len(points) > 1:
            return self._truth_by_class(hop, points)
        if self.has_method("__bool__"):
            return self.call_special(hop, "__bool__", r_result=self.rtyper.getrepr(s_Bool))
        if self.has_method("__len__"):
            return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)
        return Constant(True, Bool)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        v_length = self.call_special(hop, "__len__", r_result=self.rtyper.getrepr(s_Int))
        v_negative = hop.genop("int_lt", [v_length, Constant(0, Signed)], Bool)
        hop.llops.raise_if(v_negative, ValueError, "__len__() should return >= 0")
        return v_length
