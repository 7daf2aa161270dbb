"""A program that is annotated again has the flow graphs of the attempt before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pytest

import rpython
from rpython.annotator.program import flow_graphs
from rpython.annotator.program.flow_graphs import FlowGraphs
from rpython.rlib.rarithmetic import r_uint
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.printer import print_graph
from rpython.translator.ir.span import Span


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the graph of each function of this file is built."""
    count: Counter[str] = Counter()

    def counting(func: FunctionType, *args: Any, **keywords: Any) -> FunctionGraph:
        if func.__module__ == __name__:
            count[func.__name__] += 1
        return build_flow(func, *args, **keywords)

    monkeypatch.setattr(flow_graphs, "build_flow", counting)
    return count


def wide(x: int) -> int:
    return int(r_uint(0x9E3779B97F4A7C15) & r_uint(x))


def steps(n: int) -> Iterator[int]:
    yield n
    yield n + 1


def mixed(n: int) -> str:
    def text(x: object) -> str:
        return f"{x}{n}"

    few = wide(n) & 7  # in the first attempt, too
    return ",".join([text(x) for x in [n, "a"]] + [text(x) for x in steps(few)])


def test_each_graph_is_built_once_though_there_are_two_attempts(built: Counter[str]) -> None:
    assert rpython.interpret(mixed, [3]) == mixed(3)
    for_kinds_of_argument, changed_by_its_literal = 2, 2
    assert built == {
        "mixed": 1, "steps": 1, "text": for_kinds_of_argument, "wide": changed_by_its_literal,
    }  # fmt: skip


def plain(n: int) -> int:
    return n + 1


def test_graphs_come_back_in_their_order_without_annotations() -> None:
    graphs = FlowGraphs()
    pair = [graphs.new_graph(plain, False), graphs.new_graph(plain, False)]
    before = [print_graph(graph) for graph in pair]
    for graph in pair:
        graph.getargs()[0].annotation = graph.getreturnvar().annotation = "known"
    graphs.begin_again()
    again = [graphs.new_graph(plain, False), graphs.new_graph(plain, False)]
    assert again == pair
    assert [print_graph(graph) for graph in again] == before
    assert graphs.new_graph(plain, False) not in pair


def test_graphs_of_other_places_or_that_were_changed_are_not_taken() -> None:
    graphs = FlowGraphs()
    there, elsewhere = Span("a.py", 1), Span("a.py", 2)
    placed = graphs.new_graph(plain, False, there)
    changed = graphs.new_graph(plain, False)
    held = graphs.new_graph(plain, True)
    graphs.note_change(changed)
    graphs.begin_again()
    assert graphs.new_graph(plain, False, elsewhere) is not placed
    assert graphs.new_graph(plain, False, there) is placed
    assert graphs.new_graph(plain, False) is not changed
    assert graphs.new_graph(plain, True) is held
    graphs.begin_again()
    graphs.end()
    assert graphs.new_graph(plain, True) is not held
