"""Running finalizers of dead objects: calls of ``__del__`` and what fills the
FinalizerQueues (``annotator.program.finalizers``).

A collection only notes the dead objects.  Their finalizers run between two operations of the
program, when no helper is at work on a list or a dict and library code has returned: behind the
operations of the program's own functions that may have collected.

    v = direct_call(ll_append, l, x)
    ->
    v = direct_call(ll_append, l, x)
    direct_call(run_due)            if gc_finalizers_due(): direct_call(run_finalizers)

``run_finalizers`` takes one dead object after the other and calls what was annotated for it.  It
is an ordinary graph, so that every analysis sees what finalizers do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rpython.annotator.program.finalizers import Handler
from rpython.lltypesystem.lltype import (
    Bool,
    FuncType,
    Ptr,
    Signed,
    Void,
    _ptr,
    cast_pointer,
    functionptr,
)
from rpython.lltypesystem.operations.llop import makes_object
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.simulated.containers import FinalizerState
from rpython.rtyper.boundary.marshal import Frame
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span
from rpython.translator.opt.callgraph import reachable
from rpython.translator.opt.facts import collects_itself
from rpython.translator.opt.summaries import Fact, Summaries

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

_NOTHING = FuncType([], Void)


class FinalizerTable:
    """The finalizers of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self.known = rtyper.annotator.finalizers
        self.state = Constant(FinalizerState(), Void)
        self._prebuilt: list[_ptr] = []
        self._used = False
        self._finished = False
        self.asked: list[FunctionGraph] = []
        """Graphs that others call for a collection: what is dead is finalized then."""
        self.exit_graph: FunctionGraph | None = None
        """What an executable calls when the program has ended; None when it has nothing to
        call."""

    # -- what operations need ------------------------------------------------------------------

    def register(self, llops: LowLevelOpList, v: Value, number: int) -> None:
        """Emit: note the object, whose finalizer runs when it is dead."""
        self._used = True
        self.state.value.observed = True
        v_object = self.rtyper.classes.upcast(v, llops)
        number_of = Constant(number, Signed)
        llops.genop("gc_register_finalizer", [self.state, v_object, number_of])

    def register_new(self, llops: LowLevelOpList, v: Value, classdef: ClassDef) -> None:
        """Emit: note this new instance, if its class has a ``__del__``."""
        if self.known.method_definer(classdef) is not None:
            self.register(llops, v, 0)

    def note_prebuilt(self, p: _ptr, classdef: ClassDef) -> None:
        """The program has this instance from the start, and an executable at its end."""
        if self.known.method_definer(classdef) is not None:
            self._used = True
            self._prebuilt.append(cast_pointer(OBJECTPTR, p))

    # -- at the end ----------------------------------------------------------------------------

    def finish(self) -> bool:
        """Once, when everything is lowered: make the graphs that run finalizers, and call them.
        Is there anything to be lowered now?"""
        if not self._used or self._finished:
            return False
        self._finished = True
        graphs = reachable(self.rtyper.llgraphs.values())
        run_finalizers = self._run_all()
        run_due = self._run_if_due(run_finalizers)
        collected = self._collected(run_due)
        self.exit_graph = self._at_exit(run_due, collected)
        _SafePoints(graphs, self.asked, run_due, collected).insert()
        return True

    def _run_all(self) -> _ptr:
        """``run_finalizers``: until there is no dead object, call what belongs to the next one."""
        frame = _Frame(self.rtyper, "run_finalizers")
        llops = frame.llops
        again, done = Block([]), Block([])
        llops.goto(again)
        llops.at(again)
        v_dead = llops.genop("gc_next_dead", [self.state], OBJECTPTR)
        some, none = llops.branch(llops.genop("ptr_nonzero", [v_dead], Bool))
        llops.at(none)
        llops.goto(done)
        llops.at(some)
        llops.handlers = lambda: [self._ignored(again)]
        if self.known.queues:
            v_number = llops.genop("gc_dead_number", [self.state], Signed)
            for number, handler in enumerate(self.known.queues.values(), 1):
                v_same = llops.genop("int_eq", [v_number, Constant(number, Signed)], Bool)
                self._call_if(llops, v_same, handler, v_dead, again)
        methods = sorted(self.known.methods.values(), key=lambda each: -each.classdef.depth)
        for handler in methods:
            v_its = self.rtyper.classes.isinstance_test(v_dead, handler.classdef, llops)
            self._call_if(llops, v_its, handler, v_dead, again)
        llops.handlers = None
        llops.goto(again)
        llops.at(done)
        return frame.pointer()

    def _call_if(
        self, llops: LowLevelOpList, v_condition: Value, handler: Handler, v_dead: Value,
        again: Block,
    ) -> None:  # fmt: skip
        yes, no = llops.branch(v_condition)
        llops.at(yes)
        v = self.rtyper.classes.downcast(v_dead, handler.classdef, llops)
        desc = self.rtyper.annotator.constants.function_desc(handler.function)
        llops.call_pointer(self.rtyper.graph_pointer(desc.graph()), [v])
        llops.goto(again)
        llops.at(no)

    def _ignored(self, target: Block) -> Link:
        """What a handler that had no stack left raises."""
        link = Link([], target, BaseException)
        link.last_exc_value = Variable("ignored", OBJECTPTR)
        base = self.rtyper.annotator.constants.classdef(BaseException)
        link.llexitcase = self.rtyper.classes.vtable(base)
        return link

    def _run_if_due(self, run_finalizers: _ptr) -> _ptr:
        frame = _Frame(self.rtyper, "run_due")
        llops = frame.llops
        done = Block([])
        due, none = llops.branch(llops.genop("gc_finalizers_due", [self.state], Bool))
        llops.at(due)
        llops.call_pointer(run_finalizers, [])
        llops.goto(done)
        llops.at(none)
        llops.goto(done)
        llops.at(done)
        return frame.pointer()

    def _collected(self, run_due: _ptr) -> _ptr:
        """After a collection that the program asked for: objects whose turn comes when others
        are gone are finalized as well."""
        frame = _Frame(self.rtyper, "after_collect")
        llops = frame.llops
        again, done = Block([]), Block([])
        llops.goto(again)
        llops.at(again)
        llops.call_pointer(run_due, [])
        waiting, none = llops.branch(llops.genop("gc_finalizers_waiting", [self.state], Bool))
        llops.at(waiting)
        llops.genop("gc_collect", [self.state])
        llops.goto(again)
        llops.at(none)
        llops.goto(done)
        llops.at(done)
        return frame.pointer()

    def _at_exit(self, run_due: _ptr, collected: _ptr) -> FunctionGraph:
        """First what is dead, then what is alive."""
        frame = _Frame(self.rtyper, "rpy_finalize")
        frame.llops.genop("gc_collect", [self.state])
        frame.llops.call_pointer(collected, [])
        for p in self._prebuilt:
            arguments = [self.state, Constant(p, OBJECTPTR), Constant(0, Signed)]
            frame.llops.genop("gc_register_finalizer", arguments)
        frame.llops.genop("gc_condemn", [self.state])
        frame.llops.call_pointer(run_due, [])
        graph: FunctionGraph = frame.pointer()._obj.graph
        return graph


