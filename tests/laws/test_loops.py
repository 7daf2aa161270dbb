"""Loops that count give the same in two versions and in strips, at the ends of numbers, too."""

from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st
from randomgraphs import EXCEPTIONS

from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.lltype import GcArray, Signed, malloc
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph, summary
from rpython.translator.ir.parser import parse_graph
from rpython.translator.opt.relations import SWAPPED
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
    i1 = int_add_exact(i, STEP)
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


ANY_TEXT = TEXT.replace("b: Signed) ->", "b: Signed, step: Signed) ->").replace(
    "b0(xs, start, limit, a, b):", "b0(xs, start, limit, a, b, step):"
)
WAYS = {"lt": 1, "le": 1, "gt": -1, "ge": -1, "ne": 1}
"""The relations by which loops go on, and where they count then."""


@given(
    st.sampled_from(list(WAYS)), st.booleans(), st.booleans(), st.booleans(),
    edge, turns, st.integers(1, 300) | st.just(1 << 41), st.integers(0, 2),
    st.integers(-3, 3).filter(bool), st.integers(-9, 3009) | edge,
)  # fmt: skip
@example("ne", False, False, True, 4, 1000, 2, 0, 1, 3000)
@example("ne", True, True, True, 3000, 1000, 3, 0, 1, 3005)
@example("le", False, False, True, 0, 1000, 3, 1, 1, 3000)
@example("gt", True, False, True, 3000, 1000, 3, 1, -1, 0)
@example("ge", True, True, False, 2000, 2000, 1, 0, 1, 2000)
@example("lt", False, False, True, Signed.max - 20, 9, 2, 1, 1, Signed.max)
def test_the_same_whatever_the_step(
    relation: str, falls: bool, swapped: bool, known: bool, start: int, turns: int, step: int,
    beside: int, a: int, b: int,
) -> None:  # fmt: skip
    """Up and down, to a limit that the counter may step over, with a step that may be unknown."""
    way = -1 if WAYS[relation] < 0 or (relation == "ne" and falls) else 1
    limit = start + way * (turns * step + beside)
    assume(Signed.min <= limit <= Signed.max)
    operation = "int_add_ovf" if way > 0 else "int_sub_ovf"
    test = f"int_{SWAPPED[relation]}(limit, i)" if swapped else f"int_{relation}(i, limit)"
    text = ANY_TEXT.replace("int_lt(i, limit)", test)
    text = text.replace("int_add_exact(i, STEP)", f"{operation}(i, {step if known else 'step'})")
    before, after = (parse_graph(text, TextEnv()) for _ in range(2))
    run_passes(parse_passes(PASSES), [after])
    assert summary(after)["int_ge"] >= 1  # there are two versions
    xs = numbers(3010)
    args = (xs, start, limit, a, b, step)
    assert outcome(before, *args) == outcome(after, *args)
