"""Inline small functions, callees first: which calls, and why not the others.

::

    graph callee(x):                    graph caller():
    b0(x):                              b0():
        y = int_add(x, 1)       ->          return 4
        return y
    graph caller():                     (and callee as before)
    b0():
        y = direct_call(@callee, 3)
        return y

After Cinder's inliner (document 001; ``inline_call`` has its steps): the calls of a function are
collected before any is changed, cheapest first, and the function is cleaned up behind them, so that
its callers see what is left of it.  Everything that is not inlined has a reason, a ``Remark``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence, Set
from dataclasses import field

from rpython.lltypesystem.operations.lengths import length_argument
from rpython.lltypesystem.operations.llop import callees, makes_object, row_of
from rpython.lltypesystem.operations.seldom import calls_seldom, is_never_inlined, is_seldom_called
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation, Value, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import has_loop, natural_loops
from rpython.translator.opt.exact_classes import calls_resolved, resolve_classes
from rpython.translator.opt.fold_constants import fold_constants
from rpython.translator.opt.handler_stack import remove_handler_marks
from rpython.translator.opt.inline_call import can_land, inline_call
from rpython.translator.opt.inline_cost import (
    DEPTH,
    GROWTH,
    LIMIT,
    CallSite,
    calls_of,
    constant_arguments,
    cost_of,
    cost_of_op,
)
from rpython.translator.opt.inline_virtual import split_call, targets_of
from rpython.translator.opt.raise_places import settle_raises
from rpython.translator.opt.raising import ALWAYS_RAISES, MAY_RAISE, cold_blocks
from rpython.translator.opt.remove_dead_operations import remove_dead_operations
from rpython.translator.opt.remove_mallocs import remove_mallocs
from rpython.translator.opt.remove_redundant_args import remove_redundant_args
from rpython.translator.opt.rewrite import may_rewrite
from rpython.translator.opt.simplify_blocks import simplify_blocks
from rpython.translator.opt.summaries import Summaries


@dataclass(frozen=True, slots=True)
class Remark:
    """What became of one call: in which function, where, of which one, and why.  ``unmet``: it was
    to be inlined always, and is not."""

    caller: str
    span: Span
    callee: str
    text: str
    unmet: bool = False

    def __str__(self) -> str:
        return f"{self.span}: in {self.caller}: {self.callee}: {self.text}"


@dataclass(frozen=True, slots=True)
class Inlining:
    """``remarks`` receives one for each call.  ``kept``: functions whose calls stay calls.
    ``library``: there will be other callers, in programs to come."""

    remarks: list[Remark] = field(default_factory=list)
    kept: Set[FunctionGraph] = frozenset()
    library: bool = False


def inline_calls(
    graphs: Sequence[FunctionGraph], summaries: Summaries, how: Inlining
) -> list[FunctionGraph]:
    """Inline calls in these graphs; those that were changed.  In graphs that are optimised already
    only calls of functions that are not: what a program gave to a helper of the library."""
    return _Inliner(graphs, summaries, how, None).run()


def inline(
    graphs: Sequence[FunctionGraph], summaries: Summaries, how: Inlining
) -> list[FunctionGraph]:
    """The same, and clean up each graph that was changed before its callers are looked at."""

    def clean_up(graph: FunctionGraph) -> None:
        simplify_blocks(graph)
        remove_redundant_args(graph)
        fold_constants(graph, summaries)
        remove_handler_marks(graph, summaries)
        simplify_blocks(graph)
        if remove_mallocs(graph):
            remove_redundant_args(graph)
            fold_constants(graph, summaries)
        remove_dead_operations(graph, summaries)
        simplify_blocks(graph)

    return _Inliner(graphs, summaries, how, clean_up).run()


@dataclass(slots=True)
class _Call:
    """A call in the function at hand."""

    block: Block
    op: SpaceOperation
    callee: FunctionGraph
    site: CallSite


class _Inliner:
    def __init__(
        self,
        graphs: Sequence[FunctionGraph],
        summaries: Summaries,
        how: Inlining,
        clean_up: Callable[[FunctionGraph], None] | None,
    ) -> None:
        self._graphs = dict.fromkeys(graphs)
        self._summaries = summaries
        self._how = how
        self._clean_up = clean_up
        self._costs: dict[FunctionGraph, int] = {}
        self._obstacles: dict[FunctionGraph, str] = {}
        self._private: dict[FunctionGraph, list[bool]] = {}
        self._makers: dict[FunctionGraph, bool] = {}
        self._recursive: set[FunctionGraph] = set()
        self._call_counts: Counter[FunctionGraph] = Counter()

    def run(self) -> list[FunctionGraph]:
        """The graphs that were changed."""
        for graph in self._graphs:
            calls = calls_of(graph.iterblocks(), _anybody)
            self._call_counts.update(callee for _, _, callee in calls)
        changed = []
        for component in self._summaries.components(self._graphs):
            if len(component) > 1 or component[0] in self._summaries.calls(component[0]):
                self._recursive.update(component)
            for graph in component:
                if graph in self._graphs and self._work_on(graph):
                    changed.append(graph)
        return changed

    def _work_on(self, graph: FunctionGraph) -> bool:
        """Inline what can be in one graph: was there anything?"""
        done = graph.stage != "optimised" and resolve_classes(graph)
        done |= self._call_directly(graph)
        calls = list(self._collect(graph))
        if not calls:
            return done
        cost = self._measure(graph)
        limit = 3 * cost + GROWTH
        while calls:
            if not self._inline_round(graph, calls, limit):
                break
            done = True
            if self._clean_up is None:
                break
            # whatever it makes by a constructor, it knows the methods of
            resolved = calls_resolved(graph)
            self._clean_up(graph)
            calls = list(self._collect(graph, resolved)) if resolved else []
        return done

    def _inline_round(self, graph: FunctionGraph, calls: list[_Call], limit: int) -> bool:
        """Inline what can be of these calls: was there anything?"""
        settle_raises(graph)
        self._summaries.of_graph(MAY_RAISE, graph)  # in the midst of a change it may seem not to
        cost = self._measure(graph)
        done = False
        while calls:
            accepted: list[_Call] = []
            for call in sorted(calls, key=lambda call: self._cost(call.callee)):  # stable
                reason = self._refusal(call)
                after = cost + self._cost(call.callee)
                if not reason and after > limit and not _asks_for_inlining(call.callee):
                    reason = f"{graph.name} would grow from {cost} to {after}, more than {limit}"
                if not reason and not may_rewrite(graph, call.op):
                    reason = "the search for a wrong rewrite stops before it"
                text = reason or f"inlined, cost {cost} -> {after} of {limit}"
                unmet = bool(reason) and getattr(call.callee.func, _ALWAYS, False) is True
                self._remark(graph, call.op, call.callee, text, unmet)
                if not reason:
                    accepted.append(call)
                    cost = after
            done = done or bool(accepted)
            calls = self._inline(graph, calls, accepted)
        return done

    def _call_directly(self, graph: FunctionGraph) -> bool:
        """Make direct calls of virtual ones that have few targets, of which some may be inlined."""
        virtual = [
            (block, op) for block, op in graph.iterblockops() if op.opname == "indirect_call"
        ]
        if not virtual or graph.stage == "optimised":
            return False
        cold = self._cold_blocks(graph)
        made_by: dict[Value, SpaceOperation] = {op.result: op for _, op in graph.iterblockops()}
        done = False
        for block, op in reversed(virtual):  # what is behind a call goes to another block
            targets = targets_of(op, made_by)
            small = any(self._is_small(t.pointer._obj.graph) for t in targets)
            if len(targets) == 1 or (block not in cold and small):
                split_call(block, op, targets)
                done = True
        return done

    def _is_small(self, callee: FunctionGraph) -> bool:
        """May calls of the function be inlined anywhere?"""
        return not self._obstacle(callee) and self._cost(callee) <= LIMIT

    def _collect(
        self, graph: FunctionGraph, only: Container[SpaceOperation] | None = None
    ) -> Iterable[_Call]:
        """The calls of a graph that are worth a thought; those in ``only``, if it is given."""
        found = list(self._calls_of(graph.iterblocks()))
        if only is not None:
            found = [each for each in found if each[1] in only]
        if graph.stage == "optimised":
            found = [each for each in found if each[2].stage != "optimised"]
        if not found:
            return
        cold = self._cold_blocks(graph)
        bodies = [body for _, body in natural_loops(graph)]
        made = _objects_made(graph, self._makes_object)
        for block, op, callee in found:
            if block in cold:
                self._remark(graph, op, callee, "the call is seldom made")
            else:
                loops = sum(block in body for body in bodies)
                yield _Call(block, op, callee, self._site(op, callee, loops, made))

    def _site(
        self, op: SpaceOperation, callee: FunctionGraph, loops: int, made: set[Value]
    ) -> CallSite:
        private = self._private_parameters(callee)
        return CallSite(
            loops, constant_arguments(op),
            sum(arg in made and only for arg, only in zip(op.args[1:], private)),
            self._call_counts[callee] == 1 and not self._how.library,
        )  # fmt: skip

    def _inline(
        self, graph: FunctionGraph, calls: Sequence[_Call], accepted: Sequence[_Call]
    ) -> list[_Call]:
        """Inline those of the calls that were accepted; the result is the calls that they bring
        along, if nobody has looked at them."""

        def may_raise(op: SpaceOperation) -> bool:
            return self._summaries.of_op(MAY_RAISE, op)

        chosen = set(map(id, accepted))
        brought: list[_Call] = []
        for call in reversed(calls):  # what is behind a call goes to another block
            if id(call) not in chosen:
                continue
            copies = inline_call(graph, call.block, call.op, call.callee, may_raise)
            if self._call_counts[call.callee] > 1:  # others will call the original
                self._call_counts.update(each for _, _, each in calls_of(copies, _anybody))
            if call.callee.stage == "optimised":
                cold = self._cold_blocks(call.callee)
                warm = [block for block, of in copies.items() if of not in cold]
                for block, op, callee in reversed(list(self._calls_of(warm))):
                    site = self._site(op, callee, call.site.loops, set())
                    brought.append(_Call(block, op, callee, site))
        return brought[::-1]

    def _calls_of(
        self, blocks: Iterable[Block]
    ) -> Iterable[tuple[Block, SpaceOperation, FunctionGraph]]:
        return calls_of(blocks, lambda callee: not self._always_raises(callee))

    def _remark(
        self, graph: FunctionGraph, op: SpaceOperation, callee: FunctionGraph, text: str,
        unmet: bool = False,
    ) -> None:  # fmt: skip
        self._how.remarks.append(Remark(graph.name, op.span, callee.name, text, unmet))

    # -- reasons

    def _refusal(self, call: _Call) -> str:
        """Why a call is not inlined, as far as its caller's size does not matter; '': it is."""
        callee = call.callee
        obstacle = self._obstacle(callee)
        if obstacle:
            return obstacle
        if len(list(call.op.span.frames())) > DEPTH:
            return f"the call is {DEPTH} calls deep already"
        caught = call.block.canraise and call.op is call.block.raising_op
        if caught and not can_land(callee, call.block.exits[1:]):
            return "it raises what the caller may catch"
        cost, limit = self._cost(callee), call.site.limit
        if cost > limit and not _asks_for_inlining(callee):
            return f"it costs {cost}, more than {limit}"
        return ""

    def _obstacle(self, callee: FunctionGraph) -> str:
        """Why no call of the function is inlined; '': some may be."""
        known = self._obstacles.get(callee)
        if known is None:
            known = self._obstacles[callee] = self._find_obstacle(callee)
        return known

    def _find_obstacle(self, callee: FunctionGraph) -> str:
        unknown = self._how.library and callee.stage != "optimised"
        if unknown or callee in self._how.kept:
            return "it depends on the program"
        if is_never_inlined(callee):
            return "it is marked with dont_inline"
        if is_seldom_called(callee):
            return "it is marked as seldom called"
        if length_argument(callee) is not None and callee.startblock.exitswitch is not None:
            return "it says how long its result is"
        if callee in self._recursive:
            return "it may call itself"
        for _, op in callee.iterblockops():
            row = row_of(op)
            if op.opname == "stack_check":
                return "it checks the stack"
            if op.opname == "handler_enter":
                return "it handles exceptions"
            if row.asks_handled and op.opname != "raised_here" and not row.is_call:
                return "it asks which exceptions are handled"
        if has_loop(callee):
            return "it has a loop"
        return ""

    # -- facts

    def _cost(self, graph: FunctionGraph) -> int:
        known = self._costs.get(graph)
        if known is None:
            known = self._costs[graph] = self._measure(graph)
        return known

    def _measure(self, graph: FunctionGraph) -> int:
        return cost_of(graph, self._cold_blocks(graph), self._cost_of_op)

    def _cost_of_op(self, op: SpaceOperation) -> int:
        """A call costs no more than the function, which may be inlined, too."""
        cost = cost_of_op(op)
        if row_of(op).is_call:
            for callee in callees(op).graphs[:1] if callees(op).direct else ():
                if not self._obstacle(callee):
                    cost = min(cost, self._cost(callee))
        return cost

    def _cold_blocks(self, graph: FunctionGraph) -> set[Block]:
        def is_cold(op: SpaceOperation) -> bool:
            if row_of(op).callees is None:
                return False
            return self._summaries.of_op(ALWAYS_RAISES, op) or calls_seldom(op)

        return cold_blocks(graph, is_cold)

    def _always_raises(self, graph: FunctionGraph) -> bool:
        return self._summaries.of_graph(ALWAYS_RAISES, graph)

    def _private_parameters(self, graph: FunctionGraph) -> list[bool]:
        """For each parameter: does the function only look into what it points to?"""
        known = self._private.get(graph)
        if known is None:
            shared = _shared_values(graph)
            known = self._private[graph] = [v not in shared for v in graph.getargs()]
        return known


    def _makes_object(self, op: SpaceOperation) -> bool:
        """Does the operation make an object, by a call that may be inlined, perhaps?"""
        if makes_object(op):
            return True
        called = callees(op)
        if not (called.direct and called.graphs):
            return False
        callee = called.graphs[0]
        known = self._makers.get(callee)
        if known is None:
            self._makers[callee] = False  # if it calls itself
            known = self._is_small(callee)
            if known:
                made = _objects_made(callee, self._makes_object)
                returns = [e for e in callee.iterlinks() if e.target is callee.returnblock]
                known = all(link.args[0] in made for link in returns)
            self._makers[callee] = known
        return known


