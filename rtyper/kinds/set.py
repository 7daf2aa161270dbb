"""Sets and frozensets: dicts from items to None, see ``ll.ll_set``.

Both kinds have one low-level form.  What is no set (a list, a view of keys) becomes one
before it is combined with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.cells import DictDef
from rpython.annotator.lattice.model import SomeDict
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet, SomeSet
from rpython.annotator.program.prebuilt import set_order
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.hashing import HASHES, host_hash
from rpython.rtyper.items import to_storage
from rpython.rtyper.kinds.dict import DictRepr, raise_key_error
from rpython.rtyper.kinds.dictview import DictIteratorRepr, DictViewRepr
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr, each_item, iterable_arg
from rpython.rtyper.ll import ll_dict, ll_hash, ll_set
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, ImpossibleRepr, Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import plain_name
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class AnySetRepr(IterableRepr):
    """What both kinds have in common."""

    nullable = True
    host_type: type = set

    def __init__(self, rtyper: RPythonTyper, s: SomeAnySet) -> None:
        self.rtyper = rtyper
        self.dictdef = s.dictdef.find()
        r_dict = rtyper.getrepr(SomeDict(self.dictdef))
        assert isinstance(r_dict, DictRepr)
        self.r_dict = r_dict
        self.lowleveltype = r_dict.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_dict.lowleveltype

    @property
    def r_item(self) -> Repr:
        return self.r_dict.r_key

    def never_same(self, other: Repr) -> bool:
        return self is not other  # a set belongs to one definition

    # -- prebuilt sets --------------------------------------------------------------------------

    def convert_const(self, value: Any) -> Any:
        if type(value) is not self.host_type:
            raise TyperError(f"{value!r} is not a {self.host_type.__name__}")
        r = self.r_dict
        return self.rtyper.prebuilt.get(r, value, r.make_prebuilt, self.fill_prebuilt)

    def fill_prebuilt(self, p: Any, value: Any) -> None:
        self.r_dict.fill_prebuilt(p, dict.fromkeys(set_order(value)))

    def to_host(self, value: Any) -> Any:
        """The host set that a low-level one stands for."""
        items = []
        for i in range(value.used):
            entry = value.entries[i]
            if entry.valid:
                items.append(to_host(self.r_item, entry._obj._getfield(entry._TYPE.TO, "key")))
        return self.host_type(items)

    # -- parts ----------------------------------------------------------------------------------

    def keys(self) -> Constant:
        return self.r_dict.keys()

    def new(self, llops: LowLevelOpList) -> Value:
        return self.r_dict.newdict(llops)

    def add(self, llops: LowLevelOpList, v: Value, v_item: Value) -> None:
        """Add a value of ``r_item``."""
        llops.gendirectcall(ll_set.ll_add, v, to_storage(v_item, self.r_item), self.keys())

    def combined(self, llops: LowLevelOpList, helper: Any, *args: Value) -> Value:
        """A new set, made by a helper."""
        tables = self.r_dict.no_tables()
        return llops.gendirectcall(helper, void(self.r_dict.DICT), *args, *tables, self.keys())

    def copy(self, llops: LowLevelOpList, v: Value) -> Value:
        return self.r_dict.copy(llops, v)

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
        same_keys = isinstance(r, DictRepr) and r.r_key is self.r_item
        if isinstance(r, AnySetRepr) or same_keys:  # their hashes are known
            llops.gendirectcall(ll_set.ll_add_all, v, v_other, self.keys())
            return

        def add(v_item: Value, state: list[Value], r_iter: IteratorRepr) -> list[Value]:
            self.add(llops, v, llops.convertvar(v_item, r_iter.r_item, self.r_item))
            return []

        each_item(hop, arg, [], add)

    def is_set(self, hop: HighLevelOp, arg: int) -> Constant:
        """Is operand ``arg`` a set?  A Bool for helpers."""
        r = hop.rtyper.getrepr(without_none(hop.args_s[arg]))
        return Constant(isinstance(r, AnySetRepr), Bool)

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
        return hop.gendirectcall(ll_dict.ll_contains, v, self.item_arg(hop), self.keys())

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant:
            raise TyperError(f"{variant}() of a set is not supported")
        return DictIteratorRepr(self.r_dict, "set", "")

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return llops.genop("getfield", [v, void("live")], Signed)

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        return self.copy(hop.llops, hop.inputarg(self, 0))

    # -- with others ----------------------------------------------------------------------------

    def rtype_method_union(self, hop: HighLevelOp) -> Value:
        v = self.copy(hop.llops, hop.inputarg(self, 0))
        for arg in range(1, hop.nb_args):
            self.add_items(hop, v, arg)
        return v

    def rtype_method_intersection(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        if hop.nb_args == 1:
            return self.copy(llops, v)
        for arg in range(1, hop.nb_args):
            v_other = self.as_set(hop, arg)
            swap = self.is_set(hop, arg)
            v = self.combined(llops, ll_set.ll_intersection, v, v_other, swap)
        return v

    def rtype_method_difference(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        if hop.nb_args == 1:
            return self.copy(llops, v)
        for arg in range(1, hop.nb_args):
            v = self.combined(llops, ll_set.ll_difference, v, self.as_set(hop, arg))
        return v

    def rtype_method_symmetric_difference(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return self.combined(hop.llops, ll_set.ll_symmetric_difference, v, v_other)

    def rtype_method_issubset(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set.ll_is_subset, v, v_other, self.keys())

    def rtype_method_issuperset(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set.ll_is_subset, v_other, v, self.keys())

    def rtype_method_isdisjoint(self, hop: HighLevelOp) -> Value:
        v, v_other = hop.inputarg(self, 0), self.as_set(hop, 1)
        return hop.gendirectcall(ll_set.ll_is_disjoint, v, v_other, self.keys())


class SetRepr(AnySetRepr):
    """The methods that change a set."""

    def rtype_method_add(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        self.add(hop.llops, v, hop.inputarg(self.r_item, 1))
        return void(None)

    def rtype_method_discard(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        zeros = self.r_dict.zeros()
        hop.gendirectcall(ll_dict.ll_discard, v, self.item_arg(hop), *zeros, self.keys())
        return void(None)

    def rtype_method_remove(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        v = hop.inputarg(self, 0)
        zeros = self.r_dict.zeros()
        v_found = hop.gendirectcall(ll_dict.ll_discard, v, self.item_arg(hop), *zeros, self.keys())
        found, missing = llops.branch(v_found)
        llops.at(missing)
        raise_key_error(hop)
        llops.at(found)
        return void(None)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        llops, r = hop.llops, self.r_dict
        v = hop.inputarg(self, 0)
        v_entry = hop.gendirectcall(ll_set.ll_pop_number, v)
        if isinstance(hop.r_result, ImpossibleRepr):
            return void(None)  # nothing is ever added: it has raised
        v_item = r.entry_field(llops, v, v_entry, "key")
        v_item = llops.convertvar(v_item, self.r_item, hop.r_result)
        zero_item, _ = r.zeros()
        hop.gendirectcall(ll_set.ll_remove_last, v, v_entry, zero_item, self.keys())
        return v_item

    def rtype_method_clear(self, hop: HighLevelOp) -> Value:
        tables = self.r_dict.no_tables()
        hop.gendirectcall(ll_dict.ll_clear, hop.inputarg(self, 0), *tables)
        return void(None)

    def rtype_method_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        for arg in range(1, hop.nb_args):
            self.add_items(hop, v, arg)
        return void(None)

    def rtype_method_intersection_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_set.ll_become, v, self.rtype_method_intersection(hop))
        return void(None)

    def rtype_method_difference_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_set.ll_become, v, self.rtype_method_difference(hop))
        return void(None)

    def rtype_method_symmetric_difference_update(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        hop.gendirectcall(ll_set.ll_become, v, self.rtype_method_symmetric_difference(hop))
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
    "and_": ll_set.ll_intersection, "or_": ll_set.ll_union, "sub": ll_set.ll_difference,
    "xor": ll_set.ll_symmetric_difference,
}  # fmt: skip


def _combine(hop: HighLevelOp, r: AnySetRepr, v_left: Value, v_right: Value) -> Value:
    swap = [Constant(True, Bool)] if hop.opname == "and_" else []
    return r.combined(hop.llops, _COMBINERS[hop.opname], v_left, v_right, *swap)


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
        return v
    hop.opname = plain_name(hop.opname)
    hop.gendirectcall(ll_set.ll_become, v, _combine(hop, r, v, v_other))
    return v


@PAIRS.register("lt le gt ge eq ne", AnySetRepr, AnySetRepr)
def compare_sets(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    assert isinstance(r, AnySetRepr)
    return _compare(hop, r, *hop.inputargs(*hop.args_r))


def _compare(hop: HighLevelOp, r: AnySetRepr, v_left: Value, v_right: Value) -> Value:
    opname = hop.opname
    if opname in ("gt", "ge"):
        v_left, v_right = v_right, v_left
    helper = {
        "eq": ll_set.ll_same, "ne": ll_set.ll_same, "lt": ll_set.ll_is_proper_subset,
        "gt": ll_set.ll_is_proper_subset, "le": ll_set.ll_is_subset, "ge": ll_set.ll_is_subset,
    }[opname]  # fmt: skip
    v_result = hop.gendirectcall(helper, v_left, v_right, r.keys())
    return hop.genop("bool_not", [v_result], Bool) if opname == "ne" else v_result


# -- views of dicts, as sets ------------------------------------------------------------------


def _both_as_sets(hop: HighLevelOp) -> tuple[AnySetRepr, Value, Value]:
    made = hop.rtyper.annotator.notes.made_here.get(("set", hop.spaceop))
    if not isinstance(made, DictDef):
        raise TyperError("views of dicts cannot be compared as a part of another operation")
    s_set = SomeSet(made)
    r = hop.rtyper.getrepr(s_set)
    assert isinstance(r, AnySetRepr)
    return r, r.as_set(hop, 0), r.as_set(hop, 1)


@PAIRS.register("and_ or_ sub xor", DictViewRepr, Repr)
@PAIRS.register("and_ or_ sub xor", AnySetRepr, DictViewRepr)
def combine_views(hop: HighLevelOp) -> Value:
    return _combine(hop, *_both_as_sets(hop))


@PAIRS.register("lt le gt ge", DictViewRepr, DictViewRepr)
@PAIRS.register("lt le gt ge eq ne", DictViewRepr, AnySetRepr)
@PAIRS.register("lt le gt ge eq ne", AnySetRepr, DictViewRepr)
def compare_with_view(hop: HighLevelOp) -> Value:
    return _compare(hop, *_both_as_sets(hop))


@PAIRS.register("isdisjoint", DictViewRepr, Repr)
def view_is_disjoint(hop: HighLevelOp) -> Value:
    """``d.keys().isdisjoint(x)``"""
    r, v_left, v_right = _both_as_sets(hop)
    return hop.gendirectcall(ll_set.ll_is_disjoint, v_left, v_right, r.keys())


# -- hash -------------------------------------------------------------------------------------


@HASHES.register("hash", FrozenSetRepr)
def hash_frozenset(llops: LowLevelOpList, v: Value, r: FrozenSetRepr) -> Value:
    return llops.gendirectcall(ll_set.ll_set_hash, v, r.keys())


@HASHES.register("host_hash", FrozenSetRepr)
def host_hash_frozenset(r: FrozenSetRepr, value: frozenset[Any]) -> int:
    mixed = 0
    for item in value:
        mixed ^= ll_hash.ll_shuffle(host_hash(r.r_item, item))
    return ll_hash.ll_frozenset_end(mixed, len(value))
