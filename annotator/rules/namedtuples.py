"""Transfer rules for named tuples."""

from __future__ import annotations

import types
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_NOTIMPLEMENTED,
    SomeBuiltinMethod,
    SomeObject,
    SomeTuple,
)
from rpython.annotator.lattice.namedtuples import (
    SomeNamedTuple,
    check_supported,
    class_method,
    class_value,
    field_number,
    is_named_tuple,
    new_signature,
    operator_function,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.argument import ArgumentError, match_arguments
from rpython.annotator.rules.calls import CallArguments, call, take_argument
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.registry import BINARY, HOST_CALLS, METHOD_CALLS, UNARY
from rpython.annotator.rules.state import attribute_name
from rpython.stdlib.dataclasses import namedtuple_made, namedtuple_new
from rpython.translator.ir.hlops import HLOPS, CallShape, plain_name


@HOST_CALLS.append
def make_named_tuple(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """``Match(a, b, size=n)``, ``Match._make(items)``, and the class's own class methods."""
    if is_named_tuple(function):
        return _make(ctx, function, arguments)
    owner: Any = getattr(function, "__self__", None)
    if not is_named_tuple(owner):
        return None
    own = class_method(function)
    if own is not None:
        return call(ctx, ctx.constant(own), arguments.prepend(ctx.constant(owner)))
    if function.__name__ != "_make" or len(arguments.args_s) != 1:
        return None
    (s_items,) = arguments.args_s
    if not isinstance(s_items, SomeTuple):
        return call(ctx, ctx.constant(namedtuple_made(owner)), arguments)
    if len(s_items.items) != len(owner._fields):
        raise ctx.error(f"Expected {len(owner._fields)} arguments, got {len(s_items.items)}")
    return _named(ctx, owner, s_items.items)


def _make(ctx: OpContext, cls: Any, arguments: CallArguments) -> SomeObject:
    check_supported(cls)
    name = cls.__name__
    extended = arguments.prepend(ctx.constant(cls))
    if arguments.shape.star and isinstance(arguments.args_s[-1], SomeVarTuple):
        return call(ctx, ctx.constant(namedtuple_new(cls)), extended)
    try:
        sources = match_arguments(name, new_signature(cls), extended.split(ctx, name))
    except ArgumentError as error:
        raise ctx.error(str(error), error.hint) from None
    return _named(ctx, cls, tuple(take_argument(ctx, source, extended) for source in sources[1:]))


def _named(ctx: OpContext, cls: Any, items: tuple[SomeObject, ...]) -> SomeObject:
    return SomeNamedTuple(tuple(s.without_const() for s in items), cls)


@UNARY.register("getattr", SomeNamedTuple)
def named_tuple_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    assert isinstance(s, SomeNamedTuple)
    name = attribute_name(ctx)
    number = field_number(s.cls, name)
    if number is not None:
        return s.items[number]
    if name == "_fields":
        return ctx.constant(s.cls._fields)
    if name == "_replace":
        return SomeBuiltinMethod(name, s)
    value = class_value(s.cls, name)
    if isinstance(value, types.FunctionType):
        return SomeBuiltinMethod(name, s)
    if isinstance(value, property) and isinstance(value.fget, types.FunctionType):
        function = ctx.annotator.constants.function_desc(value.fget)
        s_self = s.without_const()
        origin = ctx.origin(s_self, f"the property {name!r} is read here", 0)
        return ctx.call_function(function, [s_self], [origin])
    if value is not None and not hasattr(type(value), "__get__"):
        return ctx.constant(value)
    if value is not None or name.startswith("_"):
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    return builtin_attribute(ctx, s, s_name)


@METHOD_CALLS.append
def replace_fields(
    ctx: OpContext, name: str, s: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """``x._replace(a=1)``."""
    if not isinstance(s, SomeNamedTuple) or name != "_replace":
        return None
    given = arguments.plain(ctx, name)
    if given.shape.positional:
        raise ctx.error("_replace() takes keyword arguments only")
    items = list(s.items)
    for key, s_value in zip(given.shape.keywords, given.args_s):
        number = field_number(s.cls, key)
        if number is None:
            raise ctx.error(f"{s.cls.__name__} has no field {key!r}")
        items[number] = s_value
    return _named(ctx, s.cls, tuple(items))


@UNARY.register("neg pos invert", SomeNamedTuple)
def unary_operator(ctx: OpContext, s: SomeObject) -> SomeObject:
    return call_operator(ctx, s)


@BINARY.register("by_operators", SomeNamedTuple, SomeObject)
@BINARY.register("by_operators", SomeObject, SomeNamedTuple)
def call_operator(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    """An operator on operands of which one is a named tuple whose class defines it."""
    known = list(map(without_none, args_s))
    found = operator_function(plain_name(ctx.op.opname), known)
    if found is None:
        raise ctx.error(f"{args_s[0].describe()} does not support {HLOPS[ctx.op.opname].words}")
    function, own = found
    others = tuple(i for i in range(len(args_s)) if i != own)
    given = (known[own].without_const(), *(args_s[i] for i in others))
    arguments = CallArguments(CallShape(len(given)), given, (own, *others))
    s_result = call(ctx, ctx.constant(function), arguments)
    if s_result.kinds & K_NOTIMPLEMENTED:
        raise ctx.error(f"{function.__qualname__} may return NotImplemented")
    return s_result
