"""Facts of functions: found for any call graph, kept, and forgotten where graphs change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.lltype import FuncType, Ptr, Void, functionptr
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)
from rpython.translator.opt.facts import MAY_COLLECT
from rpython.translator.opt.summaries import Fact, Summaries

NOTHING = FuncType([], Void)


def function(name: str) -> FunctionGraph:
    graph = FunctionGraph(name, Block([]), Variable("result", Void))
    graph.startblock.closeblock(Link([Constant(None, Void)], graph.returnblock))
    return graph


def call(caller: FunctionGraph, callee: FunctionGraph) -> None:
    pointer = Constant(functionptr(NOTHING, callee.name, graph=callee), Ptr(NOTHING))
    result = Variable("v", Void)
    operation = SpaceOperation(LLOPS["direct_call"], [pointer], result)
    caller.startblock.operations.append(operation)


def call_unknown(caller: FunctionGraph) -> None:
    args = [Variable("f", Ptr(NOTHING)), Constant(None, Void)]
    operation = SpaceOperation(LLOPS["indirect_call"], args, Variable("v", Void))
    caller.startblock.operations.append(operation)


def program(size: int, calls: list[tuple[int, int]]) -> list[FunctionGraph]:
    graphs = [function(f"f{i}") for i in range(size)]
    for caller, callee in calls:
        call(graphs[caller % size], graphs[callee % size])
    return graphs


def reached(graph: FunctionGraph) -> set[FunctionGraph]:
    """The same by a plain walk."""
    found, todo = {graph}, [graph]
    while todo:
        for _, op in todo.pop().iterblockops():
            called = op.args[0].value._obj.graph  # type: ignore[union-attr]
            if called not in found:
                found.add(called)
                todo.append(called)
    return found


NAMES: Fact[frozenset[str]] = Fact(
    "names of callees", frozenset(), frozenset("?"),
    lambda op: frozenset([op.args[0].value._obj.graph.name]),  # type: ignore[union-attr]
)  # fmt: skip
EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40)


def names(graph: FunctionGraph) -> set[str]:
    called = {op.args[0].value._obj.graph  # type: ignore[union-attr]
              for each in reached(graph) for _, op in each.iterblockops()}  # fmt: skip
    return {each.name for each in called}


@given(st.integers(1, 12), EDGES)
def test_facts_of_any_call_graph(size: int, calls: list[tuple[int, int]]) -> None:
    summaries = Summaries()
    for graph in program(size, calls):
        assert summaries.of_graph(NAMES, graph) == names(graph)


@given(st.integers(1, 12), EDGES, EDGES)
def test_facts_follow_changes(
    size: int, calls: list[tuple[int, int]], more: list[tuple[int, int]]
) -> None:
    graphs = program(size, calls)
    summaries = Summaries()
    for graph in graphs:
        summaries.of_graph(NAMES, graph)
    for caller, callee in more:
        changed = graphs[caller % size]
        call(changed, graphs[callee % size])
        summaries.forget([changed])
        assert summaries.of_graph(NAMES, graphs[0]) == names(graphs[0])
    for graph in graphs:
        assert summaries.of_graph(NAMES, graph) == names(graph)


def test_facts_are_kept() -> None:
    asked: list[str] = []
    fact = Fact("asked", False, True, lambda op: asked.append(op.opname) is not None)
    one, two, three = graphs = program(3, [(0, 1), (1, 2)])
    call(three, one)
    summaries = Summaries()
    assert not any(summaries.of_graph(fact, graph) for graph in graphs)
    before = len(asked)
    assert not any(summaries.of_graph(fact, graph) for graph in graphs)
    assert len(asked) == before
    summaries.forget([two])
    summaries.of_graph(fact, two)
    assert len(asked) > before


def test_an_unknown_callee_may_do_anything() -> None:
    one, two = program(2, [(0, 1)])
    summaries = Summaries()
    assert not summaries.of_graph(MAY_COLLECT, one)
    call_unknown(two)
    summaries.forget([two])
    assert summaries.of_graph(MAY_COLLECT, one)


def test_other_threads_matter_only_where_there_are_some() -> None:
    (graph,) = program(1, [])
    check = SpaceOperation(LLOPS["safepoint"], [], Variable("v", Void))
    graph.startblock.operations.append(check)
    assert not Summaries().of_op(MAY_COLLECT, check)
    assert Summaries(threaded=True).of_graph(MAY_COLLECT, graph)


def test_long_chains_need_no_stack() -> None:
    graphs = program(5000, [(i, i + 1) for i in range(4999)])
    assert len(Summaries().of_graph(NAMES, graphs[4000])) == 999
