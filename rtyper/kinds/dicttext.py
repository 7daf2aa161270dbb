"""``str`` of dicts, sets and views: one function per kind, so that nested ones call each
other.

    {1: 2}  ->  texts = ["1", "2"]  ->  "{1: 2}"
"""

from __future__ import annotations

import sys
from typing import Any

from rpython.annotator.lattice.model import SomeDictView, SomeObject
from rpython.annotator.lattice.reaching import reaches
from rpython.lltypesystem.lltype import Signed
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.dictview import DictViewRepr
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr, for_each
from rpython.rtyper.kinds.listtext import TEXTS, guarded_text, shows_instances
from rpython.rtyper.kinds.set import AnySetRepr, FrozenSetRepr
from rpython.rtyper.ll import ll_dicttext, ll_list
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.rtyper.text import TEXT, literal, text
from rpython.translator.ir.model import Value


def _function(hop: HighLevelOp, r: Repr, v: Value, inside: str, emit: Any) -> list[Value]:
    """The call of the function that makes the text of values of ``r``; ``inside``: the text
    of a value that is inside itself, if it can be."""

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        result: Value = emit(inner, args[0])
        return result

    items = hop.rtyper.items
    function = items.make(("text", r), "dict_text", (r,), STRPTR, build)
    if not inside:
        return [hop.llops.call_pointer(function.pointer, [v])]
    return [guarded_text(hop.llops, r, v, function, literal(hop.rtyper, inside))]


def _texts(
    hop: HighLevelOp, r: IterableRepr, r_iter: IteratorRepr, v: Value, width: int
) -> Value:
    """A list with the text of each item or, for ``width`` 2, of each half of a pair.  An item's
    ``__repr__`` may do anything, so it grows as it is filled."""
    llops = hop.llops
    v_count = llops.genop("getfield", [v, void("live")], Signed)
    v_texts = llops.gendirectcall(ll_list.ll_newlist_room, void(TEXTS), v_count)

    def add(v_item: Value, state: list[Value]) -> list[Value]:
        items = [(v_item, r_iter.s_item, r_iter.r_item)]
        if width == 2:
            r_pair: Any = r_iter.r_item
            items = [
                (r_pair.getitem(llops, v_item, i), r_pair.items_s[i], r_pair.items_r[i])
                for i in (0, 1)
            ]
        for item in items:
            llops.gendirectcall(ll_list.ll_append, v_texts, text(hop, item, True))
        return []

    for_each(llops, r_iter, r_iter.newiter(llops, v), [], add)
    return v_texts


def _join(hop: HighLevelOp, v_texts: Value, *parts: str) -> Value:
    """Opening text, what follows every other item, what follows the rest, closing text."""
    constants = [literal(hop.rtyper, part) for part in parts]
    return hop.gendirectcall(ll_dicttext.ll_join_texts, v_texts, *constants)


@TEXT.register("text", DictRepr)
def dict_text(hop: HighLevelOp, v: Value, s: SomeObject, r: DictRepr, quoted: bool) -> list[Value]:
    if r.dictdef.ordered:
        return _ordered_text(hop, v, r)
    if not r.s_key.kinds:
        return [literal(hop.rtyper, "{}")]  # nothing is ever put in it

    def emit(hop: HighLevelOp, v: Value) -> Value:
        r_view: Any = hop.rtyper.getrepr(SomeDictView(r.dictdef, "items"))
        v_texts = _texts(hop, r, r_view.make_iterator_repr(""), v, 2)
        return _join(hop, v_texts, "{", ": ", ", ", "}")

    instances = shows_instances(r.s_key) or shows_instances(r.s_value)
    inside = "{...}" if instances or reaches(r.s_value, r.dictdef) else ""
    return _function(hop, r, v, inside, emit)


def _ordered_text(hop: HighLevelOp, v: Value, r: DictRepr) -> list[Value]:
    """``OrderedDict([('a', 1)])``; from CPython 3.12 on, ``OrderedDict({'a': 1})``."""
    if not r.s_key.kinds:
        return [literal(hop.rtyper, "OrderedDict()")]
    parts = ("[(", ", ", "), (", ")]") if sys.version_info < (3, 12) else ("{", ": ", ", ", "}")

    def emit(hop: HighLevelOp, v: Value) -> Value:
        r_view: Any = hop.rtyper.getrepr(SomeDictView(r.dictdef, "items"))
        v_texts = _texts(hop, r, r_view.make_iterator_repr(""), v, 2)
        around = [f"OrderedDict({parts[0]}", *parts[1:3], f"{parts[3]})"]
        v_text = _join(hop, v_texts, *around)
        v_empty = literal(hop.rtyper, "OrderedDict()")
        return hop.gendirectcall(ll_dicttext.ll_text_unless_empty, v_texts, v_text, v_empty)

    instances = shows_instances(r.s_key) or shows_instances(r.s_value)
    inside = "..." if instances or reaches(r.s_value, r.dictdef) else ""
    return _function(hop, r, v, inside, emit)


@TEXT.register("text", AnySetRepr)
def set_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: AnySetRepr, quoted: bool
) -> list[Value]:
    name = r.host_type.__name__
    if not r.s_key.kinds:
        return [literal(hop.rtyper, f"{name}()")]
    opening, closing = ("frozenset({", "})") if isinstance(r, FrozenSetRepr) else ("{", "}")

    def emit(hop: HighLevelOp, v: Value) -> Value:
        v_texts = _texts(hop, r, r.make_iterator_repr(""), v, 1)
        v_text = _join(hop, v_texts, opening, ", ", ", ", closing)
        v_empty = literal(hop.rtyper, f"{name}()")
        return hop.gendirectcall(ll_dicttext.ll_text_unless_empty, v_texts, v_text, v_empty)

    inside = f"{name}(...)" if shows_instances(r.s_key) else ""
    return _function(hop, r, v, inside, emit)


@TEXT.register("text", DictViewRepr)
def view_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: DictViewRepr, quoted: bool
) -> list[Value]:
    name = f"odict_{r.which}" if r.r_dict.dictdef.ordered else f"dict_{r.which}"
    if not r.r_dict.s_key.kinds:
        return [literal(hop.rtyper, f"{name}([])")]

    def emit(hop: HighLevelOp, v: Value) -> Value:
        v_texts = _texts(hop, r, r.make_iterator_repr(""), v, 1)
        return _join(hop, v_texts, f"{name}([", ", ", ", ", "])")

    return _function(hop, r, v, "", emit)
