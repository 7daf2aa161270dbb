"""A simulated collector that moves objects proves roots and write barriers, and notices when one
is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import pytest

from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.llinterp import LLInterpreter
from rpython.lltypesystem.llmoving import MissingBarrier, MovingHeap, OldAddress
from rpython.lltypesystem.program import LoweredProgram
from rpython.lltypesystem.text import TextEnv, print_graphs
from rpython.translator.api import translation_of
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.ir.parser import parse_graphs
from rpython.translator.lower.runner import lower
from rpython.translator.opt.facts import MAY_COLLECT
from rpython.translator.opt.summaries import Summaries


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
    node.next = last
    return caught * 100 + first.value + last.value + (node is first)


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


class Heap:
    """A program of which ``function`` is the entry, with the generational collector's passes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        assert isinstance(function, FunctionType)
        translation = translation_of(function, [int])
        self.program = translation.optimise()
        self.graph = translation.llgraph(translation.annotate())
        self.summaries = Summaries(self.program.threaded)
        self.lowered = lower(self.program, COLLECTORS["generational"].passes)

    def run(self, n: int, lowered: LoweredProgram | None = None) -> Any:
        heap = MovingHeap(lambda op: self.summaries.of_op(MAY_COLLECT, op))
        interpreter = LLInterpreter(lowered or self.lowered, moving=heap)
        result = interpreter.eval_graph(self.graph, [n])
        assert heap.time > n
        return result

    def problem(self, lowered: LoweredProgram) -> str:
        """What is found wrong; '' when nothing is."""
        try:
            self.run(20, lowered)
        except (OldAddress, MissingBarrier, NameError) as error:
            return str(error)
        return ""

    def without(self, number: int, opname: str) -> LoweredProgram:
        """The program without one of the operations of that name in the entry's graph."""
        graph = copy_graph(self.lowered.graphs[self.graph])
        block, op = list(operations(graph, opname))[number]
        block.operations.remove(op)
        return LoweredProgram(self.program, {**self.lowered.graphs, self.graph: graph})


def operations(graph: FunctionGraph, opname: str) -> Iterator[tuple[Block, SpaceOperation]]:
    return ((block, op) for block, op in graph.iterblockops() if op.opname == opname)


@pytest.mark.parametrize("function", [linked, texts])
def test_no_root_and_no_barrier_is_missing(function: Callable[[int], int]) -> None:
    assert Heap(function).run(20) == function(20)


def test_a_missing_root_is_noticed() -> None:
    heap = Heap(linked)
    saves = list(operations(heap.lowered.graphs[heap.graph], "gc_save_root"))
    assert saves
    for number in range(len(saves)):
        with pytest.raises((LookupError, OldAddress), match=r"graph linked, block b\d+"):
            heap.run(20, heap.without(number, "gc_save_root"))


def test_an_old_address_is_noticed() -> None:
    heap = Heap(linked)
    graph = heap.lowered.graphs[heap.graph]
    loads = list(operations(graph, "gc_load_root"))
    noticed = 0
    for block, op in loads:
        changed = copy_graph(graph)
        position = list(graph.iterblocks()).index(block), block.operations.index(op)
        copied = list(changed.iterblocks())[position[0]]
        stale = copied.operations.pop(position[1]).result
        saved = next(
            other.args[1] for _, other in changed.iterblockops()
            if other.opname == "gc_save_root" and other.args[0].value == op.args[0].value
        )  # fmt: skip
        for each in changed.iterblocks():
            for using in each.operations:
                using.args = [saved if arg is stale else arg for arg in using.args]
            for link in each.exits:
                link.args = [saved if arg is stale else arg for arg in link.args]
        program = LoweredProgram(heap.program, {**heap.lowered.graphs, heap.graph: changed})
        noticed += "[graph linked, block b" in heap.problem(program)
    assert noticed == len(loads)


def replacing(n: int) -> int:
    holder = Node(0, None)
    pair = [holder, holder]
    total = 0
    for i in range(n):
        holder.next = Node(i, None)
        pair[i % 2] = Node(i, None)
        total += holder.next.value + pair[0].value
    return total


@pytest.mark.parametrize("barrier", ["gc_write_barrier", "gc_slot_barrier"])
def test_a_missing_barrier_is_noticed(barrier: str) -> None:
    heap = Heap(replacing)
    assert heap.run(20) == replacing(20)
    noticed = 0
    for number, _ in enumerate(operations(heap.lowered.graphs[heap.graph], barrier)):
        noticed += "[graph replacing, block b" in heap.problem(heap.without(number, barrier))
    assert noticed


@pytest.mark.parametrize("gc", sorted(COLLECTORS))
@pytest.mark.parametrize("function", [linked, texts])
def test_lowered_text_parses_back(function: FunctionType, gc: str) -> None:
    program = translation_of(function, [int]).optimise()
    graphs = list(lower(program, COLLECTORS[gc].passes).graphs.values())
    env = TextEnv()
    text = print_graphs(graphs, env=env)
    assert print_graphs(parse_graphs(text, env), env=env) == text
