"""Facts of functions, computed bottom-up over the call graph.

    f: x = malloc(S)                    may collect by itself
    g: direct_call(f)                   may collect because f does
    h: x = int_add(a, b)                does not

A ``Fact`` is a few lines: what an operation contributes by itself, and how contributions are
joined.  ``Summaries`` computes any fact for any function, callees first; functions that call each
other (a strongly connected component) are repeated until nothing changes, from the bottom of the
fact's lattice upwards.  What is computed is kept until ``forget`` says that graphs have changed;
for their callers it is computed again only if what they call has another value then.

Components are found with Tarjan's algorithm ("Depth-first search and linear graph algorithms",
1972), without recursion.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from rpython.lltypesystem.foreign.threads import runs_others
from rpython.lltypesystem.operations.llop import Callees, callees, row_of
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.ir.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Fact(Generic[T]):
    """Something to be known of functions and calls; values form a lattice of finite height.

    ``bottom``: the value of a function that does nothing.  ``unknown``: of one of which nothing is
    known.  ``own``: what an operation contributes by itself; the functions that it calls, and an
    unknown one, are added by ``Summaries``.  ``inside``: does it matter what runs during an
    operation without being called by it (``Callees.calls_back``, other threads)?  ``join``: of two
    contributions.  ``of_graph``: the value of a graph by those of its operations, given as a
    function; None: their join.  ``recursive``: what a function that may call itself, or one that
    calls it, does besides; None: nothing.
    """

    name: str
    bottom: T
    unknown: T
    own: Callable[[SpaceOperation], T]
    inside: bool = True
    join: Callable[[T, T], T] = operator.or_
    of_graph: Callable[[FunctionGraph, Callable[[SpaceOperation], T]], T] | None = None
    recursive: T | None = None


def lets_others_run(op: SpaceOperation) -> bool:
    """Does the operation let other threads run, if there are any?"""
    external = callees(op).external
    return row_of(op).safepoint or (external is not None and runs_others(external))


@dataclass(slots=True)
class _Kept(Generic[T]):
    """A value of a graph, and of what it was computed: the component of the graph, and the values
    of what the graph calls outside of that."""

    value: T
    members: set[FunctionGraph]
    outside: list[T]


class Summaries:
    """The facts of the functions of one program.  ``threaded``: it has several threads."""

    def __init__(self, threaded: bool = False) -> None:
        self.threaded = threaded
        self.ranges: dict[FunctionGraph, Any] = {}
        """The numbers in graphs, as ``ranges.across_calls`` found them: kept until a graph
        changes."""
        self._calls: dict[FunctionGraph, list[FunctionGraph]] = {}
        self._components: list[list[FunctionGraph]] = []
        """Callees before callers."""
        self._ordered: set[FunctionGraph] = set()
        self._values: dict[Fact[Any], dict[FunctionGraph, Any]] = {}
        self._kept: dict[Fact[Any], dict[FunctionGraph, _Kept[Any]]] = {}
        """How the last value of a graph that has not changed since was computed."""
        self._solved: dict[Fact[Any], int] = {}
        """How many components have all their values."""

    # -- answers -----------------------------------------------------------------------------------

    def of_graph(self, fact: Fact[T], graph: FunctionGraph) -> T:
        """The fact of a function and all that it calls."""
        values: dict[FunctionGraph, T] = self._values.setdefault(fact, {})
        if graph not in values:
            self._order_from(graph)
            for component in self._components[self._solved.get(fact, 0) :]:
                if any(each not in values for each in component):
                    self._solve(fact, component, values)
            self._solved[fact] = len(self._components)
        return values[graph]

    def of_op(self, fact: Fact[T], op: SpaceOperation) -> T:
        """The fact of one operation, with what it calls."""
        if row_of(op).callees is None and not self.threaded:
            return fact.own(op)  # nearly all of them
        called = callees(op)
        value = self._without_graphs(fact, op, called)
        for graph in called.graphs:
            value = fact.join(value, self.of_graph(fact, graph))
        return value

    def calls(self, graph: FunctionGraph) -> list[FunctionGraph]:
        """The graphs that the operations of a graph call, each once."""
        if graph not in self._calls:
            found: dict[FunctionGraph, None] = {}
            for _, op in graph.iterblockops():
                if row_of(op).callees is not None:
                    found.update(dict.fromkeys(callees(op).graphs))
            self._calls[graph] = list(found)
        return self._calls[graph]

    def components(self, graphs: Iterable[FunctionGraph]) -> list[list[FunctionGraph]]:
        """The graphs and all that they call, those together that call each other, callees before
        callers."""
        for graph in graphs:
            self._order_from(graph)
        return list(self._components)

    def forget(self, graphs: Iterable[FunctionGraph]) -> None:
        """These graphs have changed: so may the facts of whoever calls them."""
        changed = list(graphs)
        if not changed:
            return
        callers: dict[FunctionGraph, list[FunctionGraph]] = {}
        for caller, called in self._calls.items():
            for each in called:
                callers.setdefault(each, []).append(caller)
        gone = set(changed)
        todo = list(changed)
        while todo:
            for caller in callers.get(todo.pop(), ()):
                if caller not in gone:
                    gone.add(caller)
                    todo.append(caller)
        for graph in changed:
            self._calls.pop(graph, None)
            self.ranges.pop(graph, None)
        for values in self._values.values():
            for graph in gone:
                values.pop(graph, None)
        for kept in self._kept.values():
            for graph in changed:
                kept.pop(graph, None)
        self._components.clear()
        self._ordered.clear()
        self._solved.clear()

    # -- computing ---------------------------------------------------------------------------------

    def _without_graphs(self, fact: Fact[T], op: SpaceOperation, called: Callees) -> T:
        inside = called.calls_back or (self.threaded and lets_others_run(op))
        if called.anybody or (fact.inside and inside):
            return fact.unknown
        return fact.own(op)

    def _solve(
        self, fact: Fact[T], component: list[FunctionGraph], values: dict[FunctionGraph, T]
    ) -> None:
        """Find the values of functions that call each other, all others being known."""
        members = set(component)
        kept: dict[FunctionGraph, _Kept[T]] = self._kept.setdefault(fact, {})
        outside = {
            graph: [values[called] for called in self.calls(graph) if called not in members]
            for graph in component
        }
        if all(
            graph in kept
            and kept[graph].members == members
            and kept[graph].outside == outside[graph]
            for graph in component
        ):
            values.update((graph, kept[graph].value) for graph in component)
            return
        self._repeat(fact, component, members, values)
        for graph in component:
            kept[graph] = _Kept(values[graph], members, outside[graph])

    def _repeat(
        self, fact: Fact[T], component: list[FunctionGraph], members: set[FunctionGraph],
        values: dict[FunctionGraph, T],
    ) -> None:  # fmt: skip
        """Evaluate the graphs of a component until nothing changes."""
        callers: dict[FunctionGraph, list[FunctionGraph]] = {graph: [] for graph in component}
        for graph in component:
            values[graph] = fact.bottom
            for called in self.calls(graph):
                if called in members:
                    callers[called].append(graph)
        evaluate = self._evaluator(fact, component, values)
        besides = fact.recursive if any(callers.values()) else None
        todo = dict.fromkeys(component)
        while todo:
            graph = next(iter(todo))
            del todo[graph]
            value = evaluate(graph)
            if besides is not None:
                value = fact.join(value, besides)
            if value != values[graph]:
                values[graph] = value
                todo.update(dict.fromkeys(callers[graph]))

    def _evaluator(
        self, fact: Fact[T], component: list[FunctionGraph], values: dict[FunctionGraph, T]
    ) -> Callable[[FunctionGraph], T]:
        """What gives the value of a graph by the present ``values``."""
        of_graph = fact.of_graph
        if of_graph is not None:
            return lambda graph: of_graph(graph, lambda op: self.of_op(fact, op))
        own: dict[FunctionGraph, T] = {}
        for graph in component:
            value = fact.bottom
            for _, op in graph.iterblockops():
                if row_of(op).callees is None and not self.threaded:
                    value = fact.join(value, fact.own(op))
                else:
                    value = fact.join(value, self._without_graphs(fact, op, callees(op)))
            own[graph] = value

        def joined(graph: FunctionGraph) -> T:
            value = own[graph]
            for called in self.calls(graph):
                value = fact.join(value, values[called])
            return value

        return joined

    def _order_from(self, root: FunctionGraph) -> None:
        """Add the components that can be reached from ``root``."""
        if root in self._ordered:
            return
        number: dict[FunctionGraph, int] = {root: 0}
        low: dict[FunctionGraph, int] = {root: 0}
        open_graphs = [root]
        path: list[tuple[FunctionGraph, Iterator[FunctionGraph]]] = [(root, iter(self.calls(root)))]
        while path:
            graph, rest = path[-1]
            for called in rest:
                if called in self._ordered:
                    continue
                if called in number:
                    low[graph] = min(low[graph], number[called])
                    continue
                number[called] = low[called] = len(number)
                open_graphs.append(called)
                path.append((called, iter(self.calls(called))))
                break
            else:
                path.pop()
                if path:
                    caller = path[-1][0]
                    low[caller] = min(low[caller], low[graph])
                if low[graph] == number[graph]:
                    component = [open_graphs.pop()]
                    while component[-1] is not graph:
                        component.append(open_graphs.pop())
                    self._components.append(component)
                    self._ordered.update(component)
