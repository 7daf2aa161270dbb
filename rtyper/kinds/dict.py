"""Dicts.

    Ptr(GcStruct("dict", live, used, first, room, indexes: Ptr(GcArray(Int32)),
                 entries: Ptr(GcArray((key, value, valid, hash)))))

See ``ll.ll_dict`` for the algorithm.  ``hash`` is there only for keys whose hash takes time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeDict, SomeDictView, SomeNone, s_None
from rpython.annotator.lattice.parts import type_name, without_none
from rpython.annotator.lattice.reaching import reaches
from rpython.annotator.program.exctexts import has_text_when_read
from rpython.annotator.rules.dicts import mapping_reader
from rpython.lltypesystem.lltype import (
    Bool,
    GcArray,
    GcForwardReference,
    GcStruct,
    LowLevelType,
    Ptr,
    Signed,
    Void,
    malloc,
)
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.builtins.hash import is_careful, is_quick, table_keys
from rpython.rtyper.hashing import HASHES, host_hash, refuse_hash
from rpython.rtyper.items import const_to_storage, from_storage, storage_type, to_storage, zero_item
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import (
    IterableRepr,
    IteratorRepr,
    each_item,
    iterable_arg,
    not_iterable,
)
from rpython.rtyper.kinds.keywords import KeywordsRepr
from rpython.rtyper.ll import ll_dict, ll_error, ll_ordereddict
from rpython.rtyper.matching import Operand
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import PAIRS, ImpossibleRepr, NullableRepr, Repr, repr_for
from rpython.rtyper.text import literal, text
from rpython.stdlib.builtins import equal_in_any_order
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class DictRepr(IterableRepr):
    nullable = True
    DICT: Any
    ENTRIES: Any

    def __init__(self, rtyper: RPythonTyper, s: SomeDict) -> None:
        self.rtyper = rtyper
        root = self.dictdef = s.dictdef.find()
        self.s_key = root.key.s_value.without_const()
        self.s_value = root.value.s_value.without_const()
        self.r_key: Repr
        self.r_value: Repr
        self.forward: Any = None
        """The struct while it is not known: dicts that may contain themselves."""
        if reaches(self.s_value, root):
            self.forward = GcForwardReference()
            self.lowleveltype: LowLevelType = Ptr(self.forward)
        else:
            self.lowleveltype = Ptr(self._dict_type())

    def setup(self) -> None:
        if self.forward is not None:
            self.forward.become(self._dict_type())
            self.forward = None

    def _dict_type(self) -> Any:
        self.r_key = self.rtyper.getrepr(self.s_key)
        self.r_value = self.rtyper.getrepr(self.s_value)
        fields = [
            ("key", storage_type(self.r_key)), ("value", storage_type(self.r_value)),
            ("valid", Bool),
        ]  # fmt: skip
        if self.stores_hash():
            fields.append(("hash", Signed))
        self.ENTRIES = GcArray(*fields)
        self.DICT = GcStruct(
            "dict",  # for debuggers
            ("live", Signed), ("used", Signed), ("first", Signed), ("room", Signed),
            ("indexes", Ptr(ll_dict.INDEXES)), ("entries", Ptr(self.ENTRIES)),
            hints={"counts": "live used"},
        )  # fmt: skip
        return self.DICT

    def never_same(self, other: Repr) -> bool:
        return self is not other  # a dict belongs to one definition

    # -- constants for helpers ------------------------------------------------------------------

    def no_tables(self) -> tuple[Constant, Constant]:
        """What empty dicts share: a table of one free slot, and no entries."""
        items = self.rtyper.items
        indexes = items.constant("no indexes", _make_no_indexes)
        entries = items.constant(("no entries", self), self._make_no_entries)
        return Constant(indexes, Ptr(ll_dict.INDEXES)), Constant(entries, Ptr(self.ENTRIES))

    def _make_no_entries(self) -> Any:
        return malloc(self.ENTRIES, 0, immortal=True)

    def stores_hash(self) -> bool:
        return is_careful(self.s_key) or not is_quick(self.r_key)

    def keys(self) -> Constant:
        """What helpers need to know about keys."""
        return table_keys(self.rtyper, self.s_key, self.r_key, self.stores_hash())

    def zeros(self) -> tuple[Constant, Constant]:
        return zero_item(self.r_key), zero_item(self.r_value)

    # -- prebuilt dicts -------------------------------------------------------------------------

    def convert_const(self, value: Any) -> Any:
        if type(value) is not (OrderedDict if self.dictdef.ordered else dict):
            raise TyperError(f"{value!r} is not a dict")
        return self.rtyper.prebuilt.get(self, value, self.make_prebuilt, self.fill_prebuilt)

    def make_prebuilt(self, value: dict[Any, Any]) -> Any:
        self.setup()
        return malloc(self.DICT, immortal=True)

    def fill_prebuilt(self, p: Any, value: dict[Any, Any]) -> None:
        """The tables as a dict has them after the keys were inserted one by one.  Keys that
        the program hashes have no table yet: see ``ll_dict.ll_make_indexes``."""
        slots = 8
        while slots * 2 // 3 < len(value):
            slots *= 2
        lazy = is_careful(self.s_key)
        if not lazy:
            p.indexes = malloc(ll_dict.INDEXES, slots, immortal=True)
        p.entries = malloc(self.ENTRIES, slots * 2 // 3, immortal=True)
        p.live = p.used = len(value)
        p.room = len(p.entries) - len(value)
        for i, (key, item) in enumerate(value.items()):
            entry = p.entries[i]
            entry.key = const_to_storage(self.r_key, key)
            entry.value = const_to_storage(self.r_value, item)
            entry.valid = True
            if lazy:
                continue
            key_hash = host_hash(self.r_key, key)
            if self.stores_hash():
                entry.hash = key_hash
            slot = ll_dict.ll_free_slot(p.indexes, key_hash)
            p.indexes[slot] = i + ll_dict.FIRST

    def to_host(self, value: Any) -> dict[Any, Any]:
        """The host dict that a low-level one stands for."""
        result: dict[Any, Any] = OrderedDict() if self.dictdef.ordered else {}
        for i in range(value.used):
            entry = value.entries[i]
            if entry.valid:
                key, item = (entry._obj._getfield(entry._TYPE.TO, n) for n in ("key", "value"))
                result[to_host(self.r_key, key)] = to_host(self.r_value, item)
        return result

    # -- parts ------------------------------------------------------------------------------------

    def key_arg(self, hop: HighLevelOp, arg: int = 1) -> Value:
        return to_storage(hop.inputarg(self.r_key, arg), self.r_key)

    def value_arg(self, hop: HighLevelOp, arg: int) -> Value:
        return to_storage(hop.inputarg(self.r_value, arg), self.r_value)

    def entry_field(self, llops: LowLevelOpList, v: Value, v_entry: Value, name: str) -> Value:
        """``key`` or ``value`` of entry number ``v_entry``."""
        r = self.r_key if name == "key" else self.r_value
        v_entries = llops.genop("getfield", [v, void("entries")], Ptr(self.ENTRIES))
        args = [v_entries, v_entry, void(name)]
        return from_storage(llops.genop("getinteriorfield", args, storage_type(r)), r)

    def value_result(self, hop: HighLevelOp, v_stored: Value) -> Value:
        """A stored value as the result of the operation."""
        return hop.llops.convertvar(from_storage(v_stored, self.r_value), self.r_value,
                                    hop.r_result)  # fmt: skip

    def find(self, hop: HighLevelOp, v: Value) -> Value:
        """The number of the entry of the key that is operand 1, or -1."""
        return hop.gendirectcall(ll_dict.ll_find, v, self.key_arg(hop), self.keys())

    def find_or_raise(self, hop: HighLevelOp, v: Value) -> Value:
        """The number of the entry of the key that is operand 1; KeyError when there is
        none."""
        llops = hop.llops
        v_entry = self.find(hop, v)
        v_missing = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        missing, found = llops.branch(v_missing)
        llops.at(missing)
        raise_key_error(hop)
        llops.at(found)
        return v_entry

    # -- operations -------------------------------------------------------------------------------

    def newdict(self, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_dict.ll_newdict, void(self.DICT), *self.no_tables())

    def put(self, llops: LowLevelOpList, v: Value, v_key: Value, v_value: Value) -> None:
        """Store a value of ``r_value`` for a key of ``r_key``."""
        stored = to_storage(v_key, self.r_key), to_storage(v_value, self.r_value)
        llops.gendirectcall(ll_dict.ll_setitem, v, *stored, self.keys())

    def rtype_newdict(self, hop: HighLevelOp) -> Value:
        v = self.newdict(hop.llops)
        for i in range(0, hop.nb_args, 2):
            v_key, v_value = self.key_arg(hop, i), self.value_arg(hop, i + 1)
            hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, self.keys())
        return v

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return hop.genop("getfield", [hop.inputarg(self, 0), void("live")], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_entry = self.find_or_raise(hop, v)
        v_value = self.entry_field(hop.llops, v, v_entry, "value")
        return hop.llops.convertvar(v_value, self.r_value, hop.r_result)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_key, v_value = self.key_arg(hop), self.value_arg(hop, 2)
        hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, self.keys())
        return void(None)

    def rtype_delitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_entry = self.find_or_raise(hop, v)
        hop.gendirectcall(ll_dict.ll_delete, v, v_entry, *self.zeros(), self.keys())
        return void(None)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        return hop.gendirectcall(ll_dict.ll_contains, v, self.key_arg(hop), self.keys())

    # -- methods ---------------------------------------------------------------------------------

    def rtype_method_get(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.nb_args > 2 and not isinstance(hop.args_s[2], SomeNone):
            v_stored = hop.gendirectcall(
                ll_dict.ll_get, v, self.key_arg(hop), self.value_arg(hop, 2), self.keys()
            )
            return self.value_result(hop, v_stored)
        return self._value_or_none(hop, v, False)

    def _value_or_none(self, hop: HighLevelOp, v: Value, remove: bool) -> Value:
        """The value of the key that is operand 1, or None."""
        if not isinstance(hop.r_result, NullableRepr):
            self.find(hop, v)
            return void(None)
        default = Constant(hop.r_result.null(), hop.r_result.lowleveltype)
        llops = hop.llops
        done = llops.new_join(hop.r_result.lowleveltype)
        v_entry = self.find(hop, v)
        v_missing = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        missing, found = llops.branch(v_missing)
        llops.at(missing)
        llops.goto(done, default)
        llops.at(found)
        v_value = self.entry_field(llops, v, v_entry, "value")
        if remove:
            hop.gendirectcall(ll_dict.ll_delete, v, v_entry, *self.zeros(), self.keys())
        llops.goto(done, llops.convertvar(v_value, self.r_value, hop.r_result))
        llops.at(done)
        return done.inputargs[0]

    def rtype_method_setdefault(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_default: Value = Constant(None, Void)
        if hop.nb_args > 2:
            v_default = self.value_arg(hop, 2)
        else:
            v_none = hop.llops.convertvar(v_default, hop.rtyper.getrepr(s_None), self.r_value)
            v_default = to_storage(v_none, self.r_value)
        v_stored = hop.gendirectcall(
            ll_dict.ll_setdefault, v, self.key_arg(hop), v_default, self.keys()
        )
        return self.value_result(hop, v_stored)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.nb_args > 2 and isinstance(hop.args_s[2], SomeNone):
            return self._value_or_none(hop, v, True)
        if hop.nb_args > 2:
            v_stored = hop.gendirectcall(
                ll_dict.ll_pop, v, self.key_arg(hop), self.value_arg(hop, 2), *self.zeros(),
                self.keys(),
            )  # fmt: skip
        else:
            v_entry = self.find_or_raise(hop, v)
            v_stored = hop.gendirectcall(
                ll_dict.ll_pop_entry, v, v_entry, *self.zeros(), self.keys()
            )
        return self.value_result(hop, v_stored)

    def rtype_method_popitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_last = _flag(hop, hop.nb_args - 1) if hop.nb_args > 1 else Constant(True, Bool)
        if not self.dictdef.ordered:
            v_entry = hop.gendirectcall(ll_dict.ll_last_entry, v)
        else:
            v_entry = hop.gendirectcall(ll_ordereddict.ll_end_entry, v, v_last)
        if isinstance(hop.r_result, ImpossibleRepr):
            return void(None)  # nothing is ever stored: it has raised
        v_pair = self.pair(hop.llops, v, v_entry, hop.r_result)
        delete = ll_ordereddict.ll_delete_end if self.dictdef.ordered else ll_dict.ll_delete_last
        hop.gendirectcall(delete, v, v_entry, *self.zeros(), self.keys())
        return v_pair

    def rtype_method_move_to_end(self, hop: HighLevelOp) -> Value:
        """Of an OrderedDict."""
        v = hop.inputarg(self, 0)
        v_entry = self.find_or_raise(hop, v)
        v_last = _flag(hop, 2) if hop.nb_args > 2 else Constant(True, Bool)
        hop.gendirectcall(
            ll_ordereddict.ll_move_to_end, v, v_entry, v_last, *self.zeros(), *self.no_tables(),
            self.keys(),
        )  # fmt: skip
        return void(None)

    def pair(self, llops: LowLevelOpList, v: Value, v_entry: Value, r_tuple: Any) -> Value:
        """Key and value of an entry as a tuple."""
        built: Value = r_tuple.build(llops, [
            (self.entry_field(llops, v, v_entry, "key"), self.s_key, self.r_key),
            (self.entry_field(llops, v, v_entry, "value"), self.s_value, self.r_value),
        ])  # fmt: skip
        return built

    def rtype_method_clear(self, hop: HighLevelOp) -> Value:
        hop.gendirectcall(ll_dict.ll_clear, hop.inputarg(self, 0), *self.no_tables())
        return void(None)

    def rtype_method_copy(self, hop: HighLevelOp) -> Value:
        return self.copy(hop.llops, hop.inputarg(self, 0))

    def copy(self, llops: LowLevelOpList, v: Value) -> Value:
        tables = self.no_tables()
        return llops.gendirectcall(ll_dict.ll_copy, void(self.DICT), v, *tables, self.keys())

    def rtype_method_update(self, hop: HighLevelOp) -> Value:
        self.add_items(hop, hop.inputarg(self, 0), 1)
        return void(None)

    def add_items(self, hop: HighLevelOp, v: Value, first: int) -> None:
        """Add the items of operand ``first`` (if there is one), a dict or pairs, and the
        keyword arguments."""
        count = hop.nb_args - len(hop.keywords)
        if count > first:
            _read_mapping(hop, first, self.dictdef.ordered)
            inner = _not_none(hop.args_r[first])
            if isinstance(inner, DictRepr) and inner.dictdef.ordered is self.dictdef.ordered:
                _, v_source = iterable_arg(hop, first)
                hop.gendirectcall(ll_dict.ll_update, v, v_source, self.keys())
            else:
                if isinstance(inner, DictRepr):
                    _view_items(hop, first, inner)
                if isinstance(inner, KeywordsRepr):
                    self._add_keywords(hop, v, first)
                else:
                    self._add_pairs(hop, v, first)
        for name, arg in hop.keywords.items():
            v_key = to_storage(self.r_key.inputconst(name), self.r_key)
            v_value = self.value_arg(hop, arg)
            hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, self.keys())

    def _add_keywords(self, hop: HighLevelOp, v: Value, arg: int) -> None:
        r: Any = hop.args_r[arg]
        for i, name in enumerate(r.names):
            v_key = to_storage(self.r_key.inputconst(name), self.r_key)
            v_item = r.r_items.getitem(hop.llops, hop.inputarg(r, arg), i)
            v_value = hop.llops.convertvar(v_item, r.r_items.items_r[i], self.r_value)
            v_value = to_storage(v_value, self.r_value)
            hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, self.keys())

    def _add_pairs(self, hop: HighLevelOp, v: Value, arg: int) -> None:
        llops = hop.llops

        def add(v_pair: Value, state: list[Value], r_iter: IteratorRepr) -> list[Value]:
            r: Any = r_iter.r_item
            parts = getattr(r, "items_r", [r])
            if any(isinstance(part, ImpossibleRepr) for part in parts):
                return []  # there are never any pairs
            stored = []
            for i, r_slot in enumerate((self.r_key, self.r_value)):
                v_item = llops.convertvar(r.getitem(llops, v_pair, i), r.items_r[i], r_slot)
                stored.append(to_storage(v_item, r_slot))
            llops.gendirectcall(ll_dict.ll_setitem, v, *stored, self.keys())
            return []

        each_item(hop, arg, [], add)

    def _view(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    rtype_method_keys = rtype_method_values = rtype_method_items = _view

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        maker: Any = self.rtyper.getrepr(SomeDictView(self.dictdef, "keys"))
        made: IteratorRepr = maker.make_iterator_repr(variant)
        return made

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return llops.genop("getfield", [v, void("live")], Signed)


def _flag(hop: HighLevelOp, arg: int) -> Value:
    """The truth of operand ``arg``, an int or a bool."""
    test = hop.copy()
    test.opname = "bool"
    v, s, r = hop.operand(arg)
    test.args_v, test.args_s, test.args_r = [v], [s], [r]
    return test.dispatch()


def _not_none(r: Repr) -> Repr:
    return r.inner if isinstance(r, NullableRepr) else r


def raise_key_error(hop: HighLevelOp) -> None:
    """KeyError about operand 1; ends the block."""
    if hop.rtyper.raise_about_key(hop, hop.operand(1)):
        return
    s_key = hop.args_s[1]
    if has_text_when_read(s_key):
        v_text = text(hop, hop.operand(1), True)
    else:  # an address, in CPython
        v_text = literal(hop.rtyper, f"<{type_name(s_key)} object>")
    hop.gendirectcall(ll_error.ll_key_error, v_text)
    hop.llops.unreachable()


def _make_no_indexes() -> Any:
    return malloc(ll_dict.INDEXES, 1, immortal=True)


@repr_for(SomeDict)
def dict_repr(rtyper: RPythonTyper, s: SomeDict) -> Repr:
    return DictRepr(rtyper, s)


@PAIRS.register("eq ne", DictRepr, DictRepr)
def compare_dicts(hop: HighLevelOp) -> Value:
    """The annotator has made both of one Repr, but for an OrderedDict and a dict."""
    r: Any = hop.args_r[0]
    r_right: Any = hop.args_r[1]
    if r.dictdef.ordered is not r_right.dictdef.ordered:
        v_equal = call_overlay(hop, equal_in_any_order)
        return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)
    v_left, v_right = hop.inputargs(r, r)
    value = (r.s_value, r.r_value)
    equal = void(hop.rtyper.items.comparison("eq", value, value))
    helper = ll_ordereddict.ll_equal_in_order if r.dictdef.ordered else ll_dict.ll_equal
    v_equal = hop.gendirectcall(helper, v_left, v_right, r.keys(), equal)
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@PAIRS.register("or_", DictRepr, DictRepr)
def merge_dicts(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    v_left, v_right = hop.inputargs(r, r)
    v: Value = r.copy(hop.llops, v_left)
    hop.gendirectcall(ll_dict.ll_update, v, v_right, r.keys())
    return v


@PAIRS.register("inplace_or", DictRepr, Repr)
def update_in_place(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    v: Value = hop.inputarg(r, 0)
    r.add_items(hop, v, 1)
    return v


def _read_mapping(hop: HighLevelOp, arg: int, ordered: bool) -> None:
    """Make operand ``arg``, an instance with ``keys``, what the dict takes from it."""
    function = mapping_reader(without_none(hop.args_s[arg]), ordered)
    if function is not None:
        r, v = iterable_arg(hop, arg)
        s_reader = hop.rtyper.annotator.constants.annotation_of(function)
        r_reader = hop.rtyper.getrepr(s_reader)
        reader = Operand(r_reader.inputconst(function), s_reader, r_reader)
        mapping = Operand(v, hop.args_s[arg], r)
        made = hop.rtyper.calls.apply(hop.llops, reader, [mapping])
        hop.replace_arg(arg, made.v, made.s, made.r)


def _view_items(hop: HighLevelOp, arg: int, r: DictRepr) -> None:
    """Make operand ``arg``, a dict, the view of its items."""
    _, v = iterable_arg(hop, arg)
    s_view = SomeDictView(r.dictdef, "items")
    hop.replace_arg(arg, v, s_view, hop.rtyper.getrepr(s_view))


@BUILTINS.register(dict, OrderedDict)
def builtin_dict(hop: HighLevelOp) -> Value:
    if isinstance(hop.r_result, ImpossibleRepr):  # of None
        hop.llops.raise_if(Constant(True, Bool), TypeError, not_iterable(hop))
        return void(None)
    r: Any = hop.r_result
    is_copy: bool = hop.nb_args == 1 and hop.args_r[0] is r
    if is_copy:
        copy: Value = r.copy(hop.llops, hop.inputarg(r, 0))
        return copy
    v: Value = r.newdict(hop.llops)
    r.add_items(hop, v, 0)
    return v


@HASHES.register("hash", DictRepr)
def hash_dict(llops: LowLevelOpList, v: Value, r: DictRepr) -> Value:
    return refuse_hash(llops, "collections.OrderedDict" if r.dictdef.ordered else "dict")
