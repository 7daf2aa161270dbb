"""From optimised graphs to lowered ones: the passes that make explicit what a collector and the
state of exceptions need.

Each pass works on copies of the graphs: calls go on naming the functions by their optimised
graphs, of which the facts are (``translator.opt.facts``), and ``LoweredProgram.graphs`` says what
became of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.program import LoweredProgram, Program
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.verifier import verify
from rpython.translator.lower.allocations import split_allocations
from rpython.translator.lower.class_numbers import find_class_numbers
from rpython.translator.lower.context import Context
from rpython.translator.lower.exceptions import lower_exceptions
from rpython.translator.lower.gil import release_gil, release_gil_of_movers
from rpython.translator.lower.reference_counts import count_references
from rpython.translator.lower.shadow_stack import keep_roots
from rpython.translator.lower.write_barriers import insert_write_barriers
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.observing import NOBODY, Observer
from rpython.translator.opt.summaries import Summaries


@dataclass(frozen=True, slots=True)
class LoweringPass:
    """``run`` changes one graph in place and returns whether it did."""

    name: str
    run: Callable[[FunctionGraph, Context], bool]


PASSES: dict[str, LoweringPass] = {
    p.name: p
    for p in [
        LoweringPass("count_references", count_references),
        LoweringPass("find_class_numbers", find_class_numbers),
        LoweringPass("insert_write_barriers", insert_write_barriers),
        LoweringPass("keep_roots", keep_roots),
        LoweringPass("lower_exceptions", lower_exceptions),
        LoweringPass("release_gil", release_gil),
        LoweringPass("release_gil_of_movers", release_gil_of_movers),
        LoweringPass("split_allocations", split_allocations),
    ]
}
"""Every pass by name; a collector's description says which of them it needs, in which order."""


def lower(
    program: Program,
    passes: Sequence[str],
    *,
    verified: bool = True,
    observer: Observer = NOBODY,
) -> LoweredProgram:
    """The program with every graph lowered by the passes of these names.

    ``verified``: check structure and types of each graph after the last pass; where that fails, a
    second run with a check after each pass says which one it was.  ``observer``: is told what each
    pass did.  Raises BuildError for what cannot be done with such a collector, VerifyError when a
    pass breaks a graph.
    """
    lowered = _lower(program, passes, False, observer)
    if verified:
        try:
            for graph in lowered.graphs.values():
                _check(graph, "lower")
        except VerifyError:
            _lower(program, passes, True, NOBODY)
            raise
    return lowered


def _check(graph: FunctionGraph, after: str) -> None:
    verify(graph, after)
    check_graph(graph, after)


def _lower(
    program: Program,
    passes: Sequence[str],
    each_verified: bool,
    observer: Observer,
) -> LoweredProgram:
    graphs = call_graph(program).graphs
    lowered = {graph: copy_graph(graph) for graph in graphs}
    sources = {copy: graph for graph, copy in lowered.items()}
    context = Context(program, Summaries(program.threaded), sources)
    for graph in lowered.values():
        graph.stage = "lowered"
    observer.copied(lowered)
    for name in passes:
        run = PASSES[name].run
        changed = []
        for graph in lowered.values():
            if run(graph, context):
                changed.append(graph)
                if each_verified:
                    _check(graph, name)
        observer.ran(name, list(lowered.values()), changed)
    return LoweredProgram(program, lowered)
