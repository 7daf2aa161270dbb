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

The check stands as late as it may: behind tests that only look, where the function has ended
without any call for some of their answers (``if n < 2: return n``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Void
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Variable
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.predicates import effects_of
from rpython.translator.opt.rewrite import entry_counts


def insert_stack_checks(calls: CallGraph) -> list[FunctionGraph]:
    """Put ``stack_check`` in front of what one graph of each cycle does, unless it is there; the
    result is those that were changed."""
    return [graph for graph in graphs_to_check(calls) if _insert_check(graph)]


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


def _insert_check(graph: FunctionGraph) -> bool:
    """Do that; was it missing?"""
    block, entered_by = _place(graph)
    first = block.operations[:1]
    if first and first[0].opname == "stack_check":
        return False
    if entry_counts(graph)[block] > 1:  # calls, not iterations: it gets a block of its own in front
        before = Block([v.copy() for v in block.inputargs])
        before.closeblock(Link(before.inputargs, block))
        if entered_by is None:
            graph.startblock = before
        else:
            entered_by.target = before
        block = before
    check = SpaceOperation(LLOPS["stack_check"], [], Variable("v", Void), _start_span(graph))
    block.operations.insert(0, check)
    return True


def _place(graph: FunctionGraph) -> tuple[Block, Link | None]:
    """The last block through which every way to a call leads, with nothing done before; and the
    link to it, None: it is the first block."""
    calling = _ways_to_calls(graph)
    entries = entry_counts(graph)
    block, entered_by = graph.startblock, None
    while entries[block] == 1 and all(_only_looks(op) for op in block.operations):
        onward = [link for link in block.exits if link.target in calling]
        if len(onward) != 1:
            break
        entered_by = onward[0]
        block = entered_by.target
    return block, entered_by


def _ways_to_calls(graph: FunctionGraph) -> set[Block]:
    """The blocks from which something is called, or may be."""
    entering = predecessors(graph)
    found: set[Block] = set()
    todo = [block for block in entering if any(map(_may_call, block.operations))]
    while todo:
        block = todo.pop()
        if block not in found:
            found.add(block)
            todo += [link.prevblock for link in entering[block] if link.prevblock is not None]
    return found


def _may_call(op: SpaceOperation) -> bool:
    return row_of(op).callees is not None


def _only_looks(op: SpaceOperation) -> bool:
    """Does nobody see whether the operation was done?"""
    effects = effects_of(op)
    return not (_may_call(op) or effects.writes or effects.raises or effects.collects)


def _start_span(graph: FunctionGraph) -> Span:
    """Where the function begins; tracebacks end with its caller, as the call failed."""
    spans = (op.span for _, op in graph.iterblockops() if op.span.line)
    span = graph.span if graph.span.line else next(spans, graph.span)
    return replace(span, hidden=True)
