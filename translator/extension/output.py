"""Which functions of a program may call a given C function, directly or not."""

from __future__ import annotations

from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.facts import reaches
from rpython.translator.opt.summaries import Summaries

WRITE = "rpy_os_write"
"""All that is written to standard output or standard error goes through it."""


def reaching(program: Program, c_name: str) -> set[FunctionGraph]:
    """The graphs from which the C function, or an unknown one, may be called."""
    summaries, fact = Summaries(program.threaded), reaches(c_name)
    return {graph for graph in call_graph(program).graphs if summaries.of_graph(fact, graph)}
