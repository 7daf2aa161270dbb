"""The original RPython's module paths and its ways to drive a translation."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from rpython.absent import INSTEAD
from rpython.oldpaths import OLD_PATHS


@pytest.mark.parametrize("old", OLD_PATHS)
def test_an_old_path_names_the_new_module(old: str) -> None:
    module = importlib.import_module(old)
    new = OLD_PATHS[old]
    if new:
        assert module is importlib.import_module(new)
        assert (module.__name__, module.__spec__.name) == (new, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rpython.rtyper.lltypesystem.lltype", "rpython.lltypesystem.lltype"),
        ("rpython.rtyper.rtyper", "rpython.rtyper.rtyper"),
        ("rpython.annotator.model", "rpython.annotator.lattice.model"),
    ],
)
def test_what_is_not_listed_has_the_same_name(old: str, new: str) -> None:
    assert importlib.import_module(old) is importlib.import_module(new)


@pytest.mark.parametrize("old", ["rpython.rtyper.nothing", "rpython.nothing"])
def test_not_imported_because_there_is_no_such_module(old: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(old)


PROGRAM = """
from rpython.annotator import model as annmodel
from rpython.flowspace.model import Constant, FunctionGraph, summary
from rpython.rtyper.llinterp import LLInterpreter
from rpython.rtyper.lltypesystem import lltype
from rpython.rtyper.lltypesystem.lltype import Signed
from rpython.rtyper.test.test_llinterp import interpret
from rpython.translator.interactive import Translation
from rpython.translator.translator import TranslationContext, graphof

def helper(n):
    return [n, n + 1]

def f(n):
    return len(helper(n)) * n

t = TranslationContext()
flow = t.buildflowgraph(f)
assert isinstance(flow, FunctionGraph) and t.graphs == [flow] and flow.func is f
annotator = t.buildannotator()
s = annotator.build_types(f, [int])
assert isinstance(s, annmodel.SomeInteger)
annotated = graphof(t, f)
assert annotated.stage == "annotated"
assert isinstance(annotator.binding(annotated.getargs()[0]), annmodel.SomeInteger)
t.buildrtyper().specialize()
graph = graphof(t, f)
assert graph.getargs()[0].concretetype is Signed is lltype.Signed
assert summary(graph)["direct_call"] >= 1
assert LLInterpreter(t.rtyper).eval_graph(graph, [21]) == 42 == interpret(f, [21])

built = Translation(f, [int])
assert built.annotate() == s
assert built.rtype().getreturnvar().concretetype is Signed
assert "f" in built.source() and built.backendopt().stage == "optimised"
assert built.compile_c()(21) == 42
print("fine")
"""


def test_classic_program() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("fine\n", "")


@pytest.mark.parametrize("name", INSTEAD)
def test_what_is_said_to_be_absent(name: str) -> None:
    """What is there has no place in the table of what to use instead."""
    module, _, attribute = name.rpartition(".")
    with pytest.raises(ImportError):
        importlib.import_module(name)
    try:
        holder = importlib.import_module(module)
    except ImportError:
        return
    assert not hasattr(holder, attribute)
