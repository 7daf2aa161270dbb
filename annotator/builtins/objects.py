"""Transfer rules for built-in functions about instances: ``hasattr``, ``getattr`` with a
default, ``callable``, ``int(x)`` of an instance, ..."""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

from rpython.annotator.builtins.named_attributes import (
    COMPUTED,
    OTHER_WAYS,
    has_computed,
    has_named,
    read_computed,
    read_named,
    set_named,
)
from rpython.annotator.context import OpContext
from rpython.annotator.conversions import (
    Conversion,
    InstanceRefused,
    method_called,
    of_function,
    result_of,
)
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_CLASS,
    K_CLASSMETHOD,
    K_DICTVIEW,
    K_FUNCTION,
    K_HOST,
    K_ITERATOR,
    K_METHOD,
    K_NONE,
    SomeBuiltinMethod,
    SomeClass,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomePBC,
    SomeUnion,
    s_Bool,
    s_Bottom,
    s_Float,
)
from rpython.annotator.lattice.parts import class_of_kind, is_callable, parts_of, without_none
from rpython.annotator.overlay.asked_attributes import plain_setter, setter
from rpython.annotator.overlay.instances import function_of_instance
from rpython.annotator.program.classdef import ClassDef, is_slot
from rpython.annotator.program.desc import ClassDesc, MethodDesc
from rpython.annotator.program.hostclasses import is_descriptor
from rpython.annotator.program.special_methods import lacking
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.asked_attributes import has_asked, read_asked_or_default
from rpython.annotator.rules.attributes import (
    read_attribute,
    refuse_frozen,
    refuse_method,
    write_attribute,
)
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.instances import attribute_of, builtin_attribute
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS, METHODS, UNARY, Looks
from rpython.annotator.rules.special import special_method
from rpython.annotator.rules.state import attribute_name, refuse_module_state
from rpython.stdlib._attributes import set_attribute
from rpython.translator.ir.hlops import CallShape

_CONSTANT_NAME = "the attribute name must be a constant"
_CALLABLE = K_FUNCTION | K_CLASS | K_METHOD | K_BUILTIN_METHOD | K_CLASSMETHOD
_CONSTANT = (SomeClass, SomeFunction, SomeHost)


def _name(ctx: OpContext, s_name: SomeObject) -> str:
    if not s_name.is_constant() or not isinstance(s_name.value, str):
        raise ctx.error(_CONSTANT_NAME, hint=OTHER_WAYS)
    name: str = s_name.value
    return name


def _instance(ctx: OpContext, s: SomeObject, function: str) -> SomeInstance:
    if s.kinds & K_NONE and s.kinds != K_NONE:
        raise ctx.error(f"{function}() of what may be None: test for None first")
    if not isinstance(s, SomeInstance):
        raise ctx.error(f"{function}() of {s.describe()} is not supported")
    return s


_SPECIAL_METHODS = frozenset(
    {
        "__call__", "__enter__", "__exit__", "__float__", "__getitem__", "__index__", "__int__",
        "__iter__", "__len__", "__next__",
    }
)  # fmt: skip
"""Methods that tell what an object is for: whoever asks for one goes on to use it."""

_LIKE_CLASS: dict[int, type] = {
    K_DICTVIEW: KeysView, K_ITERATOR: Iterator, K_FUNCTION: FunctionType, K_METHOD: MethodType,
    K_CLASSMETHOD: MethodType, K_BUILTIN_METHOD: BuiltinMethodType,
}  # fmt: skip
"""Classes that have the special methods of what is of such a kind."""


