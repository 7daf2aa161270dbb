"""Annotate the calls that an operation makes.

Of its operands, ``key`` in ``sorted(xs, key=f)``, ``f`` in ``map(f, xs)``; each is a call of
``rpython.stdlib.builtins.apply`` with these arguments::

    call_inside(ctx, s_key, s_item)                    in the transfer rule
    hop.rtyper.calls.apply(llops, key, [item])         when lowering it

Of functions of the library, which are what a call of a built-in function or method is; where the
rule chooses one, lowering it follows (``Notes.chosen``)::

    call_chosen(ctx, smallest, (s_items,), {})         in the transfer rule
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import K_NONE, SomeObject, s_Bottom
from rpython.annotator.rules.calls import CallArguments, call
from rpython.stdlib.builtins import apply
from rpython.translator.ir.hlops import CallShape

s_NoKeywords = SomeKeywords((), ())


def call_inside(
    ctx: OpContext, s_callee: SomeObject, *args_s: SomeObject,
    s_keywords: SomeKeywords = s_NoKeywords,
) -> SomeObject:  # fmt: skip
    """The result of calling ``s_callee``, as a part of the operation at hand; bottom while one
    of the arguments is.  Raises AnnotatorError where it cannot be called."""
    given_s = (*args_s, *s_keywords.items)
    if s_callee.kinds == 0 or any(s_arg.kinds == 0 for s_arg in given_s):
        return s_Bottom
    if s_callee.kinds & K_NONE:
        raise ctx.error(
            f"what is called here may be None: {s_callee.describe()}", hint="test for None first"
        )
    given_s = (s_callee, *(s_arg.without_const() for s_arg in given_s))
    shape = CallShape(len(args_s) + 1, s_keywords.names)
    s_result = call(ctx, ctx.constant(apply), CallArguments(shape, given_s, (None,) * len(given_s)))
    return s_result.without_const()


def call_overlay(
    ctx: OpContext, function: Any, args_s: tuple[SomeObject, ...],
    keywords: dict[str, SomeObject],
) -> SomeObject:  # fmt: skip
    """The call of a function of the library; ``keywords`` as ``rules.calls`` names them.  Raises
    AnnotatorError for arguments that it does not take."""
    shape = CallShape(len(args_s), tuple(key[2:] for key in keywords))
    given = (*args_s, *keywords.values())
    return call(ctx, ctx.constant(function), CallArguments(shape, given, (None,) * len(given)))


def call_chosen(
    ctx: OpContext, function: Any, args_s: tuple[SomeObject, ...],
    keywords: dict[str, SomeObject],
) -> SomeObject:  # fmt: skip
    """The same of a function that is chosen for this operation, which the typer calls, too."""
    ctx.annotator.notes.chosen[ctx.op] = function, args_s
    return call_overlay(ctx, function, args_s, keywords)
