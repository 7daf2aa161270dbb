"""Low-level helpers are typed once and kept on disk, and each program has copies of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rpython
from rpython.backend_c.build import generate_shared
from rpython.backend_c.options import BuildOptions
from rpython.rtyper import helperfiles, helperlibrary
from rpython.rtyper.helperlibrary import HelperLibrary
from rpython.translator.api import Interpretation
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.nativecall import exported
from rpython.translator.opt.callgraph import call_graph


def joined(n: int) -> str:
    lengths = {}
    for i in range(n):
        lengths[str(i)] = len(str(i))
    return ",".join(sorted(lengths))


def helpers(f: Any, *args: Any) -> dict[str, FunctionGraph]:
    """The low-level helpers of a program, by name."""
    program = Interpretation.of(f, args).program
    return {graph.name: graph for graph in call_graph(program).graphs if graph.is_helper}


def test_a_program_types_no_helper_that_another_one_had() -> None:
    Interpretation.of(joined, [3])
    annotator = Interpretation.of(joined, [3]).translation.annotator
    assert [graph.name for graph in annotator.graphs if graph.is_helper] == []


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


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of helpers, in which those of ``joined`` are; the process has no library yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(helperfiles, "toolchain", lambda: "its files may be new")
    helperlibrary.helper_library.cache_clear()
    assert rpython.interpret(joined, [3]) == joined(3)
    helperlibrary.helper_library.cache_clear()
    yield tmp_path / "rpython3" / "helpers"
    helperlibrary.helper_library.cache_clear()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the helpers that are typed from now on."""
    names: list[str] = []
    really = HelperLibrary._type

    def noted(self: HelperLibrary, function: Any, *args: Any) -> None:
        names.append(function.__name__)
        really(self, function, *args)

    monkeypatch.setattr(HelperLibrary, "_type", noted)
    return names


def test_a_process_types_no_helper_that_another_one_had(kept: Path, typed: list[str]) -> None:
    text = rpython.show(joined, [int], stage="c")
    assert typed == []
    for path in kept.iterdir():
        path.unlink()
    helperlibrary.helper_library.cache_clear()
    assert rpython.show(joined, [int], stage="c") == text
    assert typed != []


def sets(n: int) -> int:
    numbers = {n, 1} | {n + 1}
    return len(numbers ^ {n}) + len({(i, n) for i in numbers} ^ {(1, 2)})


def sorted_sets(n: int) -> str:
    words = {str(i) for i in range(n)} | {"x"}
    return " ".join(sorted(words ^ {"1"}))


@pytest.mark.parametrize("f", [joined, sets, sorted_sets])
def test_the_c_text_is_the_same_whatever_is_kept(
    f: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helperfiles, "toolchain", lambda: "its files may be new")

    def c_files(folder: str) -> dict[str, str]:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / folder))
        helperlibrary.helper_library.cache_clear()
        program = exported([(f, [int])])[0].optimise()
        return generate_shared(program, BuildOptions()).files

    nothing_kept = c_files("own")
    assert c_files("own") == nothing_kept
    others = [g for g in (joined, sets, sorted_sets) if g is not f]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "others"))
    helperlibrary.helper_library.cache_clear()
    for other in others:
        Interpretation.of(other, [3])
    assert c_files("others") == nothing_kept
    helperlibrary.helper_library.cache_clear()


def test_another_copy_of_the_toolchain_types_no_helper(
    kept: Path, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helperfiles, "_ROOT", "/elsewhere/")
    places = {graph.span.filename for graph in helpers(joined, 3).values()}
    assert typed == []
    assert "/elsewhere/rtyper/ll/ll_str.py" in places
    assert all(place.startswith("/elsewhere/") for place in places)


def test_copies_of_a_toolchain_are_known_by_their_content(tmp_path: Path) -> None:
    def content(of: str, file: str, text: str) -> str:
        for name in ("rtyper/ll_one.py", "backend_c/build.py", "translator/lower/roots.py"):
            path = tmp_path / of / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if name == file else "")
        return helperfiles.content_of(f"{tmp_path / of}{os.sep}", "host")

    first = content("first", "", "")
    assert content("second", "", "") == first
    assert content("second", "backend_c/build.py", "x = 1") == first
    assert content("second", "translator/lower/roots.py", "x = 1") == first
    assert content("second", "rtyper/ll_one.py", "x = 1") != first


def test_damaged_files_are_made_again(kept: Path, typed: list[str]) -> None:
    paths = [path for path in kept.iterdir() if path.stat().st_size]
    whole = {path: path.read_bytes() for path in paths}
    for number, path in enumerate(paths):
        path.write_bytes([b"", whole[path][:-1], b"\0" * 99][number % 3])
    assert rpython.interpret(joined, [3]) == joined(3)
    assert typed != []
    assert all(len(path.read_bytes()) == len(whole[path]) for path in paths)


@pytest.mark.parametrize(("mode", "is_read"), [(0o755, True), (0o777, False)])
def test_a_folder_that_others_can_write_to_is_not_read(
    kept: Path, typed: list[str], mode: int, is_read: bool
) -> None:
    place = kept.rename(kept.with_name("elsewhere"))
    kept.symlink_to(place)
    place.chmod(mode)
    assert rpython.interpret(joined, [3]) == joined(3)
    assert (typed == []) == is_read


def test_where_nothing_can_be_written_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    helperlibrary.helper_library.cache_clear()
    assert rpython.interpret(joined, [3]) == joined(3)
    helperlibrary.helper_library.cache_clear()


def test_a_toolchain_that_has_just_changed_keeps_nothing(
    kept: Path, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helperfiles, "toolchain", lambda: None)
    assert rpython.interpret(joined, [3]) == joined(3)
    assert typed != []
