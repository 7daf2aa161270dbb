"""Calls of functions that are called when the program is translated, with constants
(``rpython.stdlib._registry.at_translation``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeClass, SomeObject
from rpython.annotator.program.argument import CallKey
from rpython.annotator.program.desc import ClassDesc
from rpython.annotator.program.overlays import Overlays
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.stdlib._registry import AtTranslation, Refused, place_of_call
from rpython.translator.ir.hlops import CallShape


def marked(function: Any) -> AtTranslation | None:
    """What the function's decorator says, if it has that decorator."""
    found: AtTranslation | None = getattr(function, "_rpython_at_translation_", None)
    return found


def made_for(
    overlays: Overlays, mark: AtTranslation, shape: CallShape, args_s: tuple[SomeObject, ...]
) -> tuple[Any, list[int], CallShape]:
    """What the function gives for a call; the numbers of the arguments, and how they are passed,
    with which the program calls that, if any.  Raises Refused."""
    values: dict[str, Any] = {}
    rest = mark.parameters[-1] if mark.parameters else ""
    if rest.startswith("**"):
        values[rest[2:]] = tuple(k for k in shape.keywords if k not in mark.parameters)
    passed: list[int] = []
    names: list[str] = []
    for i, s in enumerate(args_s):
        if i < shape.positional:
            name = mark.parameters[min(i, len(mark.parameters) - 1)] if mark.parameters else ""
            if not name or (i >= len(mark.parameters) and name[0] != "*"):
                raise Refused(f"{mark.make.__name__}() takes no {i + 1} arguments")
        else:
            name = shape.keywords[i - shape.positional]
            if name not in mark.parameters and not rest.startswith("**"):
                raise Refused(f"the argument {name!r} of {mark.make.__name__} is not supported")
        if name not in mark.constants:
            passed.append(i)
            if i >= shape.positional:
                names.append(name)
        elif mark.only_class and isinstance(s, SomeClass) and len(s.descs) == 1:
            values[name] = only_class(s)
        elif not s.is_constant():
            what = mark.what or f"the argument {name!r} of {mark.make.__name__}"
            raise Refused(f"{what} must be known at translation time, not {s.describe()}")
        elif name[0] == "*":
            values[name] = (*values.get(name, ()), s.value)
        else:
            values[name] = s.value
    try:
        found = overlays.made(mark, values)
    except TypeError as error:
        raise Refused(f"{mark.make.__name__}: {error}") from None
    return found, passed, CallShape(len(passed) - len(names), tuple(names))


def only_class(s: SomeClass) -> type:
    """The class that it can only be."""
    (desc,) = s.descs
    assert isinstance(desc, ClassDesc)
    return desc.classdef.cls


def calls_otherwise(
    mark: AtTranslation, shape: CallShape, args_s: Sequence[SomeObject]
) -> bool:
    """Does a call with these arguments wait for some that had better be constants?"""
    if mark.otherwise is None:
        return False
    last = len(mark.parameters) - 1  # may be for any number of them
    names = [mark.parameters[min(i, last)] for i in range(shape.positional)]
    names.extend(shape.keywords)
    return not all(
        s.is_constant() for name, s in zip(names, args_s) if name in mark.constants
    )


@HOST_CALLS.append
def call_at_translation(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """What such a call gives."""
    mark = marked(function)
    if mark is None:
        return None
    given = arguments.plain(ctx, mark.make.__name__)
    if calls_otherwise(mark, given.shape, given.args_s):
        return call(ctx, ctx.constant(mark.otherwise), given)
    try:
        found, passed, shape = made_for(
            ctx.annotator.constants.overlays, mark, given.shape, given.args_s
        )
    except Refused as error:
        raise ctx.error(str(error), hint=mark.hint) from None
    if mark.constants == mark.parameters:
        return ctx.constant(found)
    args_s = tuple(given.args_s[i] for i in passed)
    operands = tuple(given.operands[i] for i in passed)
    return call(ctx, ctx.constant(found), CallArguments(shape, args_s, operands))


@FUNCTIONS.register(place_of_call)
def where_called(ctx: OpContext) -> SomeObject:
    """The place in the key of the graph that this is in."""
    for key, graph in ctx.annotator.graphs[ctx.graph].graphs.items():
        if graph is ctx.graph and isinstance(key, CallKey) and key.place is not None:
            return ctx.constant((key.place.filename, key.place.line, key.place.function))
    return ctx.constant(place_of_call())
