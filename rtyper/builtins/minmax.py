"""``min``, ``max`` and ``sum`` of any iterable."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from rpython.annotator.builtins.sums import is_of_others
from rpython.annotator.lattice.model import K_NONE, s_NonNeg
from rpython.annotator.library_sums import product, product_of_others, sum_of_others
from rpython.lltypesystem.lltype import Signed
from rpython.rtyper.builtins.calling import as_annotated, call_inside, part_of
from rpython.rtyper.builtins.inpython import call_in_python
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.iter import for_each, iterable_arg, start_iterating
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import ImpossibleRepr, Repr
from rpython.translator.ir.model import Block, Constant, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

Best = list[Value]
"""The best item so far and, where there is a key, its key."""


class Extremum:
    """Finds the first of the smallest or largest items: one replaces the best so far only when
    it is smaller or larger."""

    def __init__(self, hop: HighLevelOp, item: Operand) -> None:
        self.hop = hop
        self.s, self.r = item.s.without_const(), item.r
        self.opname = "lt" if hop.host_function is min else "gt"
        key = hop.keywords.get("key")
        self.key: Operand | None = None
        if key is not None and hop.args_s[key].kinds != K_NONE:
            self.key = Operand(*hop.operand(key))
        self.compared = (self.s, self.r)

    def enter(self, v_item: Value) -> Best:
        """An item as a candidate."""
        if self.key is None:
            return [v_item]
        made = call_inside(self.hop, "key", self.key, [Operand(v_item, self.s, self.r)])
        self.compared = (made.s, made.r)
        return [v_item, made.v]

    def better(self, candidate: Best, best: Best) -> Best:
        """The winner of the two."""
        llops, items = self.hop.llops, self.hop.rtyper.items
        left, right = (candidate[-1], *self.compared), (best[-1], *self.compared)
        wins, loses = llops.branch(items.compare(self.opname, llops, left, right))
        done = Block([Variable("best", v.concretetype) for v in best])
        llops.at(wins)
        llops.goto(done, *candidate)
        llops.at(loses)
        llops.goto(done, *best)
        llops.at(done)
        return list(done.inputargs)


@BUILTINS.register(min, max)
def builtin_min_max(hop: HighLevelOp) -> Value:
    count = hop.nb_args - len(hop.keywords)
    if count == 1:
        return _best_item(hop)
    s, r = hop.s_result.without_const(), hop.r_result
    extremum = Extremum(hop, Operand(hop.inputarg(r, 0), s, r))
    best = extremum.enter(hop.inputarg(r, 0))
    for arg in range(1, count):
        best = extremum.better(extremum.enter(hop.inputarg(r, arg)), best)
    return best[0]


def _best_item(hop: HighLevelOp) -> Value:
    llops = hop.llops
    r, v = iterable_arg(hop, 0)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)
    done = llops.new_join(hop.r_result.lowleveltype)
    v_default: Value | None = None
    if "default" in hop.keywords:
        v_default = hop.inputarg(hop.r_result, hop.keywords["default"])

    def empty() -> None:
        if v_default is None:
            name = "min" if hop.host_function is min else "max"
            llops.raise_constant(ValueError, f"{name}() arg is an empty sequence")
        else:
            llops.goto(done, v_default)

    v_first = r_iter.next_item(llops, v_iter, empty)
    extremum = Extremum(hop, Operand(v_first, r_iter.s_item, r_iter.r_item))
    best = for_each(
        llops, r_iter, v_iter, extremum.enter(v_first),
        lambda v_item, state: extremum.better(extremum.enter(v_item), state),
    )  # fmt: skip
    llops.goto(done, llops.convertvar(best[0], r_iter.r_item, hop.r_result))
    llops.at(done)
    return done.inputargs[0]


# -- sum --------------------------------------------------------------------------------------


def _is_of_others(hop: HighLevelOp) -> bool:
    return is_of_others(hop.s_result, s_NonNeg if hop.nb_args == 1 else hop.args_s[1])


@BUILTINS.register(math.prod)
def math_prod(hop: HighLevelOp) -> Value:
    return call_in_python(hop, product_of_others if _is_of_others(hop) else product)


@BUILTINS.register(sum)
def builtin_sum(hop: HighLevelOp) -> Value:
    if _is_of_others(hop):
        return call_in_python(hop, sum_of_others)
    llops = hop.llops
    r, v = iterable_arg(hop, 0)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)
    v_start: Value = Constant(0, Signed)
    if hop.nb_args > 1:
        v_start = hop.inputarg(hop.r_result, 1)
    nothing = isinstance(r_iter.r_item, ImpossibleRepr)  # but looking for it may raise
    add = (lambda total, item: total) if nothing else _adder(hop, r_iter.r_item)
    return for_each(
        llops, r_iter, v_iter, [v_start], lambda v_item, state: [add(state[0], v_item)]
    )[0]


def _adder(hop: HighLevelOp, r_item: Repr) -> Callable[[Value, Value], Value]:
    """What emits ``total + item``."""
    llops = hop.llops
    op = part_of(hop, "sum")

    def add_ints(v_total: Value, v_item: Value) -> Value:
        v_number = llops.convertvar(v_item, r_item, hop.r_result)
        return llops.genop("int_add_ovf", [v_total, v_number], Signed)

    def add(v_total: Value, v_item: Value) -> Value:
        assert op is not None
        annotator = hop.rtyper.annotator
        s_total, s_item = map(annotator.binding, op.args)
        adding = hop.copy()
        adding.spaceop, adding.opname = op, "add"
        total = as_annotated(hop, Operand(v_total, s_total, hop.r_result), op.args[0])
        item = as_annotated(hop, Operand(v_item, s_item, r_item), op.args[1])
        operands = (total, item)
        adding.args_v = [operand.v for operand in operands]
        adding.args_s = [operand.s for operand in operands]
        adding.args_r = [operand.r for operand in operands]
        return adding.dispatch()

    return add_ints if op is None else add
