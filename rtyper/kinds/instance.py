"""Instances: a GcStruct per class, the parent's struct as its first field.

    class Animal:            GcStruct Animal { super: object, inst_name: *rpy_string }
    class Cat(Animal):       GcStruct Cat    { super: Animal, inst_lives: Signed }
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeInstance,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import constant_classes
from rpython.annotator.overlay.descriptors import HIDES
from rpython.annotator.program.classdef import (
    Attribute,
    ClassDef,
    Lookup,
    immutable_fields,
    prebuilt_attributes,
    refuses_assignments,
    stored_name,
)
from rpython.annotator.program.definite_assignment import always_set
from rpython.annotator.program.excattrs import (
    DEFAULTED,
    REPR,
    Place,
    is_fact,
    places,
)
from rpython.annotator.program.hostclasses import is_descriptor
from rpython.annotator.program.state import holds_state
from rpython.annotator.rules.asked_attributes import asking_classes
from rpython.annotator.rules.exceptions import is_named
from rpython.annotator.rules.instances import values_below
from rpython.lltypesystem.lltype import (
    Bool,
    GcForwardReference,
    GcStruct,
    LowLevelType,
    Ptr,
    Signed,
    Void,
    _ptr,
    cast_pointer,
    frozendict,
    malloc,
)
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECT, OBJECTPTR, TRACE, TWIN
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.callables import Group, Operand
from rpython.rtyper.kinds.attribute_order import fill_order, note_deleted, note_set, order_fields
from rpython.rtyper.kinds.exitcodes import (
    EXIT_CODE,
    exit_code,
    prebuilt_exit_code,
    prebuilt_message,
)
from rpython.rtyper.kinds.operators import OperatorMethods
from rpython.rtyper.kinds.property import require_part
from rpython.rtyper.kinds.state import read_varying, varies
from rpython.rtyper.ll import ll_class
from rpython.rtyper.ll.ll_text import NO_TEXT
from rpython.rtyper.overlays import call_without_name
from rpython.rtyper.rmodel import (
    CONVERSIONS,
    PAIRS,
    NullableRepr,
    Repr,
    compare_identity,
    compare_nullables,
    repr_for,
)
from rpython.stdlib.dataclasses import refuse_assignment
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ProtocolMethod, is_frozen
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

GC_FLAGS = Constant(frozendict({"flavor": "gc"}), Void)


def void(value: Any) -> Constant:
    return Constant(value, Void)


class InstanceRepr(OperatorMethods):
    """Instances of one class and its subclasses."""

    nullable = True

    def __init__(self, rtyper: RPythonTyper, classdef: ClassDef) -> None:
        self.rtyper = rtyper
        self.classdef = classdef
        self.object_type: Any = GcForwardReference()
        self.lowleveltype: LowLevelType = Ptr(self.object_type)
        self.fields: dict[str, tuple[Attribute, Repr]] = {}
        self.unset_flags: set[str] = set()
        """Attributes of this class that may be read before they are set."""
        self._is_set_up = False

    @property
    def base(self) -> InstanceRepr | None:
        base = self.classdef.base
        if base is None:
            return None
        r: InstanceRepr = self.rtyper.instance_repr(base)
        return r

    def setup(self) -> None:
        if self._is_set_up:
            return
        self._is_set_up = True
        base = self.base
        if base is not None:
            base.setup()
        fields = list(self.rtyper.extra_fields.get(self.classdef, ()))
        if self.classdef.cls is BaseException:
            fields += [("message", STRPTR), (TRACE, Signed), (TWIN, OBJECTPTR)]
        if self.classdef.cls is SystemExit:
            fields.append((EXIT_CODE, Signed))
        for name, attribute in self.classdef.attrs.items():
            if attribute.s_value.kinds == 0:
                continue
            r = self.rtyper.getrepr(attribute.s_value)
            self.fields[name] = (attribute, r)
            fields.append((f"inst_{name}", r.lowleveltype))
            defaulted = name in DEFAULTED and is_fact(self.classdef.cls, name)
            if not defaulted and not always_set(self.rtyper.annotator, attribute):
                self.unset_flags.add(name)
                fields.append((f"has_{name}", Bool))
        fields += order_fields(self)
        parent = OBJECT if base is None else base.object_type
        immutable = self._immutable_fields()
        hints: dict[str, object] = {"immutable_fields": immutable} if immutable else {}
        weak = self.classdef.cls.__dict__.get("_rpython_weak_fields_")
        if weak and any(name in self.fields for name in weak):
            hints["weak_fields"] = tuple(f"inst_{name}" for name in weak)
            self.rtyper.finalizers.state.value.observed = True
        if self.rtyper.annotator.finalizers.are_seen(self.classdef):
            hints["finalizer"] = True
        number = self.rtyper.classes.number_of_name(self.classdef)
        if number:  # a type of its own for each class: the type tells the class
            hints["class_number"] = number
        T = GcStruct(self.classdef.name, ("super", parent), *fields, hints=hints)
        self.object_type.become(T)

    def _immutable_fields(self) -> tuple[str, ...]:
        """The fields that ``_immutable_fields_`` of the class names and that exist."""
        names = immutable_fields(self.classdef.cls)
        return tuple(f"inst_{name}" for name in names if name in self.fields)

    def home(self, name: str) -> InstanceRepr:
        """The Repr of the class that has the field of this attribute."""
        attribute = self.classdef.find_attribute(name)
        assert attribute is not None
        r: InstanceRepr = self.rtyper.instance_repr(attribute.homedef)
        return r

    def exception_base(self) -> InstanceRepr:
        """The Repr of BaseException, which has the message."""
        classdef = self.rtyper.annotator.constants.classdef(BaseException)
        r: InstanceRepr = self.rtyper.instance_repr(classdef)
        return r

    # -- construction ---------------------------------------------------------------------

    def allocate(self, llops: LowLevelOpList) -> Value:
        """An instance with its class, and nothing else."""
        v = llops.genop("malloc", [void(self.object_type), GC_FLAGS], self.lowleveltype, "self")
        classes = self.rtyper.classes
        vtable = Constant(classes.vtable(self.classdef), CLASSTYPE)
        llops.genop("setfield", [classes.upcast(v, llops), void("typeptr"), vtable])
        return v

    def new_instance(self, llops: LowLevelOpList) -> Value:
        """An instance with its class and the class-level initial values."""
        v, classes = self.allocate(llops), self.rtyper.classes
        for classdef in self.classdef.mro():
            r: InstanceRepr = self.rtyper.instance_repr(classdef)
            for name, (_, r_field) in r.fields.items():
                found = self.classdef.class_value(name)
                if found is None or is_descriptor(found[1]):
                    continue
                v_home = classes.cast(v, r.lowleveltype, llops)
                value = r_field.inputconst(found[1])
                llops.genop("setfield", [v_home, void(f"inst_{name}"), value])
                if name in r.unset_flags:
                    llops.genop("setfield", [v_home, void(f"has_{name}"), Constant(True, Bool)])
        self.rtyper.finalizers.register_new(llops, v, self.classdef)
        return v

    def convert_const(self, value: Any) -> _ptr:
        value = self.rtyper.annotator.constants.overlays.of(value)
        classdef = self.rtyper.annotator.constants.classdef(type(value))
        exact: InstanceRepr = self.rtyper.instance_repr(classdef)
        instance = self.rtyper.prebuilt.get(exact, value, exact.make_prebuilt, exact.fill_prebuilt)
        return cast_pointer(self.lowleveltype, instance)

    def make_prebuilt(self, x: Any) -> _ptr:
        self.setup()
        p = malloc(self.object_type, immortal=True)
        cast_pointer(OBJECTPTR, p).typeptr = self.rtyper.classes.vtable(self.classdef)
        self.rtyper.finalizers.note_prebuilt(p, self.classdef)
        return p

    def fill_prebuilt(self, p: _ptr, x: Any) -> None:
        own = prebuilt_attributes(x)
        if isinstance(x, BaseException):
            self._fill_exception(p, x)
        for classdef in self.classdef.mro():
            r: InstanceRepr = self.rtyper.instance_repr(classdef)
            home = cast_pointer(r.lowleveltype, p)
            for name, (_, r_field) in r.fields.items():
                if name in own:
                    value = own[name]
                else:
                    found = self.classdef.class_value(name)
                    if found is None or is_descriptor(found[1]):
                        continue
                    value = found[1]
                no_text = name == REPR and value is None
                setattr(home, f"inst_{name}", NO_TEXT if no_text else r_field.convert_const(value))
                if name in r.unset_flags:
                    setattr(home, f"has_{name}", True)
            fill_order(r, home, own)

    def _fill_exception(self, p: _ptr, x: BaseException) -> None:
        rtyper = self.rtyper
        base = cast_pointer(self.exception_base().lowleveltype, p)
        base.message = prebuilt_message(x)
        if rtyper.exception_constructors is not None:
            rtyper.exception_constructors.fill_prebuilt(rtyper, base, x)
        if isinstance(x, SystemExit):
            r_exit = rtyper.instance_repr(rtyper.annotator.constants.classdef(SystemExit))
            setattr(cast_pointer(r_exit.lowleveltype, p), EXIT_CODE, prebuilt_exit_code(x.code))

    # -- attributes -------------------------------------------------------------------------

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        name = stored_name(self.classdef.cls, hop.args_s[1].value)
        if hop.args_s[0].is_constant() and is_frozen(hop.args_s[0].value):
            return hop.result_constant() if hop.s_result.kinds else hop.raise_no_attribute()
        if holds_state(self.classdef) and self.classdef.find_attribute(name) is None:
            return hop.result_constant()  # nothing assigns it
        if name == "__slots__":
            return hop.result_constant()
        if varies(self.rtyper, self.classdef, name):
            return read_varying(hop, self, name)
        if hop.spaceop in self.rtyper.annotator.notes.chosen:
            return call_without_name(hop)
        llops, classes = hop.llops, self.rtyper.classes
        v_self = hop.inputarg(self, 0)
        if name == "__class__":
            return classes.typeptr(v_self, llops)
        if self.classdef.find_attribute(name) is None:
            if isinstance(hop.s_result, SomeBuiltinMethod):
                return llops.convertvar(v_self, self, hop.r_result.r_self)  # type: ignore[attr-defined]
            self._check_method(hop, v_self, name)
            if isinstance(hop.s_result, SomeHost):
                return hop.result_constant()  # register_finalizer of the queue there is
            lookup = Lookup(name)
            if self.is_property(lookup):
                return self.read_property(hop, lookup)
            if isinstance(hop.s_result, SomeFunction):
                return self._static_method(hop, v_self, name)
            if isinstance(hop.s_result, SomeClassMethod):
                return classes.typeptr(v_self, llops)
            r_method: Any = hop.r_result
            group = Group(lookup, self.classdef.root(), None)
            bound: Value = r_method.bind(llops, v_self, self, group)
            return bound
        r = self.home(name)
        if name not in r.fields:
            # only reached on paths where nothing was ever assigned
            self._refuse_asking(llops, v_self, name)
            self._raise_unset(llops, v_self, name)
            llops.at(Block([]))
            return llops.dummy(hop.r_result.lowleveltype)
        v_home = classes.cast(v_self, r.lowleveltype, llops)
        if self.has_method(name, functools.cached_property) and name in r.unset_flags:
            return self._read_cached_property(hop, name, r, v_self, v_home)
        if name in r.unset_flags:
            v_set = hop.genop("getfield", [v_home, void(f"has_{name}")], Bool)
            good, bad = llops.branch(v_set)
            llops.at(bad)
            self._refuse_asking(llops, v_self, name)
            self._raise_unset(llops, v_self, name)
            llops.at(good)
        r_field = r.fields[name][1]
        v = hop.genop("getfield", [v_home, void(f"inst_{name}")], r_field)
        return hop.without_tested_none(v, r_field, f"the attribute {name!r}, tested before,")

    def _read_cached_property(
        self, hop: HighLevelOp, name: str, r: InstanceRepr, v_self: Value, v_home: Value
    ) -> Value:
        """The attribute, computed now if it is not set."""
        llops = hop.llops
        r_field = r.fields[name][1]
        done = llops.new_join(r_field.lowleveltype)
        known, unknown = llops.branch(hop.genop("getfield", [v_home, void(f"has_{name}")], Bool))
        llops.at(known)
        llops.goto(done, hop.genop("getfield", [v_home, void(f"inst_{name}")], r_field))
        llops.at(unknown)
        v = self.call_lookup(hop, Lookup(name), v_self, CallShape(0), [], r_field)
        hop.genop("setfield", [v_home, void(f"inst_{name}"), v])
        hop.genop("setfield", [v_home, void(f"has_{name}"), Constant(True, Bool)])
        note_set(llops, r, v_home, name)
        llops.goto(done, v)
        llops.at(done)
        return llops.convertvar(done.inputargs[0], r_field, hop.r_result)

    def class_or_none(self, hop: HighLevelOp, r: NullableRepr) -> Value:
        """The class of operand 0, which may be None."""
        llops, classes = hop.llops, self.rtyper.classes
        v = hop.inputarg(r, 0)
        done = llops.new_join(CLASSTYPE)
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        none_def = self.rtyper.annotator.constants.classdef(type(None))
        llops.goto(done, Constant(classes.vtable(none_def), CLASSTYPE))
        llops.at(other)
        llops.goto(done, classes.typeptr(v, llops))
        llops.at(done)
        return done.inputargs[0]

    def rtype_delattr(self, hop: HighLevelOp) -> Value:
        name = hop.args_s[1].value
        lookup = Lookup(name, part="fdel")
        if self.classdef.find_attribute(name) is None and self.is_property(lookup):
            v_self = hop.inputarg(self, 0)
            if require_part(self, hop.llops, v_self, lookup):
                r_none = self.rtyper.getrepr(s_None)
                self.call_lookup(hop, lookup, v_self, CallShape(0), [], r_none)
            return void(None)
        r = self.home(name)
        v_self = hop.inputarg(self, 0)
        if name not in r.unset_flags:
            self._raise_unset(hop.llops, v_self, name)
            hop.llops.at(Block([]))
            return void(None)
        v_home = self.rtyper.classes.cast(v_self, r.lowleveltype, hop.llops)
        v_set = hop.genop("getfield", [v_home, void(f"has_{name}")], Bool)
        good, bad = hop.llops.branch(v_set)
        hop.llops.at(bad)
        self._raise_unset(hop.llops, v_self, name)
        hop.llops.at(good)
        hop.genop("setfield", [v_home, void(f"has_{name}"), Constant(False, Bool)])
        note_deleted(hop.llops, r, v_home, name)
        return void(None)

    def is_property(self, lookup: Lookup) -> bool:
        """Does the lookup find a property in some class here or below?"""
        return any(isinstance(value, property) for _, value in values_below(self.classdef, lookup))

    def read_property(self, hop: HighLevelOp, lookup: Lookup) -> Value:
        """Call the getter that the lookup finds on operand 0."""
        return self.call_lookup(hop, lookup, hop.inputarg(hop.args_r[0], 0), CallShape(0), [])

    def _static_method(self, hop: HighLevelOp, v_self: Value, name: str) -> Value:
        """The function that a staticmethod of the instance's class is."""
        found = values_below(self.classdef, Lookup(name))
        if not all(isinstance(value, staticmethod) for _, value in found):
            return hop.result_constant()  # a function of a FinalizerQueue
        constants = [hop.r_result.inputconst(value.__func__) for _, value in found]
        if len({constant.value for constant in constants}) == 1:
            return constants[0]
        llops = hop.llops
        done = llops.new_join(hop.r_result.lowleveltype)
        # the most special classes first
        chosen = sorted(zip(found, constants), key=lambda pair: -pair[0][0].depth)
        for (classdef, _), constant in chosen:
            test = self.rtyper.classes.isinstance_test(v_self, classdef, llops)
            yes, no = llops.branch(test)
            llops.at(yes)
            llops.goto(done, constant)
            llops.at(no)
        llops.unreachable()
        llops.at(done)
        return done.inputargs[0]

    def read_field(self, llops: LowLevelOpList, v: Value, name: str) -> tuple[Value, Repr]:
        """An attribute that is surely set, and the Repr of what it holds."""
        r = self.home(name)
        r_field = r.fields[name][1]
        v_home = self.rtyper.classes.cast(v, r.lowleveltype, llops)
        field = void(f"inst_{name}")
        return llops.genop("getfield", [v_home, field], r_field.lowleveltype), r_field

    def _check_method(self, hop: HighLevelOp, v_self: Value, name: str) -> None:
        """Raise AttributeError unless the instance's class has the method."""
        llops = hop.llops
        v_has = self.test_method(llops, v_self, name)
        if isinstance(v_has, Constant) and v_has.value:
            return
        good, bad = llops.branch(v_has)
        llops.at(bad)
        self._raise_unset(llops, v_self, name)
        llops.at(good)

    def _raise_unset(self, llops: LowLevelOpList, v_self: Value, name: str) -> None:
        """Raise AttributeError (TypeError for ``with``, NameError for a global variable); ends the
        block."""
        attribute = self.classdef.find_attribute(name)
        if holds_state(self.classdef) and attribute is not None:
            llops.raise_constant(*attribute.unset)
            return
        r_str = self.rtyper.getrepr(s_Str)
        before = r_str.inputconst("'")
        v_base = self.rtyper.classes.upcast(v_self, llops)
        if isinstance(name, ProtocolMethod):
            before, after = map(r_str.inputconst, name.lacking)
            llops.gendirectcall(ll_class.ll_no_method, v_base, before, after)
        else:
            seen_as = name.removeprefix(HIDES)
            after = r_str.inputconst(f"' object has no attribute '{seen_as}'")
            llops.gendirectcall(ll_class.ll_no_attribute, v_base, before, after)
        llops.unreachable()

    def _refuse_asking(self, llops: LowLevelOpList, v_self: Value, name: str) -> None:
        """CPython calls ``__getattr__`` for an attribute that is not set yet; the annotator did not
        know that it is not."""
        if name.startswith(HIDES):
            return  # the getter goes on with what the class has
        for cls in asking_classes(self.classdef):
            classdef = self.rtyper.annotator.constants.classdef(cls)
            v_asks = self.rtyper.classes.isinstance_test(v_self, classdef, llops)
            message = f"{name!r} is read before it is set, of an object with __getattr__"
            llops.raise_if(v_asks, NotImplementedError, message)

    def rtype_setattr(self, hop: HighLevelOp) -> Value:
        name = stored_name(self.classdef.cls, hop.args_s[1].value)
        if name == "__cause__" and is_fact(self.classdef.cls, name):
            self.rtyper.set_cause(hop, self)
            return void(None)
        if name == "__context__" and is_fact(self.classdef.cls, name):
            self.rtyper.own_exceptions.assign_context(hop, self)
            return void(None)
        if hop.spaceop in self.rtyper.annotator.notes.chosen:
            return call_without_name(hop)
        plain = hop.opname == "setattr"  # and no call of object.__setattr__
        if plain and refuses_assignments(self.classdef, name):
            return self._refuse_assignment(hop, name)
        if self.classdef.find_attribute(name) is None:
            v_self = hop.inputarg(self, 0)
            self._check_method(hop, v_self, name)
            r_none = self.rtyper.getrepr(s_None)
            args = [Operand(*hop.operand(2))]
            lookup = Lookup(name, part="fset")
            if not require_part(self, hop.llops, v_self, lookup):
                return void(None)
            return self.call_lookup(hop, lookup, v_self, CallShape(1), args, r_none)
        r = self.home(name)
        r_field = r.fields[name][1]
        v_home = self.rtyper.classes.cast(hop.inputarg(self, 0), r.lowleveltype, hop.llops)
        v_value = hop.inputarg(r_field, 2)
        hop.genop("setfield", [v_home, void(f"inst_{name}"), v_value])
        if name in r.unset_flags:
            hop.genop("setfield", [v_home, void(f"has_{name}"), Constant(True, Bool)])
        note_set(hop.llops, r, v_home, name)
        return void(None)

    def _refuse_assignment(self, hop: HighLevelOp, name: str) -> Value:
        r_str = self.rtyper.getrepr(s_Str)
        desc = self.rtyper.annotator.constants.function_desc(refuse_assignment)
        operands = [Operand(r_str.inputconst(name), s_Str, r_str)]
        return self.rtyper.calls.call_desc(hop.llops, desc, CallShape(1), operands, hop.r_result)

    # -- tests --------------------------------------------------------------------------------

    def rtype_exc_instance(self, hop: HighLevelOp) -> Value:
        return hop.llops.convertvar(hop.inputarg(self, 0), self, hop.r_result)

    def rtype_exception_match(self, hop: HighLevelOp) -> Value:
        return self.test_class(hop, tuple(constant_classes(hop.args_s[1]) or ()))

    def test_class(self, hop: HighLevelOp, classes: tuple[type, ...]) -> Value:
        """Is (non-null) operand 0 an instance of one of the host classes?"""
        v_object = hop.inputarg(self, 0)
        below = dict.fromkeys(top for cls in classes for top in self.classdef.tops(cls))
        v_result: Value = Constant(False, Bool)
        for i, classdef in enumerate(below):
            v_test = self.rtyper.classes.isinstance_test(v_object, classdef, hop.llops)
            v_result = v_test if i == 0 else hop.llops.either(v_result, v_test)
        return v_result

    def rtype_method___init__(self, hop: HighLevelOp) -> Value:
        """``object.__init__`` or ``BaseException.__init__``."""
        if issubclass(self.classdef.cls, BaseException):
            operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
            named = is_named([operand.s for operand in operands])
            where = places(self.classdef.cls, len(operands), named)
            self.set_message(hop, hop.inputarg(self, 0), operands, where)
        return void(None)

    def rtype_method___setattr__(self, hop: HighLevelOp) -> Value:
        return self.rtype_setattr(hop)

    def rtype_method_with_traceback(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.rtyper.is_program:
            hop.genop("forget_traceback", [hop.rtyper.classes.upcast(v, hop.llops)])
        return hop.llops.convertvar(v, self, hop.r_result)

    def set_message(
        self, hop: HighLevelOp, v_instance: Value, operands: list[Operand],
        where: Mapping[str, Place],
    ) -> None:  # fmt: skip
        """Initialise an exception made with these arguments; see ``r_exceptions``."""
        triples = [(operand.v, operand.s, operand.r) for operand in operands]
        self.rtyper.initialise_exception(hop, self, v_instance, triples, where)
        if where.get("code") is not None:
            exit_def = self.rtyper.annotator.constants.classdef(SystemExit)
            T = self.rtyper.instance_repr(exit_def).lowleveltype
            v_exit = self.rtyper.classes.cast(v_instance, T, hop.llops)
            v_code = exit_code(hop, operands)
            hop.genop("setfield", [v_exit, void(EXIT_CODE), v_code])


class MembersRepr(InstanceRepr):
    """Instances of some of the subclasses of a class, represented as those of the class."""

    def __init__(
        self, rtyper: RPythonTyper, classdef: ClassDef, members: frozenset[ClassDef]
    ) -> None:
        super().__init__(rtyper, classdef)
        general: InstanceRepr = rtyper.instance_repr(classdef)
        self.general = general
        self.members = members
        self.object_type = general.object_type
        self.lowleveltype = general.lowleveltype
        self.fields, self.unset_flags = general.fields, general.unset_flags

    def setup(self) -> None:
        self.general.setup()


@repr_for(SomeInstance)
def instance_repr(rtyper: RPythonTyper, s: SomeInstance) -> Repr:
    if s.members is not None:
        return MembersRepr(rtyper, s.classdef, s.members)
    return InstanceRepr(rtyper, s.classdef)


@CONVERSIONS.register("convert", InstanceRepr, InstanceRepr)
def convert_instance(
    r_from: InstanceRepr, r_to: InstanceRepr, v: Value, llops: LowLevelOpList
) -> Value:
    """Up the hierarchy, or down where the annotator has proved it."""
    return r_from.rtyper.classes.cast(v, r_to.lowleveltype, llops)


@PAIRS.register("eq ne", InstanceRepr, Repr)
def equal_instances(hop: HighLevelOp) -> Value:
    """Identity, for classes that define nothing else."""
    if isinstance(hop.args_r[1], NullableRepr):
        return compare_nullables(hop)
    return compare_instances(hop)


@PAIRS.register("is_", InstanceRepr, NullableRepr)
@PAIRS.register("is_", NullableRepr, InstanceRepr)
@PAIRS.register("is_", NullableRepr, NullableRepr)
def identity_with_none(hop: HighLevelOp) -> Value:
    """Instances, of unrelated classes too, or None."""
    inner = [r.inner if isinstance(r, NullableRepr) else r for r in hop.args_r]
    if all(isinstance(r, InstanceRepr) for r in inner):
        return compare_instances(hop)
    return compare_identity(hop)


@PAIRS.register("is_", InstanceRepr, InstanceRepr)
def compare_instances(hop: HighLevelOp) -> Value:
    left, right = (hop.rtyper.classes.upcast(hop.inputarg(r, i), hop.llops)
                   for i, r in enumerate(hop.args_r))  # fmt: skip
    return hop.genop("ptr_ne" if hop.opname == "ne" else "ptr_eq", [left, right], Bool)
