"""What shows users and tests the graphs of a function: ``show``, ``graph_of``.

``rpython`` re-exports these.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rpython.backend_c.build import function_source
from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.text import print_lowlevel
from rpython.translator.api import require_function, translation_of
from rpython.translator.driver import Translation, graph_named
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import TranslationError, did_you_mean
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.printer import is_high_level, print_graph
from rpython.translator.ir.records import dataclass
from rpython.translator.lower.runner import PASSES as LOWERING_PASSES
from rpython.translator.lower.runner import lower
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.runner import PASSES
from rpython.translator.options import Options
from rpython.translator.view.forms import Format, formatted, graph_as
from rpython.translator.view.stages import History, Recorder, Stage, Table

STAGES = ("flow", "annotated", "lowlevel", "optimised", "lowered", "c")


@dataclass(frozen=True, slots=True)
class Look:
    """What of a function to look at: a ``stage``; or how it is ``after`` a pass; or the ``diff``
    that a pass makes.  ``form``: as what."""

    stage: str = "lowlevel"
    after: str = ""
    diff: str = ""
    form: Format = "text"


def graph_of(f: Callable[..., Any]) -> FunctionGraph:
    """The flow graph of a function, before annotation.  Raises FlowError."""
    return build_flow(require_function(f))


def show(
    f: Callable[..., Any], types: Sequence[Any] | None = None, stage: str = "lowlevel",
    function: str = "", options: Options | None = None, after: str = "", diff: str = "",
) -> str:  # fmt: skip
    """The text of a function's graph at a stage: 'flow', 'annotated', 'lowlevel',
    'optimised', 'lowered' or 'c'.

    ``function``: the name of another function that ``f`` reaches.  ``after``: the name of a pass
    after which to look at it, ``diff``: of one whose change to show.  Raises TranslationError.
    """
    if stage not in STAGES:
        raise TranslationError(f"no stage {stage!r}", hint=f"stages: {', '.join(STAGES)}")
    look = Look(stage, after, diff)
    if look == Look("flow") and not function:
        return print_graph(graph_of(f))
    name = function or require_function(f).__qualname__
    return show_graph(translation_of(f, types, options), name, look)


def show_graph(translation: Translation, function: str, look: Look) -> str:
    """The graph of ``function`` as asked for.  Raises TranslationError."""
    try:
        graph = graph_named(translation, function)
    except KeyError:
        raise _unknown(translation, function) from None
    if look.diff:
        return _difference(translation, graph, look.diff)
    if look.after:
        files, history, stages = _recorded(translation, graph, look.after)
        return formatted(function, history, stages[-1], files, look.form)
    if look.stage == "c":
        if look.form != "text":
            raise TranslationError(f"C has no form {look.form!r}", hint="--format text")
        translation.optimise()
        shown = translation.llgraph(graph)
        return function_source(_with(translation.optimise(), shown), shown)
    shown = _at_stage(translation, graph, look.stage)
    if look.form == "text":
        return print_graph(shown) if is_high_level(shown) else print_lowlevel(shown)
    return graph_as(shown, look.form, look.stage)


def show_stages(translation: Translation, function: str, stages: Sequence[str]) -> str:
    """The texts of ``function`` at several stages, in their order, side by side.  Raises
    TranslationError."""
    ordered = [stage for stage in STAGES if stage in stages]  # a stage changes the graph before
    texts = [show_graph(translation, function, Look(stage)) for stage in ordered]
    columns = [[stage, "", *text.splitlines()] for stage, text in zip(ordered, texts)]
    widths = [max(map(len, column)) for column in columns]
    rows = itertools.zip_longest(*columns, fillvalue="")
    lines = (" | ".join(f"{cell:{w}}" for cell, w in zip(row, widths)).rstrip() for row in rows)
    return "\n".join(lines) + "\n"


def _at_stage(translation: Translation, graph: FunctionGraph, stage: str) -> FunctionGraph:
    if stage == "flow":
        assert graph.func is not None
        return graph_of(graph.func)
    if stage == "annotated":
        translation.refine()
        return graph
    if stage == "lowlevel":
        translation.rtype()
        return translation.llgraph(graph)
    program = translation.optimise()
    shown = translation.llgraph(graph)
    if stage == "optimised":
        return shown
    passes = COLLECTORS[translation.options.gc].passes
    return lower(_with(program, shown), passes).graphs[shown]


def _with(program: Program, graph: FunctionGraph) -> Program:
    """The program with a graph among its own that is inlined, perhaps, wherever it was called."""
    if graph in call_graph(program).calls:
        return program
    return replace(program, exports={**program.exports, graph.name: graph})


def _unknown(translation: Translation, function: str) -> TranslationError:
    """There is no such function: which may be meant, those of the program's file first."""
    graphs = _by_home(translation)
    own = [_name_of(graph) for graph in graphs if _is_beside(graph, translation)]
    names = list(map(_name_of, graphs))
    meant = did_you_mean(function, own) or did_you_mean(function, names)
    listed = ", ".join(sorted(own)[:40] or sorted(names)[:40])
    return TranslationError(
        f"the program has no function {function!r}", hint=meant or f"functions: {listed}"
    )


