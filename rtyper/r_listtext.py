"""``str`` of lists: one function per kind of list, so that nested lists call each other.

    [1, 2]  ->  texts = ["1", "2"]  ->  "[1, 2]"
"""

from __future__ import annotations

from typing import Any

from annotator.model import SomeObject
from lltypesystem.lltype import Bool, GcArray, Ptr, Signed
from lltypesystem.rstr import STRPTR
from rtyper.hop import HighLevelOp, LowLevelOpList
from rtyper.ll import ll_listtext
from rtyper.r_class import GC_FLAGS, void
from rtyper.r_list import BaseListRepr
from rtyper.text import TEXT, literal, text
from translator.ir.model import Block, Constant, Value, Variable

TEXTS = GcArray(STRPTR)


@TEXT.register("text", BaseListRepr)
def list_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: BaseListRepr, quoted: bool
) -> list[Value]:
    if not r.s_item.kinds:
        return [literal(hop.rtyper, "[]")]  # nothing is ever put in it

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        inner = hop.copy()
        inner.llops = llops
        return _text_of(inner, r, args[0])

    function = hop.rtyper.items.make(("text", r), "list_text", (r,), STRPTR, build)
    return [hop.llops.call_pointer(function.pointer, [v])]


def _text_of(hop: HighLevelOp, r: BaseListRepr, v: Value) -> Value:
    """Emit the loop over the items."""
    llops = hop.llops
    v_items, v_length = r.contents(llops, v)
    args = [void(TEXTS), GC_FLAGS, v_length]
    v_texts = llops.genop("malloc_varsize", args, Ptr(TEXTS))
    head = Block([Variable("i", Signed)])
    llops.goto(head, Constant(0, Signed))
    llops.at(head)
    (v_i,) = head.inputargs
    body, done = llops.branch(llops.genop("int_lt", [v_i, v_length], Bool))
    llops.at(body)
    operand: Any = (r.get_from(llops, v_items, v_i), r.s_item, r.r_item)
    llops.genop("setarrayitem", [v_texts, v_i, text(hop, operand, True)])
    llops.goto(head, llops.genop("int_add", [v_i, Constant(1, Signed)], Signed))
    llops.at(done)
    return llops.gendirectcall(ll_listtext.ll_list_text, v_texts)
