"""Transfer rules for instances, their attributes and methods, classes and super()."""

from __future__ import annotations

import difflib
import functools
import types
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_CLASS,
    K_NONE,
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomeSuper,
    s_Bool,
    s_Bottom,
    s_None,
)
from rpython.annotator.lattice.parts import (
    EQUALITY_METHODS,
    class_with_equality,
    parts_of,
    possible_classes,
    representable,
)
from rpython.annotator.program.classdef import (
    ClassDef,
    Lookup,
    function_of,
    is_abstract,
    is_generated,
    is_generator,
    is_method,
    is_state_machine,
    refused_name,
    stored_name,
)
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.excattrs import is_fact, places
from rpython.annotator.program.site_classes import extended_by, is_per_site
from rpython.annotator.program.state import holds_state
from rpython.annotator.rules.exceptions import is_named, read_fact, set_attributes, set_cause
from rpython.annotator.rules.registry import FUNCTIONS, METHODS, UNARY
from rpython.annotator.rules.state import (
    attribute_name,
    read_class_state,
    read_held,
    refuse_class_state,
    refuse_module_state,
    varies_with_class,
)
from rpython.rlib.rgc import PrebuiltQueueMethod
from rpython.translator.ir.home import Home
from rpython.translator.ir.intrinsics import is_frozen


@UNARY.register("getattr", SomeObject)
def builtin_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """A method of a built-in kind."""
    name = attribute_name(ctx)
    if METHODS.lookup(name, type(s)) is None or s.kinds == K_BUILTIN_METHOD:
        known = {key[0] for key in METHODS if issubclass(type(s), key[1])}
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else ""
        message = f"{s.describe()} has no attribute {name!r} (or it is not supported)"
        raise ctx.error(message, hint=hint)
    return SomeBuiltinMethod(name, s)


@UNARY.register("getattr", SomeHost)
def host_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    refuse_module_state(ctx, s.value, name)
    try:
        value = FUNCTIONS.known(getattr(s.value, name))
        if isinstance(value, types.MethodType) and isinstance(value.__self__, type):
            value = ctx.annotator.constants.host_method(value)
        return ctx.constant(value)
    except AttributeError:
        if ctx.catches(AttributeError):
            return s_Bottom
        raise ctx.error(f"{s.describe()} has no attribute {name!r}") from None


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
    """``self.next_dead`` in a method of a FinalizerQueue: that of the queue there is."""
    queues = ctx.annotator.finalizers.queues_of(s.classdef.cls, ctx.position)
    if not queues:
        raise ctx.premature(f"{name!r} of a queue that nothing is registered with")
    if len(queues) > 1 or any(classdef.instantiated for classdef in s.classdef.subtree()):
        raise ctx.error(
            f"{name!r} of one of several queues is not supported",
            hint="give each queue a class of its own",
        )
    return ctx.constant(getattr(queues[0], name))


