"""``docs/language.md`` says the truth: every row is tried."""

from __future__ import annotations

import re

import pytest
from languagedoc import LANGUAGE, Row, Section, outcome, read_sections, translate

import rpython
from rpython.translator.ir.errors import TranslationError

SECTIONS = read_sections(LANGUAGE.read_text())
REFUSED = [(s, row) for s in SECTIONS for row in s.rows if row.status == "refused"]


def first_refused(section: Section, rows: list[Row]) -> str:
    """Which of the rows cannot be translated, and why."""
    complaints = []
    for row in rows:
        try:
            rpython.show(section.module([row]).entry, [int, int], stage="lowlevel")
        except TranslationError as error:
            complaints.append(f"language.md:{row.line}: {row.example}\n{error.render()}")
    return "\n\n".join(complaints) or "the rows are refused together, though not alone"


@pytest.mark.usefixtures("few_objects")
@pytest.mark.parametrize("section", SECTIONS, ids=[s.title.replace(" ", "-") for s in SECTIONS])
def test_rows_that_run(section: Section) -> None:
    rows = [row for row in section.rows if row.status != "refused"]
    try:
        ways = translate(section, rows)
    except TranslationError as error:
        pytest.fail(f"{first_refused(section, rows)}\n\n{error.render()}")
    wrong = []
    for i, row in enumerate(rows):
        said = {way: outcome(function, i) for way, function in ways.items()}
        wanted = said["CPython"] if row.status != "limit" else f"raise {row.note}"
        for way in ("interpret", "native"):
            if said[way] != wanted:
                where = f"language.md:{row.line}: {row.example}"
                wrong.append(f"{where}: {way}: {said[way]}, not {wanted}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("section", "row"), REFUSED, ids=[row.example.replace(" ", "") for _, row in REFUSED]
)
def test_rows_that_are_refused(section: Section, row: Row) -> None:
    with pytest.raises(TranslationError) as caught:
        rpython.show(section.module([row]).entry, [int, int], stage="lowlevel")
    text = caught.value.render()
    assert caught.value.span is not None
    for fragment in re.findall(r"`([^`]+)`", row.note):
        assert fragment in text
