"""Transfer rules for instances, their attributes and methods, classes and super()."""

from __future__ import annotations

import difflib
import types
from typing import Any

from annotator.classdef import ClassDef, function_of, is_abstract, is_method
from annotator.context import OpContext
from annotator.desc import ClassDesc, FunctionDesc
from annotator.model import (
    K_BUILTIN_METHOD,
    K_HOST,
    K_NONE,
    SomeBuiltinMethod,
    SomeClass,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomeString,
    SomeSuper,
    s_Bool,
    s_Bottom,
    s_None,
)
from annotator.parts import (
    EQUALITY_METHODS,
    class_with_equality,
    constant_classes,
    parts_of,
    representable,
)
from annotator.registry import METHODS, UNARY
from annotator.streams import standard_stream
from translator.ir.model import Constant


def attribute_name(ctx: OpContext) -> str:
    name = ctx.op.args[1]
    if not isinstance(name, Constant) or not isinstance(name.value, str):
        raise ctx.error("the attribute name must be a constant")
    return name.value


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
    if standard_stream(s.value) is not None and name != "buffer":
        return builtin_attribute(ctx, s, s_name)
    try:
        return ctx.constant(getattr(s.value, name))
    except AttributeError:
        raise ctx.error(f"{s.describe()} has no attribute {name!r}") from None


@UNARY.register("getattr", SomeInstance)
def instance_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = attribute_name(ctx)
    getters = _getters(ctx, s.classdef, name)
    if getters is not None:
        return _read_property(ctx, name, getters)
    if name == "__class__":
        if ctx.arguments()[0].kinds & K_NONE:
            raise ctx.error("the class of None is not an instance's: test for None first")
        return class_of(ctx, s)
    found = find_methods(ctx, s.classdef, name)
    if found is not None:
        return found
    inherited = s.classdef.class_value(name)
    known = name == "errno"  # what ``os`` functions set
    if inherited is not None and inherited[0].__module__ == "builtins" and not known:
        hint = "use str(e) for the message" if name == "args" else ""
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported", hint=hint)
    if name in _HIDDEN_ATTRIBUTES:
        raise ctx.error(f"attribute {name!r} is not supported")
    return ctx.read(ctx.annotator.constants.attribute(s.classdef, name))


def class_of(ctx: OpContext, s: SomeInstance) -> SomeClass:
    """The class of an instance: that of its annotation or one below."""
    constants = ctx.annotator.constants
    s.classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    mask = 0
    for subdef in s.classdef.subtree():
        mask |= constants.class_mask(subdef)
    return SomeClass(mask, constants.descs)


def _getters(
    ctx: OpContext, classdef: ClassDef, name: str
) -> list[tuple[ClassDef, FunctionDesc]] | None:
    """The getters of a property, with the classes that they are found on; None when it is
    no property."""
    inherited = classdef.class_value(name)
    if inherited is None or not isinstance(inherited[1], property):
        return None
    classdef.method_readers.setdefault(name, {})[ctx.position] = None
    result = []
    for subdef in classdef.subtree():
        if subdef is classdef or subdef.own_class_value(name) is not None:
            found = subdef.class_value(name)
            if found is not None and is_abstract(found[1]):
                continue
            function = function_of(found[1]) if found is not None else None
            if found is None or function is None or not isinstance(found[1], property):
                raise ctx.error(
                    f"{name!r} is a property of {classdef.name} and something else below it",
                    hint="rename one of them",
                )
            result.append((subdef, ctx.annotator.constants.function_desc(function)))
    return result


def _read_property(
    ctx: OpContext, name: str, getters: list[tuple[ClassDef, FunctionDesc]]
) -> SomeObject:
    s_result: SomeObject = s_Bottom
    for subdef, function in getters:
        s_self = SomeInstance(subdef)
        origin = ctx.origin(s_self, f"the property {name!r} is read here", 0)
        s_result = ctx.join(s_result, ctx.call_function(function, [s_self], [origin]))
    if not representable(s_result):
        raise ctx.error(f"the property {name!r} would give {s_result.describe()}")
    return s_result


_HIDDEN_ATTRIBUTES = ("__dict__", "__weakref__", "__slots__")


def find_methods(ctx: OpContext, classdef: ClassDef, name: str) -> SomeObject | None:
    """The methods that ``name`` may be on an instance of this class or a subclass, as one
    annotation (the function, for a staticmethod); None when it is not a method there."""
    constants = ctx.annotator.constants
    classdef.method_readers.setdefault(name, {})[ctx.position] = None
    if classdef.find_attribute(name) is not None:
        return None
    mask = 0
    plain: set[Any] = set()
    abstract = False
    for subdef in classdef.subtree():
        if name in subdef.attrs and subdef.attrs[name].s_value.kinds:
            plain.add(None)
        found = subdef.class_value(name)
        if found is None or isinstance(found[1], types.MemberDescriptorType):
            continue
        value = found[1]
        if is_abstract(value):
            abstract = True
        elif isinstance(value, staticmethod):
            plain.add(value.__func__)
        elif isinstance(value, classmethod):
            raise ctx.error(
                f"classmethod {name!r} of an instance is not supported",
                hint="call it through the class",
            )
        elif not is_method(value):
            plain.add(None)
        elif subdef is classdef or subdef.own_class_value(name) is not None:
            function = constants.function_desc(value)
            mask |= constants.method_desc(name, function, subdef, False)[1]
    if not mask:
        if abstract and not plain:
            return s_Bottom  # no class with the method is known yet
        if None in plain or not plain:
            return None
        if len(plain) == 1 and classdef.class_value(name) is not None:
            return ctx.constant(plain.pop())
    if plain:
        raise ctx.error(
            f"{name!r} is a method in one class below {classdef.name} and something else in "
            "another",
            hint="rename one of them",
        )
    return SomeMethod(mask, constants.descs)


