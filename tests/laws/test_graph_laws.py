"""Laws of graphs: text is exact, dominators are dominators, passes keep meaning."""

from typing import Any

from graphs import INSTANCE, OVERFLOW, constants, graphs
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.lltype import _ptr
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.text import TextEnv, print_graphs
from rpython.rlib.objectmodel import always_inline
from rpython.translator.ir.builder import GraphBuilder, Handler
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    Value,
    Variable,
    same_value,
)
from rpython.translator.ir.parser import parse_graph
from rpython.translator.ir.traversal import reverse_postorder
from rpython.translator.ir.verifier import verify
from rpython.translator.opt.runner import PASSES, parse_passes, run_passes
from rpython.translator.opt.summaries import Summaries

EXCEPTIONS = {OverflowError: INSTANCE}


def same_graph(a: FunctionGraph, b: FunctionGraph) -> None:
    """Assert that two graphs only differ in the identities of blocks and variables."""
    blocks_a, blocks_b = reverse_postorder(a), reverse_postorder(b)
    assert len(blocks_a) == len(blocks_b)
    pairs: dict[Any, Any] = dict(zip(blocks_a, blocks_b))
    for x, y in zip(blocks_a, blocks_b):
        defined_x = [*x.inputargs, *(op.result for op in x.operations)]
        defined_y = [*y.inputargs, *(op.result for op in y.operations)]
        defined_x += [link.last_exc_value for link in x.exits if link.last_exc_value]
        defined_y += [link.last_exc_value for link in y.exits if link.last_exc_value]
        assert len(defined_x) == len(defined_y)
        pairs.update(zip(defined_x, defined_y))

    def same(v: Value, w: Value) -> bool:
        if isinstance(v, Variable) or isinstance(w, Variable):
            return pairs[v] is w and v.concretetype == w.concretetype
        if isinstance(v.value, _ptr):
            return v.concretetype == w.concretetype and bool(v.value == w.value)
        return v.concretetype == w.concretetype and same_value(v.value, w.value)

    for x, y in zip(blocks_a, blocks_b):
        for op, other in zip(x.operations, y.operations, strict=True):
            assert op.opdef is other.opdef
            assert all(map(same, op.args, other.args))
            assert same(op.result, other.result)
        if isinstance(x.exitswitch, Variable):
            assert pairs[x.exitswitch] is y.exitswitch
        else:
            assert x.exitswitch is y.exitswitch
        for link, other_link in zip(x.exits, y.exits, strict=True):
            same_link(link, other_link)
            assert pairs[link.target] is other_link.target
            assert all(map(same, link.args, other_link.args))


def same_link(link: Link, other: Link) -> None:
    assert link.exitcase is other.exitcase
    assert (link.llexitcase is None) == (other.llexitcase is None)
    if link.llexitcase is not None:
        assert link.llexitcase == other.llexitcase


@given(graphs(cyclic=True))
def test_generated_graphs_are_good(graph: FunctionGraph) -> None:
    verify(graph, "generator")
    check_graph(graph, "generator")


@given(graphs(cyclic=True))
def test_printed_text_parses_to_the_same_graph(graph: FunctionGraph) -> None:
    env = TextEnv()
    text = print_graphs([graph], env=env)
    parsed = parse_graph(text, env)
    verify(parsed, "parser")
    check_graph(parsed, "parser")
    same_graph(graph, parsed)
    assert print_graphs([graph], env=env) == text


@given(graphs(cyclic=True))
def test_text_needs_nothing_but_itself(graph: FunctionGraph) -> None:
    text = print_graphs([graph])
    env = TextEnv()
    assert print_graphs([parse_graph(text, env)], env=env) == text


def reachable_without(graph: FunctionGraph, removed: Any) -> set[Block]:
    """Blocks reachable from the start when a block or link is taken out."""
    if graph.startblock is removed:
        return set()
    seen = {graph.startblock}
    work = [graph.startblock]
    while work:
        for link in work.pop().exits:
            if link is not removed and link.target is not removed and link.target not in seen:
                seen.add(link.target)
                work.append(link.target)
    return seen


