"""Each invariant of the verifier is shown broken once, with the message a pass author reads."""

from collections.abc import Callable

import pytest

from rpython.translator.ir.builder import GraphBuilder, Handler
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    UNREACHABLE,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.verifier import verify

ADD = OpDef("int_add")
LT = OpDef("int_lt")
ONE = Constant(1, "Signed")


def loop() -> FunctionGraph:
    """b0(n) -> b1(i) -> {b2 -> b1, return}; b2 may raise."""
    b = GraphBuilder("loop", [("n", "Signed")], "Signed", "exc")
    (n,) = b.args
    head, body, step = b.new_block(("i", "Signed")), b.new_block(), b.new_block()
    b.goto(head, [ONE])
    (i,) = b.at(head)
    b.branch(b.op(LT, [i, n], "Bool"), body, [], b.graph.returnblock, [i])
    b.at(body)
    i1 = b.op(ADD, [i, ONE], "Signed")
    caught = Variable("e", "exc")
    b.catch(step, [], [Handler(OverflowError, b.graph.exceptblock, [caught], caught)])
    b.at(step)
    b.goto(head, [i1])
    return b.graph


def high_level() -> FunctionGraph:
    """b0(x) -> b1(y) -> return."""
    first, second = Block([Variable("x")]), Block([Variable("y")])
    graph = FunctionGraph("f", first)
    first.closeblock(Link(first.inputargs, second))
    op = SpaceOperation(HLOPS["neg"], second.inputargs, Variable("z"))
    second.operations.append(op)
    second.closeblock(Link([op.result], graph.returnblock))
    return graph


def blocks(graph: FunctionGraph) -> list[Block]:
    """Head, body and step of ``loop``."""
    head = graph.startblock.exits[0].target
    body = head.exits[1].target
    return [head, body, body.exits[0].target]


def test_accepts_good_graphs() -> None:
    verify(loop(), "test")
    verify(high_level(), "test")


def test_message_names_pass_graph_block_and_op() -> None:
    graph = loop()
    blocks(graph)[1].operations[0].args[1] = Variable("stray", "Signed")
    with pytest.raises(VerifyError) as info:
        verify(graph, "my_pass")
    assert info.value.render() == (
        "internal error[R1900]: variable 'stray' is used but never defined\n"
        "  [after my_pass, graph loop, block b2, op v1: Signed = int_add(i, stray)]"
    )


def no_exits(graph: FunctionGraph) -> None:
    blocks(graph)[2].exits = ()


def wrong_arity(graph: FunctionGraph) -> None:
    blocks(graph)[2].exits[0].args.append(ONE)


def wrong_prevblock(graph: FunctionGraph) -> None:
    blocks(graph)[2].exits[0].prevblock = graph.startblock


def exits_swapped(graph: FunctionGraph) -> None:
    head = blocks(graph)[0]
    head.exits = head.exits[::-1]


def two_exits_without_switch(graph: FunctionGraph) -> None:
    blocks(graph)[0].exitswitch = None


def exception_block_without_operation(graph: FunctionGraph) -> None:
    blocks(graph)[1].operations.clear()


def exception_block_without_handler(graph: FunctionGraph) -> None:
    body = blocks(graph)[1]
    body.exits = body.exits[:1]


def exception_block_without_normal_exit(graph: FunctionGraph) -> None:
    body = blocks(graph)[1]
    body.exits = body.exits[::-1]


def exitcase_not_a_class(graph: FunctionGraph) -> None:
    blocks(graph)[1].exits[1].exitcase = "OverflowError"


def raised_result_on_exception_link(graph: FunctionGraph) -> None:
    body = blocks(graph)[1]
    body.exits[1].args = [body.operations[-1].result]


def raised_result_where_only_handler_led(graph: FunctionGraph) -> None:
    body, step = blocks(graph)[1:]
    body.exits[1].target, body.exits[1].args = step, []


def last_exc_value_elsewhere(graph: FunctionGraph) -> None:
    body, step = blocks(graph)[1:]
    caught = body.exits[1].last_exc_value
    assert caught is not None
    step.operations.append(SpaceOperation(ADD, [caught], Variable("x", "Signed")))


def last_exc_value_on_plain_link(graph: FunctionGraph) -> None:
    blocks(graph)[2].exits[0].last_exc_value = Variable("e", "exc")


def not_dominated(graph: FunctionGraph) -> None:
    head, body, _ = blocks(graph)
    head.exits[0].args = [body.operations[0].result]


