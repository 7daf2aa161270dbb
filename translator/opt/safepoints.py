"""Insert safe points into loops, where signals and other threads can stop the program.

::

    b1(i):                                  b1(i):
        t0 = int_lt(i, n)           ->          safepoint()
        if t0 goto b2() else return(i)          t0 = int_lt(i, n)
    b2():                                       ...
        f(i)                                b2():
        goto b1(i1)                             (as before)

A loop without others in it that looks through the items of a list or the like, and changes, calls
and raises nothing, does without: it could be twice as slow for it, and ends soon.  So does one that
is known to be short, low-level helpers, whose loops end when they are through with some data, and
loops that the front end gave safe points where they belong (``translator.flow.safepoints``).
Recursion needs none: checks of the stack are safe points.

A loop that counts, calls nothing slow (``facts.IS_SLOW``) and has no other loop in it has a safe
point for each ``strip_mine.TURNS`` turns.

The front end does not know the loops that operations are made of (``sum(generator)``).  Where
what such a loop calls has handlers that would catch KeyboardInterrupt, the safe point is before the
call, and has them, too.
"""

from __future__ import annotations

from collections.abc import Container

from rpython.lltypesystem.interp.shape import count_uses
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Void
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.home import Home
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Variable
from rpython.translator.ir.span import Span
from rpython.translator.opt.counted_loops import CountedLoops
from rpython.translator.opt.loops import Count, Loop, loops_of
from rpython.translator.opt.rewrite import copy_exception_link
from rpython.translator.opt.strip_mine import can_strip, strip_mine
from rpython.translator.opt.summaries import Summaries


def insert_safepoints(graph: FunctionGraph, summaries: Summaries, threaded: bool = False) -> bool:
    """Put ``safepoint`` into every loop that needs one; was there any?
    ``threaded``: what a loop waits for may come from another thread."""
    if graph.is_helper:
        return False
    loops = CountedLoops(graph)
    found = [
        (header, body)
        for header, body in loops.bodies.items()
        if not any(op.opname == "safepoint" for block in body for op in block.operations)
        and not loops.is_short(header)
        and not (loops.bodies.keys() & body == {header} and loops.looks_through(header, threaded))
    ]
    guarded: dict[Block, None] = {}
    stripped = _that_can_be_stripped(graph, dict(found), loops, summaries)
    for header, body in found:
        catching = _first_catching(header, body)
        guarded.update(catching)
        if not catching and header not in stripped:
            header.operations.insert(0, _safepoint(_span(header, graph)))
    for block in guarded:
        _check_before_call(block)
    for header, (loop, count) in stripped.items():
        span = _span(header, graph)
        strip_mine(loop, count, loops.made[count.test]).operations.insert(0, _safepoint(span))
    return bool(found)


def _span(header: Block, graph: FunctionGraph) -> Span:
    return next((op.span for op in header.operations if op.span.line), graph.span)


def _that_can_be_stripped(
    graph: FunctionGraph, found: Container[Block], counted: CountedLoops, summaries: Summaries
) -> dict[Block, tuple[Loop, Count]]:
    """The loops that count, in which no other is, by their headers."""
    counts = {header: count for header, count in counted.counts.items() if header in found}
    if not counts:
        return {}
    uses = count_uses(graph)
    loops = loops_of(graph, DominatorTree(graph))
    headers = {loop.header for loop in loops}
    return {
        loop.header: (loop, counts[loop.header])
        for loop in loops
        if loop.header in counts and len(loop.body & headers) == 1
        and uses[counts[loop.header].test] == 1
        and not _first_catching(loop.header, loop.body)
        and can_strip(loop, counts[loop.header], counted, graph, summaries)
    }  # fmt: skip


def _safepoint(span: Span) -> SpaceOperation:
    return SpaceOperation(LLOPS["safepoint"], [], Variable("v", Void), span)


def _first_catching(header: Block, body: set[Block]) -> dict[Block, None]:
    """The blocks of the loop with handlers that would catch KeyboardInterrupt, to which an
    iteration comes first."""
    result: dict[Block, None] = {}
    todo = [header]
    seen = set(todo)
    while todo:
        block = todo.pop()
        if block.handlers(KeyboardInterrupt):
            result[block] = None
            continue
        for link in block.exits:
            if link.target in body and link.target not in seen:
                seen.add(link.target)
                todo.append(link.target)
    return result


def _check_before_call(block: Block) -> None:
    """Put ``safepoint`` before the operation whose exceptions the block catches, and let its
    exception go where they do."""
    call = Block([])
    call.operations = [block.operations.pop()]
    call.exitswitch = block.exitswitch
    handlers = [copy_exception_link(link) for link in block.handlers(KeyboardInterrupt)]
    call.closeblock(*block.exits)
    block.operations.append(_safepoint(call.operations[0].span))
    block.recloseblock(Link([], call), *handlers)


def insert_gil_safepoints(graph: FunctionGraph, summaries: Summaries) -> bool:
    """The same in a program with threads: the library is not interrupted, as CPython's is not
    where it is written in C."""
    ours = graph.home in (Home.RLIB, Home.PRIVATE, Home.OVERLAY)
    return not ours and insert_safepoints(graph, summaries, True)
