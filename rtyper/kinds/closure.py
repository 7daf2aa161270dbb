"""Closures: instances whose class says which function they stand for.

    def make(n):                      GcStruct closure_add { super: closure, inst_n: Signed }
        return lambda x: x + n

A value that may be a closure or a plain function is a pointer too: for each plain function
there is one prebuilt instance.  A call of one of several goes through a table by class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeFunction, SomeInstance
from rpython.annotator.program.desc import FunctionDesc
from rpython.lltypesystem.lltype import Bool, Signed, cast_pointer, nullptr
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.pbc import CallableRepr, FunctionRepr, function_text, with_self
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import closure_function
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class ClosureRepr(CallableRepr):
    """One of several closures and functions, by its instance."""

    nullable = True
    converts_null = True

    def __init__(self, rtyper: RPythonTyper, s: SomeFunction) -> None:
        self.rtyper = rtyper
        self.descs: list[Any] = list(s.descs)
        closures = [desc.closure for desc in self.descs if desc.closure is not None]
        self.base = closures[0].__base__
        self.r_base: InstanceRepr = rtyper.instance_repr(self._classdef(self.base))
        self.lowleveltype = self.r_base.lowleveltype

    def _classdef(self, cls: Any) -> Any:
        return self.rtyper.annotator.constants.classdef(cls)

    def convert_const(self, value: Any) -> Any:
        desc = self.rtyper.annotator.constants.function_desc(value)
        cls = self.rtyper.calls.class_of_function(desc, self.base)
        r: InstanceRepr = self.rtyper.instance_repr(self._classdef(cls))
        instance = self.rtyper.prebuilt.get(self, cls, r.make_prebuilt, _fill_nothing)
        return cast_pointer(self.lowleveltype, instance)

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        calls = self.rtyper.calls
        v_closure = hop.inputarg(self, 0)
        if len(self.descs) > 1:
            shape, operands = with_self(
                shape, operands, v_closure, SomeInstance(self.r_base.classdef), self.r_base
            )
            return calls.call_closure(hop.llops, self.descs, shape, operands, hop.r_result)
        (desc,) = self.descs
        assert isinstance(desc, FunctionDesc)
        r: InstanceRepr = self.rtyper.instance_repr(self._classdef(desc.closure))
        v_exact = hop.llops.convertvar(v_closure, self.r_base, r)
        shape, operands = with_self(shape, operands, v_exact, SomeInstance(r.classdef), r)
        return calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        classes = self.rtyper.classes
        v_class = classes.typeptr(hop.inputarg(self, 0), hop.llops)

        def is_it(desc: FunctionDesc) -> Value:
            cls = desc.closure or self.rtyper.calls.class_of_function(desc, self.base)
            vtable = Constant(classes.vtable(self._classdef(cls)), CLASSTYPE)
            return hop.llops.genop("ptr_eq", [v_class, vtable], Bool)

        return function_text(hop, self.descs, is_it)


def _fill_nothing(p: Any, x: Any) -> None:
    """A function's instance holds nothing."""


@repr_for(SomeFunction)
def function_repr(rtyper: RPythonTyper, s: SomeFunction) -> Repr:
    descs: list[Any] = list(s.descs)
    if any(desc.closure is not None for desc in descs):
        return ClosureRepr(rtyper, s)
    return FunctionRepr(rtyper, s)


@BUILTINS.register(closure_function)
def function_of_closure(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    return hop.llops.convertvar(hop.inputarg(hop.args_r[0], 0), hop.args_r[0], r.r_base)


@CONVERSIONS.register("convert", ClosureRepr, ClosureRepr)
def convert_closure(
    r_from: ClosureRepr, r_to: ClosureRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return v


@CONVERSIONS.register("convert", FunctionRepr, ClosureRepr)
def convert_function_to_closure(
    r_from: FunctionRepr, r_to: ClosureRepr, v: Value, llops: LowLevelOpList
) -> Value:
    """From the number of a function to its instance; 0 is None."""
    done = llops.new_join(r_to.lowleveltype)
    for desc in r_from.descs:
        number = Constant(desc.index + 1, Signed)
        yes, no = llops.branch(llops.genop("int_eq", [v, number], Bool))
        llops.at(yes)
        llops.goto(done, r_to.inputconst(desc.func))
        llops.at(no)
    T: Any = r_to.lowleveltype
    llops.goto(done, Constant(nullptr(T.TO), T))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_ eq ne", ClosureRepr, ClosureRepr)
@PAIRS.register("is_ eq ne", ClosureRepr, FunctionRepr)
@PAIRS.register("is_ eq ne", FunctionRepr, ClosureRepr)
def compare_closures(hop: HighLevelOp) -> Value:
    r_closure = next(r for r in hop.args_r if isinstance(r, ClosureRepr))
    operands = [
        hop.inputarg(r if isinstance(r, ClosureRepr) else r_closure, i)
        for i, r in enumerate(hop.args_r)
    ]
    return hop.genop("ptr_ne" if hop.opname == "ne" else "ptr_eq", operands, Bool)
