"""The simulated heaps notice what is missing: programs of ``tests/cases/lower/heaps.case``, which
are right as they are lowered, without one of their roots, barriers or counts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.interp.counting import CountingHeap
from rpython.lltypesystem.interp.llinterp import LLInterpreter
from rpython.lltypesystem.interp.moving import MissingBarrier, MovingHeap, OldAddress
from rpython.lltypesystem.program import LoweredProgram
from rpython.lltypesystem.simulated.containers import MemoryFault
from rpython.lltypesystem.text import TextEnv, print_graphs
from rpython.translator.api import translation_of
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.ir.parser import parse_graphs
from rpython.translator.lower.runner import lower
from tests.support.heaps import COLLECTOR_OF, lowered_for, new_heap

sys.path.append(str(Path(__file__).parents[2] / "cases"))
from caseformat import read_cases
from casesource import load_source
from threeway import called_functions

CASES = Path(__file__).parents[2] / "cases"
PROGRAMS = {
    called.function.__name__: case
    for case in read_cases(CASES / "lower" / "heaps.case")
    for called in called_functions(case)
}


def program_named(name: str) -> FunctionType:
    function = vars(load_source(PROGRAMS[name]))[name]
    assert isinstance(function, FunctionType)
    return function


class Proof:
    """A program on a heap; its entry is ``function``."""

    def __init__(self, name: str, heap: str) -> None:
        self.function = program_named(name)
        translation = translation_of(self.function)
        self.heap = heap
        self.program = translation.optimise()
        self.graph = translation.llgraph(translation.annotate())
        self.lowered = lowered_for(heap, self.program)

    def run(self, lowered: LoweredProgram | None = None) -> Any:
        """What 20 gives.  Raises what the heap finds wrong."""
        heap = new_heap(self.heap, self.program)
        interpreter = LLInterpreter(lowered or self.lowered, heap=heap)
        result = interpreter.eval_graph(self.graph, [20])
        if isinstance(heap, CountingHeap):
            assert heap.check() == 0
        elif isinstance(heap, MovingHeap):
            assert heap.time > 20
        return result

    def problem(self, lowered: LoweredProgram) -> str:
        """What is found wrong; '' when nothing is."""
        try:
            self.run(lowered)
        except (MissingBarrier, NameError, OldAddress) as error:
            return str(error)
        return ""

    def is_right(self, lowered: LoweredProgram) -> bool:
        try:
            return bool(self.run(lowered) == self.function(20))
        except (AssertionError, MemoryFault):
            return False

    def changed(
        self, number: int, opname: str, times: int = 0, graph: FunctionGraph | None = None
    ) -> LoweredProgram:
        """The program in which a graph (the entry's) does one of its operations of that name so
        many times."""
        source = graph or self.graph
        changed = copy_graph(self.lowered.graphs[source])
        block, op = list(operations(changed, opname))[number]
        at = block.operations.index(op)
        again = [SpaceOperation(op.opdef, op.args, op.result.copy()) for _ in range(times)]
        block.operations[at : at + 1] = again
        return LoweredProgram(self.program, {**self.lowered.graphs, source: changed})


def operations(graph: FunctionGraph, opname: str) -> Iterator[tuple[Block, SpaceOperation]]:
    return ((block, op) for block, op in graph.iterblockops() if op.opname == opname)


def test_a_missing_root_is_noticed() -> None:
    proof = Proof("linked", "moving")
    assert proof.run() == proof.function(20)
    saves = list(operations(proof.lowered.graphs[proof.graph], "gc_save_root"))
    assert saves
    for number in range(len(saves)):
        with pytest.raises((LookupError, OldAddress), match=r"graph linked, block b\d+"):
            proof.run(proof.changed(number, "gc_save_root"))


def test_an_old_address_is_noticed() -> None:
    proof = Proof("linked", "moving")
    graph = proof.lowered.graphs[proof.graph]
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
        program = LoweredProgram(proof.program, {**proof.lowered.graphs, proof.graph: changed})
        noticed += "[graph linked, block b" in proof.problem(program)
    assert noticed == len(loads)


@pytest.mark.parametrize("barrier", ["gc_write_barrier", "gc_slot_barrier"])
def test_a_missing_barrier_is_noticed(barrier: str) -> None:
    proof = Proof("replacing", "moving")
    assert proof.run() == proof.function(20)
    noticed = 0
    for number, _ in enumerate(operations(proof.lowered.graphs[proof.graph], barrier)):
        noticed += "[graph replacing, block b" in proof.problem(proof.changed(number, barrier))
    assert noticed


def test_only_cycles_live_on() -> None:
    proof = Proof("cycle", "counting")
    heap = CountingHeap()
    assert LLInterpreter(proof.lowered, heap=heap).eval_graph(proof.graph, [20]) == 19
    assert heap.check() == 21


@pytest.mark.parametrize("opname", ["gc_incref", "gc_decref"])
@pytest.mark.parametrize("name", ["linked", "replacing"])
def test_a_missing_count_is_noticed(name: str, opname: str) -> None:
    """Every one of the program's own that is reached, where doing it twice is noticed, too."""
    proof = Proof(name, "counting")
    assert proof.run() == proof.function(20)
    reached = 0
    for source, graph in proof.lowered.graphs.items():
        if graph.name in (name, "push", "__init__"):
            for number, _ in enumerate(operations(graph, opname)):
                twice = proof.is_right(proof.changed(number, opname, 2, source))
                missing = proof.is_right(proof.changed(number, opname, 0, source))
                assert missing == twice, f"{opname} number {number} of {graph.name}"
                reached += not twice
    assert reached


@pytest.mark.long
@pytest.mark.parametrize("heap", COLLECTOR_OF)
def test_all_cases(heap: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", str(CASES)]
    subprocess.run(command, env={**os.environ, "RPYTHON_CASES_HEAP": heap}, check=True)


@pytest.mark.parametrize("gc", sorted(COLLECTORS))
@pytest.mark.parametrize("name", ["linked", "texts"])
def test_lowered_text_parses_back(name: str, gc: str) -> None:
    program = translation_of(program_named(name)).optimise()
    graphs = list(lower(program, COLLECTORS[gc].passes).graphs.values())
    env = TextEnv()
    text = print_graphs(graphs, env=env)
    assert print_graphs(parse_graphs(text, env), env=env) == text
