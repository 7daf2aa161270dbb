"""Programs on the simulated heaps of the LLInterpreter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.interp.counting import CountingHeap
from rpython.lltypesystem.interp.heap import SimulatedHeap
from rpython.lltypesystem.interp.llinterp import LLInterpreter
from rpython.lltypesystem.interp.moving import MovingHeap
from rpython.lltypesystem.program import LoweredProgram, Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.lower.runner import lower
from rpython.translator.opt.facts import MAY_COLLECT
from rpython.translator.opt.summaries import Summaries

COLLECTOR_OF = {"moving": "generational", "counting": "refcount"}
"""Each heap, and the collector whose passes it proves."""


def new_heap(name: str, program: Program) -> SimulatedHeap:
    """An empty heap of that name."""
    if name == "counting":
        return CountingHeap()
    summaries = Summaries(program.threaded)
    return MovingHeap(cache(lambda op: summaries.of_op(MAY_COLLECT, op)))


def lowered_for(name: str, program: Program) -> LoweredProgram:
    """The program as the heap of that name can prove it."""
    return lower(program, COLLECTORS[COLLECTOR_OF[name]].passes)


def interpreter_on(
    name: str, program: Program, called: Iterable[FunctionGraph] = ()
) -> LLInterpreter:
    """What runs the program on a heap of that name.  ``called``: graphs that will be, which may
    have been inlined in all that calls them in the program."""
    exports = {f"called_{number}": graph for number, graph in enumerate(called)}
    program = replace(program, exports={**program.exports, **exports})
    return LLInterpreter(lowered_for(name, program), heap=new_heap(name, program))
