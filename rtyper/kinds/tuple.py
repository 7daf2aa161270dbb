"""Tuples: a GcStruct with one field per item."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject, SomeSlice, SomeTuple, s_Bottom
from rpython.lltypesystem.lltype import Bool, GcStruct, LowLevelType, Ptr, Signed, malloc
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr, Stop
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class TupleRepr(IterableRepr):
    nullable = True

    def __init__(self, rtyper: RPythonTyper, s: SomeTuple) -> None:
        self.rtyper = rtyper
        self.items_s = s.items
        self.items_r = [rtyper.getrepr(item) for item in s.items]
        fields = [(f"item{i}", r.lowleveltype) for i, r in enumerate(self.items_r)]
        self.struct = GcStruct(f"tuple{len(fields)}", *fields, hints={"immutable": True})
        self.lowleveltype = Ptr(self.struct)

    def convert_const(self, value: Any) -> Any:
        if not isinstance(value, tuple) or len(value) != len(self.items_r):
            raise TyperError(f"{value!r} is not a tuple of {len(self.items_r)} items")
        p = malloc(self.struct, immortal=True)
        for i, (r, item) in enumerate(zip(self.items_r, value)):
            setattr(p, f"item{i}", r.convert_const(item))
        return p

    def make_host(self, items: Iterable[Any]) -> Any:
        """The host tuple of these host values."""
        return tuple(items)

    def build(
        self, llops: LowLevelOpList, items: Sequence[tuple[Value, SomeObject, Repr]]
    ) -> Value:
        """A new tuple of these items, converted."""
        v_tuple = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        for i, ((v, s, r), r_item) in enumerate(zip(items, self.items_r, strict=True)):
            if s.is_constant():
                v_item: Value = r_item.inputconst(s.value)
            else:
                v_item = llops.convertvar(v, r, r_item)
            llops.genop("setfield", [v_tuple, void(f"item{i}"), v_item])
        return v_tuple

    def getitem(self, llops: LowLevelOpList, v_tuple: Value, index: int) -> Value:
        T, name = self.items_r[index].lowleveltype, f"item{index}"
        if isinstance(v_tuple, Constant) and v_tuple.value:
            return Constant(getattr(v_tuple.value, name), T)
        return llops.genop("getfield", [v_tuple, void(name)], T)

    def rtype_newtuple(self, hop: HighLevelOp) -> Value:
        return self.build(hop.llops, list(zip(hop.args_v, hop.args_s, hop.args_r)))

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(bool(self.items_r), Bool)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return Constant(len(self.items_r), Signed)

    def rtype_unpack(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(hop.r_result, 0)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        s_index = hop.args_s[1]
        v_tuple = hop.inputarg(self, 0)
        if isinstance(s_index, SomeSlice):
            r_new: Any = hop.r_result
            if not isinstance(r_new, TupleRepr):  # the bounds are not known
                v_items = hop.inputarg(r_new, 0)
                cut: Value = r_new.getslice(hop, v_items, r_new.length(hop.llops, v_items))
                return cut
            chosen = range(len(self.items_r))[slice(*(part.value for part in s_index.parts))]
            items = [
                (self.getitem(hop.llops, v_tuple, i), self.items_s[i], self.items_r[i])
                for i in chosen
            ]
            built: Value = r_new.build(hop.llops, items)
            return built
        if s_index.is_constant():
            index = range(len(self.items_r))[s_index.value]
            v_item = self.getitem(hop.llops, v_tuple, index)
            return hop.llops.convertvar(v_item, self.items_r[index], hop.r_result)
        return self._getitem_by_number(hop, v_tuple, hop.inputarg(Signed, 1))

    def _getitem_by_number(self, hop: HighLevelOp, v_tuple: Value, v_index: Value) -> Value:
        """Any index, from either end."""
        llops = hop.llops
        v_length = Constant(len(self.items_r), Signed)
        zero = Constant(0, Signed)
        negative, other = llops.branch(llops.genop("int_lt", [v_index, zero], Bool))
        positive = llops.new_join(Signed)
        llops.at(negative)
        llops.goto(positive, llops.genop("int_add", [v_index, v_length], Signed))
        llops.at(other)
        llops.goto(positive, v_index)
        llops.at(positive)
        (v_place,) = positive.inputargs
        done, outside = self.select(llops, v_tuple, v_place, hop.r_result)
        llops.at(outside)
        llops.raise_constant(IndexError, "tuple index out of range")
        llops.at(done)
        return done.inputargs[0]

    def select(
        self, llops: LowLevelOpList, v_tuple: Value, v_index: Value, r: Repr
    ) -> tuple[Block, Block]:
        """Find the item with a number by trying each: the block that receives it, as a
        value of ``r``, and the block for numbers that are none."""
        done = llops.new_join(r.lowleveltype)
        for i, r_item in enumerate(self.items_r):
            test = llops.genop("int_eq", [v_index, Constant(i, Signed)], Bool)
            yes, no = llops.branch(test)
            llops.at(yes)
            v_item = self.getitem(llops, v_tuple, i)
            llops.goto(done, llops.convertvar(v_item, r_item, r))
            llops.at(no)
        return done, llops.block

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return TupleIteratorRepr(self, variant == "reversed")

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return Constant(len(self.items_r), Signed)

    def rtype_method_count(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v_tuple = hop.inputarg(self, 0)
        v_count: Value = Constant(0, Signed)
        for i, (s_item, r_item) in enumerate(zip(self.items_s, self.items_r)):
            v_item = self.getitem(llops, v_tuple, i)
            v_equal = hop.compare("eq", (v_item, s_item, r_item), hop.operand(1))
            v_one = llops.genop("cast_bool_to_int", [v_equal], Signed)
            v_count = llops.genop("int_add", [v_count, v_one], Signed)
        return v_count

    def rtype_method_index(self, hop: HighLevelOp) -> Value:
        done = self._search(hop, [Constant(i, Signed) for i in range(len(self.items_r))], Signed)
        hop.llops.raise_constant(ValueError, "tuple.index(x): x not in tuple")
        hop.llops.at(done)
        return done.inputargs[0]

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        done = self._search(hop, [Constant(True, Bool)] * len(self.items_r), Bool)
        hop.llops.goto(done, Constant(False, Bool))
        hop.llops.at(done)
        return done.inputargs[0]

    def _search(
        self, hop: HighLevelOp, results: Sequence[Constant], T: LowLevelType
    ) -> Block:
        """Go to the block with the result of the first item that is equal to operand 1; go on
        where none is."""
        llops = hop.llops
        v_tuple = hop.inputarg(self, 0)
        done = llops.new_join(T)
        for i, (s_item, r_item) in enumerate(zip(self.items_s, self.items_r)):
            v_item = self.getitem(llops, v_tuple, i)
            yes, no = llops.branch(hop.compare("eq", (v_item, s_item, r_item), hop.operand(1)))
            llops.at(yes)
            llops.goto(done, results[i])
            llops.at(no)
        return done


@repr_for(SomeTuple)
def tuple_repr(rtyper: RPythonTyper, s: SomeTuple) -> Repr:
    plain = SomeTuple(tuple(item.without_const() for item in s.items))
    return TupleRepr(rtyper, s) if plain.items == s.items else rtyper.getrepr(plain)


class TupleIteratorRepr(IteratorRepr):
    """A tuple of items of one kind and the number of the next one."""

    def __init__(self, r_tuple: TupleRepr, backwards: bool) -> None:
        self.r_tuple = r_tuple
        self.step = -1 if backwards else 1
        self.struct = GcStruct("tupleiter", ("tuple", r_tuple.lowleveltype), ("index", Signed))
        self.lowleveltype = Ptr(self.struct)
        rtyper = r_tuple.rtyper
        self.s_item: SomeObject = s_Bottom
        for s in r_tuple.items_s:
            self.s_item = rtyper.annotator.join(self.s_item, s.without_const())
        self.r_item = rtyper.getrepr(self.s_item)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        first = 0 if self.step == 1 else len(self.r_tuple.items_r) - 1
        v_iter = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("tuple"), v])
        llops.genop("setfield", [v_iter, void("index"), Constant(first, Signed)])
        return v_iter

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        r_tuple = self.r_tuple
        v_tuple = llops.genop("getfield", [v_iter, void("tuple")], r_tuple.lowleveltype)
        v_index = llops.genop("getfield", [v_iter, void("index")], Signed)
        done, outside = r_tuple.select(llops, v_tuple, v_index, self.r_item)
        llops.at(outside)
        stop()
        llops.at(done)
        v_next = llops.genop("int_add", [v_index, Constant(self.step, Signed)], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        return done.inputargs[0]


@CONVERSIONS.register("convert", TupleRepr, TupleRepr)
def convert_tuple(
    r_from: TupleRepr, r_to: TupleRepr, v: Value, llops: LowLevelOpList
) -> Value | None:
    """A copy with converted items; tuples are immutable, so a copy is as good."""
    if len(r_from.items_r) != len(r_to.items_r):
        return None
    if r_from.lowleveltype == r_to.lowleveltype and r_from.items_r == r_to.items_r:
        return v
    items = [
        (r_from.getitem(llops, v, i), s, r)
        for i, (s, r) in enumerate(zip(r_from.items_s, r_from.items_r))
    ]
    return r_to.build(llops, items)


@PAIRS.register("add", TupleRepr, TupleRepr)
def add_tuples(hop: HighLevelOp) -> Value:
    items = []
    for arg, r in enumerate(hop.args_r):
        assert isinstance(r, TupleRepr)
        v = hop.inputarg(r, arg)
        for i, (s, r_item) in enumerate(zip(r.items_s, r.items_r)):
            items.append((r.getitem(hop.llops, v, i), s, r_item))
    r_result: Any = hop.r_result
    built: Value = r_result.build(hop.llops, items)
    return built


@PAIRS.register("mul", TupleRepr, IntegerRepr)
@PAIRS.register("mul", TupleRepr, BoolRepr)
@PAIRS.register("mul", IntegerRepr, TupleRepr)
@PAIRS.register("mul", BoolRepr, TupleRepr)
def repeat_tuple(hop: HighLevelOp) -> Value:
    arg = 0 if isinstance(hop.args_r[0], TupleRepr) else 1
    r: Any = hop.args_r[arg]
    r_result: Any = hop.r_result
    if not isinstance(r_result, TupleRepr):  # how often is not known
        repeated: Value = r_result.repeated(hop, arg)
        return repeated
    v = hop.inputarg(r, arg)
    items = [
        (r.getitem(hop.llops, v, i), s, r_item)
        for i, (s, r_item) in enumerate(zip(r.items_s, r.items_r))
    ]
    built: Value = r_result.build(hop.llops, items * hop.args_s[1 - arg].value)
    return built


@PAIRS.register("eq ne", TupleRepr, TupleRepr)
def compare_tuples(hop: HighLevelOp) -> Value:
    """Item by item, stopping at the first difference."""
    llops = hop.llops
    equal = hop.opname == "eq"
    left, right = hop.args_r
    assert isinstance(left, TupleRepr) and isinstance(right, TupleRepr)
    v_left, v_right = hop.inputargs(left, right)
    if len(left.items_r) != len(right.items_r):
        return Constant(not equal, Bool)
    done = llops.new_join(Bool)
    for i in range(len(left.items_r)):
        first = (left.getitem(llops, v_left, i), left.items_s[i], left.items_r[i])
        second = (right.getitem(llops, v_right, i), right.items_s[i], right.items_r[i])
        same, different = llops.branch(hop.compare("eq", first, second))
        llops.at(different)
        llops.goto(done, Constant(not equal, Bool))
        llops.at(same)
    llops.goto(done, Constant(equal, Bool))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("lt le gt ge", TupleRepr, TupleRepr)
def order_tuples(hop: HighLevelOp) -> Value:
    """By the first items that differ, else by length."""
    llops = hop.llops
    left, right = hop.args_r
    assert isinstance(left, TupleRepr) and isinstance(right, TupleRepr)
    v_left, v_right = hop.inputargs(left, right)
    opname = hop.opname
    done = llops.new_join(Bool)
    for i in range(min(len(left.items_r), len(right.items_r))):
        first = (left.getitem(llops, v_left, i), left.items_s[i], left.items_r[i])
        second = (right.getitem(llops, v_right, i), right.items_s[i], right.items_r[i])
        same, different = llops.branch(hop.compare("eq", first, second))
        llops.at(different)
        llops.goto(done, hop.compare(opname, first, second))
        llops.at(same)
    ordered = getattr(operator, opname)(len(left.items_r), len(right.items_r))
    llops.goto(done, Constant(ordered, Bool))
    llops.at(done)
    return done.inputargs[0]