@given(graphs(cyclic=True))
def test_dominators_cut_every_path(graph: FunctionGraph) -> None:
    tree = DominatorTree(graph)
    for a in tree.order:
        left = reachable_without(graph, a)
        for b in tree.order:
            assert tree.dominates(a, b) == (b not in left)
    for link in graph.iterlinks():
        left = reachable_without(graph, link)
        for b in tree.order:
            assert tree.link_dominates(link, b) == (b not in left)
    for block, parent in tree.idom.items():
        if parent is not None:
            assert tree.strictly_dominates(parent, block)
            assert block in tree.children()[parent]


def outcome(graph: FunctionGraph, args: list[Any]) -> Any:
    try:
        return LLInterpreter(EXCEPTIONS).eval_graph(graph, args)
    except LLException as error:
        return error.value


@given(graphs(cyclic=False), st.data(), st.sampled_from(["default", *PASSES]))
def test_passes_keep_meaning(graph: FunctionGraph, data: st.DataObject, passes: str) -> None:
    args = [data.draw(constants(v.concretetype)).value for v in graph.getargs()]
    before = outcome(graph, args)
    run_passes(parse_passes(passes), [graph])
    after = outcome(graph, args)
    same = before == after if isinstance(before, _ptr) else same_value(before, after)
    assert same, f"{before!r} before, {after!r} after:\n{print_graphs([graph])}"


ONCE = ("insert_stack_checks", "version_loops", "insert_safepoints", "insert_gil_safepoints")
"""Those that would make two versions, or strips, of a loop of which there are."""


@given(graphs(cyclic=True), st.sampled_from(list(PASSES)))
def test_passes_find_nothing_more_the_second_time(graph: FunctionGraph, name: str) -> None:
    if name in ONCE:
        return
    run_passes(parse_passes(name), [graph])
    once = print_graphs([graph])
    assert not PASSES[name].changes(graph, Summaries())
    assert print_graphs([graph]) == once


@given(graphs(cyclic=True), st.sampled_from(list(PASSES)))
def test_passes_tell_what_they_change(graph: FunctionGraph, name: str) -> None:
    if name == "insert_stack_checks":
        return
    before = print_graphs([graph])
    changed = PASSES[name].changes(graph, Summaries())
    assert changed or print_graphs([graph]) == before


@always_inline
def _always() -> None:
    """The function that random callees claim to be of."""


def caller_of(callee: FunctionGraph, catches: Constant | None) -> FunctionGraph:
    """A graph that calls another one twice; ``catches``: what it gives after an OverflowError."""
    params = [(v.name, v.concretetype) for v in callee.getargs()]
    T = callee.getreturnvar().concretetype
    b = GraphBuilder(f"calls_{callee.name}", params, T, OBJECTPTR)
    F = L.FuncType([T for _, T in params], T)
    pointer = Constant(L.functionptr(F, callee.name, graph=callee), L.Ptr(F))
    b.op(LLOPS["direct_call"], [pointer, *b.graph.getargs()], T, "once")
    result = b.op(LLOPS["direct_call"], [pointer, *b.graph.getargs()], T, "twice")
    if catches is None:
        b.goto(b.graph.returnblock, [result])
    else:
        handler = Handler(
            OverflowError, b.graph.returnblock, [catches], Variable("e", OBJECTPTR), OVERFLOW
        )
        b.catch(b.graph.returnblock, [result], [handler])
    return b.graph


@given(graphs(cyclic=False), st.data(), st.booleans(), st.sampled_from(["inline", "inline_calls"]))
def test_inlining_keeps_meaning(
    callee: FunctionGraph, data: st.DataObject, catching: bool, passes: str
) -> None:
    callee.func = _always
    catches = data.draw(constants(callee.getreturnvar().concretetype)) if catching else None
    caller = caller_of(callee, catches)
    outer = caller_of(caller, None)
    args = [data.draw(constants(v.concretetype)).value for v in callee.getargs()]
    before = outcome(outer, args)
    text = print_graphs([outer, caller, callee])
    run_passes(parse_passes(passes), [outer, caller, callee])
    after = outcome(outer, args)
    same = before == after if isinstance(before, _ptr) else same_value(before, after)
    assert same, f"{before!r} before, {after!r} after:\n{text}\n{print_graphs([outer])}"
