"""Bound methods as values.

    m = x.f             the instance: what ``f`` is follows from its class
    m = x.f or y.g      GcStruct bound_method { group: Signed, self: *object }

A *group* (``callables.Group``) is what the instance alone does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.hostnames import attribute_of_function
from rpython.annotator.lattice.model import (
    SomeClassMethod,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomePBC,
)
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.program.classdef import Lookup
from rpython.annotator.program.desc import ClassDesc, MethodDesc
from rpython.annotator.rules.instances import nearest_above
from rpython.annotator.rules.mapping_calls import callees_of
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed, cast_pointer, malloc
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.rtyper.callables import Group, Operand
from rpython.rtyper.kinds.instance import GC_FLAGS, InstanceRepr, void
from rpython.rtyper.kinds.pbc import CallableRepr, FunctionRepr, switch_class, with_self
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

BOUND_METHOD = GcStruct("bound_method", ("group", Signed), ("self", OBJECTPTR))


def group_of(desc: MethodDesc) -> Group:
    return Group(desc.lookup, desc.selfdef.root(), desc.function if desc.exact else None)


def groups_of(s: SomeMethod) -> dict[Group, list[MethodDesc]]:
    result: dict[Group, list[MethodDesc]] = {}
    for desc in s.descs:
        assert isinstance(desc, MethodDesc)
        result.setdefault(group_of(desc), []).append(desc)
    return result


@repr_for(SomeMethod)
def method_repr(rtyper: RPythonTyper, s: SomeMethod) -> Repr:
    groups = [MethodRepr(rtyper, group, descs) for group, descs in groups_of(s).items()]
    return groups[0] if len(groups) == 1 else MixedMethodRepr(rtyper, groups)


class MethodRepr(CallableRepr):
    """Bound methods of one group: the instance."""

    nullable = True

    def __init__(self, rtyper: RPythonTyper, group: Group, descs: Sequence[MethodDesc]) -> None:
        self.rtyper = rtyper
        self.group = group
        self.functions = list(dict.fromkeys(desc.function for desc in descs))
        base = descs[0].selfdef
        for desc in descs[1:]:
            common = base.common_base(desc.selfdef)
            assert common is not None, "one group, one root"
            base = common
        self.selfdef = base
        self.receivers = nearest_above([*base.subtree()], [desc.selfdef for desc in descs])
        self.r_self: InstanceRepr = rtyper.instance_repr(base)
        self.lowleveltype = self.r_self.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_self.lowleveltype

    def convert_const(self, value: Any) -> Any:
        return self.r_self.convert_const(value.__self__)

    def bind(self, llops: LowLevelOpList, v_self: Value, r_self: Repr, group: Group) -> Value:
        """The method of an instance that this Repr's group stands for."""
        return llops.convertvar(v_self, r_self, self.r_self)

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        return self.call_on(hop, hop.inputarg(self, 0), shape, operands)

    def call_on(
        self, hop: HighLevelOp, v_self: Value, shape: CallShape, operands: list[Operand]
    ) -> Value:
        s_self = SomeInstance(self.selfdef)
        shape, operands = with_self(shape, operands, v_self, s_self, self.r_self)
        return self.rtyper.calls.call_method(
            hop.llops, self.selfdef, self.receivers, self.group.lookup, shape, operands,
            hop.r_result,
        )


    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        return self.attribute_of(hop, hop.inputarg(self, 0))

    def attribute_of(self, hop: HighLevelOp, v_self: Value) -> Value:
        """An attribute of the method that the instance stands for."""
        llops, name = hop.llops, hop.args_s[1].value
        if name == "__self__":
            return llops.convertvar(v_self, self.r_self, hop.r_result)
        if len(self.functions) == 1:
            return hop.r_result.inputconst(attribute_of_function(self.functions[0].func, name))
        target = self.rtyper.annotator.constants.target
        functions = {cd: target(cd, self.group.lookup) for cd in self.receivers}
        owners = {ClassDesc(cd): function for cd, function in functions.items() if function}
        return switch_class(
            hop, self.rtyper.classes.typeptr(v_self, llops), list(owners),
            lambda owner: hop.r_result.inputconst(
                attribute_of_function(owners[owner].func, name)
            ),
        )  # fmt: skip


class MixedMethodRepr(CallableRepr):
    """Bound methods of several groups."""

    lowleveltype = Ptr(BOUND_METHOD)
    nullable = True

    def __init__(self, rtyper: RPythonTyper, groups: Sequence[MethodRepr]) -> None:
        self.rtyper = rtyper
        self.groups = {r.group: r for r in groups}

    def convert_const(self, value: Any) -> Any:
        s_method: Any = self.rtyper.annotator.constants.annotation_of(value)
        (group,) = groups_of(s_method)
        method = malloc(BOUND_METHOD, immortal=True)
        method.group = self.rtyper.calls.group_number(group)
        instance = self.groups[group].convert_const(value)
        method.self = cast_pointer(OBJECTPTR, instance)
        return method

    def bind(self, llops: LowLevelOpList, v_self: Value, r_self: Repr, group: Group) -> Value:
        v_method = llops.genop("malloc", [void(BOUND_METHOD), GC_FLAGS], self.lowleveltype)
        number = Constant(self.rtyper.calls.group_number(group), Signed)
        llops.genop("setfield", [v_method, void("group"), number])
        v_base = self.rtyper.classes.upcast(v_self, llops)
        llops.genop("setfield", [v_method, void("self"), v_base])
        return v_method

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        return self._of_each(hop, lambda r, v_self: r.call_on(hop, v_self, shape, operands))

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        return self._of_each(hop, lambda r, v_self: r.attribute_of(hop, v_self))

    def _of_each(self, hop: HighLevelOp, emit: Callable[[MethodRepr, Value], Value]) -> Value:
        """The result, which ``emit`` makes of the instance for the methods of each group."""
        llops, calls = hop.llops, self.rtyper.calls
        v_method = hop.inputarg(self, 0)
        v_number = llops.genop("getfield", [v_method, void("group")], Signed)
        v_object = llops.genop("getfield", [v_method, void("self")], OBJECTPTR)
        done = llops.new_join(hop.r_result.lowleveltype)
        for group, r in self.groups.items():
            number = Constant(calls.group_number(group), Signed)
            yes, no = llops.branch(llops.genop("int_eq", [v_number, number], Bool))
            llops.at(yes)
            v_self = self.rtyper.classes.downcast(v_object, r.selfdef, llops)
            llops.goto(done, emit(r, v_self))
            llops.at(no)
        llops.unreachable()
        llops.at(done)
        return done.inputargs[0]


