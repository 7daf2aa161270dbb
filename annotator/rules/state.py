"""Transfer rules for global variables and class attributes that the program assigns, and for
reading attributes of classes."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_HOST,
    SomeClass,
    SomeClassMethod,
    SomeHost,
    SomeInstance,
    SomeObject,
    SomeString,
    s_Bottom,
    s_None,
)
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import ClassDesc
from rpython.annotator.program.enums import is_enum
from rpython.annotator.program.hostclasses import is_descriptor
from rpython.annotator.program.state import is_assigned
from rpython.annotator.rules.knownclasses import classes_above
from rpython.annotator.rules.registry import UNARY
from rpython.translator.ir.errors import AnnotatorError, did_you_mean
from rpython.translator.ir.home import home_of_module
from rpython.translator.ir.model import Constant

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


def attribute_name(ctx: OpContext) -> str:
    name = ctx.op.args[1]
    if not isinstance(name, Constant) or not isinstance(name.value, str):
        raise ctx.error("the attribute name must be a constant")
    return name.value


def read_held(ctx: OpContext, s_holder: SomeInstance, name: str) -> SomeObject:
    """A variable of a holder: the constant of import time as long as nothing assigns it.  (One
    that has no value then is read as attributes are that may not be set yet.)"""
    classdef = s_holder.classdef
    if not is_assigned(classdef, s_holder.value, name):
        classdef.note_reader(name, ctx.position)
        return ctx.constant(getattr(s_holder.value, name))
    return ctx.read(ctx.annotator.constants.attribute(classdef, name, ctx.op.span))


def _write_held(ctx: OpContext, holder: Any, name: str, s_value: SomeObject) -> None:
    s_holder = ctx.constant(holder)
    assert isinstance(s_holder, SomeInstance)
    attribute = ctx.annotator.constants.attribute(s_holder.classdef, name)
    ctx.write(attribute, s_value, "assigned here", 2)


def refuse_module_state(ctx: OpContext, holder: Any, name: str) -> None:
    """Refuse to read a global variable that the program may assign in another way than as
    ``module.name``."""
    if isinstance(holder, types.ModuleType):
        if name in ctx.annotator.constants.assigned.of(vars(holder))[1]:
            raise ctx.error(
                f"{name!r} of module {holder.__name__} is a variable",
                hint=f"write {holder.__name__}.{name}",
            )


def varies_with_class(ctx: OpContext, classdef: ClassDef, name: str) -> bool:
    """Is it an attribute of the class, or of some class below, that the program assigns?"""
    classdef.note_reader(name, ctx.position)
    state = ctx.annotator.constants.state
    return state.assigned_near(classdef.cls, name) is not None and any(
        state.holders(subdef.cls, name) for subdef in classdef.subtree()
    )


def read_class_state(ctx: OpContext, classes: Sequence[type], name: str) -> SomeObject:
    """``cls.name``, assigned in some of these classes."""
    constants = ctx.annotator.constants
    s_result: SomeObject = s_Bottom
    for cls in classes:
        classdef = constants.classdef(cls)
        classdef.note_reader(name, ctx.position)
        classdef.note_reader("__class__", ctx.position)
        holders = constants.state.holders(cls, name)
        for holder in holders:
            s_holder = ctx.constant(holder)
            assert isinstance(s_holder, SomeInstance)
            s_result = ctx.join(s_result, read_held(ctx, s_holder, name).without_const())
        if not holders:
            found = classdef.class_value(name)
            if found is None:
                raise ctx.error(f"class {cls.__name__} has no attribute {name!r}")
            s_result = ctx.join(s_result, ctx.constant(found[1]).without_const())
    if not ctx.annotator.representable(s_result) or s_result.kinds & K_HOST:
        raise ctx.conflict(f"the attribute {name!r} of the class would be {s_result.describe()}")
    return s_result


def refuse_class_state(ctx: OpContext, classdef: ClassDef, name: str) -> None:
    """Refuse the assignment to an attribute of instances that the program assigns to a class,
    too."""
    cls = ctx.annotator.constants.state.assigned_near(classdef.cls, name)
    if cls is not None:
        raise ctx.error(*_twofold(cls, classdef.cls, name))


def _twofold(cls: type, other: type, name: str) -> tuple[str, str]:
    message = (
        f"the attribute {name!r} is assigned to class {cls.__name__} and to instances of "
        f"{other.__name__}"
    )
    return message, "give one of them another name"


@UNARY.register("setattr", SomeHost)
def set_host_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    name = attribute_name(ctx)
    if not isinstance(s.value, types.ModuleType):
        raise ctx.error(f"{s.describe()} does not support the attribute {name!r} being assigned")
    if not home_of_module(s.value.__name__).is_program:
        raise ctx.error(f"attributes of the module {s.value.__name__} cannot be assigned")
    raise ctx.error(
        f"the variable {name!r} of module {s.value.__name__} is a constant",
        hint=f"assign it in a function of that module that says global {name}",
    )


@UNARY.register("setattr", SomeClass)
def set_class_attribute(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    assert isinstance(s, SomeClass)
    name = attribute_name(ctx)
    state = ctx.annotator.constants.state
    for desc in s.descs:
        assert isinstance(desc, ClassDesc)
        classdef = desc.classdef
        _check_assignable(ctx, classdef, name)
        _refuse_instance_state(ctx, classdef.cls, name)
        if state.assign(classdef.cls, name, ctx.op.span):
            _forget_instance_attributes(ctx, classdef.cls, name)
        _write_held(ctx, state.of_class(classdef.cls), name, s_value)
    return s_None


def _check_assignable(ctx: OpContext, classdef: ClassDef, name: str) -> None:
    found = classdef.class_value(name)
    if found is None or (name.startswith("__") and name.endswith("__")):
        raise ctx.error(
            f"class {classdef.name} has no attribute {name!r} that could be assigned",
            hint="give it a value in the class",
            about=(classdef.cls, name),
        )
    owner, value = found
    foreign = not classdef.home.is_program and ctx.graph.home.is_program
    if foreign or owner.__module__ == "builtins" or isinstance(classdef.cls, enum.EnumMeta):
        raise ctx.error(f"attributes of class {classdef.name} cannot be assigned")
    if is_descriptor(value):
        raise ctx.error(
            f"{name!r} of class {owner.__name__} is a {type(value).__name__}, which cannot be "
            "assigned",
            hint="keep a function in an attribute of an instance",
        )


def _refuse_instance_state(ctx: OpContext, cls: type, name: str) -> None:
    """Refuse the assignment to an attribute of a class that the program assigns to instances, too:
    each time that the operation is flowed, since what is not refused again is not refused."""
    for classdef in _related(ctx, cls):
        attribute = classdef.attrs.get(name)
        if attribute is not None and attribute.written:
            raise ctx.error(*_twofold(cls, classdef.cls, name))


def _related(ctx: OpContext, cls: type) -> Iterator[ClassDef]:
    """The classes above and below."""
    for classdef in ctx.annotator.constants.classdefs:
        if issubclass(classdef.cls, cls) or issubclass(cls, classdef.cls):
            yield classdef


def _forget_instance_attributes(ctx: OpContext, cls: type, name: str) -> None:
    """Have what read the attribute through instances read it again; it was the initial value of
    a field of theirs."""
    annotator = ctx.annotator
    for classdef in _related(ctx, cls):
        attribute = classdef.attrs.get(name)
        if attribute is not None:
            del classdef.attrs[name]
            annotator.attribute_reads.forget(attribute)
            annotator.reflow(attribute.readers)
        annotator.reflow(classdef.method_readers.get(name, {}))


def class_state_errors(annotator: RPythonAnnotator) -> Iterator[AnnotatorError]:
    """What would miss the assignments to class attributes: prebuilt instances that have
    their own, and graphs that took them for constants."""
    constants = annotator.constants
    for cls, name, span in constants.state.assigned():
        for classdef in constants.classdefs:
            if issubclass(classdef.cls, cls) and any(name in vars(x) for x in classdef.prebuilt):
                message, hint = _twofold(cls, classdef.cls, name)
                yield AnnotatorError(message, span, hint=hint)
    for graph in annotator.graphs:
        for cls, name, span in graph.class_constants:
            if constants.state.holders(cls, name):
                yield AnnotatorError(
                    f"{name!r} of class {cls.__name__} must be a constant here, and the program "
                    "assigns it", span
                )  # fmt: skip


@UNARY.register("getattr", SomeClass)
def class_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeClass)
    name = attribute_name(ctx)
    if name == "__name__" and not s.is_constant():
        return SomeString()
    classes = [s.value] if s.is_constant() else [desc.classdef.cls for desc in _descs(s)]
    for desc in _descs(s):
        desc.classdef.note_reader(name, ctx.position)
    state = ctx.annotator.constants.state
    if any(state.holders(cls, name) for cls in classes):
        return read_class_state(ctx, classes, name)
    if s.is_constant():
        if name == "__members__" and is_enum(s.value):
            return ctx.constant(ctx.annotator.constants.members.named(s.value))
        if name in ("__mro__", "__bases__"):
            return classes_above(ctx, s.value, name)
        if not hasattr(s.value, name) and ctx.catches(AttributeError):
            return s_Bottom
        s_value = ctx.constant(_class_value(ctx, s.value, name))
        return s_value.without_const() if isinstance(s_value, SomeClassMethod) else s_value
    s_result: SomeObject = s_Bottom
    for cls in classes:
        s_result = ctx.join(s_result, ctx.constant(_class_value(ctx, cls, name)).without_const())
    if not ctx.annotator.representable(s_result) or s_result.kinds & K_HOST:
        raise ctx.conflict(
            f"reading {name!r} of a class that is only known at run time is not supported"
        )
    return s_result


def _descs(s: SomeClass) -> list[ClassDesc]:
    return [desc for desc in s.descs if isinstance(desc, ClassDesc)]


def _class_value(ctx: OpContext, cls: type, name: str) -> Any:
    """``cls.name`` for a host class."""
    try:
        value = ctx.annotator.constants.host_attribute(cls, name)
    except AttributeError:
        message = f"class {cls.__name__} has no attribute {name!r}"
        raise ctx.error(message, did_you_mean(name, dir(cls)), about=(cls, name)) from None
    if isinstance(value, property):
        raise ctx.error(f"{name!r} of class {cls.__name__} is not supported")
    return value
