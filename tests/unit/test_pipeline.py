"""Which passes a translation runs."""

import pytest

from rpython.annotator.lattice.model import SomeInteger
from rpython.rlib.objectmodel import always_inline
from rpython.translator.driver import Translation
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.options import Options
from rpython.translator.warnings.advice import unmet_requests


def down(n: int) -> int:
    return down(n - 1) + 1 if n else 0


@pytest.mark.parametrize(
    "passes",
    ["", "default", "fold_constants", "insert_stack_checks", "insert_stack_checks,default"],
)
def test_recursion_is_checked_once_whatever_is_asked_for(passes: str) -> None:
    program = Translation(down, [SomeInteger()], Options(passes=passes)).optimise()
    operations = [op for graph in call_graph(program).graphs for _, op in graph.iterblockops()]
    assert [op.opname for op in operations].count("stack_check") == 1


def test_other_passes_are_not_added() -> None:
    translation = Translation(down, [SomeInteger()], Options(passes="fold_constants"))
    translation.optimise()
    names = [t.name for t in translation.timings]
    assert names == ["wrap_masked", "fold_constants", "insert_stack_checks"]


@always_inline
def count(n: int) -> int:
    return count(n - 1) + 1 if n else 0


def twice(n: int) -> int:
    return count(n) + count(n)


def test_a_request_that_cannot_be_met_is_a_warning() -> None:
    translation = Translation(twice, [SomeInteger()])
    translation.optimise()
    texts = {warning.message for warning in unmet_requests(translation.remarks)}
    assert texts == {"count is marked with always_inline, but it may call itself"}
