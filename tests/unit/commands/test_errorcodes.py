"""Codes of errors: which messages have which, where they are shown, and how a warning is switched
off."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main
from rpython.translator.ir.codes import code_of, entries
from rpython.translator.ir.errors import TranslationWarning, is_silenced
from rpython.translator.ir.span import Span

ROOT = Path(__file__).parents[3]
GENERIC = {"R0199", "R0299", "R0599", "R1099", "R1900"}
"""They say of what sort an error is, and no more."""
MOST_GENERIC = 6
"""Expectations of cases that have one of those."""

SOURCES = ("annotator", "translator/flow", "translator/extension", "translator/target.py")
RAISERS = (
    "error", "conflict", "refusal", "premature", "refuse", "refused_value", "AnnotatorError",
    "FlowError", "TranslationError", "Conflict", "UnsupportedClass",
)  # fmt: skip
"""What the program is refused with, the message first, or third."""
UNNAMED = {
    "",  # the message comes later
    "a {} {}",
    "{} to unpack: the tuple has {} items, not {}",
    "{} {}",  # in any words
}


def templates(path: Path) -> Iterator[str]:
    """The messages of errors that a source file writes out, with ``{}`` for what varies."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in RAISERS:
            for argument in node.args[2:3] if name == "refusal" else node.args[:1]:
                yield from texts(argument)


def texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr) and len(node.values) > 1:
        parts = (getattr(part, "value", None) for part in node.values)
        yield "".join(part if isinstance(part, str) else "{}" for part in parts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def test_what_a_program_is_refused_with_has_a_code() -> None:
    paths = [ROOT / name for name in SOURCES]
    files = [file for path in paths for file in ([path] if path.suffix else path.rglob("*.py"))]
    found = {text: file for file in files for text in templates(file)}
    assert len(found) > 300
    without = {text: file.name for text, file in found.items() if not code_of(text, "")}
    assert without.keys() <= UNNAMED, without


def test_few_refusals_have_a_code_that_says_little() -> None:
    codes = [
        code
        for path in (ROOT / "tests" / "cases").rglob("*.case")
        for code in re.findall(r"^    .*\[(R\d{4})\]: ", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(codes) > 500
    assert set(codes) <= entries().keys()
    assert len([code for code in codes if code in GENERIC]) <= MOST_GENERIC


def gallery() -> Iterator[tuple[str, str, str]]:
    """The name, the program and the text of each mistake of ``tests/cases/errors``."""
    for path in (ROOT / "tests" / "cases" / "errors").glob("*.case"):
        for case in path.read_text("utf-8").split("\n== ")[1:]:
            name, _, rest = case.partition("\n")
            program, _, text = rest.partition("\nerror:\n")
            yield name, program, text.rstrip()


def test_texts_of_the_gallery_are_short_and_name_a_line() -> None:
    told = list(gallery())
    assert len(told) >= 200
    assert not [name for name, _, text in told if "[R" not in text]
    assert not [name for name, _, text in told if len(text.splitlines()) > 15]
    nowhere = [name for name, _, text in told if not re.match(r" +\S+:\d+", text)]
    assert len(nowhere) <= 9, nowhere  # what a whole file lacks, or its traceback says


def test_a_pattern_belongs_to_one_code() -> None:
    patterns = [pattern for entry in entries().values() for pattern in entry.patterns]
    assert len(patterns) == len(set(patterns))


def test_the_longest_pattern_counts() -> None:
    assert code_of("`ssl` is not supported yet", "") == "R0801"
    assert code_of("whatever is not supported", "") == "R0599"
    assert code_of("a message of tomorrow", "R0199") == "R0199"


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "r0103"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("R0103: an assignment to a variable of an enclosing function\n")
    assert "\nWrong:\n" in told and "nonlocal count" in told
    assert main(["explain"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(entries())
    assert main(["explain", "R9999"]) == 1
    assert "there is no error 'R9999'" in capsys.readouterr().err


WARNED = """
class A:
    _immutable_fields_ = ["valeu"]{comment}
    def __init__(self):
        self.value = 1
def entry_point(argv):
    return A().value
"""


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("", False),
        ("  # rpython: ignore[R1102]", True),
        ("  # as RPython has it; rpython: ignore[R1101]", False),
        ("  # rpython: ignore[R1101, R1102] until the port is done", True),
    ],
)
def test_a_line_switches_a_warning_off(tmp_path, capsys, comment, silent):
    path = tmp_path / f"warned{abs(hash(comment))}.py"
    path.write_text(WARNED.format(comment=comment))
    assert main(["check", str(path)]) == 0
    assert ("warning[R1102]" not in capsys.readouterr().err) == silent


def test_a_warning_without_a_place_is_shown() -> None:
    assert not is_silenced(TranslationWarning("a"))
    assert not is_silenced(TranslationWarning("a", Span("<nowhere>", 1)))
