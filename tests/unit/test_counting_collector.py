"""A simulated collector that counts references notices every count that is missing."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import pytest

from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.containers import MemoryFault
from rpython.lltypesystem.llcounting import CountingHeap
from rpython.lltypesystem.llinterp import LLInterpreter
from rpython.lltypesystem.program import LoweredProgram
from rpython.translator.api import translation_of
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.lower.runner import lower


class Node:
    def __init__(self, value: int, next: Node | None) -> None:
        self.value = value
        self.next = next


class Error(Exception):
    def __init__(self, node: Node) -> None:
        self.node = node


def push(node: Node, n: int) -> Node:
    if n % 7 == 6:
        raise Error(node)
    return Node(n, node)


def linked(n: int) -> int:
    first = node = Node(0, None)
    caught = 0
    for i in range(n):
        try:
            node = push(node, i)
        except Error as e:
            caught += e.node.value
    last = node
    while node.next is not None:
        node = node.next
    return caught * 100 + first.value + last.value + (node is first)


def replacing(n: int) -> int:
    holder = Node(0, None)
    pair = [holder, holder]
    total = 0
    for i in range(n):
        old = holder.next
        holder.next = Node(i, None)
        if old is not None:
            total += old.value
        pair[i % 2] = Node(i, old)
        total += holder.next.value + pair[0].value
    return total


def texts(n: int) -> int:
    parts: list[str] = []
    counts: dict[str, int] = {}
    for i in range(n):
        text = str(i % 5) + "x" * i
        parts.append(text)
        counts[text[0]] = counts.get(text[0], 0) + 1
    parts.sort()
    joined = ",".join(parts[1:])
    return len(joined.split(",")) * 1000 + counts["3"] * 10 + ord(joined[-1])


def weakly(n: int) -> int:
    refs, kept, alive = [], [], 0
    for i in range(n):
        node = Node(i, None)
        refs.append(weakref.ref(node))
        if i % 3 == 0:
            kept.append(node)
    node = Node(n, None)
    for ref in refs:
        alive += ref() is not None
    return alive * 100 + len(kept)


def cycle(n: int) -> int:
    first = node = Node(0, None)
    for i in range(n):
        node = Node(i, node)
    first.next = node
    return node.value


class Counted:
    """A program of which ``function`` is the entry, lowered for counts of references."""

    def __init__(self, function: Callable[..., Any]) -> None:
        assert isinstance(function, FunctionType)
        translation = translation_of(function, [int])
        self.program = translation.optimise()
        self.graph = translation.llgraph(translation.annotate())
        self.lowered = lower(self.program, COLLECTORS["refcount"].passes)

    def run(self, n: int, lowered: LoweredProgram | None = None) -> tuple[Any, int]:
        """The result, and how many objects live at the end."""
        heap = CountingHeap()
        result = LLInterpreter(lowered or self.lowered, moving=heap).eval_graph(self.graph, [n])
        return result, heap.check()

    def is_right(self, lowered: LoweredProgram, expected: int) -> bool:
        try:
            return self.run(20, lowered) == (expected, 0)
        except MemoryFault:
            return False

    def changed(self, graph: FunctionGraph, number: int, opname: str, times: int) -> LoweredProgram:
        """The program in which a graph does one of the operations of that name so many times."""
        graphs = dict(self.lowered.graphs)
        source = next(key for key, value in graphs.items() if value is graph)
        graphs[source] = copy_graph(graph)
        block, op = list(operations(graphs[source], opname))[number]
        at = block.operations.index(op)
        again = [SpaceOperation(op.opdef, op.args, op.result.copy()) for _ in range(times)]
        block.operations[at : at + 1] = again
        return LoweredProgram(self.program, graphs)


def operations(graph: FunctionGraph, opname: str) -> Iterator[tuple[Block, SpaceOperation]]:
    return ((block, op) for block, op in graph.iterblockops() if op.opname == opname)


@pytest.mark.parametrize("function", [linked, replacing, texts, weakly])
def test_all_is_counted(function: Callable[[int], int]) -> None:
    assert Counted(function).run(20) == (function(20), 0)


def test_only_cycles_live_on() -> None:
    assert Counted(cycle).run(20) == (19, 21)


@pytest.mark.parametrize("opname", ["gc_incref", "gc_decref"])
@pytest.mark.parametrize("function", [linked, replacing])
def test_a_missing_count_is_noticed(function: Callable[[int], int], opname: str) -> None:
    """Every one of the program's own that is reached, where doing it twice is noticed, too."""
    counted, expected = Counted(function), function(20)
    reached = 0
    for graph in counted.lowered.graphs.values():
        if graph.name in (function.__name__, "push", "__init__"):
            for number, _ in enumerate(operations(graph, opname)):
                twice = counted.is_right(counted.changed(graph, number, opname, 2), expected)
                missing = counted.is_right(counted.changed(graph, number, opname, 0), expected)
                assert missing == twice, f"{opname} number {number} of {graph.name}"
                reached += not twice
    assert reached