def split_callees(
    llops: LowLevelOpList, operand: tuple[Value, SomeObject, Repr],
    then: Callable[[tuple[Value, SomeObject, Repr]], None],
) -> None:  # fmt: skip
    """Emit ``then`` for each function that a value may be, or each name of a method, in a branch of
    its own that ``then`` ends; the operand is given as it is where it is one."""
    v, s, r = operand
    callees = callees_of(s)
    if not isinstance(r, (FunctionRepr, MixedMethodRepr)) or len(callees) < 2:
        then(operand)
        return
    handlers, calls = llops.handlers, llops.rtyper.calls
    v_number = v
    if isinstance(r, MixedMethodRepr):
        v_number = llops.genop("getfield", [v, void("group")], Signed)
    for s_callee in callees:
        assert isinstance(s_callee, SomePBC)
        r_callee, desc = llops.rtyper.getrepr(s_callee), s_callee.descs[0]
        number = desc.index + 1
        if isinstance(desc, MethodDesc):
            number = calls.group_number(group_of(desc))
        yes, no = llops.branch(llops.genop("int_eq", [v_number, Constant(number, Signed)], Bool))
        llops.at(yes)
        llops.handlers = handlers
        v_callee = v
        if isinstance(r_callee, MethodRepr):
            v_object = llops.genop("getfield", [v, void("self")], OBJECTPTR)
            v_callee = llops.rtyper.classes.downcast(v_object, r_callee.selfdef, llops)
        then((v_callee, s_callee, r_callee))
        llops.at(no)
    llops.handlers = handlers
    llops.unreachable()


@CONVERSIONS.register("convert", MethodRepr, MethodRepr)
def convert_method(
    r_from: MethodRepr, r_to: MethodRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return llops.convertvar(v, r_from.r_self, r_to.r_self)


@CONVERSIONS.register("convert", MixedMethodRepr, MixedMethodRepr)
def convert_mixed(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    return v


@CONVERSIONS.register("convert", MethodRepr, MixedMethodRepr)
def mix_method(
    r_from: MethodRepr, r_to: MixedMethodRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_to.bind(llops, v, r_from.r_self, r_from.group)


@PAIRS.register("eq ne", CallableRepr, CallableRepr)
def compare_callables(hop: HighLevelOp) -> Value:
    left, right = (s.describe() for s in hop.args_s)
    raise TyperError(f"comparing {left} and {right} is not supported")


@PAIRS.register("eq ne", MethodRepr, MethodRepr)
def compare_methods(hop: HighLevelOp) -> Value:
    """Equal when bound to the same object, if the methods are of one group."""
    r_left, r_right = hop.args_r
    assert isinstance(r_left, MethodRepr) and isinstance(r_right, MethodRepr)
    if r_left.group != r_right.group:
        return compare_callables(hop)
    classes = hop.rtyper.classes
    operands = [classes.upcast(hop.inputarg(r, i), hop.llops) for i, r in enumerate(hop.args_r)]
    return hop.genop("ptr_ne" if hop.opname == "ne" else "ptr_eq", operands, Bool)


class SuperRepr(Repr):
    """``super()``: the instance."""

    def __init__(self, rtyper: RPythonTyper, s: SomeSuper) -> None:
        self.rtyper = rtyper
        self.s = s
        self.r_self = rtyper.getrepr(s.s_self)
        self.lowleveltype = self.r_self.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_self.lowleveltype

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        v_self = hop.inputarg(self, 0)
        s_result: Any = hop.s_result
        r_bound: Any = hop.r_result
        if s_result.is_constant():
            return hop.result_constant()
        lookup = Lookup(hop.args_s[1].value, self.s.start)
        if isinstance(self.r_self, InstanceRepr) and self.r_self.is_property(lookup):
            return self.r_self.read_property(hop, lookup)
        if isinstance(s_result, SomeClassMethod):
            if isinstance(self.r_self, InstanceRepr):
                return self.rtyper.classes.typeptr(v_self, hop.llops)
            return v_self
        if not isinstance(s_result, SomeMethod):
            return hop.llops.convertvar(v_self, self.r_self, r_bound.r_self)  # built-in
        (group,) = groups_of(s_result)
        bound: Value = r_bound.bind(hop.llops, v_self, self.r_self, group)
        return bound


@repr_for(SomeSuper)
def super_repr(rtyper: RPythonTyper, s: SomeSuper) -> Repr:
    return SuperRepr(rtyper, s)