@FUNCTIONS.register(hasattr)
def builtin_hasattr(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if isinstance(s, SomeInstance) and not s_name.is_constant():
        return has_named(ctx, s, s_name)
    name = _name(ctx, s_name)
    if isinstance(s, _CONSTANT) and s.is_constant():
        return ctx.constant(hasattr(s.value, name))
    if isinstance(s, SomeClass):
        return _class_has(ctx, s, name)
    cls = None if isinstance(s, SomePBC) else class_of_kind(s)
    if cls is None and name in _SPECIAL_METHODS:
        cls = _LIKE_CLASS.get(s.kinds)
    if cls is not None:
        return ctx.constant(hasattr(cls, name))
    may_be_none = s.kinds & K_NONE
    s_given, s = s, _instance(ctx, without_none(s), "hasattr")
    s_asked = has_asked(ctx, s, s_name, name)
    if s_asked is not None and may_be_none:
        raise ctx.error("hasattr() of what may be None: test for None first")
    if s_asked is not None:
        return s_asked
    s.classdef.note_reader("__class__", ctx.position)
    s.classdef.note_reader(name, ctx.position)
    if _may_compute(s.classdef, name):
        return has_computed(ctx, s_given, s_name, name)
    ctx.annotator.constants.prebuilt.test(s.classdef, name)
    if name in _SPECIAL_METHODS and not may_be_none:
        defined = {
            subdef.class_value(name) is not None and not subdef.hides(name)
            for subdef in s.classdef.subtree()
        }
        return s_Bool if len(defined) > 1 else ctx.constant(defined == {True})
    return s_Bool


def _class_has(ctx: OpContext, s: SomeClass, name: str) -> SomeObject:
    """Has a class the attribute, of several that it may be?"""
    classes = [desc.classdef.cls for desc in s.descs if isinstance(desc, ClassDesc)]
    state = ctx.annotator.constants.state
    answers = {hasattr(cls, name) for cls in classes}
    if len(answers) > 1 or any(state.holders(cls, name) for cls in classes):
        hint = f"not all of these classes have {name!r}, or not always"
        raise ctx.error(f"hasattr() of {s.describe()} is not supported", hint=hint)
    return ctx.constant(True in answers)


@FUNCTIONS.register(getattr)
def builtin_getattr(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, *s_default: SomeObject
) -> SomeObject:
    if isinstance(s, SomeInstance) and not s_name.is_constant():
        return read_named(ctx, s, s_name, *s_default)
    name = _name(ctx, s_name)
    if isinstance(s, _CONSTANT) and s.is_constant() and s_default:
        if not hasattr(s.value, name):
            return s_default[0]
        refuse_module_state(ctx, s.value, name)
        if isinstance(s.value, type) and ctx.annotator.constants.state.holders(s.value, name):
            raise ctx.error(f"{name!r} of class {s.value.__name__} is assigned in the program")
        return ctx.constant(getattr(s.value, name))
    cls = None if isinstance(s, SomePBC) else class_of_kind(s)
    if s_default and cls is not None and not hasattr(cls, name):
        return s_default[0]
    s = _instance(ctx, s, "getattr")
    if s_default:
        s_asked = read_asked_or_default(ctx, s, s_name, name, s_default[0])
        if s_asked is not None:
            return s_asked
    found = s.classdef.class_value(name)
    if s_default and _may_compute(s.classdef, name):
        return read_computed(ctx, s, s_name, name, s_default[0])
    if not s_default or (found is not None and not is_slot(found[1])):
        return read_attribute(ctx, s, name)
    attribute = ctx.annotator.constants.attribute(s.classdef, name, ctx.op.span)
    attribute.readers[ctx.position] = None
    s_result = ctx.join(attribute.s_value, s_default[0].without_const())
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(
            f"getattr() would give {attribute.s_value.describe()} or {s_default[0].describe()}",
            hint="use a default of the same kind",
        )
    return s_result


def _may_compute(classdef: ClassDef, name: str) -> bool:
    """Is the attribute, of some instances, what a getter gives?"""
    values = (subdef.class_value(name) for subdef in classdef.subtree())
    return any(isinstance((value or (None, None))[1], COMPUTED) for value in values)


@FUNCTIONS.register(setattr)
def builtin_setattr(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    """With a constant in the source it has become ``x.name = value``."""
    if isinstance(s, SomeInstance) and not s_name.is_constant():
        return set_named(ctx, s, s_name, s_value)
    return call_chosen(ctx, setter(_name(ctx, s_name)), (s, s_name, s_value), {})


@METHODS.register("__setattr__", SomeInstance)
@FUNCTIONS.register(set_attribute)
@FUNCTIONS.register(object.__setattr__)
def object_setattr(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    """``object.__setattr__(self, "x", value)``, as frozen dataclasses do it."""
    name = _name(ctx, s_name)
    s = _instance(ctx, s, "object.__setattr__")
    refuse_frozen(ctx, s.classdef, name)
    found = s.classdef.class_value(name)
    if found is not None and isinstance(found[1], property) and not _is_item(ctx):
        return call_chosen(ctx, plain_setter(name), (s, s_name, s_value), {})
    refuse_method(ctx, s.classdef, name)
    if found is not None and is_descriptor(found[1]) and not is_slot(found[1]):
        value = vars(found[0]).get(name, found[1])  # where it may be hidden, it is a property here
        raise ctx.error(f"{name!r} is a {type(value).__name__} of {s.classdef.name}")
    return write_attribute(ctx, s, name, s_value, 3)


def _is_item(ctx: OpContext) -> bool:
    """Does the operation assign an item of ``x.__dict__``, without asking a property?"""
    s_called = ctx.annotator.binding(ctx.op.args[0])
    return s_called.is_constant() and s_called.value is set_attribute


@FUNCTIONS.register(callable, looks=Looks.VALUES)
def builtin_callable(ctx: OpContext, s: SomeObject) -> SomeObject:
    results = set()
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            results.add(special_method(ctx, part, "__call__") is not None)
            results.add(not lacking(part, "__call__"))
        elif part.kinds == K_HOST:
            results.add(callable(part.value))
        else:
            results.add(bool(part.kinds & _CALLABLE))
    return ctx.constant(results.pop()) if len(results) == 1 else s_Bool


@HOST_CALLS.append
def call_by_method(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """``divmod(x, y)``, ``hex(x)``, ... of an instance."""
    if arguments.shape.star or "**" in arguments.shape.keywords:
        return None
    twin = function_of_instance(function, arguments.args_s)
    if twin is None:
        return None
    return call(ctx, ctx.constant(twin), arguments)


@HOST_CALLS.append
def convert_instance(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """``int(x)``, ``abs(x)``, ... of an instance."""
    conversion = of_function(function)
    if conversion is None or len(arguments.args_s) != 1:
        return None
    (s,) = arguments.args_s
    if not isinstance(without_none(s), SomeInstance):
        return None
    s = _instance(ctx, s, function.__name__)
    method = _method_called(ctx, s, conversion)
    if not method:
        raise ctx.premature(
            f"{function.__name__}() of {s.describe()} is not supported: its class has no "
            f"{conversion.methods[0]}"
        )
    if not conversion.is_all(method):
        return None
    s_result = result_of(method, _call_method(ctx, s, method))
    return s_Float if function is float and s_result.kinds else s_result


def convert_operand(ctx: OpContext, number: int, error: InstanceRefused) -> SomeObject:
    """What an operand is that the operation converts first.  Raises the error if no class has a
    method for that."""
    s = error.s_operand
    assert isinstance(s, SomeInstance)
    method = _method_called(ctx, s, error.conversion)
    if not method:
        raise ctx.premature(error.message)
    ctx.annotator.notes.conversions.setdefault(ctx.op, {})[number] = error.conversion
    s_converted = result_of(method, _call_method(ctx, s, method))
    never = ctx.annotator.notes.never_converted
    (never.discard if s_converted.kinds else never.add)((ctx.op, number))
    return s_converted


def _method_called(ctx: OpContext, s: SomeInstance, conversion: Conversion) -> str:
    s.classdef.note_reader("__class__", ctx.position)
    return method_called(s, conversion)


def _call_method(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    s_method = special_method(ctx, s, name, of_all=False)
    assert s_method is not None
    return call(ctx, s_method, CallArguments(CallShape(0), (), ()))


_OF_FUNCTIONS = ("__name__", "__qualname__", "__doc__", "__module__", "__func__")


@UNARY.register("getattr", SomeMethod)
def method_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """An attribute of a bound method: its instance, its function, or what the function has."""
    assert isinstance(s, SomeMethod)
    name = attribute_name(ctx)
    if name == "__self__" and s.is_constant():
        return ctx.constant(s.value.__self__)
    if name != "__self__" and name not in _OF_FUNCTIONS:
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    s_result: SomeObject = s_Bottom
    for desc in s.descs:
        assert isinstance(desc, MethodDesc)
        s_value: SomeObject = SomeInstance(desc.selfdef)
        if name != "__self__":
            s_value = ctx.constant(attribute_of(ctx, desc.function.func, name))
        s_joined = ctx.join(s_result, s_value)
        if not ctx.annotator.representable(s_joined):
            raise ctx.conflict(
                f"{name!r} would be {s_result.describe()} or {s_value.describe()}",
                hint="the methods in one variable are of classes without a common base",
            )
        s_result = s_joined
    return s_result


@UNARY.register("getattr", SomeBuiltinMethod)
def builtin_method_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeBuiltinMethod)
    if attribute_name(ctx) != "__name__":
        raise ctx.error(f"attribute {s_name.value!r} of {s.describe()} is not supported")
    return ctx.constant(s.name)


@UNARY.register("getattr", SomeUnion)
@UNARY.register("getattr", SomeBuiltinMethods)
def attribute_of_callables(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """An attribute of one of several callables."""
    assert isinstance(s, SomeUnion | SomeBuiltinMethods)
    if not all(map(is_callable, s.parts)):
        return builtin_attribute(ctx, s, s_name)
    s_result: SomeObject = s_Bottom
    for part in s.parts:
        rule = UNARY.lookup("getattr", type(part))
        assert rule is not None
        s_result = ctx.join(s_result, rule(ctx, part, s_name).without_const())
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"{s_name.value!r} would be {s_result.describe()}")
    return s_result
