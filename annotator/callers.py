"""Which operations call which graphs, as far as the annotator has come.

An operation that is flowed again may call another graph than before: where a graph is for one
kind of arguments, ``min(n, 1)`` calls another one when ``n`` may be negative after all.
"""

from __future__ import annotations

from collections.abc import Callable

from rpython.annotator.lattice.cells import Position
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.span import Span

Calls = dict[Position, Span | None]
"""Where a graph is called, in the order in which that was found, and where the program says so."""


class Callers:
    """``of[graph]``: the calls of every graph that was flowed so far, those that get another one by
    now among them.

    ``is_entry``: does something that is no operation of the program call a graph, too?
    """

    def __init__(self, is_entry: Callable[[FunctionGraph], bool]) -> None:
        self._is_entry = is_entry
        self.of: dict[FunctionGraph, Calls] = {}
        self._called: dict[Position, set[FunctionGraph]] = {}
        """What each operation calls now."""

    def add_graph(self, graph: FunctionGraph) -> None:
        self.of[graph] = {}

    def add_call(self, graph: FunctionGraph, caller: Position, span: Span | None) -> None:
        self.of[graph][caller] = span
        self._called.setdefault(caller, set()).add(graph)

    def begin(self, caller: Position) -> set[FunctionGraph]:
        """The operation there is flowed (again); the result is what it called before."""
        return self._called.pop(caller, _NOTHING)

    def failed(self, caller: Position, before: set[FunctionGraph]) -> None:
        """It is refused (so far), so nobody knows yet what it will call."""
        self._called[caller] = before | self._called.get(caller, _NOTHING)

    def now(self, graph: FunctionGraph) -> list[Position]:
        """The operations that call the graph."""
        return [place for place in self.of.get(graph, ()) if graph in self._called.get(place, ())]

    def is_root(self, graph: FunctionGraph) -> bool:
        """Does something that is no operation of the program call the graph?"""
        return not self.of[graph] or self._is_entry(graph)

    def above(self, graph: FunctionGraph) -> set[FunctionGraph]:
        """The graph, and all those from which calls lead to it."""
        found = {graph}
        waiting = [graph]
        while waiting:
            callers = {above for above, _, _ in self.now(waiting.pop())} - found
            found |= callers
            waiting += callers
        return found

    def take_left(self) -> set[FunctionGraph]:
        """Forget the graphs that were called, but no call leads to any more from a root."""
        calls: dict[FunctionGraph, list[FunctionGraph]] = {}
        for graph in self.of:
            for above, _, _ in self.now(graph):
                calls.setdefault(above, []).append(graph)
        waiting = list(filter(self.is_root, self.of))
        reached = set(waiting)
        while waiting:
            new = set(calls.get(waiting.pop(), ())) - reached
            reached |= new
            waiting += new
        left = self.of.keys() - reached
        for graph in left:
            del self.of[graph]
        return left


_NOTHING: set[FunctionGraph] = set()
