"""What a ``**kwargs`` parameter holds: a tuple of the values; the names are constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeTuple, s_Str
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr
from rpython.rtyper.kinds.tuple import TupleIteratorRepr
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import CONVERSIONS, Repr, repr_for
from rpython.stdlib._keywords import contains, item, item_or
from rpython.stdlib._registry import FrozenKeywords, merged_keywords
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.intrinsics import keyword_arguments
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


@BUILTINS.register(keyword_arguments)
def rtype_keyword_arguments(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    v: Value = r.r_items.build(hop.llops, [hop.operand(i) for i in hop.keywords.values()])
    return v


@BUILTINS.register(merged_keywords)
def merge_keywords(hop: HighLevelOp) -> Value:
    places: dict[str, tuple[int, int]] = {}
    for arg, r in enumerate(hop.args_r):
        names: Any = r.names  # type: ignore[attr-defined]
        places.update((name, (arg, i)) for i, name in enumerate(names))
    items = []
    for arg, i in places.values():
        s: Any = hop.args_s[arg]
        r_items: Any = hop.args_r[arg].r_items  # type: ignore[attr-defined]
        v_item = r_items.getitem(hop.llops, hop.args_v[arg], i)
        items.append((v_item, s.items[i].without_const(), r_items.items_r[i]))
    r_result: Any = hop.r_result
    merged: Value = r_result.r_items.build(hop.llops, items)
    return merged


class KeywordsRepr(IterableRepr):
    def __init__(self, rtyper: RPythonTyper, s: SomeKeywords) -> None:
        self.rtyper = rtyper
        self.names = s.names
        self.r_items: Any = rtyper.getrepr(SomeTuple(s.items))
        self.lowleveltype = self.r_items.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.r_items.lowleveltype

    def convert_const(self, value: Any) -> Any:
        assert isinstance(value, FrozenKeywords)
        return self.r_items.convert_const(tuple(value.items.values()))

    def _item(self, hop: HighLevelOp, key: str) -> Value:
        index = self.names.index(key)
        v_item = self.r_items.getitem(hop.llops, hop.inputarg(self, 0), index)
        return hop.llops.convertvar(v_item, self.r_items.items_r[index], hop.r_result)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant:
            raise TyperError("reversed() of keyword arguments")
        return _NamesIteratorRepr(self.rtyper, self.names)

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        if not hop.args_s[1].is_constant():
            return call_overlay(hop, item)
        key = hop.args_s[1].value
        if key in self.names:
            return self._item(hop, key)
        hop.llops.raise_constant(KeyError, repr(key))
        hop.llops.at(Block([]))
        return hop.llops.dummy(hop.r_result.lowleveltype)

    def rtype_method_get(self, hop: HighLevelOp) -> Value:
        if not hop.args_s[1].is_constant():
            return call_overlay(hop, item_or)
        key = hop.args_s[1].value
        if key in self.names:
            return self._item(hop, key)
        return hop.inputarg(hop.r_result, 2) if hop.nb_args > 2 else void(None)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return Constant(len(self.names), Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(bool(self.names), Bool)

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        if not hop.args_s[1].is_constant():
            return call_overlay(hop, contains)
        return Constant(hop.args_s[1].value in self.names, Bool)


class _NamesIteratorRepr(TupleIteratorRepr):
    """Of the names, which are a constant."""

    def __init__(self, rtyper: RPythonTyper, names: tuple[str, ...]) -> None:
        self.names = names
        r_names: Any = rtyper.getrepr(SomeTuple((s_Str,) * len(names)))
        super().__init__(r_names, backwards=False)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        return super().newiter(llops, self.r_tuple.inputconst(self.names))


@repr_for(SomeKeywords)
def keywords_repr(rtyper: RPythonTyper, s: SomeKeywords) -> Repr:
    return KeywordsRepr(rtyper, s)


@CONVERSIONS.register("convert", KeywordsRepr, KeywordsRepr)
def convert_keywords(
    r_from: KeywordsRepr, r_to: KeywordsRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return llops.convertvar(v, r_from.r_items, r_to.r_items)
