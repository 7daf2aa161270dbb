"""Does a program say the same whatever passes it goes through?  All of them, none, each left out.

The program is typed once for all pipelines that begin with the same passes over annotated graphs;
before each its low-level graphs get back what the rtyper gave them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rpython.translator.api import Interpretation, translation_of
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.runner import (
    DEFAULT,
    REQUIRED,
    REQUIRED_FIRST,
    annotated_passes,
    run_passes,
    whole_pipeline,
)
from rpython.translator.options import Options

from .runner import Difference, Entry, Program, check, entry_of

_NEEDED = {*REQUIRED, *REQUIRED_FIRST}


def pipelines() -> dict[str, str]:
    """The pipelines that are tried, by what is said of them."""
    names = DEFAULT.split(",")
    found = {"all passes": DEFAULT, "no passes": ""}
    for left_out in dict.fromkeys(names):
        if left_out not in _NEEDED:
            found[f"without {left_out}"] = ",".join(name for name in names if name != left_out)
    return found


def check_passes(programs: Sequence[Program]) -> list[Difference]:
    """The differences found, for each pipeline one per program at most.  Programs are translated
    together; where that is refused, by halves, and one that is refused is left out."""
    by_first: dict[tuple[str, ...], dict[str, str]] = {}
    for way, text in pipelines().items():
        by_first.setdefault(tuple(annotated_passes(text)), {})[way] = text
    entry = entry_of(programs)
    try:
        return [
            difference
            for ways in by_first.values()
            for difference in _check_ways(programs, entry, ways)
        ]
    except TranslationError:
        half = len(programs) // 2
        if not half:
            return []
        return check_passes(programs[:half]) + check_passes(programs[half:])


def _check_ways(
    programs: Sequence[Program], entry: Entry, ways: dict[str, str]
) -> Iterator[Difference]:
    """Check pipelines that do the same before typing; helpers go through the first one.  Raises
    TranslationError."""
    translation = translation_of(entry, options=Options(passes=next(iter(ways.values()))))
    program = translation.rtype()
    typed = {
        graph: copy_graph(graph)
        for graph in call_graph(program).graphs
        if graph.stage == "lowlevel"
    }
    translation.optimise()  # as it is only once; the graphs are those of the loop below
    for way, text in ways.items():
        for graph, before in typed.items():
            _restore(graph, before)
        run_passes(
            whole_pipeline(text), call_graph(program).graphs, calls=lambda: call_graph(program),
            threaded=program.threaded,
        )  # fmt: skip
        interpretation = Interpretation(translation)
        for i, each in enumerate(programs):
            try:
                check(each, way, partial(_run, interpretation, i))
            except Difference as difference:
                yield difference


def _run(interpretation: Interpretation, i: int, a: int, b: int) -> str:
    result: str = interpretation.run((i, a, b))
    return result


def _restore(graph: FunctionGraph, before: FunctionGraph) -> None:
    """Give the graph the blocks that it had."""
    fresh = copy_graph(before)
    graph.startblock, graph.returnblock = fresh.startblock, fresh.returnblock
    graph.exceptblock, graph.stage = fresh.exceptblock, fresh.stage
    graph.argument_bounds, graph.result_bounds = fresh.argument_bounds, fresh.result_bounds