def show_functions(translation: Translation) -> str:
    """The functions of a program that is annotated, each with its place: those of its file first,
    in their order, and then those of its other files."""
    graphs = [graph for graph in _by_home(translation) if graph.home.is_program]
    rows = dict.fromkeys((_name_of(graph), f"{graph.span}") for graph in graphs)
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {place}\n" for name, place in rows)


def _by_home(translation: Translation) -> list[FunctionGraph]:
    """The graphs of a program but for helpers: those of its file, of others, of the library."""
    graphs = [graph for graph in translation.annotator.graphs if not graph.is_helper]

    def order(graph: FunctionGraph) -> tuple[bool, bool, str, int]:
        beside = _is_beside(graph, translation)
        return not beside, not graph.home.is_program, graph.span.filename, graph.span.line

    return sorted(graphs, key=order)


def _is_beside(graph: FunctionGraph, translation: Translation) -> bool:
    """Is the function in the file of the entry point?"""
    return graph.span.filename == translation.func.__code__.co_filename


def _name_of(graph: FunctionGraph) -> str:
    """What a function is called by who asks for it."""
    return str(getattr(graph.func, "__qualname__", graph.name))


# -- passes


def _recorded(
    translation: Translation, graph: FunctionGraph, pass_name: str
) -> tuple[Table, History, list[Stage]]:
    """The stages of the low-level graph up to that pass; where a pass runs several times,
    ``NAME.2`` is the second one.  Raises TranslationError for a pass that is not run."""
    translation.rtype()
    shown = translation.llgraph(graph)
    recorder = Recorder(lambda each: each is shown)
    recorder.typed([shown])
    program = translation.optimise(recorder)
    if pass_name not in recorder.passes:
        passes = COLLECTORS[translation.options.gc].passes
        lower(_with(program, shown), passes, observer=recorder)
    if pass_name not in recorder.passes:
        known = pass_name in PASSES or pass_name in LOWERING_PASSES
        what = "is not run for this program" if known else "does not exist"
        hint = did_you_mean(pass_name, recorder.passes) or f"passes: {', '.join(recorder.passes)}"
        raise TranslationError(f"the pass {pass_name!r} {what}", hint=hint)
    run = recorder.passes[: recorder.passes.index(pass_name) + 1]
    history = recorder.history(shown)
    return recorder.files, history, [s for s in history.stages if s.name in ("lowlevel", *run)]


def _difference(translation: Translation, graph: FunctionGraph, pass_name: str) -> str:
    """What a pass did to the graph, as ``diff -u`` shows it."""
    _, history, stages = _recorded(translation, graph, pass_name)
    if stages[-1].name != pass_name:
        return f"{pass_name} does not change {graph.name}\n"
    before, after = stages[-2:]
    old, new = (history.text(stage).splitlines() for stage in (before, after))
    lines = difflib.unified_diff(old, new, before.name, after.name, lineterm="")
    return "".join(f"{line}\n" for line in lines)
