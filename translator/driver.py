"""The stages of a translation, in order.

    Translation(f, [annotations])
        .annotate()       flow graphs, annotated           annotator
        .refine()         passes over annotated graphs     annotator.passes
        .rtype()          low-level graphs                 rtyper
        .optimise()       the pipeline of passes           translator.opt

Each stage runs the ones before it, once.  ``seconds`` says how long each took.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.passes import run_annotated_passes
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.program import Program
from rpython.rtyper.helperlibrary import helper_library
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.ir.hostgc import collecting_seldom
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.verifier import verify
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.fuel import Fuel
from rpython.translator.opt.inline import Inlining, Remark
from rpython.translator.opt.observing import NOBODY, Observer
from rpython.translator.opt.runner import (
    Timing,
    annotated_passes,
    run_passes,
    whole_pipeline,
)
from rpython.translator.options import Options

Setup = Callable[[RPythonTyper], dict[str, FunctionGraph]]


class Translation:
    """Translates one function and everything it reaches."""

    def __init__(
        self,
        func: FunctionType,
        args_s: Sequence[SomeObject],
        options: Options | None = None,
        annotator: RPythonAnnotator | None = None,
        setup: Setup | None = None,
    ) -> None:
        """``args_s``: the annotations of the arguments.  ``annotator``: one that already
        knows some constants.  ``setup``: called with the rtyper before lowering; the
        graphs it returns are exported by name besides the function's own."""
        self.func = func
        self.args_s = list(args_s)
        self.options = options or Options()
        self.annotator = annotator or RPythonAnnotator()
        self.setup = setup
        self.more_passes: tuple[str, ...] = ()
        """Passes that this kind of program needs, after those of the options."""
        self.seconds: dict[str, float] = {}
        self.timings: list[Timing] = []
        self.fuel: Fuel | None = None
        """How many rewrites the passes may do; None: all."""
        self.remarks: list[Remark] = []
        """What became of each call, where calls were inlined."""
        self._graph: FunctionGraph | None = None
        self._rtyper: RPythonTyper | None = None
        self._program: Program | None = None
        self._refined = False
        self._optimised = False

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        with _section(f"translation-{stage}"), collecting_seldom():
            yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - started

    def notes(self) -> Iterator[str]:
        """What else there is to be said of the annotated program."""
        return iter(())

    def annotate(self) -> FunctionGraph:
        """The annotated graph of the function.  Raises TranslationError."""
        if self._graph is None:
            with self._timed("annotate"):
                graph = self.annotator.flow_function(self.func, self.args_s)
                self.annotator.complete()
            if self.options.verify:
                with self._timed("verify"):
                    for each in self.annotator.graphs:
                        verify(each, "flow")
            self._graph = graph
        return self._graph

    def refine(self) -> FunctionGraph:
        """The annotated graph of the function, after the passes over annotated graphs.  Raises
        TranslationError."""
        graph = self.annotate()
        if not self._refined:
            self._refined = True
            with self._timed("annotate"):
                run_annotated_passes(self.annotator, annotated_passes(self.options.passes))
        return graph

    @property
    def rtyper(self) -> RPythonTyper:
        self.rtype()
        assert self._rtyper is not None
        return self._rtyper

    def rtype(self) -> Program:
        """The low-level program, not optimised.  Raises TranslationError."""
        if self._program is None:
            graph = self.refine()
            with self._timed("rtype"):
                rtyper = self._rtyper = self.new_rtyper()
                exports = self.setup(rtyper) if self.setup is not None else None
                self._program = rtyper.program(graph, exports)
            self._verify_all("rtyper")
        return self._program

    def new_rtyper(self) -> RPythonTyper:
        """What lowers the program."""
        return RPythonTyper(self.annotator, library=helper_library(self.options.passes))

    def _verify_all(self, stage: str) -> None:
        if self.options.verify and self._program is not None:
            with self._timed("verify"):
                for graph in call_graph(self._program).graphs:
                    if graph.stage == "lowlevel":
                        verify(graph, stage)
                        check_graph(graph, stage)

    def optimise(self, observer: Observer = NOBODY) -> Program:
        """The low-level program after the pipeline of passes, which is run once; ``observer``: is
        told what each pass did."""
        program = self.rtype()
        if not self._optimised:
            self._optimised = True
            more = ("insert_gil_safepoints",) if program.threaded else self.more_passes
            with self._timed("optimise"):
                self.timings = run_passes(
                    whole_pipeline(self.options.passes, more, self.options.debug),
                    call_graph(program).graphs,
                    calls=lambda: call_graph(program),
                    observer=observer,
                    verified=self.options.verify,
                    threaded=program.threaded,
                    inlining=Inlining(self.remarks),
                    fuel=self.fuel,
                )
        return program

    def llgraph(self, graph: FunctionGraph) -> FunctionGraph:
        """The low-level graph made from an annotated one."""
        return self.rtyper.llgraphs[graph]

    def result_annotation(self) -> SomeObject:
        """What the function returns."""
        return self.annotator.binding(self.annotate().getreturnvar())


@contextmanager
def _section(category: str) -> Iterator[None]:
    """A section of the log that PYPYLOG asks for, which is loaded then."""
    if "PYPYLOG" not in os.environ:
        yield
        return
    debug: Any = importlib.import_module("rpython.rlib.debug")
    debug.debug_start(category)
    try:
        yield
    finally:
        debug.debug_stop(category)


def annotated(translation: Translation) -> Translation:
    """The same, annotated.  Raises TranslationError."""
    translation.annotate()
    return translation


def graph_named(translation: Translation, name: str) -> FunctionGraph:
    """The annotated graph of the function with this (qualified) name.  Raises KeyError."""
    translation.annotate()
    for graph in translation.annotator.graphs:
        function: Any = graph.func
        if not graph.is_helper and name in (graph.name, getattr(function, "__qualname__", None)):
            return graph
    raise KeyError(name)
