"""Annotate the calls that an operation makes of its operands: ``key`` in ``sorted(xs, key=f)``,
``f`` in ``map(f, xs)``.

    call_inside(ctx, "key", s_key, s_item)          in the transfer rule
    call_inside(hop, "key", key, [item])            in ``rtyper.builtins.calling``, when lowering it

Such a call is an operation of its own, which is no part of any block; the two find it under
the operation that makes it and the name that is given here.
"""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import K_NONE, SomeHost, SomeObject, s_Bottom
from rpython.annotator.rules.calls import CallArguments, call
from rpython.translator.ir.hlops import HLOPS, CallShape
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable

s_NoKeywords = SomeKeywords((), ())


def operation_inside(ctx: OpContext, name: str, opname: str, *args_s: SomeObject) -> OpContext:
    """The context of an operation on other values that is a part of the one at hand: the same
    one each time that is flowed.

    Args:
        name: which part it is; the rtyper finds it by that.
    """
    parts = ctx.annotator.parts_of_operations
    op = parts.get((name, ctx.op))
    if op is None:
        operands: list[Value] = [
            Constant(s_arg.value) if isinstance(s_arg, SomeHost) else Variable("operand")
            for s_arg in args_s
        ]
        op = SpaceOperation(HLOPS[opname], operands, Variable("result"), ctx.op.span)
        parts[name, ctx.op] = op
    for operand, s_operand in zip(op.args, args_s):
        operand.annotation = s_operand
    part = OpContext(ctx.annotator, ctx.graph, ctx.block, op, ctx.index)
    part.comparing = ctx.comparing
    return part


def grow_result(part: OpContext, s_result: SomeObject) -> SomeObject:
    """Note the result of such a part; the join of its results so far."""
    s_joined = part.join(part.annotator.binding(part.op.result), s_result.without_const())
    part.op.result.annotation = s_joined
    return s_joined


def call_inside(
    ctx: OpContext, name: str, s_callee: SomeObject, *args_s: SomeObject
) -> SomeObject:
    """The result of calling ``s_callee``, as a part of the operation at hand; bottom while one
    of the arguments is.  Raises AnnotatorError where it cannot be called."""
    return call_inside_with(ctx, name, s_callee, args_s)


def call_inside_with(
    ctx: OpContext, name: str, s_callee: SomeObject, args_s: tuple[SomeObject, ...],
    s_keywords: SomeKeywords = s_NoKeywords,
) -> SomeObject:  # fmt: skip
    """The same with keyword arguments."""
    args_s += s_keywords.items
    if s_callee.kinds == 0 or any(s_arg.kinds == 0 for s_arg in args_s):
        return s_Bottom
    if s_callee.kinds & K_NONE:
        raise ctx.error(
            f"what is called here may be None: {s_callee.describe()}", hint="test for None first"
        )
    plain_s = tuple(s_arg.without_const() for s_arg in args_s)
    part = operation_inside(ctx, name, "simple_call", s_callee, *plain_s)
    nowhere = (None,) * len(plain_s)
    shape = CallShape(len(plain_s) - len(s_keywords.names), s_keywords.names)
    s_result = call(part, s_callee, CallArguments(shape, plain_s, nowhere))
    return grow_result(part, s_result)
