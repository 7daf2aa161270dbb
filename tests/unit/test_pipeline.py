"""Which passes a translation runs."""

import pytest

from rpython.annotator.lattice.model import SomeInteger
from rpython.translator.driver import Translation
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.options import Options


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
