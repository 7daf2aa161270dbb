"""``str`` of dicts, sets and views: one function per kind, so that nested ones call each
other.

    {1: 2}  ->  texts = ["1", "2"]  ->  "{1: 2}"
"""

from __future__ import annotations

from typing import Any

from annotator.model import SomeDictView, SomeObject
from lltypesystem.lltype import GcArray, Ptr, Signed
from lltypesystem.rstr import STRPTR
from rtyper.hop import HighLevelOp, LowLevelOpList
from rtyper.ll import ll_dicttext
from rtyper.r_class import GC_FLAGS, void
from rtyper.r_dict import DictRepr
from rtyper.r_dictview import DictViewRepr
from rtyper.r_iter import IterableRepr, IteratorRepr, for_each
from rtyper.r_set import AnySetRepr, FrozenSetRepr
from rtyper.rmodel import Repr
from rtyper.text import TEXT, literal, text
from translator.ir.model import Constant, Value

TEXTS = GcArray(STRPTR)


def _function(hop: HighLevelOp, r: Repr, v: Value, emit: Any) -> list[Value]:
    """The call of the function that makes the text of values of ``r``."""

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        result: Value = emit(inner, args[0])
        return result

    function = hop.rtyper.items.make(("text", r), "dict_text", (r,), STRPTR, build)
    return [hop.llops.call_pointer(function.pointer, [v])]


def _texts(
    hop: HighLevelOp, r: IterableRepr, r_iter: IteratorRepr, v: Value, width: int
) -> Value:
    """An array with the text of each item or, for ``width`` 2, of each half of a pair."""
    llops = hop.llops
    v_count = llops.genop("getfield", [v, void("live")], Signed)
    if width == 2:
        v_count = llops.genop("int_add", [v_count, v_count], Signed)
    v_texts = llops.genop("malloc_varsize", [void(TEXTS), GC_FLAGS, v_count], Ptr(TEXTS))

    def add(v_item: Value, state: list[Value]) -> list[Value]:
        (v_at,) = state
        items = [(v_item, r_iter.s_item, r_iter.r_item)]
        if width == 2:
            r_pair: Any = r_iter.r_item
            items = [
                (r_pair.getitem(llops, v_item, i), r_pair.items_s[i], r_pair.items_r[i])
                for i in (0, 1)
            ]
        for item in items:
            llops.genop("setarrayitem", [v_texts, v_at, text(hop, item, True)])
            v_at = llops.genop("int_add", [v_at, Constant(1, Signed)], Signed)
        return [v_at]

    for_each(llops, r_iter, r_iter.newiter(llops, v), [Constant(0, Signed)], add)
    return v_texts


def _join(hop: HighLevelOp, v_texts: Value, *parts: str) -> Value:
    """Opening text, what follows every other item, what follows the rest, closing text."""
    constants = [literal(hop.rtyper, part) for part in parts]
    return hop.gendirectcall(ll_dicttext.ll_join_texts, v_texts, *constants)


@TEXT.register("text", DictRepr)
def dict_text(hop: HighLevelOp, v: Value, s: SomeObject, r: DictRepr, quoted: bool) -> list[Value]:
    if not r.s_key.kinds:
        return [literal(hop.rtyper, "{}")]  # nothing is ever put in it

    def emit(hop: HighLevelOp, v: Value) -> Value:
        r_view: Any = hop.rtyper.getrepr(SomeDictView(r.dictdef, "items"))
        v_texts = _texts(hop, r, r_view.make_iterator_repr(""), v, 2)
        return _join(hop, v_texts, "{", ": ", ", ", "}")

    return _function(hop, r, v, emit)


@TEXT.register("text", AnySetRepr)
def set_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: AnySetRepr, quoted: bool
) -> list[Value]:
    name = r.host_type.__name__
    if not r.r_dict.s_key.kinds:
        return [literal(hop.rtyper, f"{name}()")]
    opening, closing = ("frozenset({", "})") if isinstance(r, FrozenSetRepr) else ("{", "}")

    def emit(hop: HighLevelOp, v: Value) -> Value:
        v_texts = _texts(hop, r, r.make_iterator_repr(""), v, 1)
        v_text = _join(hop, v_texts, opening, ", ", ", ", closing)
        v_empty = literal(hop.rtyper, f"{name}()")
        return hop.gendirectcall(ll_dicttext.ll_text_unless_empty, v_texts, v_text, v_empty)

    return _function(hop, r, v, emit)


@TEXT.register("text", DictViewRepr)
def view_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: DictViewRepr, quoted: bool
) -> list[Value]:
    if not r.r_dict.s_key.kinds:
        return [literal(hop.rtyper, f"dict_{r.which}([])")]

    def emit(hop: HighLevelOp, v: Value) -> Value:
        v_texts = _texts(hop, r, r.make_iterator_repr(""), v, 1)
        return _join(hop, v_texts, f"dict_{r.which}([", ", ", ", ", "])")

    return _function(hop, r, v, emit)
