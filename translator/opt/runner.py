"""The pass runner: verifies the graphs, and times and shows what each pass does.

A pipeline is a list of named passes.  A pass works on one graph, or, with
``whole_program``, on the call graph of them all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rpython.lltypesystem.checker import check_graph
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.verifier import verify
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.divide_positive import divide_positive
from rpython.translator.opt.exact_classes import resolve_classes
from rpython.translator.opt.fold_constants import fold_constants
from rpython.translator.opt.fuel import Fuel
from rpython.translator.opt.handler_stack import remove_handler_marks
from rpython.translator.opt.hoist_loads import hoist_loads
from rpython.translator.opt.inline import Inlining, inline, inline_calls
from rpython.translator.opt.merge_counters import merge_counters
from rpython.translator.opt.narrow_calls import narrow_calls
from rpython.translator.opt.number_values import number_values
from rpython.translator.opt.observing import NOBODY, Observer
from rpython.translator.opt.ranges.across_calls import find_ranges
from rpython.translator.opt.remove_checks import remove_checks
from rpython.translator.opt.remove_dead_operations import remove_dead_operations
from rpython.translator.opt.remove_dead_stores import remove_dead_stores
from rpython.translator.opt.remove_mallocs import remove_mallocs
from rpython.translator.opt.remove_redundant_args import remove_redundant_args
from rpython.translator.opt.reuse_joins import reuse_joins
from rpython.translator.opt.safepoints import insert_gil_safepoints, insert_safepoints
from rpython.translator.opt.simplify_blocks import simplify_blocks
from rpython.translator.opt.stackcheck import insert_stack_checks
from rpython.translator.opt.summaries import Summaries
from rpython.translator.opt.switches import make_switches
from rpython.translator.opt.thread_jumps import thread_jumps
from rpython.translator.opt.version_loops import version_loops
from rpython.translator.opt.wrap_masked import wrap_masked


@dataclass(frozen=True, slots=True)
class Pass:
    """``run`` changes one graph in place and returns whether it did; it takes the Summaries of the
    program besides if it ``asks``.  If ``whole_program``, it takes a CallGraph in place of the
    graph, and returns those that it changed; if ``bottom_up``, the graphs, the Summaries and how to
    inline.
    ``per_program``: what it does to a graph depends on the program.  ``moves``: what it does is no
    longer where the source says it."""

    name: str
    run: Callable[..., Any]
    whole_program: bool = False
    bottom_up: bool = False
    asks: bool = False
    per_program: bool = False
    moves: bool = False

    def changes(self, graph: FunctionGraph, summaries: Summaries) -> bool:
        """Run the pass on one graph: did it change that?"""
        if self.whole_program:
            return bool(self.run_on_program(CallGraph([graph]), summaries))
        if self.bottom_up:
            return bool(self.run([graph], summaries, Inlining()))
        return bool(self.run(graph, summaries) if self.asks else self.run(graph))

    def run_on_program(self, calls: CallGraph, summaries: Summaries) -> list[FunctionGraph]:
        """Run a pass for whole programs: which graphs did it change?"""
        changed: list[FunctionGraph] = self.run(calls, summaries) if self.asks else self.run(calls)
        return changed


PASSES: dict[str, Pass] = {
    p.name: p
    for p in [
        Pass("divide_positive", divide_positive),
        Pass("find_ranges", find_ranges, whole_program=True, asks=True),
        Pass("fold_constants", fold_constants, asks=True),
        Pass("hoist_loads", hoist_loads, asks=True, moves=True),
        Pass("inline", inline, bottom_up=True, moves=True),
        Pass("inline_calls", inline_calls, bottom_up=True, moves=True),
        Pass("insert_safepoints", insert_safepoints, asks=True, per_program=True),
        Pass("insert_stack_checks", insert_stack_checks, whole_program=True, per_program=True),
        Pass("insert_gil_safepoints", insert_gil_safepoints, asks=True, per_program=True),
        Pass("make_switches", make_switches),
        Pass("merge_counters", merge_counters),
        Pass("narrow_calls", narrow_calls, whole_program=True, per_program=True),
        Pass("number_values", number_values, asks=True),
        Pass("remove_checks", remove_checks, asks=True),
        Pass("remove_dead_operations", remove_dead_operations, asks=True),
        Pass("remove_dead_stores", remove_dead_stores, asks=True, moves=True),
        Pass("remove_handler_marks", remove_handler_marks, asks=True),
        Pass("remove_mallocs", remove_mallocs),
        Pass("remove_redundant_args", remove_redundant_args),
        Pass("resolve_classes", resolve_classes),
        Pass("reuse_joins", reuse_joins, asks=True),
        Pass("simplify_blocks", simplify_blocks),
        Pass("thread_jumps", thread_jumps, asks=True, moves=True),
        Pass("version_loops", version_loops, asks=True, moves=True),
        Pass("wrap_masked", wrap_masked),
    ]
}
"""Every pass by name."""

REQUIRED = ("insert_stack_checks",)
"""What a correct program needs even when nothing is optimised: ``whole_pipeline`` adds it."""
REQUIRED_FIRST = ("wrap_masked",)
"""The same, of what decides by the source as it is what a program answers."""

ANNOTATED = ("split_lazily",)
"""Those of ``annotator.passes``, which run before there are low-level graphs.  A pipeline names
them, too, wherever in it."""

DEFAULT = (
    "split_lazily,wrap_masked,narrow_calls,remove_handler_marks,remove_redundant_args,fold_constants,simplify_blocks,"
    "remove_mallocs,remove_redundant_args,fold_constants,remove_dead_operations,"
    "simplify_blocks,inline,thread_jumps,merge_counters,number_values,resolve_classes,reuse_joins,find_ranges,"
    "remove_checks,hoist_loads,version_loops,divide_positive,remove_dead_stores,"
    "remove_redundant_args,fold_constants,remove_dead_operations,"
    "simplify_blocks,make_switches,insert_stack_checks"
)
"""The pipeline when nothing else is asked for."""

PIPELINES = {"default": DEFAULT, "uninlined": DEFAULT.replace("inline,", "")}
"""Those that have a name."""


def pass_names(text: str) -> list[str]:
    """The names in ``a,b,c``, of which those in PIPELINES stand for several passes.  Raises
    TranslationError for a name that no pass has."""
    result: list[str] = []
    for name in (part.strip() for part in text.split(",")):
        if name in PIPELINES:
            result.extend(pass_names(PIPELINES[name]))
        elif name in PASSES or name in ANNOTATED:
            result.append(name)
        elif name:
            known = ", ".join((*PIPELINES, *ANNOTATED, *PASSES))
            raise TranslationError(f"there is no pass {name!r}", hint=f"passes: {known}")
    return result


def parse_passes(text: str) -> list[Pass]:
    """The passes over low-level graphs that ``text`` names, in their order.  Raises
    TranslationError."""
    return [PASSES[name] for name in pass_names(text) if name not in ANNOTATED]


def annotated_passes(text: str) -> list[str]:
    """The names of passes over annotated graphs that are in it.  Raises TranslationError."""
    return [name for name in pass_names(text) if name in ANNOTATED]


def whole_pipeline(text: str, more: Sequence[str] = (), debug: bool = False) -> list[Pass]:
    """The passes that ``text`` names, as for ``parse_passes``, those of REQUIRED and
    REQUIRED_FIRST that are not among them, and ``more``; with ``debug``, none that ``moves``: a
    debugger shows a frame for each call, and stops at each line.  Raises TranslationError."""
    asked = [p for p in parse_passes(text) if not (debug and p.moves)]
    before, behind = (
        [PASSES[name] for name in names if PASSES[name] not in asked]
        for names in (REQUIRED_FIRST, REQUIRED)
    )
    return [*before, *asked, *behind, *(PASSES[name] for name in more)]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one pass took, in seconds."""

    name: str
    seconds: float


