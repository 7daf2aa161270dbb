"""Transfer rules for attributes of instances: fields, properties, methods, and super()."""

from __future__ import annotations

import functools

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_NONE,
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeInstance,
    SomeMethod,
    SomeObject,
    s_Bottom,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.overlay.descriptors import makes_frozen_descriptors
from rpython.annotator.overlay.hidden_methods import binds, can_be_hidden
from rpython.annotator.overlay.making import init_in_place_of_new, new_function
from rpython.annotator.program.classdef import (
    ClassDef,
    Lookup,
    function_of,
    is_abstract,
    is_generator,
    is_state_machine,
    refused_name,
    refuses_assignments,
    stored_name,
)
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.excattrs import is_fact
from rpython.annotator.program.hostclasses import is_generated
from rpython.annotator.program.state import holds_state
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.asked_attributes import read_asked, write_asked
from rpython.annotator.rules.calls import CallArguments, call_desc
from rpython.annotator.rules.exceptions import read_fact, set_cause, set_context
from rpython.annotator.rules.instance_dicts import read_dict
from rpython.annotator.rules.instances import (
    class_of,
    classes_keeping,
    find_methods,
    mixed_attribute,
    values_below,
)
from rpython.annotator.rules.mixed_attributes import read_mixed
from rpython.annotator.rules.registry import UNARY
from rpython.annotator.rules.state import (
    attribute_name,
    read_class_state,
    read_held,
    refuse_class_state,
    varies_with_class,
)
from rpython.annotator.rules.tested_attributes import without_tested_none
from rpython.rlib.rgc import PrebuiltQueueMethod
from rpython.stdlib.dataclasses import refuse_assignment
from rpython.translator.flow.class_statements import CLASS_ATTRIBUTES
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.home import home_of_function
from rpython.translator.ir.intrinsics import is_frozen


@UNARY.register("getattr", SomeInstance)
def instance_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = attribute_name(ctx)
    if s.is_constant() and is_frozen(s.value) and hasattr(s.value, name):
        return ctx.constant(getattr(s.value, name))
    if holds_state(s.classdef):
        return read_held(ctx, s, name)
    if name == "__class__":
        return class_of(ctx, s, bool(ctx.arguments()[0].kinds & K_NONE))
    return read_attribute(ctx, s, name)


