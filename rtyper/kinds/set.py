"""Sets and frozensets.

    Ptr(GcStruct("set", live, filled, finger, entries: Ptr(GcArray((key, valid, deleted, hash)))))

See ``ll.ll_set`` for the algorithm.  ``hash`` is there only for items whose hash takes time.  Both
kinds have one low-level form.  Which way an operation goes through its operands is CPython's
choice, as that decides about the order of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard

from rpython.annotator.lattice.parts import without_none
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet, SomeSet
from rpython.annotator.program.prebuilt import set_order, set_table
from rpython.lltypesystem.lltype import Bool, GcArray, GcStruct, Ptr, Signed, malloc
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.builtins.hash import (
    exact_host_hash,
    is_careful,
    is_hashed_exactly,
    is_quick,
    table_keys,
)
from rpython.rtyper.hashing import HASHES, host_hash, refuse_hash
from rpython.rtyper.items import (
    const_to_storage,
    from_storage,
    storage_type,
    to_storage,
    zero_item,
)
from rpython.rtyper.kinds.dict import DictRepr, raise_key_error
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import (
    IterableRepr,
    IteratorRepr,
    Stop,
    each_item,
    iterable_arg,
)
from rpython.rtyper.ll import ll_hash, ll_set, ll_set_pairs
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, ImpossibleRepr, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


def _is_plain_dict(r: Repr) -> TypeGuard[DictRepr]:
    """Is it a dict, which sets treat apart, and no OrderedDict?"""
    return isinstance(r, DictRepr) and not r.dictdef.ordered


class AnySetRepr(IterableRepr):
    """What both kinds have in common."""

    nullable = True
    host_type: type = set

    def __init__(self, rtyper: RPythonTyper, s: SomeAnySet) -> None:
        self.rtyper = rtyper
        self.dictdef = s.dictdef.find()
        self.s_key = self.dictdef.key.s_value.without_const()
        self.r_item: Repr = rtyper.getrepr(self.s_key)
        self.is_exact = is_hashed_exactly(self.s_key)
        fields = [("key", storage_type(self.r_item)), ("valid", Bool), ("deleted", Bool)]
        if self.stores_hash():
            fields.append(("hash", Signed))
        self.ENTRIES = GcArray(*fields)
        self.SET = GcStruct(
            "set",  # for debuggers
            ("live", Signed), ("filled", Signed), ("finger", Signed),
            ("entries", Ptr(self.ENTRIES)), hints={"counts": "live"},
        )  # fmt: skip
        self.lowleveltype = Ptr(self.SET)

    def never_same(self, other: Repr) -> bool:
        return self is not other  # a set belongs to one definition

    # -- constants for helpers ------------------------------------------------------------------

    def stores_hash(self) -> bool:
        return is_careful(self.s_key) or not is_quick(self.r_item)

    def keys(self) -> Constant:
        """What helpers need to know about items."""
        return table_keys(self.rtyper, self.s_key, self.r_item, self.stores_hash(), self.is_exact)

    def zero(self) -> Constant:
        """What a slot without an item holds."""
        return zero_item(self.r_item)

    def no_entries(self) -> Constant:
        """The table that empty sets share."""

        def make() -> Any:
            return malloc(self.ENTRIES, 1, immortal=True)

        entries = self.rtyper.items.constant(("no entries", self), make)
        return Constant(entries, Ptr(self.ENTRIES))

    # -- prebuilt sets --------------------------------------------------------------------------

    def convert_const(self, value: Any) -> Any:
        if type(value) is not self.host_type:
            raise TyperError(f"{value!r} is not a {self.host_type.__name__}")
        return self.rtyper.prebuilt.get(
            self, value, lambda value: malloc(self.SET, immortal=True), self.fill_prebuilt
        )

    def fill_prebuilt(self, p: Any, value: Any) -> None:
        """The host's table, where hashes are the same.  Items that the program hashes wait: see
        ``ll_set.ll_hash_prebuilt``."""
        table = set_table(value)
        p.entries = malloc(self.ENTRIES, len(table.slots), immortal=True)
        p.live = len(value)
        if self.is_exact:
            p.finger = table.finger
            p.filled = sum(slot is not None for slot in table.slots)
            for entry, slot in zip(p.entries, table.slots):
                if slot:
                    self._fill(entry, slot[0], exact_host_hash(slot[0]))
                entry.deleted = slot == ()
            return
        lazy = is_careful(self.s_key)
        p.filled = -1 if lazy else len(value)
        for i, item in enumerate(set_order(value)):
            item_hash = 0 if lazy else host_hash(self.r_item, item)
            at = i if lazy else ll_set.ll_free_slot(p.entries, item_hash)
            self._fill(p.entries[at], item, item_hash)

    def _fill(self, entry: Any, item: Any, item_hash: int) -> None:
        entry.key = const_to_storage(self.r_item, item)
        entry.valid = True
        if self.stores_hash():
            entry.hash = item_hash

    def to_host(self, value: Any) -> Any:
        """The host set that a low-level one stands for."""
        items = []
        for i in range(len(value.entries)):
            entry = value.entries[i]
            if entry.valid:
                items.append(to_host(self.r_item, entry._obj._getfield(entry._TYPE.TO, "key")))
        return self.host_type(items)

    # -- parts ----------------------------------------------------------------------------------

    def new(self, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_set.ll_newset, void(self.SET), self.no_entries())

    def add(self, llops: LowLevelOpList, v: Value, v_item: Value) -> None:
        """Add a value of ``r_item``."""
        llops.gendirectcall(ll_set.ll_add, v, to_storage(v_item, self.r_item), self.keys())

    def add_from(
        self, llops: LowLevelOpList, helper: Any, v: Value, v_other: Value, v_item: Value
    ) -> None:
        """Add a value of ``r_item`` if the helper finds that it belongs to the result."""
        v_stored = to_storage(v_item, self.r_item)
        llops.gendirectcall(helper, v, v_other, v_stored, self.keys())

    def combined(self, llops: LowLevelOpList, helper: Any, *args: Value) -> Value:
        """A new set, made by a helper."""
        return llops.gendirectcall(helper, void(self.SET), *args, self.no_entries(), self.keys())

    def copy(self, llops: LowLevelOpList, v: Value) -> Value:
        return self.combined(llops, ll_set.ll_copy, v)

    def item_at(self, llops: LowLevelOpList, v: Value, v_slot: Value) -> Value:
        v_entries = llops.genop("getfield", [v, void("entries")], Ptr(self.ENTRIES))
        args = [v_entries, v_slot, void("key")]
        v_item = llops.genop("getinteriorfield", args, storage_type(self.r_item))
        return from_storage(v_item, self.r_item)

    def as_set(self, hop: HighLevelOp, arg: int) -> Value:
        """Operand ``arg``, anything to iterate over, as a set of this kind of items."""
        llops = hop.llops
        r, v = iterable_arg(hop, arg)
        if isinstance(r, AnySetRepr):
            return v
        v_set = self.new(llops)
        self.add_items(hop, v_set, arg)
        return v_set

    def add_items(self, hop: HighLevelOp, v: Value, arg: int) -> None:
        """Add the items of operand ``arg``, anything to iterate over."""
        llops = hop.llops
        r, v_other = iterable_arg(hop, arg)
        if isinstance(r, AnySetRepr):
            llops.gendirectcall(ll_set.ll_add_all, v, v_other, self.keys())
            return
        if _is_plain_dict(r):
            self.make_room(llops, v, v_other)
        if isinstance(r, DictRepr) and r.r_key is self.r_item:
            llops.gendirectcall(ll_set.ll_add_keys, v, v_other, self.keys())
            return
        self.each(hop, arg, lambda v_item: self.add(llops, v, v_item))

    def make_room(self, llops: LowLevelOpList, v: Value, v_other: Value) -> None:
        """For the keys of a dict."""
        v_count = llops.genop("getfield", [v_other, void("live")], Signed)
        llops.gendirectcall(ll_set.ll_make_room, v, v_count, self.keys())

    def each(self, hop: HighLevelOp, arg: int, body: Callable[[Value], None]) -> None:
        """Emit a loop over operand ``arg``; ``body`` gets values of ``r_item``."""

        def step(v_item: Value, state: list[Value], r_iter: IteratorRepr) -> list[Value]:
            body(hop.llops.convertvar(v_item, r_iter.r_item, self.r_item))
            return []

        each_item(hop, arg, [], step)

    def is_set(self, hop: HighLevelOp, arg: int) -> bool:
        """Is operand ``arg`` a set?"""
        return isinstance(hop.rtyper.getrepr(without_none(hop.args_s[arg])), AnySetRepr)

    # -- operations -----------------------------------------------------------------------------

    def rtype_newset(self, hop: HighLevelOp) -> Value:
        v = self.new(hop.llops)
        for i in range(hop.nb_args):
            self.add(hop.llops, v, hop.inputarg(self.r_item, i))
        return v

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return hop.genop("getfield", [hop.inputarg(self, 0), void("live")], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def item_arg(self, hop: HighLevelOp) -> Value:
        return to_storage(hop.inputarg(self.r_item, 1), self.r_item)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        return hop.gendirectcall(ll_set.ll_contains, v, self.item_arg(hop), self.keys())

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant:
            raise TyperError(f"{variant}() of a set is not supported")
        return SetIteratorRepr(self)

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return llops.genop("getfield", [v, void("live")], Signed)

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        return self.copy(hop.llops, hop.inputarg(self, 0))

    # -- with others ----------------------------------------------------------------------------

    def rtype_method_union(self, hop: HighLevelOp) -> Value:
        v_self = hop.inputarg(self, 0)
        v = self.copy(hop.llops, v_self)
        for arg in range(1, hop.nb_args):
            if self.is_set(hop, arg):
                v_other = self.as_set(hop, arg)
                hop.gendirectcall(ll_set_pairs.ll_add_others, v, v_self, v_other, self.keys())
            else:
                self.add_items(hop, v, arg)
        return v

    def rtype_method_intersection(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.nb_args == 1:
            return self.copy(hop.llops, v)
        for arg in range(1, hop.nb_args):
            v = self._intersection(hop, v, arg)
        return v

    def _intersection(self, hop: HighLevelOp, v: Value, arg: int) -> Value:
        llops = hop.llops
        if self.is_set(hop, arg):
            return self.combined(llops, ll_set_pairs.ll_intersection, v, self.as_set(hop, arg))
        v_result = self.new(llops)
        self.each(hop, arg, partial(self.add_from, llops, ll_set_pairs.ll_add_common, v_result, v))
        return v_result

    def rtype_method_difference(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        if hop.nb_args == 1:
            return self.copy(llops, v)
        sized = self.is_set(hop, 1) or _is_plain_dict(iterable_arg(hop, 1)[0])
        helper = ll_set_pairs.ll_difference if sized else ll_set_pairs.ll_copy_and_remove
        v_result = self.combined(llops, helper, v, self.as_set(hop, 1), self.zero())
        for arg in range(2, hop.nb_args):
            self.remove_all(llops, v_result, self.as_set(hop, arg))
        return v_result

    def remove_all(self, llops: LowLevelOpList, v: Value, v_other: Value) -> None:
        zeros = self.zero(), self.no_entries()
        llops.gendirectcall(ll_set_pairs.ll_remove_all, v, v_other, *zeros, self.keys())

    def rtype_method_symmetric_difference(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        if self.is_set(hop, 1):
            v_other = self.copy(hop.llops, v_other)
        self.toggle_all(hop.llops, v_other, v)
        return v_other

    def toggle_all(self, llops: LowLevelOpList, v: Value, v_other: Value) -> None:
        zeros = self.zero(), self.no_entries()
        llops.gendirectcall(ll_set_pairs.ll_toggle_all, v, v_other, *zeros, self.keys())

    def rtype_method_issubset(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set_pairs.ll_is_subset, v, v_other, self.keys())

    def rtype_method_issuperset(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set_pairs.ll_is_subset, v_other, v, self.keys())

    def rtype_method_isdisjoint(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set_pairs.ll_is_disjoint, v, v_other, self.keys())


class SetRepr(AnySetRepr):
    """The methods that change a set."""

    def rtype_method_add(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        self.add(hop.llops, v, hop.inputarg(self.r_item, 1))
        return void(None)

    def _discard(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        args = self.item_arg(hop), self.zero(), self.keys()
        return hop.gendirectcall(ll_set.ll_discard, v, *args)

    def rtype_method_discard(self, hop: HighLevelOp) -> Value:
        self._discard(hop)
        return void(None)

    def rtype_method_remove(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        found, missing = llops.branch(self._discard(hop))
        llops.at(missing)
        raise_key_error(hop)
        llops.at(found)
        return void(None)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        v_slot = hop.gendirectcall(ll_set.ll_pop_slot, v, self.keys())
        if isinstance(hop.r_result, ImpossibleRepr):
            return void(None)  # nothing is ever added: it has raised
        v_item = self.item_at(llops, v, v_slot)
        v_item = llops.convertvar(v_item, self.r_item, hop.r_result)
        hop.gendirectcall(ll_set.ll_remove_at, v, v_slot, self.zero())
        return v_item

    def rtype_method_clear(self, hop: HighLevelOp) -> Value:
        hop.gendirectcall(ll_set.ll_clear, hop.inputarg(self, 0), self.no_entries())
        return void(None)

    def rtype_method_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        for arg in range(1, hop.nb_args):
            self.add_items(hop, v, arg)
        return void(None)

    def rtype_method_intersection_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_set_pairs.ll_become, v, self.rtype_method_intersection(hop))
        return void(None)

    def rtype_method_difference_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        for arg in range(1, hop.nb_args):
            self.remove_all(hop.llops, v, self.as_set(hop, arg))
        return void(None)

    def rtype_method_symmetric_difference_update(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        r, v_other = iterable_arg(hop, 1)
        if _is_plain_dict(r) and r.r_key is self.r_item:
            llops.gendirectcall(ll_set_pairs.ll_toggle_keys, v, v_other, self.zero(), self.keys())
        else:
            self.toggle_all(llops, v, self.as_set(hop, 1))
        return void(None)


class FrozenSetRepr(AnySetRepr):
    host_type = frozenset

    def never_same(self, other: Repr) -> bool:
        return False

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)


@repr_for(SomeSet)
def set_repr(rtyper: RPythonTyper, s: SomeSet) -> Repr:
    return SetRepr(rtyper, s)


@repr_for(SomeFrozenSet)
def frozenset_repr(rtyper: RPythonTyper, s: SomeFrozenSet) -> Repr:
    return FrozenSetRepr(rtyper, s)


@CONVERSIONS.register("convert", AnySetRepr, AnySetRepr)
def convert_set(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value | None:
    return v if r_from.lowleveltype == r_to.lowleveltype else None


@BUILTINS.register(set, frozenset)
def builtin_set(hop: HighLevelOp) -> Value:
    r = hop.r_result
    assert isinstance(r, AnySetRepr)
    if hop.nb_args == 0:
        return r.new(hop.llops)
    given = hop.args_r[0]
    if isinstance(given, AnySetRepr):
        v = hop.inputarg(given, 0)
        if isinstance(given, FrozenSetRepr) and isinstance(r, FrozenSetRepr):
            return v
        return r.copy(hop.llops, v)
    return r.as_set(hop, 0)


_COMBINERS = {
    "and_": ll_set_pairs.ll_intersection, "or_": ll_set_pairs.ll_union,
    "sub": ll_set_pairs.ll_difference, "xor": ll_set_pairs.ll_symmetric_difference,
}  # fmt: skip


def _combine(hop: HighLevelOp, r: AnySetRepr, v_left: Value, v_right: Value) -> Value:
    removes = hop.opname in ("sub", "xor")
    zeros = [r.zero()] if removes else []
    return r.combined(hop.llops, _COMBINERS[hop.opname], v_left, v_right, *zeros)


@PAIRS.register("and_ or_ sub xor", AnySetRepr, AnySetRepr)
def combine_sets(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    assert isinstance(r, AnySetRepr)
    return _combine(hop, r, *hop.inputargs(*hop.args_r))


@PAIRS.register("inplace_and inplace_or inplace_sub inplace_xor", SetRepr, AnySetRepr)
def combine_in_place(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    assert isinstance(r, SetRepr)
    v, v_other = hop.inputargs(*hop.args_r)
    if hop.opname == "inplace_or":
        hop.gendirectcall(ll_set.ll_add_all, v, v_other, r.keys())
    elif hop.opname == "inplace_sub":
        r.remove_all(hop.llops, v, v_other)
    elif hop.opname == "inplace_xor":
        r.toggle_all(hop.llops, v, v_other)
    else:
        v_common = r.combined(hop.llops, ll_set_pairs.ll_intersection, v, v_other)
        hop.gendirectcall(ll_set_pairs.ll_become, v, v_common)
    return v


@PAIRS.register("lt le gt ge eq ne", AnySetRepr, AnySetRepr)
def compare_sets(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    assert isinstance(r, AnySetRepr)
    return compared(hop, r, *hop.inputargs(*hop.args_r))


def compared(hop: HighLevelOp, r: AnySetRepr, v_left: Value, v_right: Value) -> Value:
    opname = hop.opname
    if opname in ("gt", "ge"):
        v_left, v_right = v_right, v_left
    if opname in ("eq", "ne"):
        helper = ll_set_pairs.ll_same
    elif opname in ("lt", "gt"):
        helper = ll_set_pairs.ll_is_proper_subset
    else:
        helper = ll_set_pairs.ll_is_subset
    v_result = hop.gendirectcall(helper, v_left, v_right, r.keys())
    return hop.genop("bool_not", [v_result], Bool) if opname == "ne" else v_result


# -- hash -------------------------------------------------------------------------------------


@HASHES.register("hash", FrozenSetRepr)
def hash_frozenset(llops: LowLevelOpList, v: Value, r: FrozenSetRepr) -> Value:
    return llops.gendirectcall(ll_set_pairs.ll_set_hash, v, r.keys())


@HASHES.register("exact_hash", FrozenSetRepr)
def exact_hash_frozenset(llops: LowLevelOpList, v: Value, r: FrozenSetRepr) -> Value:
    if r.is_exact:
        return hash_frozenset(llops, v, r)
    keys = table_keys(r.rtyper, r.s_key, r.r_item, stored=False, exact=True)
    return llops.gendirectcall(ll_set_pairs.ll_set_hash, v, keys)


@HASHES.register("host_hash", FrozenSetRepr)
def host_hash_frozenset(r: FrozenSetRepr, value: frozenset[Any]) -> int:
    if r.is_exact:
        return exact_host_hash(value)
    mixed = 0
    for item in value:
        mixed ^= ll_hash.ll_shuffle(host_hash(r.r_item, item))
    return ll_hash.ll_frozenset_end(mixed, len(value))


# -- iterators --------------------------------------------------------------------------------


class SetIteratorRepr(IteratorRepr):
    """A set, the next slot, and the size that the set had."""

    def __init__(self, r_set: AnySetRepr) -> None:
        self.r_set = r_set
        self.s_item = r_set.s_key
        self.r_item = r_set.r_item
        self.struct = GcStruct(
            "setiter", ("set", r_set.lowleveltype), ("position", Signed), ("expected", Signed)
        )
        self.lowleveltype = Ptr(self.struct)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.gendirectcall(ll_set.ll_newiter, void(self.struct), v, self.r_set.keys())

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        v_slot = llops.gendirectcall(ll_set.ll_next, v_iter)
        v_end = llops.genop("int_lt", [v_slot, Constant(0, Signed)], Bool)
        end, found = llops.branch(v_end)
        llops.at(end)
        stop()
        llops.at(found)
        v = llops.genop("getfield", [v_iter, void("set")], self.r_set.lowleveltype)
        return self.r_set.item_at(llops, v, v_slot)


@HASHES.register("hash", SetRepr)
def hash_set(llops: LowLevelOpList, v: Value, r: SetRepr) -> Value:
    return refuse_hash(llops, "set")
