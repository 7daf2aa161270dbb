"""Annotate lazy messages of exceptions last, and drop methods that only they call.

    raise Wrapped(item)         str(e) is repr(item), which may call item.__repr__
    items[key]                  KeyError: key.__repr__ may be called

These texts are annotated last, when everything else is.  A method that cannot be translated (one
for debugging, as a rule) and that only texts lead to is *dropped*: translated, it raises
NotImplementedError, and the report of an uncaught exception says that there is no text.  What the
program itself calls is never dropped: the error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator
    from rpython.annotator.context import OpContext
    from rpython.annotator.program.desc import FunctionDesc

Rule = Callable[["OpContext", SomeObject], object]
"""The transfer rule of ``str`` or ``repr``."""


class Texts:
    """The texts of exceptions in one program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self.of_super: set[str] = set()
        """Those of ``__str__`` and ``__repr__`` that are called with ``super()`` on exceptions."""
        self.shown_by: dict[FunctionGraph, Span | None] = {}
        """Methods that give texts of arguments of exceptions: where one is made with them."""
        self._requests: dict[tuple[SpaceOperation, int, Rule], tuple[OpContext, SomeObject]] = {}
        self._reports: list[tuple[Callable[..., Any], Sequence[SomeObject]]] = []
        self._reporting: set[FunctionGraph] = set()
        self._entries: dict[FunctionGraph, None] = {}
        """Where the program itself begins: what nobody in it calls."""
        self._shown: dict[FunctionGraph, None] = {}
        """What the texts call."""
        self._calls: dict[FunctionGraph, dict[FunctionGraph, None]] = {}
        """What each graph calls."""
        self.dropped: dict[FunctionGraph, TranslationError] = {}

    # -- asking for texts ------------------------------------------------------------------------

    def request(self, ctx: OpContext, rule: Rule, s: SomeObject, number: int = 0) -> None:
        """The operation makes an exception whose text shows operand ``number``, which is ``s``."""
        self._requests[ctx.op, number, rule] = (ctx, s)

    def report(self, func: Callable[..., Any], args_s: Sequence[SomeObject]) -> None:
        """Annotate a function that reports exceptions, like user code, with the texts."""
        self._reports.append((func, args_s))

    def flow(self) -> bool:
        """Annotate the texts asked for since the last time; were there any?"""
        annotator = self._annotator
        reports, self._reports = self._reports, []
        requests, self._requests = self._requests, {}
        for func, args_s in reports:
            self._reporting.add(annotator.constants.function_desc(func).graph())
            annotator.flow_function(func, args_s)
        for (_, _, rule), (ctx, s) in requests.items():
            annotator.constants.prebuilt.span = ctx.op.span
            annotator.constants.prebuilt.graph = ctx.graph
            try:
                rule(ctx.showing_addresses(), s)
            except TranslationError as error:
                annotator.locate(error, ctx.graph, ctx.op)
                raise
        return bool(reports or requests)

    # -- who calls what --------------------------------------------------------------------------

    def note_entry(self, graph: FunctionGraph) -> None:
        """Something outside of the program calls the graph."""
        if graph not in self._reporting:
            self._entries[graph] = None

    def note_call(self, caller: FunctionGraph, graph: FunctionGraph, shows: bool) -> None:
        """``shows``: the call is what makes the text of an argument of an exception."""
        if shows or caller in self._reporting:
            self._shown[graph] = None
        else:
            self._calls.setdefault(caller, {})[graph] = None

    def is_called_by_no_operation(self, graph: FunctionGraph) -> bool:
        """Does something outside of the program call the graph, or what makes a text?"""
        return graph in self._entries or graph in self._reporting or graph in self._shown

    def is_text(self, graph: FunctionGraph) -> bool:
        """Do only texts lead to this graph?"""
        return graph in self._reached(self._shown) and graph not in self._reached(self._entries)

    def _reached(self, first: Iterable[FunctionGraph]) -> set[FunctionGraph]:
        reached = set(first)
        pending = list(reached)
        while pending:
            for called in self._calls.get(pending.pop(), ()):
                if called not in reached:
                    reached.add(called)
                    pending.append(called)
        return reached

    # -- dropping --------------------------------------------------------------------------------

    def drop(self, graph: FunctionGraph, error: TranslationError) -> bool:
        """The graph cannot be translated: drop it if only texts lead to it.  Is it dropped?"""
        if graph not in self.dropped and self.is_text(graph):
            self.dropped[graph] = error
        return graph in self.dropped

    def graph_without_body(self, desc: FunctionDesc, error: TranslationError) -> FunctionGraph:
        """A dropped graph for a function that has no flow graph."""
        names = desc.signature.graph_args()
        start = Block([Variable(name) for name in names])
        graph = FunctionGraph(desc.func.__name__, start, func=desc.func)
        start.closeblock(Link([Constant(None)], graph.returnblock))
        self.dropped[graph] = error
        return graph

    def name_of(self, graph: FunctionGraph) -> str:
        """What messages call a dropped graph."""
        return getattr(graph.func, "__qualname__", graph.name)

    def errors(self) -> Iterator[TranslationError]:
        """Those of dropped graphs that the program, too, calls by now."""
        if self.dropped:
            reached = self._reached(self._entries)
            yield from (error for graph, error in self.dropped.items() if graph in reached)
