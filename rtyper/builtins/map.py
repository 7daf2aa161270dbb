"""``map`` and ``filter``: iterators that call something for each item.

    GcStruct map { callee; iter0; iter1; ... }
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import K_NONE, SomeIterator, SomeTuple, s_Bool
from rpython.annotator.lattice.parts import list_item
from rpython.lltypesystem.lltype import GcStruct, Ptr
from rpython.rtyper.callables import Operand
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import (
    MADE_BY_VARIANT,
    IteratorRepr,
    Stop,
    iterable_arg,
    iterator_repr,
    start_iterating,
    stopping,
)
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Block, SpaceOperation, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


class CallingIteratorRepr(IteratorRepr):
    """What ``map`` and ``filter`` have in common."""

    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        s_callee, *sources, s_arguments, s_results = s.sources
        self.s_callee = s_callee
        self.r_callee = rtyper.getrepr(s_callee)
        self.inner = [iterator_repr(rtyper, source) for source in sources]
        s_passed = list_item(s_arguments).item.s_value
        self.passed_s = s_passed.items if isinstance(s_passed, SomeTuple) else ()
        self.s_called = list_item(s_results).item.s_value
        fields = [("callee", self.r_callee.lowleveltype)]
        fields += [(f"iter{i}", r.lowleveltype) for i, r in enumerate(self.inner)]
        self.struct = GcStruct(s.variant, *fields)
        self.lowleveltype = Ptr(self.struct)

    def build(self, llops: LowLevelOpList, v_callee: Value, inner: list[Value]) -> Value:
        v = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v, void("callee"), v_callee])
        for i, v_inner in enumerate(inner):
            llops.genop("setfield", [v, void(f"iter{i}"), v_inner])
        return v

    def next_of(self, llops: LowLevelOpList, v_iter: Value, i: int, stop: Stop) -> Operand:
        """The next item of one of the iterators inside."""
        r = self.inner[i]
        v_inner = llops.genop("getfield", [v_iter, void(f"iter{i}")], r.lowleveltype)
        return Operand(r.next_item(llops, v_inner, stop), r.s_item, r.r_item)

    def call(
        self, llops: LowLevelOpList, v_iter: Value, items: list[Operand], stop: Stop
    ) -> Operand:
        """Call the callable; the result, of the kind that all calls have in common."""
        rtyper = llops.rtyper
        T = self.r_callee.lowleveltype
        v_callee = llops.genop("getfield", [v_iter, void("callee")], T)
        passed = []
        for item, s in zip(items, self.passed_s):
            r = rtyper.getrepr(s)
            passed.append(Operand(llops.convertvar(item.v, item.r, r), s, r))
        callee = Operand(v_callee, self.s_callee, self.r_callee)
        with stopping(llops, stop):
            made = rtyper.calls.apply(llops, callee, passed)
        r_called = rtyper.getrepr(self.s_called)
        return Operand(llops.convertvar(made.v, made.r, r_called), self.s_called, r_called)


class MapRepr(CallingIteratorRepr):
    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        super().__init__(rtyper, s)
        self.s_item = self.s_called
        self.r_item = rtyper.getrepr(self.s_item)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        items = [self.next_of(llops, v_iter, i, stop) for i in range(len(self.inner))]
        if not self.passed_s:
            return llops.dummy(self.r_item.lowleveltype)  # there is never an item
        return self.call(llops, v_iter, items, stop).v


class FilterRepr(CallingIteratorRepr):
    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        super().__init__(rtyper, s)
        self.s_item, self.r_item = self.inner[0].s_item, self.inner[0].r_item

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        again = Block([])
        llops.goto(again)
        llops.at(again)
        item = self.next_of(llops, v_iter, 0, stop)
        if not self.passed_s:
            return item.v
        tested = item
        if self.s_callee.kinds != K_NONE:
            tested = self.call(llops, v_iter, [item], stop)
        yes, no = llops.branch(truth(llops, tested))
        llops.at(no)
        llops.goto(again)
        llops.at(yes)
        return item.v


def truth(llops: LowLevelOpList, operand: Operand) -> Value:
    """``bool(x)`` of a value that is no operand."""
    spaceop = SpaceOperation(HLOPS["bool"], [Variable("tested")], Variable("truth"))
    hop = HighLevelOp(llops.rtyper, llops, spaceop, [operand.v], [operand.s], s_Bool)
    return hop.dispatch()


MADE_BY_VARIANT.update({"map": MapRepr, "filter": FilterRepr})


@BUILTINS.register(map, filter)
def builtin_map(hop: HighLevelOp) -> Value:
    r_iter: Any = hop.r_result
    v_callee = hop.inputarg(r_iter.r_callee, 0)
    inner = []
    for arg in range(1, hop.nb_args):
        r, v = iterable_arg(hop, arg)
        inner.append(start_iterating(hop.llops, hop.args_s[arg], r, v)[1])
    built: Value = r_iter.build(hop.llops, v_callee, inner)
    return built
