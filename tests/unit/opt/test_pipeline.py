"""Which passes a translation runs."""

import pytest

from rpython.annotator.lattice.model import SomeInteger
from rpython.rlib.objectmodel import always_inline
from rpython.translator.driver import Translation
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.observing import NOBODY, Observer
from rpython.translator.opt.runner import PASSES, Pass
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


def _drop_last_operation(graph: FunctionGraph) -> bool:
    """A pass with a fault: what the block computed is used all the same."""
    block = next((b for b in graph.iterblocks() if b.operations), None)
    if block is not None:
        del block.operations[-1]
    return block is not None


@pytest.mark.parametrize(
    ("observer", "named"),
    [(NOBODY, "the passes; --dump FOLDER says which"), (Observer(), "fold_constants")],
)
def test_what_a_pass_breaks_is_found(
    observer: Observer, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Pass("fold_constants", _drop_last_operation)
    monkeypatch.setitem(PASSES, "fold_constants", broken)
    translation = Translation(down, [SomeInteger()], Options(passes="fold_constants,wrap_masked"))
    with pytest.raises(VerifyError, match=f"after {named}, graph down"):
        translation.optimise(observer)


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
