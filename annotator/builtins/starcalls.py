"""Transfer rules of calls of built-in functions and methods with ``*items`` of unknown length."""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, SomeString
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import HOST_CALLS, METHOD_CALLS
from rpython.stdlib._starcalls import CALLED_WITH_STAR, METHODS_WITH_STAR


@HOST_CALLS.append
def call_with_star(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """Call what does the same in restricted Python."""
    if not arguments.shape.star or not isinstance(arguments.args_s[-1], SomeVarTuple):
        return None
    called = CALLED_WITH_STAR.get(function)
    return None if called is None else call(ctx, ctx.constant(called), arguments)


@METHOD_CALLS.append
def call_method_with_star(
    ctx: OpContext, name: str, s_self: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """The same of a method of a set or a str."""
    if not arguments.shape.star or not isinstance(arguments.args_s[-1], SomeVarTuple):
        return None
    kind = SomeString if name == "format" else SomeAnySet
    if not isinstance(s_self, kind) or name not in METHODS_WITH_STAR:
        return None
    s_function = ctx.constant(METHODS_WITH_STAR[name])
    return call(ctx, s_function, arguments.prepend(s_self.without_const()))
