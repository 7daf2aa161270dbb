"""Transfer rules for members of enums that are ints, and for the classes of all enums."""

from __future__ import annotations

import enum
import functools
import types
import typing
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.enumints import (
    DIGITS,
    SomeEnumInt,
    class_value,
    enum_of,
    getter,
    is_int_enum,
    text_of_enum,
)
from rpython.annotator.lattice.model import (
    K_STR,
    SomeBuiltinMethod,
    SomeClass,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeObject,
)
from rpython.annotator.program.enums import attribute_of, is_enum
from rpython.annotator.rules.calls import CallArguments, call, call_with
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.registry import HOST_CALLS, UNARY
from rpython.annotator.rules.state import attribute_name
from rpython.translator.ir.hlops import HLOPS, CallShape


@UNARY.register("getattr", SomeEnumInt)
def member_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeEnumInt)
    name = attribute_name(ctx)
    if name in ("value", "_value_"):
        return SomeInteger(s.nonneg)
    if name == "__class__":
        return ctx.constant(s.cls)
    value = class_value(s.cls, name)
    if isinstance(value, types.FunctionType):
        return SomeBuiltinMethod(name, s)
    function = getter(value)
    if function is not None:
        desc = ctx.annotator.constants.function_desc(function)
        s_self = s.without_const()
        origin = ctx.origin(s_self, f"the property {name!r} is read here", 0)
        return ctx.call_function(desc, [s_self], [origin])
    if isinstance(value, staticmethod):
        return ctx.constant(value.__func__)
    if value is not None and not hasattr(type(value), "__get__"):
        return ctx.constant(value)
    if value is not None:
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    s_found = _attribute(ctx, s, name)
    return builtin_attribute(ctx, s, s_name) if s_found is None else s_found


def _attribute(ctx: OpContext, s: SomeEnumInt, name: str) -> SomeObject | None:
    """What ``attribute_of`` finds; None where not all members have such an attribute."""
    constants = ctx.annotator.constants
    values = constants.members.attribute(s.cls, name)
    if values is None:
        return None
    desc = constants.function_desc(attribute_of, None, (s.cls, name))
    return call_with(ctx, desc, SomeInteger(s.nonneg), ctx.constant(values))


def flow_text(ctx: OpContext, s: SomeEnumInt, quoted: bool) -> None:
    """The calls that ``str(x)`` or (``quoted``) ``repr(x)`` makes."""
    shown = text_of_enum(s.cls, quoted)
    if shown is None:
        name = "repr()" if quoted else "str()"
        raise ctx.error(f"{name} of {s.describe()} is not supported")
    if isinstance(shown, types.FunctionType):
        arguments = CallArguments(CallShape(1), (s.without_const(),), (None,))
        s_text = call(ctx, ctx.constant(shown), arguments)
        if s_text.kinds & ~K_STR:
            raise ctx.error(f"{shown.__name__} should return a str, not {s_text.describe()}")
    elif shown != DIGITS:
        _attribute(ctx, s, "name")


# -- the classes ------------------------------------------------------------------------------


def looks_by_number(s_value: SomeObject) -> bool:
    """Is a member looked up by a plain int?"""
    return type(s_value) is SomeInteger and s_value.knowntype is int and not s_value.may_be_bool


@HOST_CALLS.append
def member_by_value(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """``Level(n)``, and the class methods of an enum whose members are ints."""
    owner = getattr(function, "__self__", None)
    if is_int_enum(owner) and isinstance(function, types.MethodType):
        own = ctx.constant(function.__func__)
        return call(ctx, own, arguments.prepend(ctx.constant(owner)))
    if not is_int_enum(function):
        return None
    if len(arguments.args_s) != 1 or arguments.shape != CallShape(1):
        raise ctx.error(f"{function.__name__}() takes the value of a member")
    (s_value,) = arguments.args_s
    members = ctx.annotator.constants.members
    finder = members.by_number if looks_by_number(s_value) else members.by_value
    return _look_up(ctx, function, finder(function), s_value)


def is_generic(value: Any) -> bool:
    """Has it a ``[...]`` that makes a type of it?"""
    if isinstance(value, type):
        return not is_int_enum(value) and hasattr(value, "__class_getitem__")
    return type(value).__module__ == "typing" and hasattr(value, "__getitem__")


def _key(s_key: SomeObject) -> Any:
    known = s_key.is_constant() and not isinstance(s_key.value, list)
    return s_key.value if known else Any


@functools.cache
def subscripted(value: Any, key: Any) -> Any:
    """``value[key]``; where the key is not known, of anything: nothing can be done with it."""
    if key is Any and value is typing.Callable:
        return typing.Callable[..., Any]
    return value[key]


@UNARY.register("getitem", SomeHost)
def member_by_name(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    """``Level["LOW"]``; ``Callable[[int], int]`` as an argument of ``cast``."""
    if is_generic(s.value):
        return ctx.constant(subscripted(s.value, _key(s_key)))
    if not is_int_enum(s.value):
        raise ctx.error(f"{s.describe()} does not support indexing")
    return _look_up(ctx, s.value, ctx.annotator.constants.members.by_name(s.value), s_key)


@UNARY.register("iter", SomeHost)
@UNARY.register("iter", SomeClass)
def iterate_members(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``for member in cls``, in a class method of an enum."""
    if not s.is_constant() or not is_enum(s.value):
        raise ctx.error(f"{s.describe()} does not support {HLOPS['iter'].words}")
    members = ctx.annotator.constants.members.all(s.value)
    return SomeIterator((ctx.constant(members).without_const(),))


@UNARY.register("contains", SomeHost)
@UNARY.register("contains", SomeClass)
def contains_member(ctx: OpContext, s: SomeObject, s_wanted: SomeObject) -> SomeObject:
    """``member in Level``."""
    flags = s.is_constant() and isinstance(s.value, type) and issubclass(s.value, enum.Flag)
    if not s.is_constant() or not is_enum(s.value) or flags:
        raise ctx.error(f"{s.describe()} does not support {HLOPS['contains'].words}")
    own = enum_of(s_wanted)
    if isinstance(s_wanted, SomeInstance):
        own = s_wanted.classdef.cls
    if own is not s.value:
        raise ctx.error(
            f"{s_wanted.describe()} in {s.value.__name__}: Python's versions answer differently",
            hint="ask whether it is in a list of values",
        )
    return ctx.constant(True)


def _look_up(
    ctx: OpContext, cls: Any, found: tuple[Any, list[Any]], s_key: SomeObject
) -> SomeObject:
    """Look a member up, with a function of ``annotator.program.enums``."""
    function, more = found
    desc = ctx.annotator.constants.function_desc(function, None, cls)
    return call_with(ctx, desc, s_key.without_const(), *map(ctx.constant, more))
