"""Which functions of a program reach a C function: the one that writes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from lltypesystem.program import Program
from translator.ir.model import Constant, FunctionGraph, SpaceOperation
from translator.opt.callgraph import call_graph

WRITE = "rpy_os_write"
"""All that is written to standard output or standard error goes through it."""


def reaching(program: Program, c_name: str) -> set[FunctionGraph]:
    """The graphs from which the C function, or an unknown one, may be called."""
    callers: defaultdict[FunctionGraph, list[FunctionGraph]] = defaultdict(list)
    todo: list[FunctionGraph] = []
    for graph in call_graph(program).graphs:
        for _, op in graph.iterblockops():
            for callee in _callees(op, c_name):
                if isinstance(callee, FunctionGraph):
                    callers[callee].append(graph)
                else:
                    todo.append(graph)
    result: set[FunctionGraph] = set()
    while todo:
        graph = todo.pop()
        if graph not in result:
            result.add(graph)
            todo += callers[graph]
    return result


def _callees(op: SpaceOperation, c_name: str) -> list[FunctionGraph | None]:
    """The graphs that an operation may call, and None where it may be the C function."""
    if op.opname == "direct_call" and isinstance(op.args[0], Constant):
        function: Any = op.args[0].value._obj
        if function.graph is not None:
            return [function.graph]
        return [None] if function.c_name == c_name else []
    if op.opname == "indirect_call":
        last = op.args[-1]
        assert isinstance(last, Constant)
        return [None] if last.value is None else list(last.value)
    return []
