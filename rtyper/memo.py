"""Calls of functions with ``specialize.memo``: the program chooses one of the known results.

    size(t)    t is one of the frozen instances INT and CHAR

    size_memo(t: T*) -> Signed
        if t is INT: return 8
        if t is CHAR: return 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.specialised_calls import memo_choices
from rpython.lltypesystem.lltype import Bool, FuncType, Ptr, functionptr
from rpython.rtyper.callables import ThunkFrame
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


class MemoCalls:
    """The graphs that choose results, one for each function and kinds of arguments."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._pointers: dict[object, Any] = {}

    def choices(self, args_s: Sequence[SomeObject]) -> dict[int, list[SomeObject]]:
        """The constants that each argument may be which is not known, by number."""
        return memo_choices(self.rtyper.annotator.constants, tuple(args_s))

    def call(
        self, llops: LowLevelOpList, desc: FunctionDesc, args_s: Sequence[SomeObject],
        values: Mapping[int, tuple[Value, Repr]], r_result: Repr,
    ) -> Value:  # fmt: skip
        """The result for the arguments; ``values`` are those that are not known, by number."""
        if not values:
            return r_result.inputconst(desc.memo_value(tuple(args_s)))
        reprs = {index: r for index, (_, r) in values.items()}
        key = (desc, tuple(args_s), tuple(reprs.items()), r_result)
        if key not in self._pointers:
            self._pointers[key] = self._choose(desc, args_s, reprs, r_result)
        return llops.call_pointer(self._pointers[key], [v for v, _ in values.values()])

    def _choose(
        self, desc: FunctionDesc, args_s: Sequence[SomeObject], reprs: dict[int, Repr],
        r_result: Repr,
    ) -> Any:  # fmt: skip
        """A function whose arguments are those that are not known."""
        T = FuncType([r.lowleveltype for r in reprs.values()], r_result.lowleveltype)
        llgraph = self.rtyper.new_graph(f"{desc.func.__name__}_memo", T)
        frame: Any = ThunkFrame(llgraph, llgraph)
        llops = LowLevelOpList(self.rtyper, frame)
        llops.at(llgraph.startblock)
        given = dict(zip(reprs, llgraph.getargs(), strict=True))
        choices = self.choices(args_s)

        def choose(remaining: list[int], known_s: list[SomeObject]) -> None:
            """A tree of tests: one level for each argument, the results are the leaves."""
            if not remaining:
                result = r_result.inputconst(desc.memo_value(tuple(known_s)))
                llops.goto(llgraph.returnblock, result)
                return
            index, *rest = remaining
            for s in choices[index]:
                yes, no = llops.branch(_is_value(llops, given[index], reprs[index], s))
                llops.at(yes)
                choose(rest, [*known_s[:index], s, *known_s[index + 1 :]])
                llops.at(no)
            llops.unreachable()

        choose(list(reprs), list(args_s))
        return functionptr(T, llgraph.name, graph=llgraph)


def _is_value(llops: LowLevelOpList, v: Value, r: Repr, s: SomeObject) -> Value:
    """Is the argument this constant: a bool, a class, a function, an instance or None?"""
    if r.lowleveltype is Bool:
        return v if s.value else llops.genop("bool_not", [v], Bool)
    same = "ptr_eq" if isinstance(r.lowleveltype, Ptr) else "int_eq"
    return llops.genop(same, [v, r.inputconst(s.value)], Bool)
