"""RPython's classic ways to drive a translation by hand.

    t = TranslationContext()
    t.buildannotator().build_types(f, [int])
    t.buildrtyper().specialize()
    LLInterpreter(t.rtyper).eval_graph(graphof(t, f), [3])

    Translation(f, [int]).compile_c()(3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.passes import run_annotated_passes
from rpython.backend_c.build import build_executable, function_source
from rpython.rtyper.helperlibrary import helper_library
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.api import translation_of
from rpython.translator.executable import executable_translation
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.nativecall import NativeFunction
from rpython.translator.nativecall import compile as compiled
from rpython.translator.opt.runner import DEFAULT, annotated_passes
from rpython.translator.view.model import Explored, explored, explored_graphs
from rpython.translator.view.opening import in_notebook, view, view_graphs


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
            run_annotated_passes(self.annotator, annotated_passes(DEFAULT))
            self.rtyper = RPythonTyper(self.annotator, library=helper_library(DEFAULT))
            for graph in self.annotator.graphs:
                self.rtyper.graph_pointer(graph)
        return self.rtyper

    def view(self) -> None:
        """Show the graphs of the stage reached, those of the program's own functions first."""
        view_graphs(self.graphs, self._title())

    def viewcg(self) -> None:
        """The same, beginning with the call graph."""
        view_graphs(self.graphs, self._title(), "calls")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return in_notebook(explored_graphs(self.graphs, self._title()))

    def _title(self) -> str:
        return self.graphs[0].name if self.graphs else "nothing"


def graphof(translator: TranslationContext, func: Any) -> FunctionGraph:
    """The graph of a function at the stage reached.  Raises KeyError when there is none, or
    when the function has several."""
    found = [graph for graph in translator.graphs if graph.func is func]
    if len(found) != 1:
        raise KeyError(f"{len(found)} graphs of {func!r}")
    return found[0]


class Translation:
    """One function on its way to native code, stage by stage; each runs those before it.

    ``argtypes``: as for ``rpython.compile``; None for a function of one argument without a type
    hint: it is the ``entry_point(argv)`` of a program.  Raises TranslationError where the program
    is refused.
    """

    def __init__(self, entry_point: Callable[..., Any], argtypes: Sequence[Any] | None = None):
        self.entry_point = entry_point
        self.argtypes = argtypes
        self.standalone = argtypes is None and _is_entry_point(entry_point)
        if self.standalone:
            self.driver = executable_translation(cast(FunctionType, entry_point))
        else:
            self.driver = translation_of(entry_point, argtypes)

    def annotate(self) -> SomeObject:
        """What the function returns."""
        return self.driver.result_annotation()

    def rtype(self) -> FunctionGraph:
        """The low-level graph of the function."""
        return self.driver.llgraph(self._rtyped())

    def _rtyped(self) -> FunctionGraph:
        self.driver.rtype()
        return self.driver.annotate()

    def backendopt(self) -> FunctionGraph:
        """The same after the pipeline of passes."""
        self.driver.optimise()
        return self.rtype()

    def source(self) -> str:
        """The C text of the function."""
        return function_source(self.driver.optimise(), self.rtype())

    def compile_c(self) -> NativeFunction | str:
        """The function as native code; of a program the path of the executable, ``NAME-c`` in the
        current directory."""
        if not self.standalone:
            return compiled(self.entry_point, self.argtypes)
        out = Path(f"{self.entry_point.__name__}-c").absolute()
        return str(build_executable(self.driver.optimise(), out).path)

    compile = compile_c

    def explored(self) -> Explored:
        """What ``rpython explore`` shows."""
        return explored(self.driver, self.entry_point.__name__)

    def view(self) -> None:
        """Show that page."""
        view(self.explored())

    def viewcg(self) -> None:
        """The same, beginning with the call graph."""
        found = self.explored()
        found.index["mode"] = "calls"
        view(found)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return in_notebook(self.explored())


def _is_entry_point(function: Callable[..., Any]) -> bool:
    if not isinstance(function, FunctionType):
        return False
    return function.__code__.co_argcount == 1 and not function.__annotations__
