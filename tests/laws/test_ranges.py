"""The lattice of ranges, what rows say of ranges, and their propagation (documents 000 and 002)."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest
from graphs import graphs
from hypothesis import given
from hypothesis import strategies as st
from oplaws import edges, primitive_instances
from randomgraphs import FUEL, random_graph, walk

from rpython.lltypesystem.operations.llop import UndefinedOperation
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.operations.ranges import TOP, Range, compared, range_of, restricted_by
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.parser import parse_graph, parse_graphs
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.ranges.across_calls import find_ranges
from rpython.translator.opt.ranges.propagate import Propagation
from rpython.translator.opt.runner import parse_passes, run_passes
from rpython.translator.opt.summaries import Summaries

ENDS = (-3, -1, 0, 1, 2)
SAMPLES = [TOP, *(Range(lo, hi) for lo in ENDS for hi in ENDS), TOP.dual]
INSTANCES = primitive_instances()
BOUNDED = sorted({i.row.name for i in INSTANCES if i.row.bounds is not None})
ENDS_OF_INTS = (-(2**63), 2**63 - 1)
STOPS = [-1, 0, 1]


def test_the_lattice_is_symmetric_and_complete() -> None:
    """Document 002: every element has a dual, the meet of any two is another one, and the join is
    defined by both."""
    for a, b in product(SAMPLES, repeat=2):
        assert a.dual.dual == a
        assert a.meet(b) == b.meet(a)
        assert a.join(b) == a.dual.meet(b.dual).dual
        assert a.meet(a) == a == a.meet(a.join(b)) == a.join(a.meet(b))
        assert a.isa(b) == (a.meet(b) == b) == (a.join(b) == a)
        assert TOP.isa(a) and a.isa(TOP.dual)
    for a, b, c in product(SAMPLES, repeat=3):
        assert a.meet(b).meet(c) == a.meet(b.meet(c))


def test_meet_and_isa_of_the_document() -> None:
    """Document 002: ``17.isa(Int)`` is ``(17 meet Int) == Int``."""
    seventeen, integer = Range(17, 17), range_of(LLOPS["int_add"].result)  # type: ignore[arg-type]
    assert integer is not None
    assert seventeen.isa(integer) and not integer.isa(seventeen)
    assert Range(0, 255).isa(Range(0, 65535)), "u8 is within u16"


def test_widening_rises() -> None:
    whole = Range(-3, 3)
    for a, b in product(SAMPLES[1:-1], repeat=2):
        assert a.is_empty or a.isa(a.widened(STOPS, whole))
        if a.isa(b) and not b.is_empty:
            assert a.is_empty or a.widened(STOPS, whole).isa(b.widened(STOPS, whole))


def test_relations_are_those_of_numbers() -> None:
    ranges = [Range(lo, hi) for lo in ENDS for hi in ENDS if lo <= hi]
    for a, b in product(ranges, repeat=2):
        for relation in ("lt", "le", "eq", "ne", "gt", "ge"):
            holds = LLOPS[f"int_{relation}"].eval
            assert holds is not None
            restricted, answer = restricted_by(relation, a, b), compared(relation, a, b)
            pairs = product(range(a.lo, a.hi + 1), range(b.lo, b.hi + 1))
            for x, y in pairs:
                assert answer.lo <= holds(x, y) <= answer.hi
                assert not holds(x, y) or restricted.lo <= x <= restricted.hi


@cache  # a strategy costs more to make than to draw from
def operands(T: Any) -> Any:
    """Ranges of a type with a value in each."""
    if T.is_integer:
        numbers = st.one_of(st.integers(-9, 9), st.sampled_from(edges(T)))
        number = numbers.filter(lambda n: T.min <= n <= T.max)
        return st.lists(number, min_size=3, max_size=3).map(sorted)
    return st.lists(st.sampled_from([*map(_number, edges(T))]), min_size=3, max_size=3).map(sorted)


def _number(value: Any) -> int:
    return ord(value) if isinstance(value, str) else int(value)


def _value(number: int, T: Any) -> Any:
    return number if T.is_integer else chr(number) if isinstance(edges(T)[0], str) else bool(number)


@pytest.mark.parametrize("name", BOUNDED)
@given(data=st.data())
def test_bounds_hold(name: str, data: st.DataObject) -> None:
    """What a row computes is within its bounds, where that fits the type."""
    instances = [i for i in INSTANCES if i.row.name == name]
    instance = data.draw(st.sampled_from(instances))
    whole = range_of(instance.result)
    if whole is None or any(range_of(T) is None for T in instance.args):
        return
    given_operands = [data.draw(operands(T)) for T in instance.args]
    row = instance.row
    assert row.bounds is not None and row.eval is not None
    bounds = row.bounds(*[Range(lo, hi) for lo, _, hi in given_operands])
    values = [_value(n, T) for (_, n, _), T in zip(given_operands, instance.args, strict=True)]
    try:
        result = row.eval(instance.result, *values) if row.typed else row.eval(*values)
    except UndefinedOperation:
        return
    except OverflowError:
        assert not bounds.isa(whole)
        return
    if bounds.isa(whole) or row.can_raise:
        assert bounds.lo <= _number(result) <= bounds.hi


def values_of(graph: FunctionGraph, rng: random.Random | None = None) -> list[Range]:
    """The ranges of all names, computed in a random order."""
    known = Propagation(graph) if rng is None else Propagation(graph, lambda place: rng.random())
    names = [name for block in known.names.order for name in known.names.of_block[block]]
    for name in names:
        assert name.block not in known.blocks or known.evaluate(name) == name.value
    return [name.value for name in names]


@given(graphs(cyclic=True), st.randoms(use_true_random=False))
def test_the_order_does_not_matter(graph: FunctionGraph, rng: random.Random) -> None:
    """Document 002: one best answer; after the fixpoint no node would change."""
    assert values_of(graph, rng) == values_of(graph)


def test_the_order_does_not_matter_for_large_graphs() -> None:
    for seed in range(20):
        graph = random_graph(random.Random(seed))
        assert values_of(graph, random.Random(seed + 1)) == values_of(graph)


def outcome(graph: FunctionGraph, args: list[int]) -> object:
    try:
        return walk(graph, args)
    except OverflowError:
        return OverflowError


def test_removing_checks_keeps_meaning() -> None:
    """In graphs that loop until they overflow."""
    passes = parse_passes("number_values,remove_checks")
    for seed in range(150):
        before, after = (random_graph(random.Random(seed)) for _ in range(2))
        run_passes(passes, [after])
        rng = random.Random(seed)
        for _ in range(6):
            args = [FUEL, *(rng.choice((rng.randint(-9, 9), *ENDS_OF_INTS)) for _ in range(2))]
            assert outcome(after, args) == outcome(before, args), (seed, args)


EXAMPLE_2 = """
graph f(again: Bool) -> Signed {
b0(again):
    goto b1(1)
b1(x1: Signed):
    if again goto b2() else return x1
b2():
    x2 = int_sub(2, x1)
    goto b1(x2)
}
"""


def test_example_2_of_document_002() -> None:
    """``x1 = phi(1, x2); x2 = 2 - x1``: optimistically x1 is 1; beginning at the bottom, nothing
    would be known of it."""
    graph = parse_graph(EXAMPLE_2, TextEnv())
    known = Propagation(graph)
    (x1,) = known.names.of_block[graph.startblock.exits[0].target]
    assert x1.value == Range(1, 1)
    for block in known.names.order:
        for name in known.names.of_block[block]:
            name.value = name.whole
    assert known.evaluate(x1) == x1.whole


CALLS = """
graph main(n: Signed) -> Signed {
b0(n):
    t0 = int_and(n, 15)
    t1: Signed = direct_call(@even, t0)
    t2: Signed = direct_call(@more, t1)
    t3: Signed = direct_call(@more, t2)
    return t3
}
graph even(n: Signed) -> Signed {
b0(n):
    t0 = int_eq(n, 0)
    if t0 return 1 else b1()
b1():
    t1 = int_sub(n, 1)
    t2: Signed = direct_call(@odd, t1)
    return t2
}
graph odd(n: Signed) -> Signed {
b0(n):
    t0 = int_eq(n, 0)
    if t0 return 0 else b1()
b1():
    t1 = int_sub(n, 1)
    t2: Signed = direct_call(@even, t1)
    return t2
}
graph more(n: Signed) -> Signed {
b0(n):
    t0 = int_add_ovf(n, 1)
    t1 = int_gt(t0, 1000)
    if t1 goto b1() else return t0
b1():
    t2: Signed = direct_call(@more, -7)
    return t2
}
"""


def test_the_order_of_functions_does_not_matter() -> None:
    """Across calls, too: one best answer, and after the fixpoint no name would change."""
    found = set()
    for seed in range(60):
        rng = random.Random(seed)
        graphs = parse_graphs(CALLS, TextEnv())
        summaries = Summaries()
        calls = CallGraph(graphs[:1])
        find_ranges(calls, summaries, lambda waiting, rng=rng: rng.choice(list(waiting)))
        for known in summaries.ranges.values():
            for name in known.names.in_order():
                assert name.block not in known.blocks or known.evaluate(name) == name.value
        bounds = [(graph.argument_bounds, graph.result_bounds) for graph in graphs]
        found.add(repr(bounds))
    assert len(found) == 1
    assert bounds[1] == ({0: (0, 255)}, (0, 1))
