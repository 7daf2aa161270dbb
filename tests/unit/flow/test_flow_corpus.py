"""The flow-graph builder on the corpus: the same graphs on every CPython, and graphs that
do what the functions do.

``RPYTHON_REWRITE=1`` (or ``--rewrite``) writes what is built into the expectations.
"""

import contextlib
import copy
import io
import os
import types
from collections.abc import Iterator
from typing import Any

import pytest

from rpython.translator.flow.build import build_flow
from rpython.translator.ir.model import Constant, FunctionGraph
from rpython.translator.ir.printer import print_graph
from rpython.translator.ir.verifier import verify
from tests.support.flowcorpus import ALL, EXPECTED, MODULES, functions
from tests.support.flowinterp import run_graph


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_graphs(module: types.ModuleType, request: pytest.FixtureRequest) -> None:
    graphs = {}
    for name, function in functions(module):
        graph = build_flow(function)
        graphs[name] = "".join(map(print_graph, [graph, *inner_graphs(graph)]))
    text = "\n".join(f"# {name}\n{graph}" for name, graph in graphs.items())
    path = EXPECTED / f"{module.__name__}.txt"
    if os.environ.get("RPYTHON_REWRITE") or request.config.getoption("--rewrite", False):
        path.write_text(text, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8")
    for block in expected.split("\n# "):
        name, _, graph = block.removeprefix("# ").partition("\n")
        assert graphs.get(name, "missing").strip() == graph.strip(), name
    assert text == expected


def inner_graphs(graph: FunctionGraph) -> Iterator[FunctionGraph]:
    """The graphs of the closures and generators that a graph makes."""
    for _, op in graph.iterblockops():
        made = op.args[0].value if op.args and isinstance(op.args[0], Constant) else None
        if op.opname == "simple_call" and hasattr(made, "_rpython_function_"):
            inner = build_flow(made._rpython_function_)
            yield inner
            yield from inner_graphs(inner)
        elif op.opname == "simple_call" and hasattr(made, "_run"):
            inner = build_flow(made._run)
            yield inner
            yield from inner_graphs(inner)


def shown(result: object) -> str:
    """Its text; for a set, whose order depends on whether CPython has compiled the display just now
    or read it from bytecode, that of the items in order."""
    return f"set of {sorted(result)}" if isinstance(result, set) else repr(result)


def outcome(function: Any, args: tuple[Any, ...]) -> tuple[object, ...]:
    """What a call returns or raises, prints, and does to its arguments."""
    args = copy.deepcopy(args)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = shown(function(*args))
        except Exception as error:
            said = () if isinstance(error, ValueError) else error.args
            result = f"raises {type(error).__name__}{said}"
    return result, printed.getvalue(), repr(args)


@pytest.mark.parametrize("function", [f for _, f in ALL], ids=[name for name, _ in ALL])
def test_behaviour(function: types.FunctionType) -> None:
    graph = build_flow(function)
    verify(graph, "build_flow")
    for args in function.runs:
        expected = outcome(function, args)
        assert outcome(lambda *given: run_graph(graph, *given), args) == expected


def test_size() -> None:
    assert len(ALL) >= 150
