"""``==`` and ``!=`` where a class of the program defines them.

CPython asks the left operand, except when the right one is of a subclass of its class; a
None, a value of another kind and an instance of a class without equality have no opinion,
and the other operand is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.model import s_Bool
from annotator.parts import without_none
from lltypesystem.lltype import Bool
from rtyper.r_operators import OperatorMethods
from rtyper.rmodel import PAIRS, NoneRepr, NullableRepr, Repr
from translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@PAIRS.register("equality_by_methods", Repr, Repr)
def equality_by_methods(hop: HighLevelOp) -> Value:
    """``eq`` or ``ne``, whatever the operands are."""
    if not any(_asked(hop, i) for i in (0, 1)):
        return hop.dispatch_by_reprs()  # only the other of the two is defined
    llops = hop.llops
    done = llops.new_join(hop.r_result.lowleveltype)
    r_left = hop.args_r[0]
    if isinstance(r_left, NoneRepr):
        _left_has_no_opinion(hop, done, True)
    elif isinstance(r_left, NullableRepr):
        null, other = llops.branch(r_left.is_null(hop.inputarg(r_left, 0), llops))
        llops.at(null)
        _left_has_no_opinion(hop.copy(), done, True)
        llops.at(other)
        _left_is_there(_opened(hop, 0), done)
    else:
        _left_is_there(hop, done)
    llops.at(done)
    return done.inputargs[0]


def _asked(hop: HighLevelOp, arg: int) -> bool:
    """Does the class of an operand have a method that decides?"""
    r = hop.args_r[arg]
    inner = r.inner if isinstance(r, NullableRepr) else r
    names = ("__eq__", "__ne__") if hop.opname == "ne" else ("__eq__",)
    return isinstance(inner, OperatorMethods) and any(map(inner.has_method, names))


def _opened(hop: HighLevelOp, arg: int) -> HighLevelOp:
    """The operation where an operand that may be None is not None."""
    r = hop.args_r[arg]
    assert isinstance(r, NullableRepr)
    opened = hop.copy()
    v = hop.inputarg(r, arg)
    opened.replace_arg(arg, v, without_none(hop.args_s[arg]), r.inner)
    return opened


def _left_is_there(hop: HighLevelOp, done: Block) -> None:
    r_left = hop.args_r[0]
    if _asked(hop, 0):
        assert isinstance(r_left, OperatorMethods)
        hop.llops.goto(done, r_left.compare(hop))
    else:
        _left_has_no_opinion(hop, done, False)


def _left_has_no_opinion(hop: HighLevelOp, done: Block, left_is_none: bool) -> None:
    llops = hop.llops
    r_right = hop.args_r[1]
    if isinstance(r_right, NoneRepr):
        llops.goto(done, _constant(hop, left_is_none))
        return
    if isinstance(r_right, NullableRepr):
        null, other = llops.branch(r_right.is_null(hop.inputarg(r_right, 1), llops))
        llops.at(null)
        llops.goto(done, _constant(hop, left_is_none))
        llops.at(other)
        hop = _opened(hop, 1)
        r_right = hop.args_r[1]
    if _asked(hop, 1):
        assert isinstance(r_right, OperatorMethods)
        llops.goto(done, r_right.ask(hop, hop.opname, 1, 0))
    else:
        llops.goto(done, _constant(hop, False))


def _constant(hop: HighLevelOp, equal: bool) -> Value:
    """The answer for operands that are equal, or that are not."""
    v = Constant(equal is (hop.opname == "eq"), Bool)
    return hop.llops.convertvar(v, hop.rtyper.getrepr(s_Bool), hop.r_result)
