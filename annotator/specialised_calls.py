"""What calls of functions with ``specialize`` need besides the usual."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from annotator.constants import Constants
from annotator.context import OpContext
from annotator.desc import ClassDesc, FunctionDesc
from annotator.model import SomeBool, SomeClass, SomeObject, s_Bottom
from annotator.parts import representable
from annotator.specialise import NotConstant
from translator.ir.errors import AnnotatorError


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
        "for its value"
    )


def memo(ctx: OpContext, desc: FunctionDesc, args_s: tuple[SomeObject, ...]) -> SomeObject:
    """A call of a function with ``specialize.memo``."""
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
        for index, value in zip(choices, chosen, strict=True):
            known_s[index] = value.s
        s_value = ctx.constant(desc.memo_value(tuple(known_s)))
        s_joined = ctx.join(s_result, s_value)
        if not representable(s_joined):
            raise ctx.error(
                f"{desc.name} would return {s_result.describe()} or {s_value.describe()}, which "
                "have nothing in common"
            )
        s_result = s_joined
    return s_result


_MOST_RESULTS = 10_000
"""More results of one call with ``specialize.memo`` are a mistake."""


@dataclass(frozen=True, slots=True)
class MemoValue:
    """What an argument that is no constant may be: ``s``, a constant.  ``cls``: of a class;
    the others are bools."""

    s: SomeObject
    cls: ClassDesc | None = None


def memo_choices(
    constants: Constants, args_s: tuple[SomeObject, ...]
) -> dict[int, list[MemoValue]]:
    """What a function with ``specialize.memo`` may be called with, besides constants: the values
    of the arguments that are a bool or one of several classes.  Raises NotConstant."""
    choices = {}
    for index, s in enumerate(args_s):
        if s.is_constant():
            continue
        if isinstance(s, SomeBool):
            choices[index] = [MemoValue(constants.annotation_of(value)) for value in (True, False)]
        elif isinstance(s, SomeClass):
            descs = [desc for desc in s.descs if isinstance(desc, ClassDesc)]
            choices[index] = [
                MemoValue(constants.annotation_of(desc.classdef.cls), desc) for desc in descs
            ]
        else:
            raise NotConstant(index)
    return choices
