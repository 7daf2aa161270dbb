"""What calls of functions with ``specialize`` need besides the usual."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.desc import FunctionDesc
from annotator.model import SomeObject
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
    for i, s in enumerate(args_s):
        if not s.is_constant():
            raise _not_constant(ctx, desc, i)
    return ctx.constant(desc.memo_value(args_s))
