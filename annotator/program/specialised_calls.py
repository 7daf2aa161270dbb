"""Choose the graph that a call of a function with ``@specialize`` gets, by the values and kinds of
its arguments."""

from __future__ import annotations

import itertools
import math

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeBuiltinMethod,
    SomeClass,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeObject,
    SomeUnion,
    s_Bottom,
    s_None,
)
from rpython.annotator.lattice.parts import parts_of, without_none
from rpython.annotator.program.constants import Constants
from rpython.annotator.program.desc import ClassDesc, FunctionDesc
from rpython.annotator.program.specialise import NotConstant
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.intrinsics import is_frozen
from rpython.translator.ir.span import Span


def special_key(
    ctx: OpContext, desc: FunctionDesc, args_s: list[SomeObject]
) -> tuple[SomeObject | None, ...] | None:
    if desc.specialisation is None:
        return None
    try:
        return desc.specialisation.key(args_s)
    except NotConstant as error:
        raise _not_constant(ctx, desc, error.index) from None


def _not_constant(ctx: OpContext, desc: FunctionDesc, index: int) -> AnnotatorError:
    name = desc.signature.graph_args()[index]
    return ctx.error(
        f"the argument {name!r} of {desc.name} must be a constant: the function is specialised "
        "for its value",
        hint=_MEMO_HINT if desc.specialisation is not None and desc.specialisation.memo else "",
    )


_MEMO_HINT = (
    "it may be a bool, or one of several classes, functions, or instances with _freeze_ that are "
    "all made at import time"
)


def place_of_call(ctx: OpContext, desc: FunctionDesc) -> Span | None:
    """Where the program writes this call, if that matters (``call_location``); what operators and
    built-ins call has no place.  (One graph of a function that is expanded, as ``apply`` is, stands
    for calls at many places.)"""
    written = ctx.op.opname in ("simple_call", "call_args")
    if not written or ctx.block.operations[ctx.index] is not ctx.op:
        return None
    if ctx.annotator.graphs[ctx.graph].expanded:
        return None
    s_callee = ctx.annotator.binding(ctx.op.args[0])
    return None if isinstance(s_callee, SomeHost | SomeBuiltinMethod) else desc.place(ctx.op.span)


def memo(ctx: OpContext, desc: FunctionDesc, args_s: tuple[SomeObject, ...]) -> SomeObject:
    """A call of a function with ``specialize.memo``."""
    for s in args_s:
        for part in parts_of(s):
            if isinstance(part, SomeInstance) and not part.is_constant():
                part.classdef.counted_at[ctx.position] = None
    try:
        choices = memo_choices(ctx.annotator.constants, args_s)
    except NotConstant as error:
        raise _not_constant(ctx, desc, error.index) from None
    if not choices:
        return ctx.constant(desc.memo_value(args_s))
    if math.prod(len(values) for values in choices.values()) > _MOST_RESULTS:
        raise ctx.error(f"{desc.name} would be called for more than {_MOST_RESULTS} arguments")
    s_result: SomeObject = s_Bottom
    for chosen in itertools.product(*choices.values()):
        known_s = list(args_s)
        for index, s_value in zip(choices, chosen, strict=True):
            known_s[index] = s_value
        s_value = ctx.constant(desc.memo_value(tuple(known_s)))
        s_joined = ctx.join(s_result, s_value)
        if not ctx.annotator.representable(s_joined):
            raise ctx.conflict(
                f"{desc.name} would return {s_result.describe()} or {s_value.describe()}, which "
                "have nothing in common"
            )
        s_result = s_joined
    return s_result


_MOST_RESULTS = 10_000
"""More results of one call with ``specialize.memo`` are a mistake."""


def memo_choices(
    constants: Constants, args_s: tuple[SomeObject, ...]
) -> dict[int, list[SomeObject]]:
    """The constants that a function with ``specialize.memo`` may be called with, for each argument
    that is not known.  Raises NotConstant."""
    choices = {}
    for index, s in enumerate(args_s):
        if s.is_constant():
            continue
        values_s = _values_of(constants, s)
        if values_s is None:
            raise NotConstant(index)
        choices[index] = values_s
    return choices


def _values_of(constants: Constants, s: SomeObject) -> list[SomeObject] | None:
    """All values that such an argument can have, None where that is not known."""
    values: list[object]
    if s.is_constant():
        return [s]
    if isinstance(s, SomeUnion):
        some = without_none(s)
        values_s = None if isinstance(some, SomeUnion | SomeBool) else _values_of(constants, some)
        return None if values_s is None else [s_None, *values_s]
    if isinstance(s, SomeBool):
        values = [True, False]
    elif isinstance(s, SomeClass):
        values = [desc.classdef.cls for desc in s.descs if isinstance(desc, ClassDesc)]
    elif isinstance(s, SomeFunction):
        functions = [desc for desc in s.descs if isinstance(desc, FunctionDesc)]
        if any(desc.closure is not None for desc in functions):
            return None
        values = [desc.func for desc in functions]
    elif isinstance(s, SomeInstance):
        classdefs = list(s.classdef.subtree())
        values = [x for classdef in classdefs for x in classdef.prebuilt]
        if any(classdef.instantiated for classdef in classdefs) or not all(map(is_frozen, values)):
            return None
    else:
        return None
    return [constants.annotation_of(value) for value in values]
