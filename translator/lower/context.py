"""What the passes know of the program that a graph belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.summaries import Summaries


@dataclass(frozen=True)
class Context:
    """``summaries``: the facts of the functions of ``program``, of before the passes;
    ``sources``: for each graph that the passes change, the optimised one that it is a copy of."""

    program: Program
    summaries: Summaries
    sources: dict[FunctionGraph, FunctionGraph]