class _Frame(Frame):
    """A low-level graph without arguments and result."""

    def __init__(self, rtyper: RPythonTyper, name: str) -> None:
        super().__init__(rtyper, name, _NOTHING)

    def pointer(self) -> _ptr:
        graph = self.finish(Constant(None, Void))
        return functionptr(_NOTHING, graph.name, graph=graph)


def is_programs_own(graph: FunctionGraph) -> bool:
    """Is the graph a function of the program, not a helper or one of the library's?"""
    return not graph.is_helper and graph.func is not None and not graph.home.is_ours


class _SafePoints:
    """Where finalizers run: in the program's own functions, behind what may have collected."""

    def __init__(
        self, graphs: list[FunctionGraph], asked: list[FunctionGraph], run_due: _ptr,
        collected: _ptr,
    ) -> None:  # fmt: skip
        self.own = [graph for graph in graphs if is_programs_own(graph)]
        self.asked = asked
        self.run_due = run_due
        self.collected = collected
        self._summaries = Summaries()

    def insert(self) -> None:
        for graph in self.own:
            points = _Points(graph)
            for block in graph.iterblocks():
                for index in range(len(block.operations) - 1, -1, -1):
                    op = block.operations[index]
                    if self._summaries.of_op(_LEAVES_DEAD, op):
                        points.add(block, index)
                        break
            points.insert(self.run_due)
        for graph in (*self.own, *self.asked):
            self._after_collections(graph)

    def _after_collections(self, graph: FunctionGraph) -> None:
        for block in graph.iterblocks():
            for index in reversed(range(len(block.operations))):
                op = block.operations[index]
                if op.opname == "gc_collect":
                    block.operations.insert(index + 1, _call(self.collected, op.span))


class _Points:
    """Where operations of the program that consist of several low-level ones are over: all of those
    are at one place of the source, also when they are a loop, such as ``list(d.items())``."""

    def __init__(self, graph: FunctionGraph) -> None:
        self.graph = graph
        self.places: set[tuple[Block, int]] = set()
        self.links: dict[Link, Block] = {}
        """Those on which nothing follows, and the blocks that they leave."""

    def add(self, block: Block, index: int) -> None:
        """Behind the operation that the one with this index is a part of."""
        self._follow(block, index, block.operations[index].span, set())

    def _follow(self, block: Block, index: int, span: Span, seen: set[Block]) -> None:
        todo = [(block, index)]
        while todo:
            block, index = todo.pop()
            while index < len(block.operations) and block.operations[index].span == span:
                index += 1
            if index < len(block.operations):
                self.places.add((block, index))
                continue
            for link in block.exits[:1] if block.canraise else block.exits:
                if link.target is self.graph.returnblock:
                    self.links[link] = block
                elif link.target is not self.graph.exceptblock and link.target not in seen:
                    seen.add(link.target)
                    todo.append((link.target, 0))

    def insert(self, function: _ptr) -> None:
        """Put calls there."""
        for block, index in sorted(self.places, key=lambda place: -place[1]):
            block.operations.insert(index, _call(function, block.operations[index].span))
        for link, block in self.links.items():
            between = Block([])
            near = block.operations[-1].span if block.operations else self.graph.span
            between.operations.append(_call(function, near))
            between.closeblock(Link(link.args, link.target))
            link.args, link.target = [], between


def _collects_in_helpers(
    graph: FunctionGraph, collects: Callable[[SpaceOperation], bool]
) -> bool:
    """May the graph have collected when it returns?  The program's own functions have told of
    what is dead by then."""
    return not is_programs_own(graph) and any(collects(op) for _, op in graph.iterblockops())


_LEAVES_DEAD = Fact(
    "leaves dead objects", False, False,
    lambda op: op.opname == "gc_collect" or (makes_object(op) and collects_itself(op)),
    inside=False, of_graph=_collects_in_helpers,
)  # fmt: skip


def _call(function: _ptr, span: Span) -> SpaceOperation:
    callee = Constant(function, Ptr(_NOTHING))
    return SpaceOperation(LLOPS["direct_call"], [callee], Variable("v", Void), span)
