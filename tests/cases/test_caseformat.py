"""The data-driven runner itself: reading and rewriting case files."""

import contextlib
from pathlib import Path

import pytest
from caseformat import CaseError, read_cases, rewrite_section
from casekinds import run_case
from casesource import CaseFailure, normalise
from threeway import Outcome

TEXT = """\
# About this file.

== first
source:
    def f():

        return 1
stage: flow f
expect:
    old
# About the second.
== second
call: f(int)
    1
    2
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.case"
    path.write_text(TEXT)
    return path


def test_reads(path: Path) -> None:
    first, second = read_cases(path)
    assert (first.name, first.line) == ("first", 3)
    assert first.need("source").body == "def f():\n\n    return 1"
    assert first.need("stage").argument == "flow f"
    assert second.need("call").body == "1\n2"
    assert second.get("expect") is None


def test_rewrites_one_section(path: Path) -> None:
    rewrite_section(read_cases(path)[0], "expect", "new\n\n  text")
    assert path.read_text() == TEXT.replace("    old\n", "    new\n\n      text\n").replace(
        "# About the second.", "\n# About the second."
    )


def test_adds_a_missing_section(path: Path) -> None:
    rewrite_section(read_cases(path)[1], "error", "boom")
    assert path.read_text() == TEXT + "error:\n    boom\n"
    rewrite_section(read_cases(path)[0], "error", "boom")
    assert [case.need("error").body for case in read_cases(path)] == ["boom", "boom"]


@pytest.mark.parametrize(
    "text", ["== a\nnot a section\n", "== a\n== a\n", "stray\n"], ids=["section", "twice", "stray"]
)
def test_refuses(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(CaseError):
        read_cases(path)


def test_one_section_of_a_name(path: Path) -> None:
    path.write_text("== a\nexpect:\nexpect:\n")
    with pytest.raises(CaseError, match="second 'expect' section"):
        read_cases(path)[0].get("expect")


LIBRARY = Path(contextlib.__file__).parent

IN_LIBRARY = """\
== refused
source:
    from contextlib import ExitStack
    class Stack(ExitStack):
        pass
    def f():
        with Stack() as stack:
            return 1
refuse: f()
error:
"""


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("(LIB/contextlib.py:551)", "($LIB/contextlib.py)"),
        ("LIB/json/decoder.py:1: in f", "$LIB/json/decoder.py: in f"),
        ('File "LIB/functools.py", line 12, in g', 'File "$LIB/functools.py", in g'),
        ('File "/elsewhere/functools.py", line 12', 'File "/elsewhere/functools.py", line 12'),
        ("LIB/os.py", "$LIB/os.py"),
        ("(/a/b/case.py:3)", "(case.py:3)"),
    ],
)
def test_files_of_the_library(text: str, normalised: str) -> None:
    assert normalise(text.replace("LIB", str(LIBRARY))) == normalised


def test_files_of_the_library_in_outcomes() -> None:
    def f() -> str:
        return f"{LIBRARY}/contextlib.py:3"

    assert Outcome(f, ()).is_said_by("'$LIB/contextlib.py'")


def test_rewrites_files_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "x.case"
    path.write_text(IN_LIBRARY)
    with pytest.raises(CaseFailure):
        run_case(read_cases(path)[0], rewrite=False)
    run_case(read_cases(path)[0], rewrite=True)
    assert "($LIB/contextlib.py)\n" in path.read_text()
    assert str(LIBRARY) not in path.read_text()
    run_case(read_cases(path)[0], rewrite=False)
