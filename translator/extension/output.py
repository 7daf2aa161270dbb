"""Which functions of a program may call a given C function, or come to a safe point, directly or
not."""

from __future__ import annotations

from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.facts import MAY_PAUSE, reaches
from rpython.translator.opt.summaries import Fact, Summaries

WRITE = "rpy_os_write"
"""All that is written to standard output or standard error goes through it."""
CALL_PYTHON = "rpx_python"
"""By it native code calls Python, which may call native code."""


def reaching(program: Program, c_name: str) -> set[FunctionGraph]:
    """The graphs from which the C function, or an unknown one, may be called, not by Python."""
    return _with(program, reaches(c_name, besides=CALL_PYTHON))


def pausing(program: Program) -> set[FunctionGraph]:
    """The graphs that may come to a safe point."""
    return _with(program, MAY_PAUSE)


def _with(program: Program, fact: Fact[bool]) -> set[FunctionGraph]:
    summaries = Summaries(program.threaded)
    return {graph for graph in call_graph(program).graphs if summaries.of_graph(fact, graph)}
