"""The words of a str, each found when it is asked for (``annotator.lazy_splits``).

GcStruct words { string; index }        index: where the next word begins, or the length
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeIterator, s_Str
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import MADE_BY_VARIANT, IteratorRepr
from rpython.rtyper.kinds.strmethods import flags_table
from rpython.rtyper.ll import ll_str, ll_strsplit
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.intrinsics import words_of
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

WORDS = GcStruct("words", ("string", STRPTR), ("index", Signed))


class WordsIteratorRepr(IteratorRepr):
    """A str, and where its next word begins."""

    lowleveltype = Ptr(WORDS)
    s_item = s_Str

    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        self.r_item = rtyper.getrepr(s_Str)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_iter = llops.genop("malloc", [void(WORDS), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("string"), v])
        self._advance(llops, v_iter, v, Constant(0, Signed))
        return v_iter

    def _advance(self, llops: LowLevelOpList, v_iter: Value, v: Value, v_index: Value) -> None:
        skip = ll_strsplit.ll_skip_spaces
        v_next = llops.gendirectcall(skip, v, v_index, flags_table())
        llops.genop("setfield", [v_iter, void("index"), v_next])

    def _state(self, llops: LowLevelOpList, v_iter: Value) -> tuple[Value, Value]:
        v = llops.genop("getfield", [v_iter, void("string")], STRPTR)
        return v, llops.genop("getfield", [v_iter, void("index")], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v, v_index = self._state(llops, v_iter)
        v_length = llops.genop("getfield", [v, void("length")], Signed)
        return llops.genop("int_lt", [v_index, v_length], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v, v_index = self._state(llops, v_iter)
        v_stop = llops.gendirectcall(ll_strsplit.ll_skip_word, v, v_index, flags_table())
        v_word = llops.gendirectcall(ll_str.ll_slice, v, v_index, v_stop)
        self._advance(llops, v_iter, v, v_stop)
        return v_word


MADE_BY_VARIANT["words"] = WordsIteratorRepr


@BUILTINS.register(words_of)
def iterate_words(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    r_method: Any = hop.args_r[0]
    v = hop.llops.convertvar(hop.inputarg(r_method, 0), r_method.r_self, r.r_item)
    v_iter: Value = r.newiter(hop.llops, v)
    return v_iter
