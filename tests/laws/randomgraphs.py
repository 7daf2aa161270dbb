"""Random low-level graphs: control flow on Signed values, and straight lines of memory
operations; and the plainest interpreter there can be."""

from __future__ import annotations

import random
from typing import Any

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem import rclass
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.builder import GraphBuilder
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)


def _exceptions() -> dict[type[BaseException], Any]:
    result = {}
    for number, cls in enumerate([OverflowError, MemoryError, RecursionError]):
        vtable = rclass.make_vtable(rclass.OBJECT_VTABLE, cls.__name__, number, number + 1)
        result[cls] = rclass.make_instance(rclass.OBJECT, vtable)
    return result


EXCEPTIONS = _exceptions()
VTABLE = EXCEPTIONS[OverflowError].typeptr
FUEL = 2**63 - 31


def signed(n: int) -> Constant:
    return Constant(n, L.Signed)


# ------------------------------------------------------------------ random control flow


def random_graph(rng: random.Random) -> FunctionGraph:
    """A graph on Signed values whose first argument is ``FUEL``: every block adds one to
    it, so that every run ends, by an OverflowError at the latest."""
    graph = FunctionGraph("random", _new_block(rng, 3), Variable("result", L.Signed))
    graph.exceptblock.inputargs[0].concretetype = rclass.OBJECTPTR
    graph.stage = "lowlevel"
    blocks = [graph.startblock, *(_new_block(rng, rng.randint(1, 4)) for _ in range(9))]
    for block in blocks:
        shape = rng.choice(["goto", "branch", "branch", "branch", "catch", "return", "switch"])
        count = {"goto": 1, "branch": 2, "catch": 2, "return": 1, "switch": 4}[shape]
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

    fuel = emit("int_add_ovf", block.inputargs[0], signed(1))
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
    elif len(block.exits) == 4:
        block.exitswitch = emit("int_and", pick(), signed(3))
        for link, case in zip(block.exits[1:], rng.sample(range(-1, 4), 3)):
            link.exitcase = case
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
        for i, op in enumerate(block.operations):
            row = op.opdef
            assert isinstance(row, LLOp)
            assert row.eval is not None
            try:
                env[op.result] = row.eval(*map(value, op.args))
            except OverflowError:
                if block.exitswitch is not LAST_EXCEPTION or i < len(block.operations) - 1:
                    raise
                raised = True
        if block.exitswitch is LAST_EXCEPTION:
            link = block.exits[int(raised)]
        elif isinstance(block.exitswitch, Variable):
            link = block.exit_for(env[block.exitswitch])
        else:
            link = block.exits[0]
        incoming = [value(v) for v in link.args]
        block = link.target


# ------------------------------------------------------------- random memory operations

ITEM = L.Struct("item", ("key", L.Signed), ("value", L.Signed))
BASE = L.GcStruct("base", ("n", L.Signed), ("inner", ITEM))
DERIVED = L.GcStruct("derived", ("super", BASE), ("n", L.Signed), ("items", L.Array(L.Signed)))
TABLE = L.GcArray(ITEM)
LOG = L.GcArray(L.Signed)
RAW = L.Array(L.Signed, hints={"nolength": True})
ANY = L.Ptr(L.GcOpaqueType("any"))


def _twice() -> Constant:
    b = GraphBuilder("twice", [("n", L.Signed)], L.Signed, rclass.OBJECTPTR)
    b.ret(b.op(LLOPS["int_add"], [b.args[0], b.args[0]], L.Signed))
    F = L.FuncType([L.Signed], L.Signed)
    return Constant(L.functionptr(F, "twice", graph=b.graph), L.Ptr(F))


TWICE = _twice()
GC = Constant(L.frozendict(flavor="gc"), L.Void)


