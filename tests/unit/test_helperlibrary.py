"""Low-level helpers are typed once in a process, and each program has copies of its own."""

from __future__ import annotations

from typing import Any

import rpython
from rpython.translator.api import Interpretation
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph


def joined(n: int) -> str:
    lengths = {}
    for i in range(n):
        lengths[str(i)] = len(str(i))
    return ",".join(sorted(lengths))


def helpers(f: Any, *args: Any) -> dict[str, FunctionGraph]:
    """The low-level helpers of a program, by name."""
    program = Interpretation.of(f, args).program
    return {graph.name: graph for graph in call_graph(program).graphs if not graph.checked}


def test_a_program_types_no_helper_that_another_one_had() -> None:
    Interpretation.of(joined, [3])
    annotator = Interpretation.of(joined, [3]).translation.annotator
    assert [graph.name for graph in annotator.graphs if not graph.checked] == []


def test_each_program_has_copies() -> None:
    first, second = helpers(joined, 3), helpers(joined, 3)
    assert list(first) == list(second) != []
    assert not {id(graph) for graph in first.values()} & {id(graph) for graph in second.values()}


def test_the_c_text_is_the_same_whoever_types_the_helpers() -> None:
    texts = {rpython.show(joined, [int], stage="c") for _ in range(3)}
    assert len(texts) == 1


def test_exceptions_have_the_attributes_that_the_program_reads() -> None:
    def message(s: str) -> str:
        try:
            return str(int(s))
        except ValueError as e:
            return str(e)

    def arguments(s: str) -> Any:
        try:
            return (str(int(s)),)
        except ValueError as e:
            return e.args

    for f in (message, arguments, message):
        assert rpython.interpret(f, ["x1"]) == f("x1")


def test_a_class_that_a_helper_raises_is_caught_by_one_above() -> None:
    def last(n: int) -> str:
        items = list(range(n))
        try:
            return str(items.pop())
        except LookupError as e:
            return type(e).__name__ + ": " + str(e)

    for n in (0, 1):
        assert rpython.interpret(last, [n]) == last(n)
