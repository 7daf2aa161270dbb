"""What calls of functions with ``specialize`` need besides the usual."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.constants import Constants
from annotator.context import OpContext
from annotator.desc import ClassDesc, FunctionDesc
from annotator.model import SomeClass, SomeObject, s_Bottom
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
    if len(choices) == 1:
        return ctx.constant(desc.memo_value(choices[0].args_s))
    s_result: SomeObject = s_Bottom
    for choice in choices:
        s_value = ctx.constant(desc.memo_value(choice.args_s))
        s_joined = ctx.join(s_result, s_value)
        if not representable(s_joined):
            raise ctx.error(
                f"{desc.name} would return {s_result.describe()} or {s_value.describe()}, which "
                "have nothing in common"
            )
        s_result = s_joined
    return s_result


@dataclass(frozen=True, slots=True)
class MemoChoice:
    """``args_s``: constants.  ``index`` and ``cls``: when that argument is that class; -1 and
    None: always."""

    args_s: tuple[SomeObject, ...]
    index: int = -1
    cls: ClassDesc | None = None


def memo_choices(constants: Constants, args_s: tuple[SomeObject, ...]) -> list[MemoChoice]:
    """What a function with ``specialize.memo`` may be called with: constants, and one class of
    several.  Raises NotConstant."""
    variable = [i for i, s in enumerate(args_s) if not s.is_constant()]
    if not variable:
        return [MemoChoice(args_s)]
    index = variable[0]
    s_class = args_s[index]
    if len(variable) > 1 or not isinstance(s_class, SomeClass):
        raise NotConstant(index)
    found = []
    for desc in s_class.descs:
        assert isinstance(desc, ClassDesc)
        s_known = constants.annotation_of(desc.classdef.cls)
        found.append(MemoChoice((*args_s[:index], s_known, *args_s[index + 1 :]), index, desc))
    return found
