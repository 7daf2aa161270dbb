"""``docs/from-python.md`` says the truth: each example of its three tables is tried."""

from __future__ import annotations

import re

import pytest
from docexamples import DOCS
from languagedoc import Row, Section, outcome, translate

import rpython
from rpython.translator.ir.errors import TranslationError

PAGE = DOCS / "from-python.md"
TEXT = PAGE.read_text(encoding="utf-8")
SOURCE = "import ctypes\n" + "\n".join(re.findall("```python\n(.*?)```", TEXT, re.DOTALL))
MOST_LINES = 70


def rows(title: str) -> list[tuple[int, list[str]]]:
    """The rows of the table of a section: the line, and what is in the columns."""
    result = []
    inside = False
    for number, line in enumerate(TEXT.splitlines(), 1):
        if line.startswith("## "):
            inside = line == f"## {title}"
        elif inside and line.startswith("| ") and "| for example" not in line:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            result.append((number, [cell.replace("\\|", "|") for cell in cells]))
    assert result
    return result


def row(line: int, cell: str) -> Row:
    found = re.fullmatch("`(.*)`", cell)
    assert found is not None, f"from-python.md:{line}: the example is not `code`"
    return Row(line, "", "", found[1], "")


MAY = [row(line, cells[1]) for line, cells in rows("What you may write")]
NOT = [(row(line, cells[1]), cells[2]) for line, cells in rows("What not, or not yet")]
OTHER = [
    (row(line, cells[1]), cells[2]) for line, cells in rows("Where the answer may be another one")
]
INSTEAD = [row(it.line, cell) for it, cell in NOT if cell.startswith("`")]
SECTION = Section("from-python", 1, SOURCE, PAGE)


def test_examples() -> None:
    tried = [*MAY, *INSTEAD, *(it for it, _ in OTHER)]
    raised = {it: f"raise {what}" for it, what in OTHER}
    ways = translate(SECTION, tried)
    for i, it in enumerate(tried):
        said = {way: outcome(function, i) for way, function in ways.items()}
        assert said["interpret"] == said["native"] == raised.get(it, said["CPython"]), it.line


@pytest.mark.parametrize("it", [it for it, _ in NOT], ids=lambda it: str(it.line))
def test_refusals(it: Row) -> None:
    with pytest.raises(TranslationError) as caught:
        rpython.show(SECTION.module([it]).entry, [int, int], stage="lowlevel")
    assert caught.value.span is not None


def test_length() -> None:
    assert len(TEXT.splitlines()) <= MOST_LINES
