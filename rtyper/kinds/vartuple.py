"""Tuples of unknown length: their item array, ``Ptr(GcArray(ITEM))``, as a list of fixed size is.

What they do is what ``kinds.itemarray`` and the helpers of lists do; tuples of known length become
such tuples where they meet.  Nobody stores into the array, so tuples may share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.lltypesystem.lltype import Bool, GcArray, Ptr, Signed, malloc
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.items import const_to_storage, storage_type
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.itemarray import ItemArrayRepr, copied
from rpython.rtyper.kinds.iter import IteratorRepr, iterable_arg
from rpython.rtyper.kinds.list import ListIteratorRepr, ReversedListIteratorRepr
from rpython.rtyper.kinds.listops import compare_lists, order_lists, repeat_list, repeat_list_r
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_list
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, GENERAL_RULES, PAIRS, NoneRepr, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class VarTupleRepr(ItemArrayRepr):
    name = "tuple"

    def __init__(self, rtyper: RPythonTyper, s: SomeVarTuple) -> None:
        self.rtyper = rtyper
        self.s_item = s.s_item
        self.r_item = rtyper.getrepr(s.s_item)
        self.ITEMS = GcArray(storage_type(self.r_item))
        self.lowleveltype = Ptr(self.ITEMS)

    def convert_const(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            raise TyperError(f"{value!r} is not a tuple")
        p = malloc(self.ITEMS, len(value), immortal=True)
        p._obj.items[:] = [const_to_storage(self.r_item, item) for item in value]
        return p

    def to_host(self, value: Any) -> tuple[Any, ...]:
        """The host tuple that a low-level one stands for."""
        return tuple(to_host(self.r_item, item) for item in value._obj.items)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant == "reversed":
            return ReversedListIteratorRepr(self)
        return ListIteratorRepr(self)


@repr_for(SomeVarTuple)
def var_tuple_repr(rtyper: RPythonTyper, s: SomeVarTuple) -> Repr:
    return VarTupleRepr(rtyper, s)


@CONVERSIONS.register("convert", TupleRepr, VarTupleRepr)
def forget_length(
    r_from: TupleRepr, r_to: VarTupleRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_to.items_of_tuple(llops, r_from, v)


@CONVERSIONS.register("convert", VarTupleRepr, VarTupleRepr)
def convert_var_tuple(
    r_from: VarTupleRepr, r_to: VarTupleRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return r_from.contents_for(llops, v, r_to)[0]


@BUILTINS.register(tuple)
def rtype_tuple(hop: HighLevelOp) -> Value:
    """``tuple(x)``"""
    if hop.s_result.is_constant():
        return hop.result_constant()
    if isinstance(hop.args_r[0], NoneRepr):
        return hop.raise_none_error()
    r, v = iterable_arg(hop, 0)
    if isinstance(r, (TupleRepr, VarTupleRepr)):
        return hop.llops.convertvar(v, r, hop.r_result)
    r_new: Any = hop.r_result
    if isinstance(r, ItemArrayRepr):
        return copied(hop, r)
    return hop.gendirectcall(ll_list.ll_exact_items, *r_new.gather(hop, 0))


GENERAL_RULES["tuple"] = rtype_tuple  # of what follows * in a call


# -- two tuples, one of them at least of unknown length -----------------------------------------


@PAIRS.register("add", VarTupleRepr, VarTupleRepr)
@PAIRS.register("add", VarTupleRepr, TupleRepr)
@PAIRS.register("add", TupleRepr, VarTupleRepr)
def add_tuples(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    parts = [part for v in hop.inputargs(r, r) for part in r.contents(hop.llops, v)]
    return hop.gendirectcall(ll_list.ll_concat, *parts)


PAIRS.register("eq ne", VarTupleRepr, VarTupleRepr)(compare_lists)
PAIRS.register("lt le gt ge", VarTupleRepr, VarTupleRepr)(order_lists)


@PAIRS.register("eq ne lt le gt ge", VarTupleRepr, TupleRepr)
@PAIRS.register("eq ne lt le gt ge", TupleRepr, VarTupleRepr)
def compare_with_known_length(hop: HighLevelOp) -> Value:
    """Item by item, the known ones being of kinds of their own; then by length."""
    llops, opname = hop.llops, hop.opname
    left, right = hop.args_r
    operands = list(zip(hop.inputargs(left, right), (left, right), strict=True))
    known = left if isinstance(left, TupleRepr) else right
    assert isinstance(known, TupleRepr)
    count = len(known.items_r)
    v_lengths = [
        r.length(llops, v) if isinstance(r, VarTupleRepr) else Constant(count, Signed)
        for v, r in operands
    ]
    done = llops.new_join(Bool)
    by_length = f"int_{opname}"
    if opname in ("eq", "ne"):
        same, different = llops.branch(llops.genop("int_eq", v_lengths, Bool))
        llops.at(different)
        llops.goto(done, Constant(opname == "ne", Bool))
        llops.at(same)
    v_length = v_lengths[0] if known is right else v_lengths[1]
    for i in range(count):
        v_i = Constant(i, Signed)
        if opname not in ("eq", "ne"):
            there, over = llops.branch(llops.genop("int_lt", [v_i, v_length], Bool))
            llops.at(over)
            llops.goto(done, llops.genop(by_length, v_lengths, Bool))
            llops.at(there)
        items: Any = [
            (r.getitem(llops, v, v_i), r.s_item, r.r_item) if isinstance(r, VarTupleRepr)
            else (known.getitem(llops, v, i), known.items_s[i], known.items_r[i])
            for v, r in operands
        ]  # fmt: skip
        same, different = llops.branch(hop.compare("eq", *items))
        llops.at(different)
        ordered = Constant(opname == "ne", Bool)
        llops.goto(done, ordered if opname in ("eq", "ne") else hop.compare(opname, *items))
        llops.at(same)
    llops.goto(done, llops.genop(by_length, v_lengths, Bool))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_", VarTupleRepr, TupleRepr)
@PAIRS.register("is_", TupleRepr, VarTupleRepr)
def refuse_identity(hop: HighLevelOp) -> Value:
    raise TyperError(
        f"{hop.args_s[0].describe()} and {hop.args_s[1].describe()} may be the same object, but "
        "nobody can tell: one was copied when its length was forgotten"
    )


for _number in (IntegerRepr, BoolRepr):
    PAIRS.register("mul", VarTupleRepr, _number)(repeat_list)
    PAIRS.register("mul", _number, VarTupleRepr)(repeat_list_r)