_ALWAYS = "_always_inline_"


def _asks_for_inlining(graph: FunctionGraph) -> bool:
    """Is it marked with ``always_inline`` or ``try_inline`` (``rpython.rlib.objectmodel``)?"""
    return bool(getattr(graph.func, _ALWAYS, False))


def _anybody(graph: FunctionGraph) -> bool:
    return True


def _objects_made(
    graph: FunctionGraph, makes: Callable[[SpaceOperation], bool]
) -> set[Value]:
    """The pointers to objects that a graph makes, with the operations that ``makes`` is true of."""
    made: set[Value] = set()
    for _, op in graph.iterblockops():
        if makes(op) or (op.opname == "cast_pointer" and op.args[0] in made):
            made.add(op.result)
    return made


def _shared_values(graph: FunctionGraph) -> set[Value]:
    """The values of which others than private operations make use."""
    shared: set[Value] = set()
    casts: list[tuple[Value, Variable]] = []
    for block in graph.iterblocks():
        for op in block.operations:
            if op.opname == "cast_pointer":
                casts.append((op.args[0], op.result))
            else:
                shared.update(op.args[bool(row_of(op).private) :])
        for link in block.exits:
            shared.update(link.args)
    for source, result in reversed(casts):
        if result in shared:
            shared.add(source)
    return shared
