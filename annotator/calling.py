"""Calls that an operation makes of a value it is given: ``sorted(xs, key=f)``, ``map(f, xs)``.

    call_inside(ctx, "key", s_key, s_item)          in the transfer rule
    call_inside(hop, "key", key, [item])            in ``rtyper.calling``, when lowering it

Such a call is an operation of its own, which is no part of any block; the two find it under
the operation that makes it and the name that is given here.
"""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import K_NONE, SomeHost, SomeObject, s_Bottom
from annotator.rules_calls import CallArguments, call
from translator.ir.hlops import HLOPS, CallShape
from translator.ir.model import Constant, SpaceOperation, Value, Variable


def call_inside(
    ctx: OpContext, name: str, s_callee: SomeObject, *args_s: SomeObject
) -> SomeObject:
    """The result of calling ``s_callee``, as a part of the operation at hand; bottom while one
    of the arguments is.  Raises AnnotatorError where it cannot be called."""
    if any(s_arg.kinds == 0 for s_arg in args_s):
        return s_Bottom
    if s_callee.kinds & K_NONE:
        raise ctx.error(
            f"what is called here may be None: {s_callee.describe()}", hint="test for None first"
        )
    calls = ctx.annotator.calls_inside
    op = calls.get((name, ctx.op))
    if op is None:
        callee: Value = Variable("callee")
        if isinstance(s_callee, SomeHost):
            callee = Constant(s_callee.value)
        operands = [callee, *(Variable("argument") for _ in args_s)]
        op = SpaceOperation(HLOPS["simple_call"], operands, Variable("result"), ctx.op.span)
        calls[name, ctx.op] = op
    plain_s = tuple(s_arg.without_const() for s_arg in args_s)
    for operand, s_operand in zip(op.args, (s_callee, *plain_s)):
        operand.annotation = s_operand
    part = OpContext(ctx.annotator, ctx.graph, ctx.block, op)
    part.comparing = ctx.comparing
    nowhere = (None,) * len(plain_s)
    s_result = call(part, s_callee, CallArguments(CallShape(len(plain_s)), plain_s, nowhere))
    s_joined = ctx.join(ctx.annotator.binding(op.result), s_result.without_const())
    op.result.annotation = s_joined
    return s_joined
