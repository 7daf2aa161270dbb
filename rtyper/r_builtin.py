"""Built-in functions of anything that has a length or can be iterated over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lltypesystem.lltype import Bool, Signed
from rtyper.r_iter import for_each, iterable_arg, start_iterating
from rtyper.registry import BUILTINS
from rtyper.rmodel import NoneRepr, NullableRepr
from translator.ir.errors import TyperError
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@BUILTINS.register(len)
def builtin_len(hop: HighLevelOp) -> Value:
    """``rtype_len`` of the argument's Repr, once it is known not to be None."""
    r = hop.args_r[0]
    if isinstance(r, NoneRepr):
        return hop.raise_none_error()
    if isinstance(r, NullableRepr):
        r.unwrap(hop, 0)
    method = getattr(hop.args_r[0], "rtype_len", None)
    if method is None:
        raise TyperError(f"len() of {hop.args_s[0].describe()} is not supported")
    result: Value = method(hop)
    return result


# -- over any iterable --------------------------------------------------------------------------


@BUILTINS.register(sum)
def builtin_sum(hop: HighLevelOp) -> Value:
    llops = hop.llops
    v_start: Value = hop.inputarg(Signed, 1) if hop.nb_args > 1 else Constant(0, Signed)
    r, v = iterable_arg(hop, 0)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)

    def add(v_item: Value, state: list[Value]) -> list[Value]:
        v_number = llops.convertvar(v_item, r_iter.r_item, hop.r_result)
        return [llops.genop("int_add_ovf", [state[0], v_number], Signed)]

    return for_each(llops, r_iter, v_iter, [v_start], add)[0]


@BUILTINS.register(min, max)
def builtin_min_max(hop: HighLevelOp) -> Value:
    """The first of the smallest or largest; an item replaces the best so far only when it
    is smaller or larger."""
    opname = "lt" if hop.host_function is min else "gt"
    if hop.nb_args == 1:
        return _best_item(hop, opname, "min" if opname == "lt" else "max")
    v_best = hop.inputarg(hop.r_result, 0)
    for arg in range(1, hop.nb_args):
        v_best = _better(hop, opname, hop.inputarg(hop.r_result, arg), v_best)
    return v_best


def _better(hop: HighLevelOp, opname: str, v_item: Value, v_best: Value) -> Value:
    llops = hop.llops
    s, r = hop.s_result.without_const(), hop.r_result
    v_wins = hop.rtyper.items.compare(opname, llops, (v_item, s, r), (v_best, s, r))
    done = llops.new_join(r.lowleveltype)
    wins, loses = llops.branch(v_wins)
    llops.at(wins)
    llops.goto(done, v_item)
    llops.at(loses)
    llops.goto(done, v_best)
    llops.at(done)
    return done.inputargs[0]


def _best_item(hop: HighLevelOp, opname: str, name: str) -> Value:
    llops = hop.llops
    r, v = iterable_arg(hop, 0)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)

    def empty() -> None:
        llops.raise_constant(ValueError, f"{name}() arg is an empty sequence")

    def item(v_item: Value) -> Value:
        return llops.convertvar(v_item, r_iter.r_item, hop.r_result)

    v_first = item(r_iter.next_item(llops, v_iter, empty))
    best = for_each(
        llops, r_iter, v_iter, [v_first],
        lambda v_item, state: [_better(hop, opname, item(v_item), state[0])],
    )  # fmt: skip
    return best[0]


@BUILTINS.register(any, all)
def builtin_any_all(hop: HighLevelOp) -> Value:
    """Stops at the first item that decides."""
    llops = hop.llops
    decisive = hop.host_function is any
    r, v = iterable_arg(hop, 0)
    r_iter, v_iter = start_iterating(llops, hop.args_s[0], r, v)
    done = llops.new_join(Bool)

    def look(v_item: Value, state: list[Value]) -> list[Value]:
        test = hop.copy()
        test.opname = "bool"
        test.args_v, test.args_s, test.args_r = [v_item], [r_iter.s_item], [r_iter.r_item]
        yes, no = llops.branch(test.dispatch())
        decided, undecided = (yes, no) if decisive else (no, yes)
        llops.at(decided)
        llops.goto(done, Constant(decisive, Bool))
        llops.at(undecided)
        return []

    for_each(llops, r_iter, v_iter, [], look)
    llops.goto(done, Constant(not decisive, Bool))
    llops.at(done)
    return done.inputargs[0]