def run_passes(
    pipeline: Sequence[Pass],
    graphs: Iterable[FunctionGraph],
    *,
    calls: Callable[[], CallGraph] | None = None,
    observer: Observer = NOBODY,
    verified: bool = True,
    threaded: bool = False,
    summaries: Summaries | None = None,
    inlining: Inlining | None = None,
    fuel: Fuel | None = None,
) -> list[Timing]:
    """Run the passes, each over all graphs before the next, and mark the graphs as being
    of stage ``optimised``.  Graphs that are it already only take part in passes that depend on
    the program.

    ``calls``: makes the call graph for whole-program passes (default: from ``graphs``).
    ``observer``: is told what each pass did.  ``verified``: check structure and types of every
    graph that was changed, in the end, or, where somebody observes, after each pass that changed
    it, which takes a third of the time.  ``threaded``: the program has several threads.
    ``summaries``: what is known of the graphs and those that they call, which ``threaded`` is of
    then.  ``inlining``: how to inline.  ``fuel``: how many rewrites may be done by passes that a
    correct program does not need.  Returns one Timing per pass.
    Raises VerifyError when a pass breaks a graph.
    """
    graphs = list(graphs)
    summaries = summaries or Summaries(threaded)
    lowered = [graph for graph in graphs if graph.stage != "optimised"]
    timings = []
    unverified: dict[FunctionGraph, None] = {}
    for p in pipeline:
        started = time.perf_counter()
        if p.whole_program:
            changed = p.run_on_program(calls() if calls else CallGraph(graphs), summaries)
        elif p.bottom_up:
            worked_on = [graph for graph in graphs if _may_begin(p, graph, fuel)]
            changed = p.run(worked_on, summaries, inlining or Inlining())
        else:
            changed = [
                graph for graph in (graphs if p.per_program else lowered)
                if _may_begin(p, graph, fuel) and p.changes(graph, summaries)
            ]  # fmt: skip
        summaries.forget(changed)
        timings.append(Timing(p.name, time.perf_counter() - started))
        unverified |= dict.fromkeys(changed)
        if verified and observer is not NOBODY:
            _verify_all(unverified, p.name)
            unverified.clear()
        observer.ran(p.name, graphs, changed)
    if verified:
        _verify_all(unverified, "the passes; --dump FOLDER says which")
    for graph in graphs:
        graph.stage = "optimised"
        graph.may_rewrite = None
    return timings


def _verify_all(graphs: Iterable[FunctionGraph], after: str) -> None:
    for graph in graphs:
        verify(graph, after)
        check_graph(graph, after)


def _may_begin(p: Pass, graph: FunctionGraph, fuel: Fuel | None) -> bool:
    """May the pass look at the graph?"""
    needed = p.per_program or p.name in REQUIRED_FIRST
    return fuel is None or needed or fuel.begin(p.name, graph)