def _queue_method(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    """``self.next_dead`` in a method of a FinalizerQueue, or of a queue that an attribute holds:
    that of the queue there is."""
    s.classdef.counted_at[ctx.position] = None
    queues = [x for classdef in s.classdef.subtree() for x in classdef.prebuilt]
    if not queues:
        hint = "queues are made before the program starts"
        raise ctx.premature(f"{name!r} of {s.classdef.name}, which has no instance", hint=hint)
    if len(queues) > 1 or any(classdef.instantiated for classdef in s.classdef.subtree()):
        raise ctx.error(
            f"{name!r} of one of several queues is not supported",
            hint="give each queue a class of its own",
        )
    return ctx.constant(getattr(queues[0], name))


def read_attribute(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    """``s.name``, which may be an attribute, a method, a property, ..."""
    s_asked = read_asked(ctx, s, name)
    if s_asked is not None:
        return s_asked
    name = stored_name(s.classdef.cls, name)
    if varies_with_class(ctx, s.classdef, name):
        classdefs = s.classdef.concrete(s.members)
        return read_class_state(ctx, [classdef.cls for classdef in classdefs], name)
    s_mixed = read_mixed(ctx, s, name)
    if s_mixed is not None:
        return s_mixed
    if has_property(ctx, s.classdef, name):
        return _read_property(ctx, s.classdef, Lookup(name))
    if _is_no_init(ctx, s.classdef, Lookup(name)):
        return SomeBuiltinMethod(name, s)
    found = find_methods(ctx, s.classdef, name, s.members)
    if found is not None and not s.classdef.hides(name):
        return found
    if is_cached_property(ctx, s.classdef, name):
        return _read_cached_property(ctx, s.classdef, name)
    if is_generator(s.classdef) and not hasattr(ctx.graph.func, "_rpython_span_"):
        raise ctx.error(f"{name!r} of {s.describe()} is not supported")
    inherited = s.classdef.class_value(name)
    if inherited is not None and isinstance(inherited[1], PrebuiltQueueMethod):
        return _queue_method(ctx, s, name)
    if inherited is not None and inherited[0].__module__ == "builtins":
        if is_fact(s.classdef.cls, name):
            return read_fact(ctx, s, name)
        if name in ("with_traceback", "add_note"):
            return SomeBuiltinMethod(name, s)
        hint = "traceback.print_exc() prints it" if name == "__traceback__" else ""
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported", hint=hint)
    if name == "__slots__":
        return _read_slots(ctx, s.classdef)
    if name == "__dict__":
        return read_dict(ctx, s)
    if name == "__weakref__":
        raise ctx.error(f"attribute {name!r} is not supported")
    s_value = ctx.read(ctx.annotator.constants.attribute(s.classdef, name, ctx.op.span))
    return without_tested_none(ctx, s_value)


def _read_slots(ctx: OpContext, classdef: ClassDef) -> SomeObject:
    """``self.__slots__``: what the class says, if all that the instance may be of say the same."""
    classdef.note_class_reader(ctx.position)
    found = {getattr(subdef.cls, "__slots__", None) for subdef in classdef.subtree()}
    if len(found) > 1 or found == {None}:
        raise ctx.error(
            f"attribute '__slots__' of instance of {classdef.name} is not supported",
            hint=f"it depends on the class: read {classdef.name}.__slots__",
        )  # fmt: skip
    return ctx.constant(found.pop())


def has_property(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Is it a property of instances of this class, or of some subclass?"""
    classdef.note_reader(name, ctx.position)
    if classdef.find_attribute(name) is not None:
        return False
    values = [value for _, value in values_below(classdef, Lookup(name)) if not is_abstract(value)]
    properties = [value for value in values if isinstance(value, property)]
    mixed = len(properties) < len(values) or classes_keeping(classdef, name)
    if properties and mixed:
        is_property = functools.partial(_is_a, property)
        raise mixed_attribute(ctx, classdef, name, "property", is_property)
    return bool(properties)


def _property_functions(
    ctx: OpContext, classdef: ClassDef, lookup: Lookup
) -> list[tuple[ClassDef, FunctionDesc]]:
    """The getters, setters or deleters of a property, with the classes that they are found on.
    A class may lack a setter or deleter: using it raises AttributeError then."""
    result = []
    for subdef, value in values_below(classdef, lookup):
        if is_abstract(value) and lookup.after is None:
            continue
        if function_of(value, lookup.part) is None:
            if lookup.part == "fget":
                where = f"the property {lookup.name!r} of class {subdef.name}"
                raise ctx.error(f"{where} has no getter")
            continue
        result.append((subdef, ctx.annotator.constants.method_function(subdef, lookup)))
    return result


def _read_property(ctx: OpContext, classdef: ClassDef, lookup: Lookup) -> SomeObject:
    s_result: SomeObject = s_Bottom
    for subdef, function in _property_functions(ctx, classdef, lookup):
        s_result = ctx.join(s_result, _call_part(ctx, subdef, function))
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"the property {lookup.name!r} would give {s_result.describe()}")
    return s_result


def _write_property(
    ctx: OpContext, classdef: ClassDef, name: str, s_value: SomeObject
) -> SomeObject:
    for subdef, function in _property_functions(ctx, classdef, Lookup(name, part="fset")):
        _call_part(ctx, subdef, function, s_value.without_const())
    return s_None


def _delete_property(ctx: OpContext, classdef: ClassDef, name: str) -> SomeObject:
    for subdef, function in _property_functions(ctx, classdef, Lookup(name, part="fdel")):
        _call_part(ctx, subdef, function)
    return s_None


def _call_part(
    ctx: OpContext, selfdef: ClassDef, function: FunctionDesc, *values_s: SomeObject
) -> SomeObject:
    """Call the getter, setter or deleter of a property."""
    args_s = (SomeInstance(selfdef), *values_s)
    operands = (0, 2)[: len(args_s)]
    return call_desc(ctx, function, CallArguments(CallShape(len(args_s)), args_s, operands))


def _is_a(cls: type, value: object) -> bool:
    return isinstance(value, cls)


def is_cached_property(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Is it a ``functools.cached_property`` of all instances?"""
    values = [value for _, value in values_below(classdef, Lookup(name))]
    cached = [value for value in values if isinstance(value, functools.cached_property)]
    if cached and (len(cached) < len(values) or classdef.class_value(name) is None):
        is_cached = functools.partial(_is_a, functools.cached_property)
        raise mixed_attribute(ctx, classdef, name, "cached_property", is_cached)
    return bool(cached)


def _read_cached_property(ctx: OpContext, classdef: ClassDef, name: str) -> SomeObject:
    """Call the function and keep what it gives in the attribute."""
    classdef.note_reader(name, ctx.position)
    attribute = ctx.annotator.constants.attribute(classdef, name)
    s_value = _read_property(ctx, classdef, Lookup(name))
    ctx.write(attribute, s_value, f"computed by the cached_property {name!r}")
    return ctx.read(attribute)


@UNARY.register("setattr", SomeInstance)
def set_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = stored_name(s.classdef.cls, attribute_name(ctx))
    s_asked = write_asked(ctx, s, name, s_value)
    if s_asked is not None:
        return s_asked
    refuse_frozen(ctx, s.classdef, name)
    found = s.classdef.class_value(name)
    if name == "__class__":
        raise ctx.error("the class of an instance cannot be changed")
    if name == "__dict__":
        raise ctx.error("the __dict__ of an instance cannot be changed")
    if has_property(ctx, s.classdef, name):
        if found is None:
            raise ctx.error(
                f"{name!r} is assigned to instances of {s.classdef.name}, and a property of some "
                "of its subclasses",
                hint=f"define the property in class {s.classdef.name}, or rename one of them",
            )
        return _write_property(ctx, s.classdef, name, s_value)
    if found is not None and found[0].__module__ == "builtins":
        if name == "__cause__":
            return set_cause(ctx, s, s_value)
        if name == "__context__":
            return set_context(ctx, s_value)
        raise ctx.error(f"attribute {name!r} of {s.describe()} cannot be assigned")
    refuse_method(ctx, s.classdef, name)
    if refuses_assignments(s.classdef, name):
        s.classdef.note_reader("__class__", ctx.position)
        return call_overlay(ctx, refuse_assignment, (s_Str,), {})
    frozen = frozen_by(s.classdef.cls)
    if frozen is not None:
        raise ctx.error(
            f"cannot assign to field {name!r}: the dataclass {frozen.__name__} is frozen",
            hint="make a new instance with the changed field",
        )
    return write_attribute(ctx, s, name, s_value, 2)


def refuse_method(ctx: OpContext, classdef: ClassDef, name: str) -> None:
    """Raise an error if the attribute that is assigned is a method, or was none so far that an
    instance may hide."""
    found = classdef.class_value(name)
    if found is not None and binds(found[1]):
        if name not in classdef.hidden and can_be_hidden(classdef.cls, found[0], name):
            ctx.annotator.refinement.hide(classdef.root().cls, name)
        raise ctx.error(f"{name!r} is a method of {classdef.name}; it cannot be assigned")


def frozen_by(cls: type) -> type | None:
    """The class that refuses assignments to attributes: a frozen dataclass."""
    return next((base for base in cls.__mro__ if is_generated(base, "__setattr__")), None)


def write_attribute(
    ctx: OpContext, s: SomeInstance, name: str, s_value: SomeObject, arg: int
) -> SomeObject:
    """Assign operand ``arg`` to an attribute that is no property."""
    refusal = refused_name(s.classdef.cls, name)
    if refusal:
        raise ctx.error(f"{s.describe()} cannot have the attribute {name!r}: {refusal}")
    refuse_class_state(ctx, s.classdef, name)
    if name in getattr(s.classdef.cls, CLASS_ATTRIBUTES, ()):
        _refuse_bound(ctx, name, s_value)
    attribute = ctx.annotator.constants.attribute(s.classdef, name)
    attribute.written = True
    if attribute.s_value.kinds == 0:
        for basedef in s.classdef.mro():
            # where it was taken for a method of another class
            ctx.annotator.reflow(basedef.method_readers.get(name, {}))
    unnamed = is_state_machine(s.classdef) or holds_state(s.classdef)
    what = "assigned here" if unnamed else f"assigned to .{name} here"
    ctx.write(attribute, s_value, what, arg)
    return s_None


_BOUND = ("__get__", "__set__", "__delete__", "__set_name__")


def _refuse_bound(ctx: OpContext, name: str, s_value: SomeObject) -> None:
    """Refuse, as the value of a class attribute, what does more there than to be its value."""
    for part in parts_of(s_value):
        if isinstance(part, SomeFunction) or _is_descriptor(part):
            raise ctx.error(
                f"the variable {name!r}, {part.describe()}, is assigned to a class attribute in a "
                "class statement in a function",
                hint="reading the attribute would bind it: define it in the class, or with the "
                "class at module level",
            )


def _is_descriptor(s: SomeObject) -> bool:
    if not isinstance(s, SomeInstance):
        return False
    return any(s.classdef.class_value(name) is not None for name in _BOUND)


def refuse_frozen(ctx: OpContext, classdef: ClassDef, name: str) -> None:
    """Attributes of frozen instances are constants of the program."""
    classdef.note_reader("_freeze_", ctx.position)
    for subdef in classdef.subtree():
        why = "the class has _freeze_" if hasattr(subdef.cls, "_freeze_") else ""
        if makes_frozen_descriptors(subdef.cls):
            why = "they are descriptors, which no method of the class changes"
        if why and ctx.graph.name != "__init__":
            raise ctx.error(
                f"{name!r} cannot be assigned: instances of {subdef.name} are frozen ({why})"
            )


@UNARY.register("delattr", SomeInstance)
def delete_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = attribute_name(ctx)
    refuse_frozen(ctx, s.classdef, name)
    if s.classdef.class_value(name) is not None and has_property(ctx, s.classdef, name):
        return _delete_property(ctx, s.classdef, name)
    for subdef in s.classdef.subtree():
        found = subdef.class_value(name)
        if found is not None:
            raise ctx.error(
                f"the attribute {name!r} cannot be deleted: it has a value in class {subdef.name}",
                hint="assign None instead",
            )
    attribute = ctx.annotator.constants.attribute(s.classdef, name)
    attribute.deleted = True
    ctx.read(attribute)
    return s_None


@UNARY.register("getattr", SomeSuper)
def super_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeSuper)
    name = attribute_name(ctx)
    if isinstance(s.s_self, SomeClass):
        return _super_class_attribute(ctx, s.start, s.s_self, name)
    classdef, lookup = s.s_self.classdef, Lookup(name, s.start)
    classdef.note_reader("__class__", ctx.position)
    missing = [subdef for subdef in classdef.subtree() if not _finds(subdef, lookup)]
    if missing:
        of_exception = name in ("__str__", "__repr__") and issubclass(classdef.cls, BaseException)
        of_object = of_exception or name in ("__init__", "__setattr__")
        if of_object and len(missing) == len(list(classdef.subtree())):
            return SomeBuiltinMethod(name, s.s_self)
        if name != "__init__" or any(issubclass(x.cls, BaseException) for x in missing):
            raise ctx.error(f"super() of {s.start.__name__} has no method {name!r}")
    if _is_no_init(ctx, classdef, lookup):
        return SomeBuiltinMethod(name, s.s_self)
    values = [value for _, value in values_below(classdef, lookup)]
    if any(isinstance(value, property) for value in values):
        return _read_property(ctx, classdef, lookup)
    found = find_methods(ctx, classdef, lookup)
    if isinstance(found, SomeMethod) and missing:
        # object.__init__ in some of the classes
        constants, mask = ctx.annotator.constants, found.mask
        for subdef in missing:
            function = constants.target(subdef, lookup)
            assert function is not None
            mask |= constants.method_desc(lookup, function, subdef, False)[1]
        found = SomeMethod(mask, constants.descs)
    if isinstance(found, (SomeMethod, SomeClassMethod)):
        return found
    if isinstance(found, SomeFunction) and len(found.descs) == 1:
        (desc,) = found.descs
        assert isinstance(desc, FunctionDesc)
        return ctx.constant(desc.func)
    if found is None and len(values) == 1:
        return ctx.constant(values[0])
    raise ctx.error(f"super() of {s.start.__name__} has no method {name!r}")


def _finds(classdef: ClassDef, lookup: Lookup) -> bool:
    found = classdef.class_value(lookup.name, lookup.after)
    return found is not None and found[0].__module__ != "builtins"


def _is_no_init(ctx: OpContext, classdef: ClassDef, lookup: Lookup) -> bool:
    """Is that ``__init__``, of all instances, the one of ``object`` to the program?"""
    if lookup.name != "__init__" or not home_of_function(ctx.graph.func).is_program:
        return False
    inits = [init_in_place_of_new(subdef.cls, lookup.after) for subdef in classdef.subtree()]
    return None not in inits


def _super_class_attribute(
    ctx: OpContext, start: type, s_class: SomeClass, name: str
) -> SomeObject:
    """``super().name`` in a classmethod."""
    constants = ctx.annotator.constants
    classdef = constants.classdef(s_class.value)
    found = classdef.class_value(name, start)
    if name == "__new__":
        new = new_function(classdef, start)
        return ctx.constant(object.__new__ if new is None else new)
    if found is None:
        raise ctx.error(f"super() of {start.__name__} has no attribute {name!r}")
    value = found[1]
    if isinstance(value, classmethod):
        return SomeClassMethod(
            constants.class_method_mask(value.__func__, classdef), constants.descs
        )
    return ctx.constant(value.__func__ if isinstance(value, staticmethod) else value)
