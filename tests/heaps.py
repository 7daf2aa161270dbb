"""Programs on the simulated heaps of the LLInterpreter."""

from __future__ import annotations

from functools import cache

from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.llcounting import CountingHeap
from rpython.lltypesystem.llheap import SimulatedHeap
from rpython.lltypesystem.llinterp import LLInterpreter
from rpython.lltypesystem.llmoving import MovingHeap
from rpython.lltypesystem.program import LoweredProgram, Program
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


def interpreter_on(name: str, program: Program) -> LLInterpreter:
    """What runs the program on a heap of that name."""
    return LLInterpreter(lowered_for(name, program), heap=new_heap(name, program))
