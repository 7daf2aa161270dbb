"""Printing high-level graphs: names, host constants, exits.  (Low-level text is covered by
tests/cases/lowlevel and tests/laws.)"""

import math
import os
from collections import OrderedDict

import pytest

from rpython.translator.ir.hlops import HLOPS, CallShape
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
from rpython.translator.ir.naming import HostNamer, Namer
from rpython.translator.ir.printer import print_graph
from rpython.translator.ir.span import Span
from rpython.translator.ir.verifier import verify


def op(block: Block, name: str, args: list[Value], hint: str = "v") -> Variable:
    result = Variable(hint)
    block.operations.append(SpaceOperation(HLOPS[name], args, result, Span("f.py", 7, 4, 7, 9)))
    return result


def example() -> FunctionGraph:
    """def f(x, n): a loop with a branch, a caught exception and an ignored result."""
    x, n = Variable("x"), Variable("n")
    start = Block([x, n])
    graph = FunctionGraph("f", start)
    head = Block([Variable("x"), Variable("n")])
    start.closeblock(Link([x, n], head))
    head.exitswitch = op(head, "lt", [head.inputargs[1], Constant(10)], "t")
    body = Block([Variable("x"), Variable("n")])
    head.closeblock(
        Link([head.inputargs[0]], graph.returnblock, False), Link(head.inputargs, body, True)
    )
    bx, bn = body.inputargs
    op(body, "setattr", [bx, Constant("count"), bn])
    item = op(body, "getitem", [bx, bn], "n")
    body.exitswitch = LAST_EXCEPTION
    caught, other = Variable("e"), Variable("e")
    handlers = [
        Link([caught], graph.exceptblock, IndexError),
        Link([Constant(None)], graph.returnblock, KeyError),
        Link([other], graph.exceptblock, Exception),
    ]
    handlers[0].last_exc_value = caught
    handlers[2].last_exc_value = other
    body.closeblock(Link([bx, item], head), *handlers)
    return graph


def test_flow_graph() -> None:
    graph = example()
    verify(graph, "test")
    assert print_graph(graph) == """\
graph f(x, n) {
b0(x, n):
    goto b1(x, n)
b1(x, n):
    t0 = lt(n, 10)
    if t0 goto b2(x, n) else return x
b2(x, n):
    setattr(x, 'count', n)
    try n1 = getitem(x, n)
        goto b1(x, n1)
        except IndexError as e raise e
        except KeyError return None
        except Exception as e1 raise e1
}
"""


def test_annotations_are_types() -> None:
    graph = example()
    graph.stage = "annotated"
    for block in graph.iterblocks():
        for v in block.inputargs:
            v.annotation = f"Some_{v.name}"
        for operation in block.operations:
            operation.result.annotation = "SomeResult"
    text = print_graph(graph)
    assert "graph f(x: Some_x, n: Some_n) -> Some_result {\nb0(x, n):" in text
    assert "b2(x: Some_x, n: Some_n):" in text
    assert "    v0: SomeResult = setattr(x, 'count', n)\n" in text


def test_spans_are_comments() -> None:
    assert "    t0 = lt(n, 10)  # 7:4-9\n" in print_graph(example(), spans=True)


@pytest.mark.parametrize(
    ("hints", "names"),
    [
        (["i", "i", "i"], ["i", "i1", "i2"]),
        (["i1", "i", "i1", "i"], ["i1", "i", "i2", "i3"]),
        (["v7", "v", "t3", "v9"], ["v0", "v1", "t0", "v2"]),
        (["if", "odd name", "", "ä", "None"], ["if_", "v0", "v1", "v2", "None_"]),
    ],
)
def test_names_come_from_hints_and_order(hints: list[str], names: list[str]) -> None:
    namer = Namer()
    variables = [Variable(hint) for hint in hints]
    assert [namer.name(v) for v in variables] == names
    again = Namer()
    assert [again.name(Variable(name)) for name in names] == names


def closure(n: int) -> object:
    def inner() -> int:
        return n

    return inner


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (-0.0, "-0.0"),
        (b"\xff", "b'\\xff'"),
        ((1, ("a",)), "(1, ('a',))"),
        (frozenset(["b", "a"]), "frozenset({'a', 'b'})"),
        (slice(1, None), "slice(1, None, None)"),
        (len, "@len"),
        (os.path, f"@{os.path.__name__}"),
        (OrderedDict, "@OrderedDict"),
        (str.upper, "@str.upper"),
        (closure(1), "@closure.<locals>.inner"),
        ([1], "<list 1>"),
        (example().startblock, "<Block 1>"),
        ([1].append, "@list.append"),
        (CallShape(2, ("key",), True), "[_, _, key=, *]"),
        (math.pi, "3.141592653589793"),
    ],
)
def test_host_constants_have_no_addresses(value: object, text: str) -> None:
    assert HostNamer().text(value) == text


def test_equal_names_of_different_objects_are_told_apart() -> None:
    namer = HostNamer()
    one, two, a, b = closure(1), closure(2), [0], [0]
    texts = [namer.text(x) for x in (one, two, one, a, b, a)]
    assert texts == [
        "@closure.<locals>.inner", "@closure.<locals>.inner'2", "@closure.<locals>.inner",
        "<list 1>", "<list 2>", "<list 1>",
    ]  # fmt: skip


def test_broken_graphs_print_too() -> None:
    graph = example()
    graph.startblock.exits = ()
    graph.startblock.operations.append(
        SpaceOperation(HLOPS["neg"], [Variable("stray")], Variable("y"))
    )
    assert print_graph(graph) == "graph f(x, n) {\nb0(x, n):\n    neg(stray)\n}\n"
