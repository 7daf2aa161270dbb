"""The words or lines of a str, each found when it is asked for (``annotator.lazy_splits``).

GcStruct pieces { string; index }       index: where the next piece begins, or the length
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
from rpython.translator.ir.intrinsics import lines_of, words_of
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

PIECES = GcStruct("pieces", ("string", STRPTR), ("index", Signed))


class PiecesRepr(IteratorRepr):
    """A str, and where its next piece begins."""

    lowleveltype = Ptr(PIECES)
    s_item = s_Str

    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        self.r_item = rtyper.getrepr(s_Str)

    def first(self, llops: LowLevelOpList, v: Value) -> Value:
        """Where the first piece begins."""
        raise NotImplementedError

    def end(self, llops: LowLevelOpList, v: Value, v_index: Value) -> Value:
        """Where the piece ends that begins there."""
        raise NotImplementedError

    def after(self, llops: LowLevelOpList, v: Value, v_end: Value) -> Value:
        """Where the piece begins that follows the one with this end."""
        raise NotImplementedError

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_iter = llops.genop("malloc", [void(PIECES), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("string"), v])
        llops.genop("setfield", [v_iter, void("index"), self.first(llops, v)])
        return v_iter

    def _state(self, llops: LowLevelOpList, v_iter: Value) -> tuple[Value, Value]:
        v = llops.genop("getfield", [v_iter, void("string")], STRPTR)
        return v, llops.genop("getfield", [v_iter, void("index")], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v, v_index = self._state(llops, v_iter)
        v_length = llops.genop("getfield", [v, void("length")], Signed)
        return llops.genop("int_lt", [v_index, v_length], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v, v_index = self._state(llops, v_iter)
        v_end = self.end(llops, v, v_index)
        v_piece = llops.gendirectcall(ll_str.ll_slice, v, v_index, v_end)
        llops.genop("setfield", [v_iter, void("index"), self.after(llops, v, v_end)])
        return v_piece


class WordsRepr(PiecesRepr):
    """What ``split()`` gives."""

    def first(self, llops: LowLevelOpList, v: Value) -> Value:
        return self.after(llops, v, Constant(0, Signed))

    def end(self, llops: LowLevelOpList, v: Value, v_index: Value) -> Value:
        return llops.gendirectcall(ll_strsplit.ll_skip_word, v, v_index, flags_table())

    def after(self, llops: LowLevelOpList, v: Value, v_end: Value) -> Value:
        return llops.gendirectcall(ll_strsplit.ll_skip_spaces, v, v_end, flags_table())


class LinesRepr(PiecesRepr):
    """What ``splitlines()`` gives."""

    def first(self, llops: LowLevelOpList, v: Value) -> Value:
        return Constant(0, Signed)

    def end(self, llops: LowLevelOpList, v: Value, v_index: Value) -> Value:
        return llops.gendirectcall(ll_strsplit.ll_find_line_end, v, v_index)

    def after(self, llops: LowLevelOpList, v: Value, v_end: Value) -> Value:
        return llops.gendirectcall(ll_strsplit.ll_after_line, v, v_end)


MADE_BY_VARIANT["words"] = WordsRepr
MADE_BY_VARIANT["lines"] = LinesRepr


@BUILTINS.register(words_of, lines_of)
def iterate_pieces(hop: HighLevelOp) -> Value:
    r: Any = hop.r_result
    r_method: Any = hop.args_r[0]
    v = hop.llops.convertvar(hop.inputarg(r_method, 0), r_method.r_self, r.r_item)
    v_iter: Value = r.newiter(hop.llops, v)
    return v_iter
