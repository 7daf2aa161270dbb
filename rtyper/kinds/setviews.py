"""Views of dicts as operands of sets: they become sets, and CPython's order is kept.

    d.keys() | s      a set of the keys, then what is in s
    d.keys() & s      the smaller one says the order
    d.items() ^ e.items()
"""

from __future__ import annotations

from functools import partial

from rpython.annotator.lattice.cells import DictDef
from rpython.annotator.lattice.sets import SomeSet
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.kinds.dictview import DictViewRepr
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import iterable_arg
from rpython.rtyper.kinds.set import AnySetRepr, FrozenSetRepr, SetRepr, compared
from rpython.rtyper.ll import ll_set_pairs
from rpython.rtyper.rmodel import PAIRS, Repr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Value


def _set_made_here(hop: HighLevelOp) -> AnySetRepr:
    made = hop.rtyper.annotator.notes.made_here.get(("set", hop.spaceop))
    if not isinstance(made, DictDef):
        raise TyperError("views of dicts cannot be compared as a part of another operation")
    r = hop.rtyper.getrepr(SomeSet(made))
    assert isinstance(r, AnySetRepr)
    return r


def _both_as_sets(hop: HighLevelOp) -> tuple[AnySetRepr, Value, Value]:
    r = _set_made_here(hop)
    return r, r.as_set(hop, 0), r.as_set(hop, 1)


@PAIRS.register("or_ sub xor", DictViewRepr, Repr)
@PAIRS.register("or_ sub xor", AnySetRepr, DictViewRepr)
def combine_views(hop: HighLevelOp) -> Value:
    """A set of the left one, changed."""
    llops, r = hop.llops, _set_made_here(hop)
    if hop.opname == "xor" and _is_view_of_items(hop, 0) and _is_view_of_items(hop, 1):
        return _other_items(hop, r)
    v = r.new(llops)
    left, v_left = iterable_arg(hop, 0)
    if isinstance(left, DictViewRepr) and left.which == "keys" and not left.s_dict.dictdef.ordered:
        r.make_room(llops, v, v_left)
    r.add_items(hop, v, 0)
    if hop.opname == "or_":
        r.add_items(hop, v, 1)
    elif hop.opname == "sub":
        r.remove_all(llops, v, r.as_set(hop, 1))
    else:
        r.toggle_all(llops, v, r.as_set(hop, 1))
    return v


def _is_view_of_items(hop: HighLevelOp, arg: int) -> bool:
    r = iterable_arg(hop, arg)[0]
    return isinstance(r, DictViewRepr) and r.which == "items"


def _other_items(hop: HighLevelOp, r: AnySetRepr) -> Value:
    """``d.items() ^ e.items()``: those of the second one first."""
    llops = hop.llops
    v, both = r.new(llops), [r.as_set(hop, 0), r.as_set(hop, 1)]
    for arg in (1, 0):
        add = partial(r.add_from, llops, ll_set_pairs.ll_add_missing, v, both[1 - arg])
        r.each(hop, arg, add)
    return v


@PAIRS.register("and_", DictViewRepr, Repr)
@PAIRS.register("and_", AnySetRepr, DictViewRepr)
def common_with_view(hop: HighLevelOp) -> Value:
    """The items of the second operand that are in the first one, or the other way round."""
    llops, r = hop.llops, _set_made_here(hop)
    v = r.new(llops)

    def add_those_of(arg: int) -> None:
        v_other = r.as_set(hop, 1 - arg)
        add = partial(r.add_from, llops, ll_set_pairs.ll_add_common, v, v_other)
        r.each(hop, arg, add)

    v_first = _goes_through_first(hop)
    if isinstance(v_first, bool):
        add_those_of(0 if v_first else 1)
        return v
    done = Block([])
    first, second = llops.branch(v_first)
    for arg, block in enumerate((first, second)):
        llops.at(block)
        add_those_of(arg)
        llops.goto(done)
    llops.at(done)
    return v


def _goes_through_first(hop: HighLevelOp) -> Value | bool:
    """Does ``&`` of a view go through the first operand?  A Bool where their lengths say it."""
    llops = hop.llops
    (left, v_left), (right, v_right) = iterable_arg(hop, 0), iterable_arg(hop, 1)
    if isinstance(left, FrozenSetRepr):
        return True
    if not isinstance(right, (DictViewRepr, SetRepr)):
        return False  # a frozenset or anything to iterate over
    lengths = [llops.genop("getfield", [v, void("live")], Signed) for v in (v_left, v_right)]
    if isinstance(right, SetRepr):
        return llops.genop("int_le", lengths, Bool)
    return llops.genop("int_lt", lengths, Bool)


@PAIRS.register("lt le gt ge", DictViewRepr, DictViewRepr)
@PAIRS.register("lt le gt ge eq ne", DictViewRepr, AnySetRepr)
@PAIRS.register("lt le gt ge eq ne", AnySetRepr, DictViewRepr)
def compare_with_view(hop: HighLevelOp) -> Value:
    return compared(hop, *_both_as_sets(hop))


@PAIRS.register("isdisjoint", DictViewRepr, Repr)
def view_is_disjoint(hop: HighLevelOp) -> Value:
    """``d.keys().isdisjoint(x)``"""
    r, v_left, v_right = _both_as_sets(hop)
    return hop.gendirectcall(ll_set_pairs.ll_is_disjoint, v_left, v_right, r.keys())
