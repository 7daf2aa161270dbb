"""Passes over annotated graphs: in pipelines by name, and run wherever programs are typed."""

from __future__ import annotations

import pytest

from rpython.annotator.passes import PASSES
from rpython.translator.interactive import TranslationContext
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.printer import print_graph
from rpython.translator.opt.runner import ANNOTATED, annotated_passes, parse_passes, pass_names
from rpython.translator.options import Options
from rpython.translator.showing import show


def letters(text: str) -> int:
    n = 0
    for word in text.split():
        n += len(word)
    return n


def test_each_is_named_in_pipelines() -> None:
    assert tuple(PASSES) == ANNOTATED
    assert set(ANNOTATED) <= set(annotated_passes("default"))


def test_names_of_both_kinds() -> None:
    text = "fold_constants,split_lazily,inline"
    assert pass_names(text) == ["fold_constants", "split_lazily", "inline"]
    assert annotated_passes(text) == ["split_lazily"]
    assert [p.name for p in parse_passes(text)] == ["fold_constants", "inline"]


def test_no_such_pass() -> None:
    with pytest.raises(TranslationError, match="there is no pass 'split'") as refused:
        annotated_passes("split")
    assert "split_lazily" in refused.value.hint


def test_shown() -> None:
    assert "words_of" in show(letters, [str], "annotated")
    assert "words_of" not in show(letters, [str], "annotated", options=Options(passes="inline"))


def test_driven_by_hand() -> None:
    translator = TranslationContext()
    translator.buildannotator().build_types(letters, [str])
    (graph,) = [graph for graph in translator.graphs if graph.func is letters]
    assert "words_of" not in print_graph(graph)
    translator.buildrtyper()
    assert "words_of" in print_graph(graph)
