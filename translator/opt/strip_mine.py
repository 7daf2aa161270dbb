"""Loops that count, in strips, so that what each turn would do is done once for many.

::

    b1(i: Signed):                      b1(i: Signed):
        t0 = int_lt(i, n)                   left = uint_sub(n, i)
        if t0 goto b2() else return i       t1 = uint_gt(left, 1000)
    b2():                                   if t1 goto b3() else b5(n)
        i1 = int_add(i, 1)              b3():
        goto b1(i1)             ->          t2 = int_lt(i, n)
                                            if t2 goto b4() else b5(n)
                                        b4():
                                            (what is done once)
                                            end = int_add(i, 1000)
                                            goto b5(end)
                                        b5(stop: Signed):
                                            goto b6(i)
                                        b6(i1: Signed):
                                            t0 = int_lt(i1, stop)
                                            if t0 goto b2() else b7()
                                        b2():
                                            i2 = int_add(i1, 1)
                                            goto b6(i2)
                                        b7():
                                            t3 = int_lt(i1, n)
                                            if t3 goto b1(i1) else return i1

A loop of few turns does it never, and needs no more than one test for it.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import callees
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.operations.ranges import Range
from rpython.lltypesystem.primitives import Bool, Signed, Unsigned
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span
from rpython.translator.opt.counted_loops import CountedLoops
from rpython.translator.opt.facts import IS_SLOW
from rpython.translator.opt.loops import Count, Loop
from rpython.translator.opt.summaries import Summaries

TURNS = 1000
"""How long a strip is."""
LARGEST_STEP = 1 << 40
_MOST = 200
"""Operations of a loop up to which nobody waits in vain for a strip to end."""


def can_strip(
    loop: Loop, count: Count, counted: CountedLoops, graph: FunctionGraph, summaries: Summaries
) -> bool:
    """Is a strip of the loop over soon, or is there a safe point in it?  Neither its limit nor its
    step may change, and its counter may not wrap: behind the largest number it would go on from
    the other end, and on and on.

    A call of a function without loops is over soon.  One of the function that the loop is in, which
    so calls itself, checks the stack before it comes to anything that takes long."""
    operations = [op for block in loop.body for op in block.operations]
    if len(operations) > _MOST or count.relation == "ne":
        return False
    if any(summaries.of_op(IS_SLOW, op) and not _only_calls(op, graph) for op in operations):
        return False
    steps = counted.steps(loop.header)
    short = not steps.is_empty and steps.isa(Range(1, LARGEST_STEP))
    return short and count.is_invariant(loop.defined()) and not counted.may_wrap(loop.header)


def _only_calls(op: SpaceOperation, graph: FunctionGraph) -> bool:
    called = callees(op)
    return called.direct and called.graphs == (graph,) and not called.calls_back


def strip_mine(loop: Loop, count: Count, made: SpaceOperation) -> Block:
    """Give the loop strips; the block that comes before each but the last.  ``made``: the operation
    that makes ``count.test``, which nobody else uses."""
    header, span = loop.header, made.span
    begin = loop.insert_before(with_arguments=True)
    counter = begin.inputargs[header.inputargs.index(count.counter)]
    many, longer, strip = Block([]), Block([]), Block([Variable("stop", Signed)])
    strip.closeblock(*begin.exits)
    goes_on = f"int_{count.relation}"
    ends: list[Value] = [counter, count.limit] if count.down else [count.limit, counter]
    numbers = [_emit(begin, "cast_int_to_uint", [v], Unsigned, span) for v in ends]
    left = _emit(begin, "uint_sub", [*numbers], Unsigned, span)
    length, without_sign = _length(begin, count.step, span)
    test = _emit(begin, "uint_gt", [left, without_sign], Bool, span)
    _branch(begin, test, Link([], many), Link([count.limit], strip))
    test = _emit(many, goes_on, [counter, count.limit], Bool, span)
    _branch(many, test, Link([], longer), Link([count.limit], strip))
    onward = "int_sub" if count.down else "int_add"
    longer.closeblock(Link([_emit(longer, onward, [counter, length], Signed, span)], strip))
    made.args[count.operand] = strip.inputargs[0]
    leaving, going_on = header.exits
    end = Block([])
    test = _emit(end, goes_on, [count.counter, count.limit], Bool, span)
    _branch(end, test, Link(header.inputargs, begin), leaving)
    header.recloseblock(Link([], end, False), going_on)
    return longer


def _length(block: Block, step: Value, span: Span) -> tuple[Value, Value]:
    """By how much a strip counts, with and without sign."""
    if isinstance(step, Constant):
        length = TURNS * step.value
        return Constant(length, Signed), Constant(length, Unsigned)
    product = _emit(block, "int_mul", [step, Constant(TURNS, Signed)], Signed, span)
    return product, _emit(block, "cast_int_to_uint", [product], Unsigned, span)


def _emit(block: Block, name: str, args: list[Value], T: object, span: Span) -> Variable:
    result = Variable("v", T)
    block.operations.append(SpaceOperation(LLOPS[name], args, result, span))
    return result


def _branch(block: Block, test: Variable, if_true: Link, if_false: Link) -> None:
    if_false.exitcase, if_true.exitcase = False, True
    block.exitswitch = test
    block.recloseblock(if_false, if_true)
