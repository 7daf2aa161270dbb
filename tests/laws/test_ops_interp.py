"""The LLInterpreter's generated code does what walking the graph operation by operation
does: random control flow, and random sequences of memory operations."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lltypesystem import lltype as L
from lltypesystem import rclass
from lltypesystem.checker import check_graph
from lltypesystem.llinterp import LLInterpreter
from lltypesystem.llop import LLOp, UndefinedOperation
from lltypesystem.llops import LLOPS
from translator.ir.builder import GraphBuilder
from translator.ir.dominators import DominatorTree
from translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from translator.ir.verifier import verify

VTABLE = rclass.make_vtable(rclass.OBJECT_VTABLE, "OverflowError", 1, 2)
OVERFLOW = rclass.make_instance(rclass.OBJECT, VTABLE)
SMALL = st.integers(-5, 5) | st.integers(-(2**63), 2**63 - 1)


def signed(n: int) -> Constant:
    return Constant(n, L.Signed)


# ------------------------------------------------------------------ random control flow


def random_graph(rng: random.Random) -> FunctionGraph:
    """A graph on Signed values whose first argument is fuel: every block burns one unit
    by dividing by it, so that every run ends (by an UndefinedOperation at the latest)."""
    graph = FunctionGraph("random", _new_block(rng, 3), Variable("result", L.Signed))
    graph.exceptblock.inputargs[0].concretetype = rclass.OBJECTPTR
    graph.stage = "lowlevel"
    blocks = [graph.startblock, *(_new_block(rng, rng.randint(1, 4)) for _ in range(9))]
    for block in blocks:
        shape = rng.choice(["goto", "branch", "branch", "branch", "catch", "return"])
        count = {"goto": 1, "branch": 2, "catch": 2, "return": 1}[shape]
        targets = [rng.choice(blocks[1:]) for _ in range(count)]
        if shape == "return":
            targets = [graph.returnblock]
        elif shape == "catch":
            block.exitswitch = LAST_EXCEPTION
        block.closeblock(*(Link([], target) for target in targets))
    dominators = DominatorTree(graph)
    values: dict[Block, list[Value]] = {}
    for block in dominators.order:
        if block is graph.returnblock or block is graph.exceptblock:
            continue
        above = dominators.idom[block]
        known = [*(values[above] if above else []), *block.inputargs]
        values[block] = _fill(rng, block, known)
    return graph


def _new_block(rng: random.Random, params: int) -> Block:
    return Block([Variable(f"p{i}", L.Signed) for i in range(params)])


def _fill(rng: random.Random, block: Block, known: list[Value]) -> list[Value]:
    """Write operations and the arguments of the links; returns the usable values."""

    def emit(name: str, *args: Value) -> Variable:
        row = LLOPS[name]
        block.operations.append(SpaceOperation(row, args, Variable("v", row.result)))
        return block.operations[-1].result

    def pick() -> Value:
        return rng.choice(known) if rng.random() < 0.85 else signed(rng.randint(-9, 9))

    fuel = emit("int_sub", block.inputargs[0], signed(1))
    emit("int_floordiv", signed(1), fuel)
    for _ in range(rng.randint(0, 4)):
        name = rng.choice(["int_add", "int_sub", "int_mul", "int_xor", "int_neg", "same_as"])
        args = [pick() for _ in LLOPS[name].args or ()]
        if name == "same_as":
            block.operations.append(SpaceOperation(LLOPS[name], args, Variable("s", L.Signed)))
            known.append(block.operations[-1].result)
        else:
            known.append(emit(name, *args))
    usable = list(known)
    if len(block.exits) == 2:
        if block.exitswitch is LAST_EXCEPTION:
            result = emit(rng.choice(["int_add_ovf", "int_mul_ovf"]), pick(), pick())
            handler = block.exits[1]
            handler.exitcase, handler.llexitcase = OverflowError, VTABLE
            handler.last_exc_value = Variable("e", rclass.OBJECTPTR)
        else:
            condition = emit(rng.choice(["int_lt", "int_eq", "int_ge"]), pick(), pick())
            block.exitswitch = condition
            block.exits[0].exitcase, block.exits[1].exitcase = False, True
    for i, link in enumerate(block.exits):
        link.args = [pick() for _ in link.target.inputargs]
        if link.target.exits:
            link.args[0] = fuel
        if i == 0 and block.exitswitch is LAST_EXCEPTION and len(link.args) > 1:
            link.args[-1] = result
    return usable


def walk(graph: FunctionGraph, args: list[Any]) -> Any:
    """The plainest interpreter there can be."""
    env: dict[Variable, Any] = {}

    def value(v: Value) -> Any:
        return v.value if isinstance(v, Constant) else env[v]

    block, incoming = graph.startblock, args
    while True:
        env.update(zip(block.inputargs, incoming, strict=True))
        if block is graph.returnblock:
            return incoming[0]
        raised = False
        for op in block.operations:
            row = op.opdef
            assert isinstance(row, LLOp)
            assert row.eval is not None
            try:
                env[op.result] = row.eval(*map(value, op.args))
            except OverflowError:
                raised = True
        if block.exitswitch is LAST_EXCEPTION:
            link = block.exits[int(raised)]
        elif isinstance(block.exitswitch, Variable):
            link = block.exits[int(env[block.exitswitch])]
        else:
            link = block.exits[0]
        incoming = [value(v) for v in link.args]
        block = link.target


def outcome(run: Any) -> Any:
    try:
        return run()
    except UndefinedOperation:
        return UndefinedOperation
    except L.MemoryFault:
        return L.MemoryFault


@pytest.mark.parametrize("checked", [False, True])
@given(seed=st.integers(0, 2**32), a=SMALL, b=SMALL)
def test_random_control_flow(checked: bool, seed: int, a: int, b: int) -> None:
    graph = random_graph(random.Random(seed))
    verify(graph, "random")
    check_graph(graph, "random")
    interpreter = LLInterpreter({OverflowError: OVERFLOW}, checked=checked)
    args = [30, a, b]
    expected = outcome(lambda: walk(graph, args))
    assert outcome(lambda: interpreter.eval_graph(graph, args)) == expected, interpreter.source(
        graph
    )


# ------------------------------------------------------------- random memory operations

ITEM = L.Struct("item", ("key", L.Signed), ("value", L.Signed))
BASE = L.GcStruct("base", ("n", L.Signed), ("inner", ITEM))
DERIVED = L.GcStruct("derived", ("super", BASE), ("n", L.Signed), ("items", L.Array(L.Signed)))
TABLE = L.GcArray(ITEM)
LOG = L.GcArray(L.Signed)
GC = Constant(L.frozendict(flavor="gc"), L.Void)


class MemoryScript:
    """A straight-line graph of memory operations; every Signed result goes to a log."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.builder = GraphBuilder("script", [("log", L.Ptr(LOG)), ("n", L.Signed)], L.Signed)
        self.log, n = self.builder.args
        self.logged = 0
        self.values: list[tuple[Value, Any]] = [(n, L.Signed), (signed(1), L.Signed)]
        self.pools = {L.Signed: [n, signed(0), signed(1), signed(2)]}
        self.add("malloc_varsize", [Constant(DERIVED, L.Void), GC, signed(3)], L.Ptr(DERIVED))
        self.add("malloc_varsize", [Constant(TABLE, L.Void), GC, signed(3)], L.Ptr(TABLE))
        self.add("malloc_varsize", [Constant(LOG, L.Void), GC, signed(3)], L.Ptr(LOG))
        self.add("malloc", [Constant(BASE, L.Void), GC], L.Ptr(BASE))
        self.add("cast_pointer", [self.pick(L.Ptr(DERIVED))], L.Ptr(BASE))
        for T in (BASE, DERIVED, TABLE, LOG):
            if rng.random() < 0.03:
                self.pools[L.Ptr(T)].append(Constant(L.nullptr(T), L.Ptr(T)))

    def pick(self, T: Any) -> Value:
        return self.rng.choice(self.pools[T])

    def add(self, name: str, args: list[Value], RESULT: Any) -> None:
        result = self.builder.op(LLOPS[name], args, RESULT)
        if RESULT is L.Bool:
            result = self.builder.op(LLOPS["cast_bool_to_int"], [result], L.Signed)
        if RESULT is not L.Void:
            self.pools.setdefault(result.concretetype, []).append(result)
        if result.concretetype is L.Signed:
            slot = [self.log, signed(self.logged), result]
            self.builder.op(LLOPS["setarrayitem"], slot, L.Void)
            self.logged += 1

    def step(self) -> None:
        """One random operation."""
        S, P = L.Signed, L.Ptr
        index = self.pick(S) if self.rng.random() < 0.03 else signed(self.rng.randint(0, 1))
        item = self.pick(S)
        base, derived = self.pick(P(BASE)), self.pick(P(DERIVED))
        table, array = self.pick(P(TABLE)), self.pick(P(LOG))
        inner = self.pick(P(ITEM)) if P(ITEM) in self.pools else None

        def name(text: str) -> Constant:
            return Constant(text, L.Void)

        choices: list[tuple[str, list[Any], Any]] = [
            ("getfield", [base, name("n")], S),
            ("setfield", [base, name("n"), item], L.Void),
            ("getfield", [derived, name("n")], S),
            ("setfield", [derived, name("n"), item], L.Void),
            ("getsubstruct", [base, name("inner")], P(ITEM)),
            ("getsubstruct", [derived, name("super")], P(BASE)),
            ("getarraysubstruct", [table, index], P(ITEM)),
            ("getinteriorfield", [base, name("inner"), name("key")], S),
            ("getinteriorfield", [derived, name("super"), name("inner"), name("value")], S),
            ("setinteriorfield", [derived, name("super"), name("n"), item], L.Void),
            ("getinteriorfield", [derived, name("items"), index], S),
            ("setinteriorfield", [derived, name("items"), index, item], L.Void),
            ("getinteriorarraysize", [derived, name("items")], S),
            ("getinteriorfield", [table, index, name("key")], S),
            ("setinteriorfield", [table, index, name("key"), item], L.Void),
            ("getarrayitem", [array, index], S),
            ("setarrayitem", [array, index, item], L.Void),
            ("getarraysize", [array], S),
            ("copy_array_items", [array, array, index, signed(0), signed(1)], L.Void),
            ("cast_pointer", [self.pools[P(BASE)][-1]], P(DERIVED)),
            ("cast_pointer", [derived], P(BASE)),
            ("ptr_eq", [base, self.pick(P(BASE))], L.Bool),
            ("ptr_ne", [derived, self.pick(P(DERIVED))], L.Bool),
            ("ptr_nonzero", [base], L.Bool),
            ("ptr_iszero", [derived], L.Bool),
            ("malloc_varsize", [Constant(LOG, L.Void), GC, signed(2)], P(LOG)),
        ]
        if inner is not None:
            choices.append(("setfield", [inner, name("value"), item], L.Void))
            choices.append(("getfield", [inner, name("value")], S))
        self.add(*self.rng.choice(choices))


@given(seed=st.integers(0, 2**32), n=st.integers(-1, 3))
def test_random_memory_operations(seed: int, n: int) -> None:
    script = MemoryScript(random.Random(seed))
    for _ in range(25):
        script.step()
    script.builder.ret(signed(0))
    graph = script.builder.graph
    check_graph(graph, "random")
    outcomes = []
    for checked in (False, True):
        log = L.malloc(LOG, 40)
        result = outcome(
            lambda log=log, checked=checked: LLInterpreter({}, checked=checked).eval_graph(
                graph, [log, n]
            )
        )
        outcomes.append((result, list(log)))
    assert outcomes[0] == outcomes[1]
