"""``separator.join(x)`` of any iterable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeString, SomeTuple
from rpython.annotator.lattice.parts import may_be_str_or_other, without_none
from rpython.lltypesystem.lltype import GcArray, UniChar
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR
from rpython.rtyper.builtins.gather import gather_items
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import BytesRepr
from rpython.rtyper.kinds.itemarray import ItemArrayRepr
from rpython.rtyper.kinds.iter import iterable_arg, iterator_repr
from rpython.rtyper.kinds.str import StringRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_bytes, ll_strsplit
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.rmodel import REPR_METHODS, NullableRepr
from rpython.rtyper.text import concatenate, literal
from rpython.stdlib._bytes import join
from rpython.stdlib._str import join_tested
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

NOT_STR = ": expected str instance, NoneType found"
NOT_BYTES = ": expected a bytes-like object, NoneType found"
NOT_ITERABLE = "can only join an iterable"


@REPR_METHODS.register("join", StringRepr)
def join_strings(hop: HighLevelOp) -> Value:
    llops = hop.llops
    r_str = hop.args_r[0]
    s_items = without_none(hop.args_s[1])
    if not isinstance(s_items, (SomeTuple, SomeString)) and may_be_str_or_other(
        iterator_repr(hop.rtyper, s_items).s_item
    ):
        return call_overlay(hop, join_tested)
    v = hop.inputarg(r_str, 0)
    if isinstance(hop.args_s[1], SomeString):
        return hop.gendirectcall(ll_strsplit.ll_join_string, v, hop.inputarg(r_str, 1))
    r, v_items = iterable_arg(hop, 1, NOT_ITERABLE)
    if isinstance(r, TupleRepr):
        return _join_tuple(hop, v, r, v_items)
    if isinstance(r, ItemArrayRepr) and UniChar == r.ITEMS.OF:
        return hop.gendirectcall(ll_strsplit.ll_join_chars, v, *r.contents(llops, v_items))
    if isinstance(r, ItemArrayRepr) and r.ITEMS.OF == STRPTR:
        given = r.contents(llops, v_items)
    else:
        given = gather_items(hop, 1, GcArray(STRPTR), r_str, NOT_ITERABLE)
    _refuse_none(hop, given, NOT_STR)
    return hop.gendirectcall(ll_strsplit.ll_join, v, *given)


def _refuse_none(hop: HighLevelOp, given: tuple[Value, Value], expected: str) -> None:
    """Raise TypeError where one of the items that are joined is None."""
    s_items = without_none(hop.args_s[1])
    if s_items.kinds and isinstance(iterator_repr(hop.rtyper, s_items).r_item, NullableRepr):
        around = [literal(hop.rtyper, text) for text in ("sequence item ", expected)]
        hop.gendirectcall(ll_strsplit.ll_refuse_none, *given, *around)


def _join_tuple(hop: HighLevelOp, v: Value, r_tuple: TupleRepr, v_tuple: Value) -> Value:
    pieces: list[Value] = []
    for i, r_item in enumerate(r_tuple.items_r):
        if i > 0:
            pieces.append(v)
        v_item = r_tuple.getitem(hop.llops, v_tuple, i)
        if isinstance(r_item, NullableRepr):
            v_null = r_item.is_null(v_item, hop.llops)
            hop.llops.raise_if(v_null, TypeError, f"sequence item {i}{NOT_STR}")
        pieces.append(hop.llops.convertvar(v_item, r_item, hop.args_r[0]))
    return concatenate(hop, pieces)


@REPR_METHODS.register("join", BytesRepr)
def join_bytes(hop: HighLevelOp) -> Value:
    r_bytes = hop.args_r[0]
    s_items = without_none(hop.args_s[1])
    if s_items.kinds and isinstance(iterator_repr(hop.rtyper, s_items).r_item, ByteArrayRepr):
        return call_overlay(hop, join)
    v = hop.inputarg(r_bytes, 0)
    r, v_items = iterable_arg(hop, 1, NOT_ITERABLE)
    if isinstance(r, ItemArrayRepr) and r.ITEMS.OF == BYTESPTR:
        given = r.contents(hop.llops, v_items)
    else:
        given = gather_items(hop, 1, GcArray(BYTESPTR), r_bytes, NOT_ITERABLE)
    _refuse_none(hop, given, NOT_BYTES)
    return hop.gendirectcall(ll_bytes.ll_bytes_join, v, *given)