def read_attribute(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    """``s.name``, which may be an attribute, a method, a property, ..."""
    name = stored_name(s.classdef.cls, name)
    if varies_with_class(ctx, s.classdef, name):
        classdefs = s.classdef.concrete(s.members)
        return read_class_state(ctx, [classdef.cls for classdef in classdefs], name)
    if has_property(ctx, s.classdef, name):
        return _read_property(ctx, s.classdef, Lookup(name))
    found = find_methods(ctx, s.classdef, name, s.members)
    if found is not None:
        return found
    if is_cached_property(ctx, s.classdef, name):
        return _read_cached_property(ctx, s.classdef, name)
    if is_generator(s.classdef) and not hasattr(ctx.graph.func, "_rpython_span_"):
        raise ctx.error(f"{name!r} of a generator is not supported")
    inherited = s.classdef.class_value(name)
    if inherited is not None and isinstance(inherited[1], PrebuiltQueueMethod):
        return _queue_method(ctx, s, name)
    if inherited is not None and inherited[0].__module__ == "builtins":
        if is_fact(s.classdef.cls, name):
            return read_fact(ctx, s, name)
        if name == "with_traceback":
            return SomeBuiltinMethod(name, s)
        hint = "e.__cause__ is what `raise ... from` gives" if name == "__context__" else ""
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported", hint=hint)
    if name in _HIDDEN_ATTRIBUTES:
        raise ctx.error(f"attribute {name!r} is not supported")
    return ctx.read(ctx.annotator.constants.attribute(s.classdef, name, ctx.op.span))


def class_of(ctx: OpContext, s: SomeInstance, or_none: bool) -> SomeObject:
    """The class of an instance: that of its annotation or one below, or (``or_none``) that of
    None."""
    if is_per_site(s.classdef) and ctx.graph.home is not Home.OVERLAY:
        raise ctx.error(
            f"the class of {s.describe()} is not supported as a value: translated programs have "
            "one for each place that makes some", hint="ask isinstance()",
        )  # fmt: skip
    constants = ctx.annotator.constants
    s.classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    mask = 0
    for subdef in s.classdef.subtree():
        if not subdef.abstract_methods():  # else no instance is of that very class
            mask |= constants.class_mask(subdef)
    if or_none:
        mask |= constants.class_mask(constants.classdef(type(None)))
    if not mask:
        return s_Bottom
    return SomeClass(mask, constants.descs)


def has_property(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Is it a property of instances of this class, or of some subclass?"""
    classdef.method_readers.setdefault(name, {})[ctx.position] = None
    if classdef.find_attribute(name) is not None:
        return False
    values = [value for _, value in values_below(classdef, Lookup(name)) if not is_abstract(value)]
    properties = [value for value in values if isinstance(value, property)]
    assigned = any(
        name in subdef.attrs and subdef.attrs[name].s_value.kinds for subdef in classdef.subtree()
    )
    if properties and (len(properties) < len(values) or assigned):
        raise ctx.error(
            f"{name!r} is a property of one class at or below {classdef.name} and something "
            "else in another",
            hint="rename one of them",
        )
    return bool(properties)


def values_below(
    classdef: ClassDef, lookup: Lookup, members: frozenset[ClassDef] | None = None
) -> list[tuple[ClassDef, Any]]:
    """What a lookup finds on a class and, where that differs, on those below it; or on each
    of ``members``."""
    result = []
    for subdef in classdef.concrete(members):
        if subdef is classdef or members is not None:
            found = subdef.class_value(lookup.name, lookup.after)
        else:
            found = subdef.own_class_value(lookup.name, lookup.after)
        if found is not None and not isinstance(found[1], types.MemberDescriptorType):
            result.append((subdef, found[1]))
    return result


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
    name = lookup.name
    s_result: SomeObject = s_Bottom
    for subdef, function in _property_functions(ctx, classdef, lookup):
        s_self = SomeInstance(subdef)
        origin = ctx.origin(s_self, f"the property {name!r} is read here", 0)
        s_result = ctx.join(s_result, ctx.call_function(function, [s_self], [origin]))
    if not representable(s_result):
        raise ctx.error(f"the property {name!r} would give {s_result.describe()}")
    return s_result


def _write_property(
    ctx: OpContext, classdef: ClassDef, name: str, s_value: SomeObject
) -> SomeObject:
    for subdef, function in _property_functions(ctx, classdef, Lookup(name, part="fset")):
        s_self = SomeInstance(subdef)
        origins = [
            ctx.origin(s_self, f"the property {name!r} is assigned here", 0),
            ctx.origin(s_value, f"assigned to the property {name!r} here", 2),
        ]
        ctx.call_function(function, [s_self, s_value.without_const()], origins)
    return s_None


def _delete_property(ctx: OpContext, classdef: ClassDef, name: str) -> SomeObject:
    for subdef, function in _property_functions(ctx, classdef, Lookup(name, part="fdel")):
        s_self = SomeInstance(subdef)
        origin = ctx.origin(s_self, f"the property {name!r} is deleted here", 0)
        ctx.call_function(function, [s_self], [origin])
    return s_None


def is_cached_property(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Is it a ``functools.cached_property`` of all instances?"""
    values = [value for _, value in values_below(classdef, Lookup(name))]
    cached = [value for value in values if isinstance(value, functools.cached_property)]
    if cached and (len(cached) < len(values) or classdef.class_value(name) is None):
        raise ctx.error(
            f"{name!r} is a cached_property of one class at or below {classdef.name} and "
            "something else in another",
            hint="rename one of them",
        )
    return bool(cached)


def _read_cached_property(ctx: OpContext, classdef: ClassDef, name: str) -> SomeObject:
    """Call the function and keep what it gives in the attribute."""
    classdef.method_readers.setdefault(name, {})[ctx.position] = None
    attribute = ctx.annotator.constants.attribute(classdef, name)
    s_value = _read_property(ctx, classdef, Lookup(name))
    ctx.write(attribute, s_value, f"computed by the cached_property {name!r}")
    return ctx.read(attribute)


_HIDDEN_ATTRIBUTES = ("__dict__", "__weakref__", "__slots__")


def find_methods(
    ctx: OpContext,
    classdef: ClassDef,
    lookup: Lookup | str,
    members: frozenset[ClassDef] | None = None,
) -> SomeObject | None:
    """The methods that ``lookup`` finds on an instance of this class or a subclass, as one
    annotation: of methods, of functions for staticmethods, of classmethods; None when there
    are none."""
    if isinstance(lookup, str):
        lookup = Lookup(lookup)
    name = lookup.name
    constants = ctx.annotator.constants
    classdef.method_readers.setdefault(name, {})[ctx.position] = None
    if lookup.after is None and classdef.find_attribute(name) is not None:
        return None
    found: dict[str, int] = {}
    for subdef, value in values_below(classdef, lookup, members):
        if is_abstract(value) and lookup.after is None:
            found.setdefault("abstract", 0)
        elif isinstance(value, staticmethod) and isinstance(value.__func__, types.FunctionType):
            mask = constants.function_mask(constants.function_desc(value.__func__))
            found["static"] = found.get("static", 0) | mask
        elif isinstance(value, classmethod):
            found["class"] = found.get("class", 0)
        elif is_method(value):
            function = constants.method_function(subdef, lookup)
            mask = constants.method_desc(lookup, function, subdef, False)[1]
            found["method"] = found.get("method", 0) | mask
        else:
            found["value"] = 0
    for subdef in classdef.subtree():
        if lookup.after is None and name in subdef.attrs and subdef.attrs[name].s_value.kinds:
            found["value"] = 0
    if not found or list(found) == ["value"]:
        return None
    if list(found) == ["abstract"]:
        return s_Bottom  # no class with the method is known yet
    found.pop("abstract", None)
    if len(found) > 1:
        raise ctx.error(
            f"{name!r} is a method in one class below {classdef.name} and something else in "
            "another",
            hint="rename one of them",
        )
    ((sort, mask),) = found.items()
    if sort == "method":
        return SomeMethod(mask, constants.descs)
    if sort == "static":
        return SomeFunction(mask, constants.descs)
    return _class_methods(ctx, classdef, lookup)


def _class_methods(ctx: OpContext, classdef: ClassDef, lookup: Lookup) -> SomeObject:
    """A classmethod of an instance: bound to the class of the instance, whichever it is."""
    constants = ctx.annotator.constants
    classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    mask = 0
    for subdef in classdef.subtree():
        found = subdef.class_value(lookup.name, lookup.after)
        if found is not None and not is_abstract(found[1]) and not subdef.abstract_methods():
            mask |= constants.class_method_mask(found[1].__func__, subdef)
    return SomeClassMethod(mask, constants.descs)


@UNARY.register("setattr", SomeInstance)
def set_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = stored_name(s.classdef.cls, attribute_name(ctx))
    _refuse_frozen(ctx, s.classdef, name)
    found = s.classdef.class_value(name)
    if name == "__class__":
        raise ctx.error("the class of an instance cannot be changed")
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
        raise ctx.error(f"attribute {name!r} of {s.describe()} cannot be assigned")
    if found is not None and is_method(found[1]):
        raise ctx.error(f"{name!r} is a method of {s.classdef.name}; it cannot be assigned")
    frozen = frozen_by(s.classdef.cls)
    if frozen is not None:
        raise ctx.error(
            f"cannot assign to field {name!r}: the dataclass {frozen.__name__} is frozen",
            hint="make a new instance with the changed field",
        )
    return write_attribute(ctx, s, name, s_value, 2)


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


def _refuse_frozen(ctx: OpContext, classdef: ClassDef, name: str) -> None:
    """Attributes of instances with ``_freeze_`` are constants of the program."""
    classdef.method_readers.setdefault("_freeze_", {})[ctx.position] = None
    for subdef in classdef.subtree():
        if hasattr(subdef.cls, "_freeze_") and ctx.graph.name != "__init__":
            raise ctx.error(
                f"{name!r} cannot be assigned: instances of {subdef.name} are frozen (the class "
                "has _freeze_)"
            )


@UNARY.register("delattr", SomeInstance)
def delete_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = attribute_name(ctx)
    _refuse_frozen(ctx, s.classdef, name)
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


@UNARY.register("getattr", SomeFunction)
def function_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    known = ("__name__", "__qualname__", "__doc__", "__module__")
    assert isinstance(s, SomeFunction)
    if not s.is_constant() and name in known:
        s_result: SomeObject = s_Bottom
        for desc in s.descs:
            assert isinstance(desc, FunctionDesc)
            s_result = ctx.join(s_result, ctx.constant(getattr(desc.func, name)).without_const())
        return s_result
    if not s.is_constant() or (name not in known and name not in vars(s.value)):
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    return ctx.constant(getattr(s.value, name))


@UNARY.register("getattr", SomeSuper)
def super_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeSuper)
    name = attribute_name(ctx)
    if isinstance(s.s_self, SomeClass):
        return _super_class_attribute(ctx, s.start, s.s_self, name)
    classdef, lookup = s.s_self.classdef, Lookup(name, s.start)
    classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    missing = [subdef for subdef in classdef.subtree() if not _finds(subdef, lookup)]
    if missing:
        of_exception = name in ("__str__", "__repr__") and issubclass(classdef.cls, BaseException)
        if (name == "__init__" or of_exception) and len(missing) == len(list(classdef.subtree())):
            return SomeBuiltinMethod(name, s.s_self)
        if name != "__init__" or any(issubclass(x.cls, BaseException) for x in missing):
            raise ctx.error(f"super() of {s.start.__name__} has no method {name!r}")
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


def _super_class_attribute(
    ctx: OpContext, start: type, s_class: SomeClass, name: str
) -> SomeObject:
    """``super().name`` in a classmethod."""
    constants = ctx.annotator.constants
    classdef = constants.classdef(s_class.value)
    found = classdef.class_value(name, start)
    if found is None:
        raise ctx.error(f"super() of {start.__name__} has no attribute {name!r}")
    value = found[1]
    if isinstance(value, classmethod):
        return SomeClassMethod(
            constants.class_method_mask(value.__func__, classdef), constants.descs
        )
    return ctx.constant(value.__func__ if isinstance(value, staticmethod) else value)


@METHODS.register("__init__", SomeInstance)
def builtin_init(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    """``object.__init__`` or ``BaseException.__init__``."""
    assert isinstance(s, SomeInstance)
    if not issubclass(s.classdef.cls, BaseException):
        if args_s:
            raise ctx.error("object.__init__() takes no arguments")
    elif not issubclass(s.classdef.cls, KeyError) and s.classdef.tops(KeyError):
        raise ctx.error(
            f"whether str() of {s.describe()} quotes the message, as a KeyError does, depends on "
            f"the class: {s.classdef.tops(KeyError)[0].name} is a KeyError too",
            hint="give the class with KeyError among its bases an __init__ of its own",
        )
    else:
        where = places(s.classdef.cls, len(args_s), is_named(args_s))
        set_attributes(ctx, s.classdef, args_s, where)
    return s_None


def defining_equality(ctx: OpContext, s: SomeObject) -> str | None:
    """The name of a class of these instances that defines ``__eq__`` or ``__ne__``."""
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            for name in EQUALITY_METHODS:
                part.classdef.method_readers.setdefault(name, {})[ctx.position] = None
            return class_with_equality(part)
    return None


@UNARY.register("exc_instance", SomeInstance)
def raise_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    if not issubclass(s.classdef.cls, BaseException):
        raise ctx.error(f"exceptions must derive from BaseException, not {s.describe()}")
    return s.without_const()


@UNARY.register("exception_match", SomeInstance)
def match_exception(ctx: OpContext, s: SomeObject, s_class: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    return instance_test(ctx, s, classes_of(ctx, s_class))


def classes_of(ctx: OpContext, s_class: SomeObject) -> list[type]:
    """The host classes of a class or tuple of classes; of one that is chosen at run time, all
    that it may be."""
    classes = None if s_class.kinds & K_NONE else possible_classes(s_class)
    if classes is None:
        raise ctx.refusal(s_class, K_CLASS, f"expected classes, not {s_class.describe()}")
    if not all(isinstance(cls, type) for cls in classes):
        raise ctx.error("expected a class or a tuple of classes")
    for cls in classes:
        if getattr(cls, "_is_protocol", False):
            raise ctx.error(
                f"a test for the protocol {cls.__name__} is not supported: it looks at attributes",
                hint="make it an abstract base class (abc.ABC)",
            )
    return classes


def instance_test(ctx: OpContext, s: SomeInstance, classes: list[type]) -> SomeObject:
    """isinstance(s, classes) for an instance: constant where the hierarchy decides it."""
    cls = s.classdef.cls
    if any(issubclass(cls, wanted) for wanted in classes):
        return ctx.constant(True)
    s.classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    if any(issubclass(above, wanted) for above in extended_by(s.classdef) for wanted in classes):
        raise ctx.error(
            f"isinstance() of {s.describe()} is not supported for the class that it extends",
            hint=f"ask for {s.classdef.name}",
        )
    for wanted in classes:
        if issubclass(wanted, cls) and wanted is not cls:
            ctx.annotator.constants.classdef(wanted)
    if any(s.classdef.tops(wanted) for wanted in classes):
        return s_Bool
    return ctx.constant(False)
