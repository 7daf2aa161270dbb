"""What calls of functions with ``specialize`` and ``enforceargs`` need besides the usual."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.desc import FunctionDesc
from annotator.model import SomeClass, SomeInstance, SomeObject
from annotator.parts import without_none
from annotator.signature import annotation_of_type
from annotator.specialise import NotConstant
from translator.ir.errors import AnnotatorError


def enforce(ctx: OpContext, desc: FunctionDesc, args_s: list[SomeObject]) -> None:
    """Refuse arguments of other types than those of ``@enforceargs``."""
    for i, wanted in enumerate(getattr(desc.func, "_annenforceargs_", ())):
        if wanted is None or i >= len(args_s):
            continue
        is_class = isinstance(wanted, type) and wanted is not type(None)
        if is_class and isinstance(ctx.constant(wanted), SomeClass):
            s = without_none(args_s[i])
            fits = isinstance(s, SomeInstance) and issubclass(s.classdef.cls, wanted)
            name = wanted.__name__
            fits = fits or not s.kinds
        else:
            s_wanted = annotation_of_type(ctx.annotator, wanted)
            fits, name = not args_s[i].kinds & ~s_wanted.kinds, s_wanted.describe()
        if not fits:
            raise ctx.error(
                f"the argument {desc.signature.graph_args()[i]!r} of {desc.name} has to be "
                f"{name} (enforceargs), not {args_s[i].describe()}"
            )


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
