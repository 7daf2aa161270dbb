"""Functions and classes as values, and calls of them; methods of built-in kinds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.hostnames import attribute_of_function
from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeInstance,
    SomeObject,
    SomePBC,
    s_None,
)
from rpython.annotator.lattice.parts import KIND_CLASSES
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.overlay.making import maker_of
from rpython.annotator.program.classdef import BEGIN, ClassDef
from rpython.annotator.program.desc import ClassDesc, ClassMethodDesc, FunctionDesc
from rpython.annotator.program.enums import is_enum
from rpython.annotator.program.excattrs import OS_ERROR_CLASSES, places, places_when_made
from rpython.annotator.rules.calls import BUILTIN_INITS, find_init
from rpython.annotator.rules.exceptions import classes_made, is_named
from rpython.lltypesystem.lltype import Bool, LowLevelType, Ptr, Signed, cast_pointer
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.callables import Operand, raise_mismatch
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.state import held_in, read_class_attribute, write_class_attribute
from rpython.rtyper.ll.ll_class import CLASS_VTABLE_PTR
from rpython.rtyper.overlays import call_chosen
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, HostRepr, Repr, repr_for
from rpython.stdlib._starcalls import METHODS_WITH_STAR
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class CallableRepr(Repr):
    """What a call of an operand of this Repr needs."""

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        operands = [Operand(*o) for o in zip(hop.args_v[1:], hop.args_s[1:], hop.args_r[1:])]
        return self.call(hop, CallShape(len(operands)), operands)

    def rtype_call_args(self, hop: HighLevelOp) -> Value:
        operands = [Operand(*o) for o in zip(hop.args_v[2:], hop.args_s[2:], hop.args_r[2:])]
        return self.call(hop, hop.spaceop.args[1].value, operands)  # type: ignore[union-attr]

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        raise NotImplementedError

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(True, Bool)


def with_self(
    shape: CallShape, operands: list[Operand], v: Value, s: SomeObject, r: Repr
) -> tuple[CallShape, list[Operand]]:
    """The same call with ``self`` in front."""
    longer = CallShape(shape.positional + 1, shape.keywords, shape.star)
    return longer, [Operand(v, s, r), *operands]


class PbcRepr(CallableRepr):
    """One of several callables known at translation time; null is None."""

    nullable = True
    converts_null = True

    def __init__(self, rtyper: RPythonTyper, s: SomePBC) -> None:
        self.rtyper = rtyper
        self.descs: list[Any] = list(s.descs)


@CONVERSIONS.register("convert", PbcRepr, PbcRepr)
def convert_pbc(r_from: PbcRepr, r_to: PbcRepr, v: Value, llops: LowLevelOpList) -> Value | None:
    return v if type(r_from) is type(r_to) else None


@PAIRS.register("is_ eq ne", PbcRepr, PbcRepr)
def compare_pbcs(hop: HighLevelOp) -> Value:
    """The same value, if they are of one kind at all."""
    different = hop.opname == "ne"
    if type(hop.args_r[0]) is not type(hop.args_r[1]):
        return Constant(different, Bool)
    kind = "ptr" if isinstance(hop.args_r[0].lowleveltype, Ptr) else "int"
    return hop.genop(f"{kind}_{'ne' if different else 'eq'}", hop.inputargs(*hop.args_r), Bool)


class FunctionRepr(PbcRepr):
    """One of several functions, by number; 0 is None."""

    lowleveltype = Signed

    def convert_const(self, value: Any) -> int:
        constants = self.rtyper.annotator.constants
        desc = constants.function_desc(value)
        constants.function_mask(desc)
        return desc.index + 1

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        calls = self.rtyper.calls
        if len(self.descs) == 1:
            return calls.call_desc(
                hop.llops,
                self.descs[0],
                shape,
                operands,
                hop.r_result,
                by_helper=hop.llops.graphtyper.graph.is_helper,
            )
        v_index = hop.inputarg(self, 0)
        return calls.call_indexed(hop.llops, self.descs, v_index, shape, operands, hop.r_result)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        v_index = hop.inputarg(self, 0)

        def is_it(desc: FunctionDesc) -> Value:
            return hop.llops.genop("int_eq", [v_index, Constant(desc.index + 1, Signed)], Bool)

        return function_text(hop, self.descs, is_it)


def function_text(
    hop: HighLevelOp, descs: list[FunctionDesc], is_it: Callable[[FunctionDesc], Value]
) -> Value:
    """``f.__name__`` and the like of one of several functions; ``is_it`` tests for one."""
    llops = hop.llops
    if len(descs) == 1:
        return hop.r_result.inputconst(getattr(descs[0].func, hop.args_s[1].value))
    done = llops.new_join(hop.r_result.lowleveltype)
    for desc in descs:
        text = hop.r_result.inputconst(attribute_of_function(desc.func, hop.args_s[1].value))
        yes, no = llops.branch(is_it(desc))
        llops.at(yes)
        llops.goto(done, text)
        llops.at(no)
    llops.unreachable()
    llops.at(done)
    return done.inputargs[0]


@CONVERSIONS.register("convert", HostRepr, FunctionRepr)
def convert_builtin(r_from: HostRepr, r_to: FunctionRepr, v: Value, llops: LowLevelOpList) -> Value:
    return r_to.inputconst(r_from.value)


class ClassRepr(PbcRepr):
    """A class, as the pointer to its vtable."""

    lowleveltype = CLASSTYPE

    def convert_const(self, value: Any) -> Any:
        constants = self.rtyper.annotator.constants
        classdef = constants.classdef(constants.overlays.of(value))
        return self.rtyper.classes.vtable(classdef)

    def rtype_setattr(self, hop: HighLevelOp) -> Value:
        return write_class_attribute(hop, [desc.classdef for desc in self.descs])

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        if hop.s_result.is_constant():
            return hop.result_constant()
        if hop.args_s[0].is_constant() and not hop.s_result.kinds:
            return hop.raise_no_attribute()
        classdefs = [desc.classdef for desc in self.descs]
        if any(held_in(self.rtyper, classdef, hop.args_s[1].value) for classdef in classdefs):
            return read_class_attribute(hop, lambda: hop.inputarg(self, 0), classdefs)
        if hop.args_s[1].value != "__name__":
            return self._class_value(hop, hop.args_s[1].value)
        v_class = hop.inputarg(self, 0)
        v_vtable = self.rtyper.classes.cast(v_class, CLASS_VTABLE_PTR, hop.llops)
        return hop.genop("getfield", [v_vtable, void("pyname")], STRPTR)

    def _class_value(self, hop: HighLevelOp, name: str) -> Value:
        """An attribute of a class that is known at run time only."""
        v_class = hop.inputarg(self, 0)
        return switch_class(
            hop, v_class, self.descs,
            lambda desc: hop.r_result.inputconst(getattr(desc.classdef.cls, name)),
        )  # fmt: skip

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        if len(self.descs) == 1:
            return self._instantiate(hop, self.descs[0], shape, operands)
        v_class = hop.inputarg(self, 0)
        return switch_class(
            hop, v_class, self.descs,
            lambda desc: self._instantiate(hop, desc, shape, operands),
        )  # fmt: skip

    def _instantiate(
        self, hop: HighLevelOp, desc: ClassDesc, shape: CallShape, operands: list[Operand]
    ) -> Value:
        classdef = self.rtyper.annotator.constants.made_at(hop.spaceop, desc.classdef)
        members = self.rtyper.annotator.constants.members
        maker = classdef.cls if classdef.cls in KIND_CLASSES.values() else maker_of(classdef)
        if maker is not None:
            made_by = self.rtyper.annotator.constants.function_desc(maker)
            return self.rtyper.calls.call_desc(hop.llops, made_by, shape, operands, hop.r_result)
        if is_enum(classdef.cls):
            return self._look_up(hop, classdef, *members.by_value(classdef.cls), operands[0])
        r: InstanceRepr = self.rtyper.instance_repr(classdef)
        if classdef.abstract_methods():
            hop.llops.raise_constant(TypeError, classdef.abstract_message())
            hop.llops.at(Block([]))
            return hop.llops.dummy(hop.r_result.lowleveltype)
        constants_only = all(op.s.is_constant() for op in operands)
        exception = issubclass(classdef.cls, BaseException)
        if exception and hop.llops.graphtyper.graph.is_helper and constants_only:
            message = operands[0].s.value if operands else ""
            instance = self.rtyper.classes.prebuilt_exception(classdef, message)
            T: Any = r.lowleveltype
            exact = Constant(cast_pointer(T, instance), T)
            return hop.llops.convertvar(exact, r, hop.r_result)
        init = find_init(classdef)
        if init is None:
            plain, passed = self.rtyper.calls.plain(hop.llops, shape, operands)
            if plain.keywords if exception else passed:
                what = "keyword arguments" if exception else "arguments"
                message = f"{classdef.name}() takes no {what}"
                return raise_mismatch(hop.llops, message, hop.r_result)
        if exception and init is None:
            constants = self.rtyper.annotator.constants
            made = classes_made(constants, classdef, tuple(op.s for op in passed))
            return self._new_exception(hop, made, passed)
        v_self = r.new_instance(hop.llops)
        if exception:
            positional = self.rtyper.calls.positional(hop.llops, shape, operands)
            if issubclass(classdef.cls, OSError):
                positional = []  # OSError.__init__ takes them
            where = places_when_made(classdef.cls, len(positional), True)
            r.set_message(hop, v_self, positional, where)
        s_self, r_none = SomeInstance(classdef), self.rtyper.getrepr(s_None)
        if classdef.find_function(BEGIN) is not None:
            function = self.rtyper.annotator.constants.method_function(classdef, BEGIN)
            alone = [Operand(v_self, s_self, r)]
            self.rtyper.calls.call_desc(hop.llops, function, CallShape(1), alone, r_none)
        if init is not None:
            function = self.rtyper.annotator.constants.method_function(classdef, init)
            longer, passed = with_self(shape, operands, v_self, s_self, r)
            self.rtyper.calls.call_desc(hop.llops, function, longer, passed, r_none)
        return hop.llops.convertvar(v_self, r, hop.r_result)

    def _new_exception(
        self, hop: HighLevelOp, classdefs: list[ClassDef], operands: list[Operand]
    ) -> Value:
        """An instance of one of the classes, the last one unless the number that is the first
        argument says otherwise."""
        llops = hop.llops
        named = is_named([op.s for op in operands])
        where = places(classdefs[-1].cls, len(operands), named)
        done = llops.new_join(hop.r_result.lowleveltype)
        for classdef in classdefs:
            matching = [n for n, cls in OS_ERROR_CLASSES.items() if cls is classdef.cls]
            found, no = Block([]), llops.block
            for number in matching if len(classdefs) > 1 else ():
                constant = Constant(number, Signed)
                v_errno = hop.llops.convertvar(
                    operands[0].v, operands[0].r, self.rtyper.primitive_repr(Signed)
                )
                yes, no = llops.branch(llops.genop("int_eq", [v_errno, constant], Bool))
                llops.at(yes)
                llops.goto(found)
                llops.at(no)
            if classdef is not classdefs[-1]:
                llops.at(found)
            r: InstanceRepr = self.rtyper.instance_repr(classdef)
            v_self = r.new_instance(llops)
            r.set_message(hop, v_self, operands, where)
            llops.goto(done, llops.convertvar(v_self, r, hop.r_result))
            llops.at(no)
        llops.at(done)
        return done.inputargs[0]

    def _look_up(
        self, hop: HighLevelOp, classdef: ClassDef, function: Any, more: list[Any], key: Operand
    ) -> Value:
        """A member of an enum, by a function of ``annotator.program.enums``."""
        constants = self.rtyper.annotator.constants
        operands = [Operand(key.v, key.s.without_const(), key.r)]
        for value in more:
            s = constants.annotation_of(value)
            r = self.rtyper.getrepr(s)
            operands.append(Operand(r.inputconst(value), s, r))
        desc = constants.function_desc(function, classdef)
        shape = CallShape(len(operands))
        return self.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        """``member in Color``"""
        return hop.result_constant()

    def rtype_iter(self, hop: HighLevelOp) -> Value:
        return iterate_members(hop, hop.args_s[0].value)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        """``Color["RED"]``; ``Stack[int]`` is ``Stack``."""
        if hop.s_result.is_constant():
            return hop.result_constant()
        cls = hop.args_s[0].value
        constants = self.rtyper.annotator.constants
        key = Operand(*hop.operand(1))
        return self._look_up(hop, constants.classdef(cls), *constants.members.by_name(cls), key)

    def rtype_exc_instance(self, hop: HighLevelOp) -> Value:
        """``raise C``: an instance made without arguments."""
        return self.call(hop, CallShape(0), [])


def iterate_members(hop: HighLevelOp, cls: Any) -> Value:
    """An iterator over the members of an enum."""
    constants = hop.rtyper.annotator.constants
    members = constants.members.all(cls)
    r: Any = hop.r_result
    r_list = hop.rtyper.getrepr(constants.annotation_of(members))
    v: Value = r.newiter(hop.llops, r_list.inputconst(members))
    return v


@CONVERSIONS.register("convert", HostRepr, ClassRepr)
def convert_builtin_class(r_from: HostRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    """A built-in class where there are others, too."""
    return r_to.inputconst(r_from.value)


class ClassMethodRepr(CallableRepr):
    """A classmethod, as the class that it is bound to."""

    lowleveltype: LowLevelType = CLASSTYPE
    nullable = True
    converts_null = True

    def __init__(self, rtyper: RPythonTyper, s: SomeClassMethod) -> None:
        self.rtyper = rtyper
        self.descs: list[Any] = list(s.descs)

    def convert_const(self, value: Any) -> Any:
        classdef = self.rtyper.annotator.constants.classdef(value.__self__)
        return self.rtyper.classes.vtable(classdef)

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        if len(self.descs) == 1:
            return self._call_one(hop, self.descs[0], shape, operands)
        v_class = hop.inputarg(self, 0)
        return switch_class(
            hop, v_class, self.descs, partial(self._call_one, hop, shape=shape, operands=operands)
        )

    def _call_one(
        self, hop: HighLevelOp, desc: ClassMethodDesc, shape: CallShape, operands: list[Operand]
    ) -> Value:
        cls = desc.classdef.cls
        s_class = self.rtyper.annotator.constants.annotation_of(cls)
        r_class = self.rtyper.getrepr(s_class)
        v_class = r_class.inputconst(cls)
        shape, operands = with_self(shape, operands, v_class, s_class, r_class)
        return self.rtyper.calls.call_desc(hop.llops, desc.function, shape, operands, hop.r_result)


class ClassMethodsRepr(ClassMethodRepr):
    """One of several classmethods some of which are of one class, by number; 0 is None."""

    lowleveltype = Signed

    def convert_const(self, value: Any) -> Any:
        s: Any = self.rtyper.annotator.constants.annotation_of(value)
        (desc,) = s.descs
        return desc.index + 1

    def numbered(self, llops: LowLevelOpList, v_class: Value, r_from: ClassMethodRepr) -> Value:
        """The number of the method that ``r_from`` has for the class."""
        done = llops.new_join(Signed)
        for desc in r_from.descs:
            vtable = Constant(self.rtyper.classes.vtable(desc.classdef), CLASSTYPE)
            yes, no = llops.branch(llops.genop("ptr_eq", [v_class, vtable], Bool))
            llops.at(yes)
            llops.goto(done, Constant(desc.index + 1, Signed))
            llops.at(no)
        llops.goto(done, Constant(0, Signed))
        llops.at(done)
        return done.inputargs[0]

    def call(self, hop: HighLevelOp, shape: CallShape, operands: list[Operand]) -> Value:
        llops = hop.llops
        v_number = hop.inputarg(self, 0)
        done = llops.new_join(hop.r_result.lowleveltype)
        for desc in self.descs:
            number = Constant(desc.index + 1, Signed)
            yes, no = llops.branch(llops.genop("int_eq", [v_number, number], Bool))
            llops.at(yes)
            llops.goto(done, self._call_one(hop, desc, shape, operands))
            llops.at(no)
        llops.unreachable()
        llops.at(done)
        return done.inputargs[0]


def switch_class(
    hop: HighLevelOp, v_class: Value, descs: list[Any], emit: Callable[[Any], Value]
) -> Value:
    """Find which class of ``descs`` it is; ``emit`` makes the result for each."""
    llops = hop.llops
    done = llops.new_join(hop.r_result.lowleveltype)
    for desc in descs:
        vtable = Constant(hop.rtyper.classes.vtable(desc.classdef), CLASSTYPE)
        yes, no = llops.branch(llops.genop("ptr_eq", [v_class, vtable], Bool))
        llops.at(yes)
        llops.goto(done, emit(desc))
        llops.at(no)
    llops.unreachable()
    llops.at(done)
    return done.inputargs[0]


@repr_for(SomeClassMethod)
def class_method_repr(rtyper: RPythonTyper, s: SomeClassMethod) -> Repr:
    descs: list[Any] = list(s.descs)
    of_one_class = len({desc.classdef for desc in descs}) < len(descs)
    return ClassMethodsRepr(rtyper, s) if of_one_class else ClassMethodRepr(rtyper, s)


@CONVERSIONS.register("convert", ClassMethodRepr, ClassMethodRepr)
def convert_class_method(
    r_from: ClassMethodRepr, r_to: ClassMethodRepr, v: Value, llops: LowLevelOpList
) -> Value | None:
    if r_from.lowleveltype == r_to.lowleveltype:
        return v
    return r_to.numbered(llops, v, r_from) if isinstance(r_to, ClassMethodsRepr) else None


@repr_for(SomeClass)
def class_repr(rtyper: RPythonTyper, s: SomeClass) -> Repr:
    return ClassRepr(rtyper, s)


class BuiltinMethodRepr(Repr):
    """A method of a built-in kind: its instance."""

    def __init__(self, rtyper: RPythonTyper, s: SomeBuiltinMethod) -> None:
        self.name = s.name
        self.s_self = s.s_self
        self.r_self = rtyper.getrepr(s.s_self)
        self.lowleveltype = self.r_self.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_self.lowleveltype

    def convert_const(self, value: Any) -> Any:
        return self.r_self.convert_const(value.__self__)

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        hop = hop.copy()
        s_self = self.s_self
        hop.replace_arg(0, hop.args_v[0], s_self, self.r_self)
        hop.take_keywords()
        v_chosen = call_chosen(hop)
        return self.r_self.rtype_method(self.name, hop) if v_chosen is None else v_chosen

    def rtype_call_args(self, hop: HighLevelOp) -> Value:
        shape: Any = hop.args_s[1].value
        called = METHODS_WITH_STAR.get(self.name)
        if called is None or not shape.star or not isinstance(hop.args_s[-1], SomeVarTuple):
            return self.rtype_simple_call(hop)
        operands = [Operand(*hop.operand(i)) for i in range(2, hop.nb_args)]
        s_self = self.s_self.without_const()
        shape, operands = with_self(shape, operands, hop.args_v[0], s_self, self.r_self)
        desc = hop.rtyper.annotator.constants.function_desc(called)
        return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return hop.r_result.inputconst(self.name)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(True, Bool)


@repr_for(SomeBuiltinMethod)
def builtin_method_repr(rtyper: RPythonTyper, s: SomeBuiltinMethod) -> Repr:
    return BuiltinMethodRepr(rtyper, s)


@BUILTINS.register(*BUILTIN_INITS)
def call_builtin_init(hop: HighLevelOp) -> Value:
    """``Exception.__init__(self, ...)``."""
    r_self: Any = hop.args_r[0]
    v_result: Value = r_self.rtype_method___init__(hop)
    return v_result
