"""``str`` of lists: one function per kind of list, so that nested lists call each other.

    [1, 2]  ->  texts = ["1", "2"]  ->  "[1, 2]"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.lattice.reaching import reaches
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.rules.comparing import SCALARS
from rpython.lltypesystem.foreign import threads
from rpython.lltypesystem.lltype import (
    Bool,
    GcArray,
    GcForwardReference,
    GcStruct,
    Ptr,
    Signed,
    malloc,
    typeOf,
)
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.items import ItemFunction
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.itemarray import ItemArrayRepr
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.vartuple import VarTupleRepr
from rpython.rtyper.ll import ll_list, ll_listtext
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.rtyper.text import TEXT, literal, text
from rpython.translator.ir.model import Block, Constant, Value, Variable

TEXTS = ll_list.resizable_list(GcArray(STRPTR))


@TEXT.register("text", BaseListRepr)
def list_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: BaseListRepr, quoted: bool
) -> list[Value]:
    if not r.s_item.kinds:
        return [literal(hop.rtyper, "[]")]  # nothing is ever put in it

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        return _text_of(inner, r, args[0], ll_listtext.ll_list_text)

    items = hop.rtyper.items
    function = items.make(("text", r), "list_text", (r,), STRPTR, build)
    if not _may_be_inside_itself(r):
        return [hop.llops.call_pointer(function.pointer, [v])]
    return [guarded_text(hop.llops, r, v, function, Constant(ll_listtext.INSIDE_ITSELF, STRPTR))]


@TEXT.register("text", VarTupleRepr)
def var_tuple_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: VarTupleRepr, quoted: bool
) -> list[Value]:
    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        return _text_of(inner, r, args[0], ll_listtext.ll_tuple_text)

    function = hop.rtyper.items.make(("text", r), "tuple_text", (r,), STRPTR, build)
    if not shows_instances(r.s_item):
        return [hop.llops.call_pointer(function.pointer, [v])]
    inside = literal(hop.rtyper, "(...)")
    return [guarded_text(hop.llops, r, v, function, inside)]


def _may_be_inside_itself(r: BaseListRepr) -> bool:
    """Can showing such a list show it again: because it contains lists of the kind, or instances
    whose ``__repr__`` may do anything?"""
    return shows_instances(r.s_item) or reaches(r.s_item, r.listdef)


def shows_instances(s: SomeObject) -> bool:
    if (items_s := tuple_items(s)) is not None:
        return any(map(shows_instances, items_s))
    return bool(s.kinds & ~SCALARS)


def guarded_text(
    llops: LowLevelOpList, r: Repr, v: Value, function: ItemFunction, inside: Value
) -> Value:
    """The text of a value of ``r`` that ``function`` makes; ``inside`` where it contains itself."""
    rtyper = llops.rtyper
    state = rtyper.items.constant(("being shown", r), partial(_new_state, r))
    v_thread: Value = Constant(threads.MAIN, Signed)
    if rtyper.annotator.constants.overlays.threads.started:
        v_thread = llops.call_pointer(threads.c_number, [])
    return llops.gendirectcall(
        ll_listtext.ll_guarded_text, Constant(state, typeOf(state)), v_thread, v, void(function),
        inside,
    )  # fmt: skip


def _new_state(r: Repr) -> Any:
    """The stack of the values of one kind that are being shown."""
    NODE: Any = GcForwardReference()
    NODE.become(
        GcStruct("shown", ("shown", r.lowleveltype), ("thread", Signed), ("outer", Ptr(NODE)))
    )
    return malloc(GcStruct("showing", ("innermost", Ptr(NODE))), immortal=True)


def _text_of(
    hop: HighLevelOp, r: ItemArrayRepr, v: Value, put_together: Callable[[Any], Any]
) -> Value:
    """Emit the loop over the items, and what makes one text of theirs.  The length is read anew
    each time: an item's ``__repr__`` may change a list."""
    llops = hop.llops
    v_texts = llops.gendirectcall(
        ll_list.ll_newlist_room, void(TEXTS), r.length(llops, v)
    )
    head = Block([Variable("i", Signed)])
    llops.goto(head, Constant(0, Signed))
    llops.at(head)
    (v_i,) = head.inputargs
    body, done = llops.branch(llops.genop("int_lt", [v_i, r.length(llops, v)], Bool))
    llops.at(body)
    operand: Any = (r.getitem(llops, v, v_i), r.s_item, r.r_item)
    llops.gendirectcall(ll_list.ll_append, v_texts, text(hop, operand, True))
    llops.goto(head, llops.genop("int_add", [v_i, Constant(1, Signed)], Signed))
    llops.at(done)
    return llops.gendirectcall(put_together, v_texts)
