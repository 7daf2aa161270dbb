"""What shows users and tests the graphs of a function: ``show``, ``graph_of``.

``rpython`` re-exports these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rpython.backend_c.build import function_source
from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem.text import print_lowlevel
from rpython.translator.api import require_function, translation_of
from rpython.translator.driver import Translation, graph_named
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.printer import print_graph
from rpython.translator.lower.runner import lower
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.options import Options

STAGES = ("flow", "annotated", "lowlevel", "optimised", "lowered", "c")


def graph_of(f: Callable[..., Any]) -> FunctionGraph:
    """The flow graph of a function, before annotation.  Raises FlowError."""
    return build_flow(require_function(f))


def show(
    f: Callable[..., Any], types: Sequence[Any] | None = None, stage: str = "lowlevel",
    function: str = "", options: Options | None = None,
) -> str:  # fmt: skip
    """The text of a function's graph at a stage: 'flow', 'annotated', 'lowlevel',
    'optimised', 'lowered' or 'c'.

    ``function``: the name of another function that ``f`` reaches.  Raises TranslationError.
    """
    if stage not in STAGES:
        raise TranslationError(f"no stage {stage!r}", hint=f"stages: {', '.join(STAGES)}")
    if stage == "flow" and not function:
        return print_graph(graph_of(f))
    name = function or require_function(f).__qualname__
    return show_graph(translation_of(f, types, options), name, stage)


def show_graph(translation: Translation, function: str, stage: str) -> str:
    """The text of the graph of ``function`` at a stage.  Raises TranslationError."""
    try:
        graph = graph_named(translation, function)
    except KeyError:
        names = [g.name for g in translation.annotator.graphs if not g.is_helper]
        raise TranslationError(
            f"the program has no function {function!r}",
            hint=f"functions: {', '.join(sorted(names)[:40])}",
        ) from None
    if stage == "flow":
        assert graph.func is not None
        return print_graph(graph_of(graph.func))
    if stage == "annotated":
        return print_graph(graph)
    if stage == "lowlevel":
        translation.rtype()
        return print_lowlevel(translation.llgraph(graph))
    program = translation.optimise()
    shown = translation.llgraph(graph)
    if stage == "optimised":
        return print_lowlevel(shown)
    if shown not in call_graph(program).calls:  # inlined wherever it was called
        program = replace(program, exports={**program.exports, shown.name: shown})
    if stage == "lowered":
        lowered = lower(program, COLLECTORS[translation.options.gc].passes)
        return print_lowlevel(lowered.graphs[shown])
    return function_source(program, shown)

