"""Insert stack checks so that unbounded recursion raises RecursionError.

::

    graph even(n: Signed) -> Bool {         graph even(n: Signed) -> Bool {
    b0(n):                                  b0(n):
        t0 = int_eq(n, 0)           ->          stack_check()
        ...                                     t0 = int_eq(n, 0)
    graph odd(n: Signed) -> Bool {              ...
    b0(n):                                  graph odd(n: Signed) -> Bool {
        t0: Bool = direct_call(@even, ..)       (as before: each cycle has one check)

Every cycle of the call graph must contain a check.  A depth-first walk finds one graph
on each: every cycle has a *back edge*, a call to a graph whose own walk is not finished,
so checking the callees of back edges is enough.  Picking one graph per strongly
connected component would not do: such a component may hold several cycles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rpython.lltypesystem.llops import LLOPS
from rpython.lltypesystem.types import Void
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Variable
from rpython.translator.ir.span import Span
from rpython.translator.opt.callgraph import CallGraph


def insert_stack_checks(calls: CallGraph) -> list[FunctionGraph]:
    """Put ``stack_check`` at the start of one graph of each cycle, unless it is there; the
    result is those that were changed."""
    graphs = [graph for graph in graphs_to_check(calls) if not _is_checked(graph)]
    for graph in graphs:
        _insert_check(graph)
    return graphs


_UNKNOWN = None
"""Stands for "any graph whose address is taken" between callers and callees, so that n
callers and m callees make n + m edges."""

_Node = FunctionGraph | None


def graphs_to_check(calls: CallGraph) -> list[FunctionGraph]:
    """A set of graphs that contains one of every cycle, in a deterministic order."""
    chosen: dict[FunctionGraph, None] = {}
    on_path: set[_Node] = set()
    done: set[_Node] = set()
    for root in calls.graphs:
        if root in done:
            continue
        path: list[tuple[_Node, Iterator[_Node]]] = [(root, _successors(calls, root))]
        on_path.add(root)
        while path:
            node, successors = path[-1]
            for callee in successors:
                if callee in on_path:
                    target = node if callee is _UNKNOWN else callee
                    assert target is not None
                    chosen[target] = None
                elif callee not in done:
                    on_path.add(callee)
                    path.append((callee, _successors(calls, callee)))
                    break
            else:
                path.pop()
                on_path.discard(node)
                done.add(node)
    return list(chosen)


def _successors(calls: CallGraph, node: _Node) -> Iterator[_Node]:
    if node is None:
        yield from calls.taken
        return
    yield from calls.calls[node]
    if node in calls.calls_unknown:
        yield _UNKNOWN


def _is_checked(graph: FunctionGraph) -> bool:
    first = graph.startblock.operations[:1]
    return bool(first) and first[0].opname == "stack_check"


def _insert_check(graph: FunctionGraph) -> None:
    start = graph.startblock
    if any(link.target is start for link in graph.iterlinks()):
        # calls, not iterations: the check gets a block of its own in front
        graph.startblock = Block([v.copy() for v in start.inputargs])
        graph.startblock.closeblock(Link(graph.startblock.inputargs, start))
        start = graph.startblock
    check = SpaceOperation(LLOPS["stack_check"], [], Variable("v", Void), _start_span(graph))
    start.operations.insert(0, check)


def _start_span(graph: FunctionGraph) -> Span:
    """Where the function begins; tracebacks end with its caller, as the call failed."""
    spans = (op.span for _, op in graph.iterblockops() if op.span.line)
    span = graph.span if graph.span.line else next(spans, graph.span)
    return replace(span, hidden=True)
