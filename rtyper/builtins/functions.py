"""Built-in functions of anything that has a length or can be iterated over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.lltypesystem.lltype import Bool
from rpython.rtyper.kinds.iter import for_each, iterable_arg, start_iterating
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import NoneRepr, NullableRepr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


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