@UNARY.register("setattr", SomeInstance)
def set_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeInstance)
    name = attribute_name(ctx)
    found = s.classdef.class_value(name)
    if name == "__class__":
        raise ctx.error("the class of an instance cannot be changed")
    if found is not None and isinstance(found[1], property):
        raise ctx.error(
            f"assigning to the property {name!r} is not supported",
            hint="define a method that sets it",
        )
    if found is not None and found[0].__module__ == "builtins":
        raise ctx.error(f"attribute {name!r} of {s.describe()} cannot be assigned")
    if found is not None and is_method(found[1]):
        raise ctx.error(f"{name!r} is a method of {s.classdef.name}; it cannot be assigned")
    attribute = ctx.annotator.constants.attribute(s.classdef, name)
    if attribute.s_value.kinds == 0:
        for basedef in s.classdef.mro():
            # where it was taken for a method of another class
            ctx.annotator.reflow(basedef.method_readers.get(name, {}))
    ctx.write(attribute, s_value, f"assigned to .{name} here", 2)
    return s_None


@UNARY.register("delattr", SomeInstance)
def delete_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    raise ctx.error("attributes cannot be deleted", hint="assign None instead")


@UNARY.register("setattr", SomeClass)
def set_class_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    raise ctx.error(
        "class attributes cannot be assigned at run time",
        hint="keep the value in an instance that the module creates at import",
    )


@UNARY.register("getattr", SomeClass)
def class_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeClass)
    name = attribute_name(ctx)
    if s.is_constant():
        return ctx.constant(_class_value(ctx, s.value, name))
    if name == "__name__":
        return SomeString()
    s_result: SomeObject = s_Bottom
    for desc in s.descs:
        assert isinstance(desc, ClassDesc)
        value = _class_value(ctx, desc.classdef.cls, name)
        s_result = ctx.join(s_result, ctx.constant(value).without_const())
    if not representable(s_result) or s_result.kinds & K_HOST:
        raise ctx.error(
            f"reading {name!r} of a class that is only known at run time is not supported"
        )
    return s_result


def _class_value(ctx: OpContext, cls: type, name: str) -> Any:
    """``cls.name`` for a host class."""
    try:
        value = getattr(cls, name)
    except AttributeError:
        close = difflib.get_close_matches(name, dir(cls), n=1)
        hint = f"did you mean {close[0]!r}?" if close else ""
        raise ctx.error(f"class {cls.__name__} has no attribute {name!r}", hint=hint) from None
    if isinstance(value, types.MethodType):
        return ctx.annotator.constants.class_method(cls, name)
    if isinstance(value, property):
        raise ctx.error(f"{name!r} of class {cls.__name__} is not supported")
    return value


@UNARY.register("getattr", SomeFunction)
def function_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    if not s.is_constant() or name not in ("__name__", "__qualname__", "__doc__", "__module__"):
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    return ctx.constant(getattr(s.value, name))


@UNARY.register("getattr", SomeSuper)
def super_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeSuper)
    name = attribute_name(ctx)
    constants = ctx.annotator.constants
    mro = s.s_self.classdef.cls.__mro__
    for cls in mro[mro.index(s.start) + 1 :]:
        value = cls.__dict__.get(name)
        if is_method(value):
            function = constants.function_desc(value)
            mask = constants.method_desc(name, function, s.s_self.classdef, True)[1]
            return SomeMethod(mask, constants.descs)
        if value is not None:
            if name == "__init__":
                return SomeBuiltinMethod("__init__", s.s_self)
            break
    raise ctx.error(f"super() of {s.start.__name__} has no method {name!r}")


@METHODS.register("__init__", SomeInstance)
def builtin_init(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    """``object.__init__`` or ``BaseException.__init__``."""
    assert isinstance(s, SomeInstance)
    if not issubclass(s.classdef.cls, BaseException):
        if args_s:
            raise ctx.error("object.__init__() takes no arguments")
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
    """The host classes of a constant class or tuple of classes."""
    classes = constant_classes(s_class)
    if classes is None:
        raise ctx.error("the class must be known at translation time")
    if not all(isinstance(cls, type) for cls in classes):
        raise ctx.error("expected a class or a tuple of classes")
    return classes


def instance_test(ctx: OpContext, s: SomeInstance, classes: list[type]) -> SomeObject:
    """isinstance(s, classes) for an instance: constant where the hierarchy decides it."""
    cls = s.classdef.cls
    if any(issubclass(cls, wanted) for wanted in classes):
        return ctx.constant(True)
    for wanted in classes:
        if issubclass(wanted, cls) and wanted is not cls:
            ctx.annotator.constants.classdef(wanted)
            return s_Bool
    return ctx.constant(False)

