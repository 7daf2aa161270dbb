"""Loops that count give the same in two versions and in strips, at the ends of numbers, too."""

from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st
from randomgraphs import EXCEPTIONS

from rpython.lltypesystem.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.lltype import GcArray, Signed, malloc
from rpython.lltypesystem.memory import _ptr
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph, summary
from rpython.translator.ir.parser import parse_graph
from rpython.translator.opt.runner import parse_passes, run_passes

TEXT = """
data @e: object
graph f(xs: *GcArray(Signed), start: Signed, limit: Signed, a: Signed, b: Signed) -> Signed {
b0(xs, start, limit, a, b):
    goto b1(start, 0)
b1(i: Signed, total: Signed):
    t0 = int_lt(i, limit)
    if t0 goto b2() else return total
b2():
    p = int_mul_ovf(i, a)
    j = int_sub_ovf(b, p)
    k = getarraysize(xs)
    u = cast_int_to_uint(j)
    v = cast_int_to_uint(k)
    t1 = uint_ge(u, v)
    if t1 raise @e else b3()
b3():
    x: Signed = getarrayitem(xs, j)
    y = int_mul(total, 31)
    z = int_xor(y, i)
    total1 = int_add(z, x)
    i1 = int_add(i, STEP)
    goto b1(i1, total1)
}
"""
PASSES = "hoist_loads,version_loops,insert_safepoints"


def outcome(graph: FunctionGraph, *args: Any) -> Any:
    try:
        return LLInterpreter(EXCEPTIONS).eval_graph(graph, args)
    except LLException as error:
        return str(error.value)


def numbers(length: int) -> _ptr:
    result = malloc(GcArray(Signed), length)
    for i in range(length):
        result[i] = i * i
    return result


near = st.integers(-3, 3)
edge = st.builds(int.__add__, st.sampled_from([Signed.min + 3, -5, 0, 5, Signed.max - 9]), near)
turns = st.builds(int.__add__, st.sampled_from([0, 8, 1000, 2000]), near)


@given(edge, turns, st.integers(1, 3), st.integers(-3, 3) | edge, st.integers(-9, 3009) | edge)
@example(Signed.max - 9, 4, 1, 1, Signed.max)
@example(0, 2001, 1, 1, 2000)
@example(0, 2001, 1, -1, 0)
@example(Signed.min, 1002, 1, 0, 5)
@example(0, 1000, 1, 1, 998)
@example(5, 9, 3, -(1 << 62), 0)
def test_the_same(start: int, turns: int, step: int, a: int, b: int) -> None:
    limit = start + turns * step
    assume(Signed.min <= limit <= Signed.max - step)
    xs = numbers(3010)
    text = TEXT.replace("STEP", str(step))
    before, after = (parse_graph(text, TextEnv()) for _ in range(2))
    run_passes(parse_passes(PASSES), [after])
    counts = summary(after)
    assert counts["safepoint"] == 2
    assert counts["uint_gt"] == 2  # strips of both versions
    assert "int_sub" in counts
    args = (xs, start, limit, a, b)
    assert outcome(before, *args) == outcome(after, *args)
