"""Sums beside counters overflow with their checks and without, near the ends of numbers, too."""

from hypothesis import assume, example, given
from hypothesis import strategies as st
from test_loops import outcome

from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import summary
from rpython.translator.ir.parser import parse_graph
from rpython.translator.opt.runner import parse_passes, run_passes

TEXT = """
data @e: object
graph f(start: Signed, first: Signed, limit: Signed, bits: Signed) -> Signed {
b0(start, first, limit, bits):
    goto b1(START, FIRST, bits)
b1(i: Signed, s: Signed, left: Signed):
    t0 = int_TEST(i, limit)
    if t0 goto b2() else return s
b2():
    t1 = int_and(left, 1)
    left1 = int_rshift(left, 1)
    t2 = int_ne(t1, 0)
    if t2 goto b3() else b4(s)
b3():
    s1 = int_add_ovf(s, GROWTH)
    goto b4(s1)
b4(s2: Signed):
    i1 = int_add_STEPPED(i, STEP)
    t3 = int_and(left1, TWICE)
    t4 = int_ne(t3, 0)
    if t4 goto b5() else b1(i1, s2, left1)
b5():
    s3 = int_add_ovf(s2, MORE)
    goto b1(i1, s3, left1)
}
"""
ENDS = [Signed.min, Signed.min + 1, -2, 0, 1, Signed.max - 3, Signed.max - 1, Signed.max]
ends = st.builds(int.__add__, st.sampled_from(ENDS), st.integers(-2, 2)).filter(
    lambda n: Signed.min <= n <= Signed.max
)
growth = st.integers(-2, 3) | st.sampled_from([1 << 61, (1 << 62) - 1, -(1 << 62)])


@given(
    st.booleans(), st.booleans(), ends, ends, st.integers(0, 9), st.integers(0, 1023),
    st.sampled_from(["lt", "le", "ne"]), st.sampled_from(["ovf", "exact"]),
    st.integers(1, 3), growth, st.sampled_from([0, 2, 255]), st.integers(-1, 2),
)  # fmt: skip
@example(True, True, 0, 0, 9, 1023, "lt", "ovf", 1, 1, 0, 0)
@example(True, True, Signed.max - 9, Signed.max - 9, 9, 1023, "lt", "ovf", 1, 1, 0, 0)
@example(True, True, Signed.max - 9, Signed.max - 8, 9, 1023, "lt", "ovf", 1, 1, 0, 0)
@example(True, True, Signed.max - 9, Signed.max - 9, 9, 1023, "lt", "ovf", 1, 1, 2, 1)
@example(True, True, Signed.max - 9, Signed.max - 9, 9, 1023, "le", "ovf", 1, 1, 0, 0)
@example(True, True, 0, Signed.max - 9, 9, 1023, "lt", "ovf", 1, 1, 0, 0)
@example(True, True, Signed.max - 9, 0, 9, 1023, "lt", "ovf", 1, (1 << 62) - 1, 0, 0)
@example(True, True, Signed.max - 9, Signed.max - 14, 9, 1023, "lt", "ovf", 1, 1, 1023, 1)
@example(True, True, Signed.max - 9, Signed.max - 14, 9, 1023, "lt", "ovf", 2, 1, 1023, 2)
@example(True, True, Signed.max - 9, Signed.min + 2, 9, 1023, "lt", "ovf", 1, -1, 0, 0)
@example(True, False, Signed.max - 9, Signed.max - 2, 9, 1023, "lt", "ovf", 1, 1, 0, 0)
def test_the_same(
    start_known: bool, first_known: bool, start: int, first: int, turns: int, bits: int,
    test: str, stepped: str, step: int, growth: int, twice: int, more: int,
) -> None:  # fmt: skip
    limit = min(start + turns * step, Signed.max)
    assume(test != "ne" or limit == start + turns * step)  # else it may not end
    stepped = "exact" if stepped == "exact" and limit + step <= Signed.max else "ovf"
    values = {
        "START": start if start_known else "start",
        "FIRST": first if first_known else "first", "TEST": test, "GROWTH": growth,
        "STEPPED": stepped, "STEP": step, "TWICE": twice, "MORE": more,
    }  # fmt: skip
    text = TEXT
    for name, value in values.items():
        text = text.replace(name, str(value))
    before, after = (parse_graph(text, TextEnv()) for _ in range(2))
    run_passes(parse_passes("number_values,find_ranges,remove_checks"), [after])
    args = (start, first, limit, bits)
    assert outcome(before, *args) == outcome(after, *args)


def test_a_check_is_removed() -> None:
    """Else the rest says nothing."""
    values = {
        "START": "2", "FIRST": "0", "TEST": "lt", "GROWTH": "1",
        "STEPPED": "ovf", "STEP": "1", "TWICE": "0", "MORE": "0",
    }  # fmt: skip
    text = TEXT
    for name, value in values.items():
        text = text.replace(name, value)
    graph = parse_graph(text, TextEnv())
    run_passes(parse_passes("number_values,find_ranges,remove_checks"), [graph])
    assert "int_add_ovf" not in summary(graph)
