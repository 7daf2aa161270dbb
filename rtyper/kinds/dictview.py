"""Views of dicts, which are the dict itself, and the iterators of dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeDict, SomeDictView, SomeObject, SomeTuple
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed
from rpython.rtyper.items import to_storage
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr, Stop
from rpython.rtyper.ll import ll_dict, ll_ordereddict
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.rmodel import PAIRS, Repr, repr_for
from rpython.stdlib.builtins import contained
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class DictViewRepr(IterableRepr):
    """``d.keys()``, ``d.values()`` or ``d.items()``: the dict."""

    nullable = True

    def __init__(self, rtyper: RPythonTyper, s: SomeDictView) -> None:
        self.rtyper = rtyper
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

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        if self.which == "values":
            return call_overlay(hop, contained)
        if self.which == "items":
            return self._items_contain(hop, v)
        hop.replace_arg(0, v, self.s_dict, self.r_dict)
        result: Value = self.r_dict.rtype_contains(hop)
        return result

    def rtype_method_isdisjoint(self, hop: HighLevelOp) -> Value:
        rule = PAIRS.lookup("isdisjoint", DictViewRepr, Repr)
        assert rule is not None
        v_result: Value = rule(hop)
        return v_result

    def _items_contain(self, hop: HighLevelOp, v: Value) -> Value:
        llops, r = hop.llops, self.r_dict
        r_pair: Any = hop.args_r[1]
        v_pair = hop.inputarg(r_pair, 1)
        parts = [
            (r_pair.getitem(llops, v_pair, i), r_pair.items_s[i].without_const(), r_item)
            for i, r_item in enumerate(r_pair.items_r)
        ]
        v_key = llops.convertvar(parts[0][0], parts[0][2], r.r_key)
        v_entry = llops.gendirectcall(ll_dict.ll_find, v, to_storage(v_key, r.r_key), r.keys())
        done = llops.new_join(Bool)
        v_missing = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        missing, found = llops.branch(v_missing)
        llops.at(missing)
        llops.goto(done, Constant(False, Bool))
        llops.at(found)
        v_value = r.entry_field(llops, v, v_entry, "value")
        llops.goto(done, hop.compare("eq", (v_value, r.s_value, r.r_value), parts[1]))
        llops.at(done)
        return done.inputargs[0]


@repr_for(SomeDictView)
def view_repr(rtyper: RPythonTyper, s: SomeDictView) -> Repr:
    return DictViewRepr(rtyper, s)


@PAIRS.register("eq ne", DictViewRepr, DictViewRepr)
def compare_views(hop: HighLevelOp) -> Value:
    """Views of values are equal to nothing but themselves."""
    left, right = hop.args_r
    assert isinstance(left, DictViewRepr) and isinstance(right, DictViewRepr)
    v_left, v_right = hop.inputargs(left, right)
    if left.which == "items":
        hop = hop.copy()
        for i, (v, r) in enumerate(((v_left, left), (v_right, right))):
            hop.replace_arg(i, v, r.s_dict, r.r_dict)
        return hop.dispatch()
    if left.which == "keys":
        v_equal = hop.gendirectcall(ll_dict.ll_same_keys, v_left, v_right, left.r_dict.keys())
    else:
        raise TyperError("comparing views of values is not supported")
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


class DictIteratorRepr(IteratorRepr):
    """A dict, the number of the next entry, and what CPython's checks need: the size
    that the dict had, and how many items are left."""

    def __init__(self, r_dict: DictRepr, which: str, variant: str) -> None:
        if variant not in ("", "reversed"):
            raise TyperError(f"{variant}() of a dict is not supported")
        self.r_dict = r_dict
        self.which = which
        self.backwards = variant == "reversed"
        self.helpers: Any = ll_dict
        fields: list[Any] = [
            ("dict", r_dict.lowleveltype), ("position", Signed), ("expected", Signed),
            ("left", Signed),
        ]  # fmt: skip
        if r_dict.dictdef.ordered:
            self.helpers = ll_ordereddict
            r_dict.setup()
            fields.append(("entries", Ptr(r_dict.ENTRIES)))
        self.struct = GcStruct("dictiter", *fields)
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
        helper = self.helpers.ll_newiter_back if self.backwards else self.helpers.ll_newiter
        return llops.gendirectcall(helper, void(self.struct), v)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        r = self.r_dict
        helper = self.helpers.ll_next_back if self.backwards else self.helpers.ll_next
        v_entry = llops.gendirectcall(helper, v_iter)
        v_end = llops.genop("int_lt", [v_entry, Constant(0, Signed)], Bool)
        end, found = llops.branch(v_end)
        llops.at(end)
        stop()
        llops.at(found)
        v = llops.genop("getfield", [v_iter, void("dict")], r.lowleveltype)
        if self.which == "items":
            return r.pair(llops, v, v_entry, self.r_item)
        return r.entry_field(llops, v, v_entry, "value" if self.which == "values" else "key")