class MemoryScript:
    """A straight-line graph of memory operations; returns a checksum of all Signed
    results.  With ``faults`` some operations go wrong."""

    def __init__(self, rng: random.Random, faults: bool, steps: int = 25) -> None:
        self.rng = rng
        self.faults = faults
        self.builder = GraphBuilder("script", [("n", L.Signed)], L.Signed, rclass.OBJECTPTR)
        (n,) = self.builder.args
        self.checksum: Value = n
        self.pools: dict[Any, list[Value]] = {L.Signed: [n, signed(0), signed(1), signed(2)]}
        self.add("malloc_varsize", [Constant(DERIVED, L.Void), GC, signed(3)], L.Ptr(DERIVED))
        self.add("malloc_varsize", [Constant(TABLE, L.Void), GC, signed(3)], L.Ptr(TABLE))
        self.add("malloc_varsize", [Constant(LOG, L.Void), GC, signed(3)], L.Ptr(LOG))
        self.add("malloc", [Constant(BASE, L.Void), GC], L.Ptr(BASE))
        self.add("cast_pointer", [self.pick(L.Ptr(DERIVED))], L.Ptr(BASE))
        for T in (BASE, DERIVED, TABLE, LOG):
            if faults and rng.random() < 0.03:
                self.pools[L.Ptr(T)].append(Constant(L.nullptr(T), L.Ptr(T)))
        for _ in range(steps):
            self.step()
        self.builder.ret(self.checksum)
        self.graph = self.builder.graph

    def pick(self, T: Any) -> Value:
        return self.rng.choice(self.pools[T])

    def add(self, name: str, args: list[Value], RESULT: Any) -> None:
        result = self.builder.op(LLOPS[name], args, RESULT)
        if RESULT is L.Bool:
            result = self.builder.op(LLOPS["cast_bool_to_int"], [result], L.Signed)
        if RESULT is not L.Void:
            self.pools.setdefault(result.concretetype, []).append(result)
        if result.concretetype is L.Signed:
            scaled = self.builder.op(LLOPS["int_mul"], [self.checksum, signed(31)], L.Signed)
            self.checksum = self.builder.op(LLOPS["int_add"], [scaled, result], L.Signed)

    def raw_step(self) -> None:
        """Allocate, write, read and free raw memory."""
        flags = Constant(L.frozendict(flavor="raw", zero=True), L.Void)
        T = L.Ptr(RAW)
        p = self.builder.op(LLOPS["malloc_varsize"], [Constant(RAW, L.Void), flags, signed(3)], T)
        self.builder.op(LLOPS["setarrayitem"], [p, signed(1), self.pick(L.Signed)], L.Void)
        self.builder.op(LLOPS["copy_array_items"], [p, p, *map(signed, (0, 1, 2))], L.Void)
        self.add("getarrayitem", [p, signed(self.rng.randint(0, 2))], L.Signed)
        self.builder.op(LLOPS["free"], [p, flags], L.Void)

    def identity_step(self) -> None:
        """The identity hash and the address of an object do not change."""
        p = self.pick(L.Ptr(LOG))
        row = LLOPS[self.rng.choice(["gc_identityhash", "cast_ptr_to_int"])]
        self.add(
            "int_eq",
            [self.builder.op(row, [p], L.Signed), self.builder.op(row, [p], L.Signed)],
            L.Bool,
        )

    def step(self) -> None:
        """One random operation."""
        if self.rng.random() < 0.1:
            (self.raw_step if self.rng.random() < 0.5 else self.identity_step)()
            return
        S, P = L.Signed, L.Ptr
        index = (
            self.pick(S)
            if self.faults and self.rng.random() < 0.03
            else signed(self.rng.randint(0, 1))
        )
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
            ("keepalive", [base], L.Void),
            ("same_as", [derived], P(DERIVED)),
            ("stack_check", [], L.Void),
            ("cast_opaque_ptr", [derived], ANY),
            ("direct_call", [TWICE, item], S),
            ("indirect_call", [TWICE, item, Constant(None, L.Void)], S),
            ("cast_pointer", [derived], P(BASE)),
            ("ptr_eq", [base, self.pick(P(BASE))], L.Bool),
            ("ptr_ne", [derived, self.pick(P(DERIVED))], L.Bool),
            ("ptr_nonzero", [base], L.Bool),
            ("ptr_iszero", [derived], L.Bool),
            ("malloc_varsize", [Constant(LOG, L.Void), GC, signed(2)], P(LOG)),
        ]
        if self.faults:
            choices.append(("cast_pointer", [base], P(DERIVED)))
        if ANY in self.pools:
            choices.append(("cast_opaque_ptr", [self.pick(ANY)], P(DERIVED)))
        if inner is not None:
            choices.append(("setfield", [inner, name("value"), item], L.Void))
            choices.append(("getfield", [inner, name("value")], S))
        self.add(*self.rng.choice(choices))