def used_before_definition(graph: FunctionGraph) -> None:
    head = blocks(graph)[0]
    head.operations.insert(0, SpaceOperation(ADD, [head.operations[0].result], Variable("x", "S")))


def defined_twice(graph: FunctionGraph) -> None:
    head, body, _ = blocks(graph)
    body.operations[0].result = head.operations[0].result


def untyped_variable(graph: FunctionGraph) -> None:
    blocks(graph)[1].operations[0].result.concretetype = None


def untyped_constant(graph: FunctionGraph) -> None:
    graph.startblock.exits[0].args = [Constant(1)]


def link_types_differ(graph: FunctionGraph) -> None:
    graph.startblock.exits[0].args = [Constant(1.0, "Float")]


def high_level_operation(graph: FunctionGraph) -> None:
    blocks(graph)[1].operations[0].opdef = HLOPS["add"]


def return_block_with_two_inputargs(graph: FunctionGraph) -> None:
    graph.returnblock.inputargs.append(Variable("x", "Signed"))


def return_block_with_operations(graph: FunctionGraph) -> None:
    graph.returnblock.operations.append(SpaceOperation(ADD, [ONE], Variable("x", "Signed")))


def start_is_return(graph: FunctionGraph) -> None:
    graph.startblock = graph.returnblock


def switch_not_a_variable(graph: FunctionGraph) -> None:
    blocks(graph)[0].exitswitch = ONE  # type: ignore[assignment]


def unreachable_with_exits(graph: FunctionGraph) -> None:
    blocks(graph)[0].exitswitch = UNREACHABLE


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (no_exits, "only the return block and the except block may have no exits"),
        (wrong_arity, "a link gives 2 args to a block with 1 inputargs"),
        (wrong_prevblock, "the prevblock of an exit must be the block it leaves"),
        (exits_swapped, "of exitcase False and True in this order"),
        (two_exits_without_switch, "without exitswitch a block has one exit"),
        (exception_block_without_operation, "needs an operation that may raise"),
        (exception_block_without_handler, "needs at least one exception link"),
        (exception_block_without_normal_exit, "first exit of a LAST_EXCEPTION block"),
        (exitcase_not_a_class, "needs an exception class, not 'OverflowError'"),
        (raised_result_on_exception_link, "raising operation is used on an exception link"),
        (raised_result_where_only_handler_led, "where its definition does not dominate"),
        (last_exc_value_elsewhere, "last_exc_value 'e' is used outside its own link"),
        (last_exc_value_on_plain_link, "last_exc_value belongs on exception links only"),
        (not_dominated, "where its definition does not dominate"),
        (used_before_definition, "where its definition does not dominate"),
        (defined_twice, "has a second definition (first in b1)"),
        (untyped_variable, "has no concretetype"),
        (untyped_constant, "constant 1 has no concretetype"),
        (link_types_differ, "a link passes Float to inputarg 'i' of type Signed"),
        (high_level_operation, "not an operation of low-level graphs"),
        (return_block_with_two_inputargs, "must have exactly one inputarg"),
        (return_block_with_operations, "must have no operations and no exits"),
        (start_is_return, "the start block must not be the return block"),
        (switch_not_a_variable, "a Variable, LAST_EXCEPTION or UNREACHABLE"),
        (unreachable_with_exits, "an unreachable end has no exits"),
    ],
)
def test_refuses(break_it: Callable[[FunctionGraph], None], message: str) -> None:
    graph = loop()
    break_it(graph)
    with pytest.raises(VerifyError) as info:
        verify(graph, "test")
    assert message in info.value.message


def test_high_level_variables_are_local() -> None:
    graph = high_level()
    second = graph.startblock.exits[0].target
    second.operations[0].args = list(graph.startblock.inputargs)
    with pytest.raises(VerifyError, match="defined in b0, is used in another block"):
        verify(graph, "test")


def test_high_level_arity() -> None:
    graph = high_level()
    second = graph.startblock.exits[0].target
    second.operations[0].args *= 2
    with pytest.raises(VerifyError, match="neg takes 1 operands, not 2"):
        verify(graph, "test")


def test_high_level_last_exc_value_is_for_its_own_link() -> None:
    graph = high_level()
    second = graph.startblock.exits[0].target
    second.exitswitch = LAST_EXCEPTION
    caught = Variable("e")
    links = [
        Link([caught], graph.exceptblock, ValueError),
        Link([caught], graph.exceptblock, TypeError),
    ]
    links[0].last_exc_value = caught
    second.recloseblock(*second.exits, *links)
    with pytest.raises(VerifyError, match="variable 'e'"):
        verify(graph, "test")
