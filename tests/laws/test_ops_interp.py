"""The LLInterpreter's generated code does what walking the graph operation by operation
does, and what native code does: random control flow, random memory operations."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from randomgraphs import EXCEPTIONS, FUEL, MemoryScript, random_graph, walk

from rpython.backend_c.build import build_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.verifier import verify
from rpython.translator.lower.runner import lower

SMALL = st.integers(-5, 5) | st.integers(-(2**63), 2**63 - 1)
COMPILED = 40
"""Graphs of each sort that are compiled to C."""


def outcome(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except L.MemoryFault:
        return L.MemoryFault
    except OverflowError:
        return "OverflowError"
    except LLException as e:
        return e.class_name


def interpreted(graph: FunctionGraph, args: list[int], checked: bool = False) -> Any:
    interpreter = LLInterpreter(EXCEPTIONS, checked=checked)
    return outcome(lambda: interpreter.eval_graph(graph, args))


@pytest.mark.parametrize("checked", [False, True])
@given(seed=st.integers(0, 2**32), a=SMALL, b=SMALL)
def test_random_control_flow(checked: bool, seed: int, a: int, b: int) -> None:
    graph = random_graph(random.Random(seed))
    verify(graph, "random")
    check_graph(graph, "random")
    args = [FUEL, a, b]
    expected = outcome(lambda: walk(graph, args))
    assert interpreted(graph, args, checked) == expected


@given(seed=st.integers(0, 2**32), a=SMALL, b=SMALL)
def test_lowered_control_flow(seed: int, a: int, b: int) -> None:
    graph = random_graph(random.Random(seed))
    program = lower(Program(graph, {"f": graph}, EXCEPTIONS), ["lower_exceptions"])
    args = [FUEL, a, b]
    interpreter = LLInterpreter(program)
    expected = outcome(lambda: walk(graph, args))
    assert outcome(lambda: interpreter.eval_graph(graph, args)) == expected


@given(seed=st.integers(0, 2**32), n=st.integers(-1, 3))
def test_random_memory_operations(seed: int, n: int) -> None:
    graph = MemoryScript(random.Random(seed), faults=True).graph
    verify(graph, "random")
    check_graph(graph, "random")
    assert interpreted(graph, [n], checked=True) == interpreted(graph, [n])


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, FunctionGraph]]:
    """A shared library with random graphs, and the graphs by their C name."""
    exports: dict[str, FunctionGraph] = {}
    for seed in range(COMPILED):
        exports[f"flow{seed}"] = random_graph(random.Random(seed))
        exports[f"memory{seed}"] = MemoryScript(random.Random(seed), faults=False).graph
    for name, graph in exports.items():
        graph.name = name
    folder = tmp_path_factory.mktemp("random")
    options = BuildOptions(directory=folder / "c", optimise="-O1")
    program = Program(exports["flow0"], exports, EXCEPTIONS)
    library = ctypes.CDLL(str(build_shared(program, None, options).path))
    library.rpy_take_exception.restype = ctypes.c_void_p
    return library, exports


def compiled(library: Any, graph: FunctionGraph, args: list[int]) -> Any:
    function = getattr(library, graph.name)
    function.argtypes = [ctypes.c_long] * len(args)
    function.restype = ctypes.c_long
    result = function(*args)
    return "OverflowError" if library.rpy_take_exception() else result


@pytest.mark.parametrize("number", range(COMPILED))
def test_native_code_agrees(native: tuple[Any, dict[str, FunctionGraph]], number: int) -> None:
    library, exports = native
    values = [0, 1, -7, 2**62, -(2**63), 2**63 - 1]
    for n in values:
        script = exports[f"memory{number}"]
        assert compiled(library, script, [n]) == interpreted(script, [n])
        flow = exports[f"flow{number}"]
        for b in values:
            args = [FUEL, n, b]
            assert compiled(library, flow, args) == interpreted(flow, args), args
