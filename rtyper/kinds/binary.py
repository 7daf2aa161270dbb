"""Operators with two operands where a class of the program defines them.

The methods are asked one after the other as ``annotator.rules.binary_methods`` says.  A None and a
value of a built-in kind have no opinion.  Where nobody has one, ``==`` is identity and any
other operation raises TypeError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_NOTIMPLEMENTED,
    SomeInstance,
    SomeObject,
    s_Bool,
    s_Bottom,
    s_Str,
)
from rpython.annotator.lattice.parts import class_of_kind, type_name, without_none
from rpython.annotator.program.classdef import Lookup
from rpython.annotator.rules.binary_methods import (
    Attempt,
    When,
    attempts,
    having,
    is_sure,
    kind_of_operand,
    lacking,
)
from rpython.lltypesystem.lltype import Bool
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.notimplemented import AnswerRepr, NotImplementedRepr
from rpython.rtyper.kinds.operators import OperatorMethods
from rpython.rtyper.ll import ll_class
from rpython.rtyper.rmodel import PAIRS, ImpossibleRepr, NoneRepr, NullableRepr, Repr
from rpython.stdlib._registry import PER_SITE
from rpython.translator.ir.hlops import CallShape, Group, HLOp, group_of, plain_name
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@PAIRS.register("by_methods", OperatorMethods, Repr)
@PAIRS.register("by_methods", Repr, OperatorMethods)
def operate(hop: HighLevelOp) -> Value | None:
    """The operation, whatever its operands are; None when no method can decide it."""
    left, right = hop.args_s
    steps = attempts(hop.opname, left, right)
    if not steps:
        return None
    llops = hop.llops
    done = llops.new_join(hop.r_result.lowleveltype)
    for step in steps:
        otherwise = Block([])
        r_answer, s_answer, reached = _answers(hop, step)
        if not reached:
            continue
        _guard(hop, step, otherwise)
        _ask(hop, step, r_answer, otherwise, done)
        if is_sure(step, (left, right)) and not s_answer.kinds & K_NOTIMPLEMENTED:
            llops.at(done)
            return done.inputargs[0]
        llops.at(otherwise)
    if hop.opname in ("eq", "ne"):
        r_bool = hop.rtyper.getrepr(s_Bool)
        llops.goto(done, llops.convertvar(_identity(hop), r_bool, hop.r_result))
    else:
        _raise_unsupported(hop)
    llops.at(done)
    return done.inputargs[0]


def _inner(r: Repr) -> Repr:
    return r.inner if isinstance(r, NullableRepr) else r


def _answers(hop: HighLevelOp, step: Attempt) -> tuple[Repr, SomeObject, bool]:
    """What the methods of an attempt return, and whether they are ever called."""
    annotator = hop.rtyper.annotator
    r_own: Any = _inner(hop.args_r[step.own])
    s_answer: SomeObject = s_Bottom
    reached = False
    lookup = _lookup(hop, step)
    for classdef in r_own.classdef.concrete(r_own.members):
        desc = annotator.constants.target(classdef, lookup)
        for graph in desc.graphs.values() if desc is not None else ():
            if not graph.is_helper:
                reached |= graph.startblock in annotator.annotated
                s_answer = annotator.join(s_answer, annotator.binding(graph.getreturnvar()))
    s_answer = s_answer.without_const()
    return hop.rtyper.getrepr(s_answer), s_answer, reached


def _lookup(hop: HighLevelOp, step: Attempt) -> Lookup:
    return Lookup(step.name, other=kind_of_operand(hop.args_s[1 - step.own]))


def _guard(hop: HighLevelOp, step: Attempt, otherwise: Block) -> None:
    """Go to ``otherwise`` unless the attempt is to be made."""
    llops = hop.llops
    r_own = hop.args_r[step.own]
    if isinstance(r_own, NullableRepr):
        null, other = llops.branch(r_own.is_null(hop.inputarg(r_own, step.own), llops))
        llops.at(null)
        llops.goto(otherwise)
        llops.at(other)
    if lacking(hop.args_s[step.own], step.name):
        inner: Any = _inner(r_own)
        good = Block([])
        for classdef in having(hop.args_s[step.own], step.name):
            v_own = llops.convertvar(hop.inputarg(r_own, step.own), r_own, inner)
            yes, no = llops.branch(hop.rtyper.classes.isinstance_test(v_own, classdef, llops))
            llops.at(yes)
            llops.goto(good)
            llops.at(no)
        llops.goto(otherwise)
        llops.at(good)
    if step.when is When.ALWAYS:
        return
    both = [hop.rtyper.classes.upcast(hop.inputarg(r, i), llops) for i, r in enumerate(hop.args_r)]
    test = ll_class.ll_types_differ if step.when is When.TYPES_DIFFER else ll_class.ll_right_first
    yes, no = llops.branch(llops.gendirectcall(test, *both))
    if step.when is When.RIGHT_IS_NOT_BELOW:
        yes, no = no, yes
    llops.at(no)
    llops.goto(otherwise)
    llops.at(yes)


def _ask(
    hop: HighLevelOp, step: Attempt, r_answer: Repr, otherwise: Block, done: Block
) -> None:
    """Call the method; hand its answer on to ``done``, NotImplemented to ``otherwise``."""
    llops = hop.llops
    r_own = hop.args_r[step.own]
    r_self = _inner(r_own)
    assert isinstance(r_self, OperatorMethods)
    v_self = llops.convertvar(hop.inputarg(r_own, step.own), r_own, r_self)
    owners = having(hop.args_s[step.own], step.name)
    if lacking(hop.args_s[step.own], step.name) and len(owners) == 1:
        v_self = hop.rtyper.classes.downcast(v_self, owners[0], llops)
        r_self = hop.rtyper.instance_repr(owners[0])
    args = [Operand(*hop.operand(1 - step.own))]
    v = r_self.call_lookup(hop, _lookup(hop, step), v_self, CallShape(1), args, r_answer)
    if isinstance(r_answer, NotImplementedRepr):
        llops.goto(otherwise)
        return
    if isinstance(r_answer, ImpossibleRepr):
        llops.unreachable()  # it always raises
        return
    if isinstance(r_answer, AnswerRepr):
        declined, answered = llops.branch(r_answer.is_declined(llops, v))
        llops.at(declined)
        llops.goto(otherwise)
        llops.at(answered)
        v, r_answer = r_answer.answer(llops, v), r_answer.r_answer
    if step.negated:
        v = llops.genop("bool_not", [v], Bool)
    llops.goto(done, llops.convertvar(v, r_answer, hop.r_result))


def _identity(hop: HighLevelOp) -> Value:
    """``==`` or ``!=`` of operands that have no opinion."""
    llops = hop.llops
    equal = hop.opname == "eq"
    values = [hop.inputarg(r, i) for i, r in enumerate(hop.args_r)]
    if all(isinstance(_inner(r), OperatorMethods) for r in hop.args_r):
        left, right = (hop.rtyper.classes.upcast(v, llops) for v in values)
        return llops.genop("ptr_eq" if equal else "ptr_ne", [left, right], Bool)
    # equal when both are None
    unequal: Value = Constant(False, Bool)
    for v, r in zip(values, hop.args_r):
        if isinstance(r, NullableRepr):
            some: Value = llops.genop("bool_not", [r.is_null(v, llops)], Bool)
            unequal = llops.either(unequal, some)
        elif not isinstance(r, NoneRepr):
            return Constant(not equal, Bool)
    return llops.genop("bool_not", [unequal], Bool) if equal else unequal


@PAIRS.register("unordered", Repr, Repr)
def compare_unordered(hop: HighLevelOp) -> Value:
    """Of items of which nobody knows which is the less."""
    _raise_unsupported(hop)
    hop.llops.at(Block([]))
    return hop.llops.dummy(Bool)


def _raise_unsupported(hop: HighLevelOp) -> None:
    """Raise the TypeError about the types of the operands; ends the block."""
    llops = hop.llops
    names = [_type_name(hop, i) for i in (0, 1)]
    concatenated = _concatenated(hop)
    if concatenated is not None:
        r_left = hop.args_r[0]
        if isinstance(r_left, NullableRepr):
            null, other = llops.branch(r_left.is_null(hop.inputarg(r_left, 0), llops))
            llops.at(other)
            _raise_text(hop, *concatenated, names)
            llops.at(null)
        else:
            _raise_text(hop, *concatenated, names)
            return
    opdef = hop.spaceop.opdef
    symbol = opdef.symbol if isinstance(opdef, HLOp) else hop.opname
    if group_of(hop.opname) is Group.COMPARISON:
        before = f"'{symbol}' not supported between instances of '"
    else:
        symbol = {"**": "** or pow()", "**=": "** or pow()"}.get(symbol, symbol)
        before = f"unsupported operand type(s) for {symbol}: '"
    _raise_text(hop, (before, "' and '", "'"), (0, 1), names)


def _raise_text(
    hop: HighLevelOp, parts: tuple[str, str, str], shown: tuple[int, ...], names: list[Value]
) -> None:  # fmt: skip
    """Raise TypeError: the parts, and between them the names of the types of the operands
    ``shown``; ends the block."""
    r_str = hop.rtyper.getrepr(s_Str)
    before, between, after = map(r_str.inputconst, parts)
    first, second = [*(names[number] for number in shown), r_str.inputconst("")][:2]
    hop.llops.gendirectcall(ll_class.ll_unsupported, before, first, between, second, after)
    hop.llops.unreachable()


def _concatenated(hop: HighLevelOp) -> tuple[tuple[str, str, str], tuple[int, ...]] | None:
    """What ``+`` says where the left operand is a sequence, which is asked last."""
    s_left = without_none(hop.args_s[0])
    sequence: Any = class_of_kind(s_left)
    if isinstance(s_left, SomeInstance):
        sequence = getattr(s_left.classdef.cls, PER_SITE, None)
    if plain_name(hop.opname) != "add" or sequence not in _SEQUENCES:
        return None
    if sequence in (bytes, bytearray):
        return ("can't concat ", " to ", ""), (1, 0)
    name = sequence.__name__
    return (f"can only concatenate {name} (not \"", f"\") to {name}", ""), (1,)


_SEQUENCES = (str, bytes, bytearray, list, tuple)


def _type_name(hop: HighLevelOp, arg: int) -> Value:
    """The name of the type of an operand, as a str."""
    llops = hop.llops
    r_str = hop.rtyper.getrepr(s_Str)
    s, r = hop.args_s[arg], hop.args_r[arg]
    inner = without_none(s)
    if isinstance(inner, SomeInstance):
        v = hop.rtyper.classes.cast(hop.inputarg(r, arg), OBJECTPTR, llops)
        return llops.gendirectcall(ll_class.ll_type_name, v, r_str.inputconst("NoneType"))
    if not isinstance(r, NullableRepr):
        return r_str.inputconst(type_name(s))
    done = llops.new_join(STRPTR)
    null, other = llops.branch(r.is_null(hop.inputarg(r, arg), llops))
    llops.at(null)
    llops.goto(done, r_str.inputconst("NoneType"))
    llops.at(other)
    llops.goto(done, r_str.inputconst(type_name(inner)))
    llops.at(done)
    return done.inputargs[0]
