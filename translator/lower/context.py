"""What a lowering pass may ask about the program that its graph belongs to."""

from __future__ import annotations

from functools import cached_property

from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.lower.heap_writes import HeapWrites
from rpython.translator.lower.pointers import InnerParameters
from rpython.translator.opt.summaries import Summaries


@dataclass(frozen=True)
class Context:
    """``summaries``: the facts of the functions of ``program``, of before the passes;
    ``sources``: for each graph that the passes change, the optimised one that it is a copy of."""

    program: Program
    summaries: Summaries
    sources: dict[FunctionGraph, FunctionGraph]

    @cached_property
    def _inner(self) -> InnerParameters:
        return InnerParameters(self.sources.values())

    def inner_parameters(self, graph: FunctionGraph) -> list[int]:
        """The numbers of the parameters of a graph that may lead into objects."""
        return self._inner.of(self.sources[graph])

    @cached_property
    def heap_writes(self) -> HeapWrites:
        """Which pointers in the heap operations may replace."""
        return HeapWrites(self.sources.values(), self.summaries)
