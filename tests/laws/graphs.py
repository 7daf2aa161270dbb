"""Hypothesis strategies for low-level graphs that the verifier accepts."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from oplaws import values

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECT, OBJECT_VTABLE, OBJECTPTR, make_vtable
from rpython.translator.ir.builder import GraphBuilder, Handler
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Value, Variable

PRIMITIVES = [T for T in L.PRIMITIVES if T not in (L.Void, L.Address, L.Offset)]
NODE = L.GcStruct("node", ("value", L.Signed), ("next", L.Ptr(OBJECT)))
ROWS: list[LLOp] = [
    row
    for row in LLOPS
    if row.args
    and row.domain is None
    and row.result in PRIMITIVES
    and all(A in PRIMITIVES for A in row.args)
]
"""Rows on primitive values that have a meaning for all operands."""

OVERFLOW = make_vtable(OBJECT_VTABLE, "OverflowError", 1, 2)
INSTANCE = L.malloc(OBJECT, immortal=True)
INSTANCE.typeptr = L.cast_pointer(CLASSTYPE, OVERFLOW)

TYPES = [*PRIMITIVES, OBJECTPTR, L.Ptr(NODE)]
NAMES = ["i", "x", "v", "value", "t1", "i1", "b1", "goto", "None", "type", "odd name"]


def constants(T: Any) -> Any:
    """A strategy for constants of any type a value may have."""
    if T == OBJECTPTR:
        return st.sampled_from([L.nullptr(OBJECT), INSTANCE]).map(lambda p: Constant(p, T))
    if isinstance(T, L.Ptr):
        return st.just(Constant(L.nullptr(T.TO), T))
    return values(T).map(lambda value: Constant(value, T))


class _Maker:
    """Builds one graph out of a ``draw`` function."""

    def __init__(self, draw: Callable[[Any], Any], cyclic: bool) -> None:
        self.draw = draw
        self.cyclic = cyclic
        args = [(self.name(), T) for T in draw(st.lists(st.sampled_from(TYPES), max_size=3))]
        self.result = draw(st.sampled_from(TYPES))
        self.b = GraphBuilder("law", args, self.result, OBJECTPTR)
        count = draw(st.integers(0, 5))
        self.blocks = [self.b.block, *(self.new_block() for _ in range(count))]

    def name(self) -> str:
        return str(self.draw(st.sampled_from(NAMES)))

    def new_block(self) -> Block:
        types = self.draw(st.lists(st.sampled_from(TYPES), max_size=3))
        return self.b.new_block(*[(self.name(), T) for T in types])

    def make(self) -> FunctionGraph:
        everywhere: list[Variable] = []
        for number, block in enumerate(self.blocks):
            self.b.at(block)
            known = [*everywhere, *block.inputargs]
            raising = self.operations(known)
            if number == 0:
                everywhere = known if raising is None else known[:-1]
            self.exits(number, known, raising)
        return self.b.graph

    def operations(self, known: list[Variable]) -> Variable | None:
        """Append operations; the result of the last one when its exceptions are caught."""
        row = None
        for row in self.draw(st.lists(st.sampled_from(ROWS), max_size=5)):
            assert row.args is not None
            args = [self.value(A, known) for A in row.args]
            known.append(self.b.op(row, args, row.result, self.name()))
        if row is not None and row.can_raise and self.draw(st.booleans()):
            return known[-1]
        return None

    def value(self, T: Any, known: list[Variable]) -> Value:
        fitting = [v for v in known if v.concretetype == T]
        if fitting and self.draw(st.booleans()):
            return fitting[self.draw(st.integers(0, len(fitting) - 1))]
        constant: Constant = self.draw(constants(T))
        return constant

    def target(self, number: int) -> Block:
        first = 1 if self.cyclic else number + 1
        choices = [*self.blocks[first:], self.b.graph.returnblock]
        block: Block = self.draw(st.sampled_from(choices))
        return block

    def args_for(self, target: Block, known: list[Variable]) -> list[Value]:
        return [self.value(v.concretetype, known) for v in target.inputargs]

    def exits(self, number: int, known: list[Variable], raising: Variable | None) -> None:
        first, second = self.target(number), self.target(number)
        if raising is not None:
            caught = Variable("e", OBJECTPTR)
            around = [*known[:-1], caught]
            if self.draw(st.booleans()):
                second = self.b.graph.exceptblock
            handler = Handler(
                OverflowError, second, self.args_for(second, around), caught, OVERFLOW
            )
            self.b.catch(first, self.args_for(first, known), [handler])
            return
        flags = [v for v in known if v.concretetype is L.Bool]
        if flags and self.draw(st.booleans()):
            self.b.branch(
                flags[-1], first, self.args_for(first, known), second, self.args_for(second, known)
            )
        elif self.draw(st.integers(0, 9)) == 0:
            self.b.raise_(Constant(INSTANCE, OBJECTPTR))
        else:
            self.b.goto(first, self.args_for(first, known))


@st.composite
def graphs(draw: Any, cyclic: bool) -> FunctionGraph:
    """A graph of stage ``lowlevel``; without cycles it always terminates."""
    return _Maker(draw, cyclic).make()
