"""Dicts with int and str keys, their views and iterators.

    Ptr(GcStruct("dict", live, used, room, indexes: Ptr(GcArray(Int32)),
                 entries: Ptr(GcArray((key, value, valid)))))

See ``ll.ll_dict`` for the algorithm.  A view is the dict itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.model import SomeDict, SomeDictView, SomeNone, SomeObject, SomeTuple
from lltypesystem.lltype import (
    Bool,
    GcArray,
    GcForwardReference,
    GcStruct,
    Int32,
    LowLevelType,
    Ptr,
    Signed,
    malloc,
)
from rtyper.hashing import host_hash
from rtyper.hostvalues import to_host
from rtyper.items import (
    Item,
    const_to_storage,
    from_storage,
    storage_type,
    to_storage,
    zero_item,
)
from rtyper.ll import ll_dict, ll_error
from rtyper.r_class import void
from rtyper.r_iter import IterableRepr, IteratorRepr, Stop
from rtyper.r_list import reaches
from rtyper.registry import BUILTINS
from rtyper.rmodel import PAIRS, ImpossibleRepr, NullableRepr, Repr, repr_for
from rtyper.text import text
from translator.ir.errors import TyperError
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp, LowLevelOpList
    from rtyper.rtyper import RPythonTyper

INDEXES = GcArray(Int32)


class DictRepr(IterableRepr):
    nullable = True
    DICT: Any
    ENTRIES: Any

    def __init__(self, rtyper: RPythonTyper, s: SomeDict) -> None:
        self.rtyper = rtyper
        root = s.dictdef.find()
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
        self.ENTRIES = GcArray(
            ("key", storage_type(self.r_key)), ("value", storage_type(self.r_value)),
            ("valid", Bool),
        )  # fmt: skip
        self.DICT = GcStruct(
            "dict", ("live", Signed), ("used", Signed), ("room", Signed),
            ("indexes", Ptr(INDEXES)), ("entries", Ptr(self.ENTRIES)),
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
        return Constant(indexes, Ptr(INDEXES)), Constant(entries, Ptr(self.ENTRIES))

    def _make_no_entries(self) -> Any:
        return malloc(self.ENTRIES, 0, immortal=True)

    def hash_function(self) -> Constant:
        return void(self.rtyper.items.hashing(self.r_key))

    def key_functions(self) -> tuple[Constant, Constant]:
        """Hash and equality of keys."""
        key: Item = (self.s_key, self.r_key)
        return self.hash_function(), void(self.rtyper.items.comparison("eq", key, key))

    def zeros(self) -> tuple[Constant, Constant]:
        return zero_item(self.r_key), zero_item(self.r_value)

    # -- prebuilt dicts -------------------------------------------------------------------------

    def convert_const(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise TyperError(f"{value!r} is not a dict")
        return self.rtyper.prebuilt.get(self, value, self.make_prebuilt, self.fill_prebuilt)

    def make_prebuilt(self, value: dict[Any, Any]) -> Any:
        self.setup()
        return malloc(self.DICT, immortal=True)

    def fill_prebuilt(self, p: Any, value: dict[Any, Any]) -> None:
        """The tables as a dict has them after the keys were inserted one by one."""
        slots = 8
        while slots * 2 // 3 < len(value):
            slots *= 2
        p.indexes = malloc(INDEXES, slots, immortal=True)
        p.entries = malloc(self.ENTRIES, slots * 2 // 3, immortal=True)
        p.live = p.used = len(value)
        p.room = len(p.entries) - len(value)
        for i, (key, item) in enumerate(value.items()):
            entry = p.entries[i]
            entry.key = const_to_storage(self.r_key, key)
            entry.value = const_to_storage(self.r_value, item)
            entry.valid = True
            slot = ll_dict.ll_free_slot(p.indexes, host_hash(self.r_key, key))
            p.indexes[slot] = i + ll_dict.FIRST

    def to_host(self, value: Any) -> dict[Any, Any]:
        """The host dict that a low-level one stands for."""
        result = {}
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
        return hop.gendirectcall(ll_dict.ll_find, v, self.key_arg(hop), *self.key_functions())

    def find_or_raise(self, hop: HighLevelOp, v: Value) -> Value:
        """The number of the entry of the key that is operand 1; KeyError when there is
        none."""
        llops = hop.llops
        v_entry = self.find(hop, v)
        v_missing = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        missing, found = llops.branch(v_missing)
        llops.at(missing)
        hop.gendirectcall(ll_error.ll_key_error, text(hop, hop.operand(1), True))
        llops.unreachable()
        llops.at(found)
        return v_entry

    # -- operations -------------------------------------------------------------------------------

    def newdict(self, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_dict.ll_newdict, void(self.DICT), *self.no_tables())

    def rtype_newdict(self, hop: HighLevelOp) -> Value:
        v = self.newdict(hop.llops)
        for i in range(0, hop.nb_args, 2):
            v_key, v_value = self.key_arg(hop, i), self.value_arg(hop, i + 1)
            hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, *self.key_functions())
        return v

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return hop.genop("getfield", [hop.inputarg(self, 0), void("live")], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        return hop.genop("bool_not", [self.rtype_bool(hop)], Bool)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_entry = self.find_or_raise(hop, v)
        v_value = self.entry_field(hop.llops, v, v_entry, "value")
        return hop.llops.convertvar(v_value, self.r_value, hop.r_result)

    def rtype_setitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_key, v_value = self.key_arg(hop), self.value_arg(hop, 2)
        hop.gendirectcall(ll_dict.ll_setitem, v, v_key, v_value, *self.key_functions())
        return void(None)

    def rtype_delitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_entry = self.find_or_raise(hop, v)
        hop.gendirectcall(ll_dict.ll_delete, v, v_entry, *self.zeros(), self.hash_function())
        return void(None)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        return hop.gendirectcall(ll_dict.ll_contains, v, self.key_arg(hop), *self.key_functions())

    # -- methods ---------------------------------------------------------------------------------

    def rtype_method_get(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.nb_args > 2 and not isinstance(hop.args_s[2], SomeNone):
            v_stored = hop.gendirectcall(
                ll_dict.ll_get, v, self.key_arg(hop), self.value_arg(hop, 2),
                *self.key_functions(),
            )  # fmt: skip
            return self.value_result(hop, v_stored)
        if not isinstance(hop.r_result, NullableRepr):
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
        llops.goto(done, llops.convertvar(v_value, self.r_value, hop.r_result))
        llops.at(done)
        return done.inputargs[0]

    def rtype_method_setdefault(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_stored = hop.gendirectcall(
            ll_dict.ll_setdefault, v, self.key_arg(hop), self.value_arg(hop, 2),
            *self.key_functions(),
        )  # fmt: skip
        return self.value_result(hop, v_stored)

    def rtype_method_pop(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if hop.nb_args > 2:
            v_stored = hop.gendirectcall(
                ll_dict.ll_pop, v, self.key_arg(hop), self.value_arg(hop, 2), *self.zeros(),
                *self.key_functions(),
            )  # fmt: skip
        else:
            v_entry = self.find_or_raise(hop, v)
            v_stored = hop.gendirectcall(
                ll_dict.ll_pop_entry, v, v_entry, *self.zeros(), self.hash_function()
            )
        return self.value_result(hop, v_stored)

    def rtype_method_popitem(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        v_entry = hop.gendirectcall(ll_dict.ll_last_entry, v)
        if isinstance(hop.r_result, ImpossibleRepr):
            return void(None)  # nothing is ever stored: it has raised
        v_pair = self.pair(hop.llops, v, v_entry, hop.r_result)
        hop.gendirectcall(ll_dict.ll_delete_last, v, v_entry, *self.zeros(), self.hash_function())
        return v_pair

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
        v = hop.inputarg(self, 0)
        return hop.gendirectcall(
            ll_dict.ll_copy, void(self.DICT), v, *self.no_tables(), self.hash_function()
        )

    def rtype_method_update(self, hop: HighLevelOp) -> Value:
        v, v_source = hop.inputarg(self, 0), hop.inputarg(self, 1)
        hop.gendirectcall(ll_dict.ll_update, v, v_source, *self.key_functions())
        return void(None)

    def _view(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    rtype_method_keys = rtype_method_values = rtype_method_items = _view

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return DictIteratorRepr(self, "keys", variant)

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return llops.genop("getfield", [v, void("live")], Signed)


def _make_no_indexes() -> Any:
    return malloc(INDEXES, 1, immortal=True)


@repr_for(SomeDict)
def dict_repr(rtyper: RPythonTyper, s: SomeDict) -> Repr:
    return DictRepr(rtyper, s)


@PAIRS.register("eq ne", DictRepr, DictRepr)
def compare_dicts(hop: HighLevelOp) -> Value:
    """The annotator has made both of one Repr."""
    r: Any = hop.args_r[0]
    v_left, v_right = hop.inputargs(r, r)
    value: Item = (r.s_value, r.r_value)
    equal = void(hop.rtyper.items.comparison("eq", value, value))
    v_equal = hop.gendirectcall(ll_dict.ll_equal, v_left, v_right, *r.key_functions(), equal)
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


@PAIRS.register("inplace_or", DictRepr, DictRepr)
def update_in_place(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    v_left, v_right = hop.inputargs(r, r)
    hop.gendirectcall(ll_dict.ll_update, v_left, v_right, *r.key_functions())
    return v_left


@BUILTINS.register(dict)
def builtin_dict(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    if hop.nb_args == 0:
        empty: Value = r.newdict(hop.llops)
        return empty
    copy: Value = r.rtype_method_copy(hop)
    return copy


# -- views and iterators ----------------------------------------------------------------------


class DictViewRepr(IterableRepr):
    """``d.keys()``, ``d.values()`` or ``d.items()``: the dict."""

    nullable = True

    def __init__(self, rtyper: RPythonTyper, s: SomeDictView) -> None:
        self.which = s.which
        self.s_dict = SomeDict(s.dictdef)
        self.r_dict: Any = rtyper.getrepr(self.s_dict)
        self.lowleveltype = self.r_dict.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_dict.lowleveltype

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return DictIteratorRepr(self.r_dict, self.which, variant)

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        hint: Value | None = self.r_dict.length_hint(llops, v)
        return hint

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return hop.genop("getfield", [hop.inputarg(self, 0), void("live")], Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.genop("int_is_true", [self.rtype_len(hop)], Bool)

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        return hop.genop("bool_not", [self.rtype_bool(hop)], Bool)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        """Of keys; the annotator refuses the others."""
        hop.replace_arg(0, hop.inputarg(self, 0), self.s_dict, self.r_dict)
        result: Value = self.r_dict.rtype_contains(hop)
        return result


@repr_for(SomeDictView)
def view_repr(rtyper: RPythonTyper, s: SomeDictView) -> Repr:
    return DictViewRepr(rtyper, s)


class DictIteratorRepr(IteratorRepr):
    """A dict, the number of the next entry, and what CPython's checks need: the size that
    the dict had, and how many items are left."""

    def __init__(self, r_dict: DictRepr, which: str, variant: str) -> None:
        if variant:
            raise TyperError(f"{variant}() of a dict is not supported")
        self.r_dict = r_dict
        self.which = which
        self.struct = GcStruct(
            "dictiter", ("dict", r_dict.lowleveltype), ("position", Signed),
            ("expected", Signed), ("left", Signed),
        )  # fmt: skip
        self.lowleveltype = Ptr(self.struct)

    @property
    def s_item(self) -> SomeObject:  # type: ignore[override]
        r = self.r_dict
        pair = SomeTuple((r.s_key, r.s_value))
        return {"keys": r.s_key, "values": r.s_value, "items": pair}[self.which]

    @property
    def r_item(self) -> Repr:  # type: ignore[override]
        return self.r_dict.rtyper.getrepr(self.s_item)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.gendirectcall(ll_dict.ll_newiter, void(self.struct), v)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        r = self.r_dict
        v_entry = llops.gendirectcall(ll_dict.ll_next, v_iter)
        v_end = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        end, found = llops.branch(v_end)
        llops.at(end)
        stop()
        llops.at(found)
        v = llops.genop("getfield", [v_iter, void("dict")], r.lowleveltype)
        if self.which == "items":
            return r.pair(llops, v, v_entry, self.r_item)
        return r.entry_field(llops, v, v_entry, self.which[:-1])
