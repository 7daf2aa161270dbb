"""Annotate the calls that an operation makes of its operands: ``key`` in ``sorted(xs, key=f)``,
``f`` in ``map(f, xs)``.

    call_inside(ctx, s_key, s_item)                    in the transfer rule
    hop.rtyper.calls.apply(llops, key, [item])         when lowering it

Each is a call of ``rpython.stdlib.builtins.apply`` with these arguments.
"""

from __future__ import annotations

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
