"""``view()`` and ``viewcg()`` of graphs and translations, and notebooks."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

import rpython
from rpython.translator.interactive import Translation, TranslationContext
from tests.support.explored import data_of


def square(n: int) -> int:
    return n * n


def total(n: int) -> int:
    result = 0
    for i in range(n):
        result += square(i)
    return result


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """The file whose path was printed, there being no screen."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return lambda: Path(capsys.readouterr().out.strip())


def test_a_graph(printed: Any) -> None:
    graph = rpython.graph_of(total)
    graph.view()
    path = printed()
    assert path.suffix == ".svg"
    assert path.read_text() == graph._repr_svg_()
    assert "goto b1(v1, 0)" in path.read_text()


def test_the_browser_shows_it(monkeypatch: pytest.MonkeyPatch, printed: Any) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    opened: list[str] = []

    def open_address(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", open_address)
    rpython.graph_of(total).show()
    assert opened[0].startswith("file://")
    assert printed() == Path()


def test_a_context_at_each_stage(printed: Any) -> None:
    context = TranslationContext()
    context.buildflowgraph(total)
    context.buildflowgraph(square)
    context.view()
    flow, _, _ = data_of(printed())
    context.buildannotator().build_types(total, [int])
    context.viewcg()
    annotated, _, _ = data_of(printed())
    context.buildrtyper().specialize()
    context.view()
    low, functions, sources = data_of(printed())
    for index in (flow, annotated, low):
        names = [each["name"] for each in index["functions"]][:2]
        assert names == ["square", "total"]
        assert index["functions"][1]["calls"][:1] == [0]
        assert not index["compiled"]
    assert (flow["mode"], annotated["mode"]) == ("list", "calls")
    assert flow["functions"][0]["signature"] == "(n: ) -> "
    assert annotated["functions"][0]["signature"] == (
        "(n: SomeInteger(nonneg=True)) -> SomeInteger(nonneg=True)"
    )
    assert low["functions"][0]["signature"] == "(n: Signed) -> Signed"
    assert functions[0]["stages"][0]["name"] == "lowlevel"
    assert any("def square" in source for source in sources)


def test_a_translation(printed: Any) -> None:
    translation = Translation(total, [int])
    translation.viewcg()
    index, functions, _ = data_of(printed())
    assert index["mode"] == "calls"
    assert index["compiled"]
    assert [stage["name"] for stage in functions[1]["stages"]][:2] == ["flow", "annotated"]
    assert functions[1]["c"]


def test_notebooks() -> None:
    context = TranslationContext()
    context.buildflowgraph(total)
    shown = context._repr_html_()
    match = re.fullmatch(r'<iframe style="[^"]*" srcdoc="([^"]*)"></iframe>', shown)
    assert match is not None
    assert html.unescape(match[1]).startswith("<!DOCTYPE html>")


def test_notebooks_show_mistakes_of_the_program_without_the_toolchain() -> None:
    def wrong(n: int) -> str:
        return n + "x"  # type: ignore[operator, no-any-return]

    with pytest.raises(rpython.TranslationError) as raised:
        rpython.interpret(wrong, [1])
    assert raised.value._render_traceback_() == str(raised.value).splitlines()
