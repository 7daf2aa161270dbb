"""Lower a call of a small function of the library where it stands.

    v = any(xs)          the blocks of ``any`` become blocks of the caller's low-level graph,
                    ->   annotated for this call's arguments; ``return`` goes on behind the call,
                         and what it raises goes where the call's exceptions go

All of it is at the caller's span: no traceback shows a frame of the library, and an iterator
that is passed escapes no more than in a loop that the program writes itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rpython.rtyper.graphtyper import GraphTyper, Handlers, Values
from rpython.rtyper.oplist import LowLevelOpList
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import Block, FunctionGraph, Link, Value
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


class Expansion(GraphTyper):
    """Lowers the annotated ``graph`` into the graph that ``caller`` appends to."""

    def __init__(
        self, rtyper: RPythonTyper, graph: FunctionGraph, caller: LowLevelOpList,
        args: Sequence[Value],
    ) -> None:  # fmt: skip
        super().__init__(rtyper, graph, caller.graphtyper.llgraph)
        self.caller = caller
        entries = rtyper.annotator.entries(graph)
        returns = [e for e in entries.get(graph.returnblock, ()) if e in self.annotator.followed]
        self._only_return = returns[0] if len(returns) == 1 else None
        """The link that returns, if it is lowered once: nothing is joined then."""
        if self._only_return is not None and self._only_return.last_exc_value is not None:
            self._only_return = None
        result = rtyper.bindingrepr(graph.getreturnvar()).lowleveltype
        returned = caller.new_join(result)
        self._end = returned
        self._result: Value = returned.inputargs[0]
        self.blocks = {graph.returnblock: returned}
        self._args = args
        if entries[graph.startblock]:
            start = self._target(graph.startblock)
            caller.goto(start, *args)
        self._begin = caller.block
        self._todo = [graph.startblock]

    def expand(self) -> Value:
        """Emit it; what it returns, a value of the Repr of its result."""
        self._build()
        self.caller.at(self._end)
        return self._result

    def _enter(self, block: Block) -> Values:
        if block in self.blocks:
            return super()._enter(block)
        self.llops.at(self._begin)
        return dict(zip(block.inputargs, self._args))

    def is_inside(self, graph: FunctionGraph) -> bool:
        """Is it, or what it is expanded into, an expansion of that graph?"""
        outer = self.caller.graphtyper
        return graph is self.graph or (isinstance(outer, Expansion) and outer.is_inside(graph))

    def _span(self, span: Span) -> Span:
        return self.caller.span or span

    def _handlers(self, block: Block, values: Values, last: bool) -> Handlers | None:
        own, outer = super()._handlers(block, values, last), self.caller.handlers
        if own is None or outer is None:
            return own or outer
        return lambda: [*own(), *outer()]

    def _goto(self, link: Link, values: Values) -> None:
        if link is self._only_return:
            (target,) = link.target.inputargs
            self._result = self._link_arg(link.args[0], target, values)
            self._end = self.llops.block
            return
        if link.target is not self.graph.exceptblock or link not in self.annotator.followed:
            super()._goto(link, values)
            return
        (target,) = link.target.inputargs
        v_exc = self.rtyper.classes.upcast(self._link_arg(link.args[0], target, values), self.llops)
        self.llops.handlers = self.caller.handlers
        if self.llops.handlers is None:
            self.llops.goto(self.llgraph.exceptblock, v_exc)
            self.llops.block.exits[0].span = self.caller.span
        else:
            self.llops.call_pointer(self.rtyper.raise_instance_function(), [v_exc])
            self.llops.unreachable()
            self.llops.handlers = None

    def _blame(self, span: Span, error: TranslationError) -> None:
        error.span = self.caller.span or span


def expanded(
    rtyper: RPythonTyper, llops: LowLevelOpList, graph: FunctionGraph, args: Sequence[Value]
) -> Value | None:
    """A call of an annotated graph, emitted in place; None where it has to be a call."""
    caller = llops.graphtyper
    if graph in rtyper.annotator.texts.dropped:
        return None
    if isinstance(caller, Expansion) and caller.is_inside(graph):
        return None
    return Expansion(rtyper, graph, llops, args).expand()
