"""RPython's classic ways to drive a translation by hand.

    t = TranslationContext()
    t.buildannotator().build_types(f, [int])
    t.buildrtyper().specialize()
    LLInterpreter(t.rtyper).eval_graph(graphof(t, f), [3])

    Translation(f, [int]).compile_c()(3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from annotator.annotator import RPythonAnnotator
from annotator.model import SomeObject
from backend_c.build import function_source
from rtyper.rtyper import RPythonTyper
from translator.flow.build import build_flow
from translator.interactive import translation_of
from translator.ir.model import FunctionGraph
from translator.nativecall import NativeFunction


class TranslationContext:
    """The graphs of a program, and who annotates and lowers them."""

    def __init__(self) -> None:
        self.annotator: RPythonAnnotator | None = None
        self.rtyper: RPythonTyper | None = None
        self._flow: dict[Any, FunctionGraph] = {}

    @property
    def graphs(self) -> list[FunctionGraph]:
        """The graphs at the stage reached: low-level after ``rtyper.specialize()``, annotated
        after ``buildannotator()``, else those that ``buildflowgraph`` made."""
        if self.rtyper is not None and self.rtyper.llgraphs:
            return list(self.rtyper.llgraphs.values())
        if self.annotator is not None:
            return list(self.annotator.graphs)
        return list(self._flow.values())

    def buildflowgraph(self, func: Any) -> FunctionGraph:
        """The flow graph of a Python function, the same one whenever it is asked for.
        Raises FlowError."""
        if func not in self._flow:
            self._flow[func] = build_flow(func)
        return self._flow[func]

    def buildannotator(self) -> RPythonAnnotator:
        """The annotator of this program, made once; its ``build_types`` does the work."""
        if self.annotator is None:
            self.annotator = RPythonAnnotator()
        return self.annotator

    def buildrtyper(self) -> RPythonTyper:
        """The rtyper for all that was annotated, made once; its ``specialize()`` does the work.
        Raises ValueError when nothing was annotated."""
        if self.rtyper is None:
            if self.annotator is None:
                raise ValueError("buildrtyper() comes after buildannotator().build_types(...)")
            self.rtyper = RPythonTyper(self.annotator)
            for graph in self.annotator.graphs:
                self.rtyper.graph_pointer(graph)
        return self.rtyper


def graphof(translator: TranslationContext, func: Any) -> FunctionGraph:
    """The graph of a function at the stage reached.  Raises KeyError when there is none, or
    when the function has several."""
    found = [graph for graph in translator.graphs if graph.func is func]
    if len(found) != 1:
        raise KeyError(f"{len(found)} graphs of {func!r}")
    return found[0]


class Translation:
    """One function on its way to native code, stage by stage; each runs those before it.

    ``argtypes``: as for ``rpython.compile``.  Raises TranslationError where the program is
    refused.
    """

    def __init__(self, entry_point: Callable[..., Any], argtypes: Sequence[Any] | None = None):
        self.entry_point = entry_point
        self.argtypes = argtypes
        self.driver = translation_of(entry_point, argtypes)

    def annotate(self) -> SomeObject:
        """What the function returns."""
        return self.driver.result_annotation()

    def rtype(self) -> FunctionGraph:
        """The low-level graph of the function."""
        return self.driver.rtype().entry

    def backendopt(self) -> FunctionGraph:
        """The same after the pipeline of passes."""
        return self.driver.optimise().entry

    def source(self) -> str:
        """The C text of the function."""
        program = self.driver.optimise()
        return function_source(program, program.entry)

    def compile_c(self) -> NativeFunction:
        """The function as native code."""
        return NativeFunction(self.entry_point, self.argtypes)

    compile = compile_c
