"""Prove checks away: what ranges and inequalities of numbers decide.

::

    b1(i: Signed):                              b1(i: Signed):
        t0 = int_lt(i, n)                           t0 = int_lt(i, n)
        if t0 goto b2() else return 0               if t0 goto b2() else return 0
    b2():                                 ->    b2():
        t1 = int_ge(i, n)                           i1 = int_add_exact(i, 1)
        if t1 goto b3() else b4()                   goto b1(i1)
    b3():
        direct_call(@raise_IndexError)
        unreachable
    b4():
        i1 = int_add_ovf(i, 1)
        goto b1(i1)

An operation that is always the same number becomes that number, and a branch on it a goto; one that
cannot overflow becomes the one that says so, as does one that wraps but never needs to, and a
division in which nothing is negative (``divide_positive``).
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Bool
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Variable,
)
from rpython.translator.opt.divide_positive import say_positive
from rpython.translator.opt.predicates import is_foldable
from rpython.translator.opt.ranges.across_calls import ranges_of
from rpython.translator.opt.ranges.beside_counters import BesideCounters
from rpython.translator.opt.ranges.inequalities import Inequalities
from rpython.translator.opt.ranges.names import Name, value_of
from rpython.translator.opt.ranges.propagate import Propagation, exact_range
from rpython.translator.opt.rewrite import Substitution, become_goto, may_rewrite
from rpython.translator.opt.summaries import Summaries


def remove_checks(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Remove the checks that never fail, until no branch is decided by that."""
    changed = False
    known = ranges_of(graph, summaries)
    while _is_worth_it(graph):
        removal = _Removal(graph, known)
        changed |= removal.changed
        if not removal.decided:
            break
        known = Propagation(graph)
    return changed


def _is_worth_it(graph: FunctionGraph) -> bool:
    """Does the graph ask about numbers, or may it overflow?"""
    return any(
        row_of(op).relation or row_of(op).proven or row_of(op).if_zero is not None
        for _, op in graph.iterblockops()
    )


class _Removal:
    """``changed``: was anything removed?  ``decided``: a way through the graph, so that more may be
    known?"""

    def __init__(self, graph: FunctionGraph, known: Propagation) -> None:
        self.changed = False
        self.decided = False
        self._graph = graph
        self._known = known
        self._proofs = Inequalities(self._known)
        self._sums = BesideCounters(self._known, self._proofs)
        self._results = Substitution()
        for block in self._known.names.order:
            if block in self._known.blocks:
                self._work_on(block)
        self._results.apply(graph)

    def _work_on(self, block: Block) -> None:
        names = {name.op: name for name in self._known.names.of_block[block] if name.op is not None}
        kept = []
        raising = block.raising_op if block.canraise else None
        for op in block.operations:
            name = names.get(op)
            result = None if name is None else self._constant(name, op)
            if result is not None and not may_rewrite(self._graph, op):
                result = None
            if result is not None:
                self._results.add(op.result, result)
            else:
                kept.append(op)
            fits = result is None and name is not None and self._fits(name, op)
            fits = fits and may_rewrite(self._graph, op)
            if fits:
                op.opdef = LLOPS[row_of(op).proven]
            elif result is None and name is not None and say_positive(self._graph, name):
                self.changed = True
            if fits or result is not None:
                self.changed = True
                if op is raising:
                    become_goto(block, block.exits[0])
                    self.decided = True
        block.operations = kept
        switch = self._known.names.switches.get(block)
        if isinstance(block.exitswitch, Variable) and switch is not None:
            known = self._results[block.exitswitch]
            if switch.value.is_constant and not isinstance(known, Constant):
                T = block.exitswitch.concretetype
                known = Constant(value_of(switch.value.lo, T), T)
            if isinstance(known, Constant) and may_rewrite(self._graph):
                become_goto(block, block.exit_for(known.value))
                self.changed = self.decided = True

    def _constant(self, name: Name, op: SpaceOperation) -> Constant | None:
        """What the operation always gives, if that is known."""
        T = op.result.concretetype
        if isinstance(T, Ptr) or name.value.is_empty or not is_foldable(op):
            return None
        if row_of(op).can_raise and not self._fits(name, op):
            return None  # the one value that it may give it gives if it does not overflow
        if name.value.is_constant:
            return Constant(value_of(name.value.lo, T), T)
        relation = row_of(op).relation
        x, y = name.operands if relation else (None, None)
        if x is None or y is None or isinstance(x.variable.concretetype, Ptr):
            return None
        answer = self._proofs.decides(relation, x, y)
        return None if answer is None else Constant(answer, Bool)

    def _fits(self, name: Name, op: SpaceOperation) -> bool:
        """Does an operation that raises OverflowError, or wraps, never do so?"""
        if not row_of(op).proven or name.value.is_empty:
            return False
        exact = exact_range(name)
        if exact is not None and exact.isa(name.whole):
            return True
        return row_of(op).slope == "sum" and self._sums.fits(name)
