"""Ordinary programs do what the table says: most of them work as they are, others are refused."""

from pathlib import Path

import pytest

from tests.programs.naturals import TABLE, WORKS, names, outcome, table

ROWS = table()
ALWAYS = ("life", "markdown", "sudoku")
"""Those that run each time; the others are for ``-m long``."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in ALWAYS else pytest.mark.long) for n in names()],
)
def test_outcome(name: str, tmp_path: Path) -> None:
    assert outcome(name, tmp_path) == ROWS[name]


def test_table() -> None:
    assert sorted(ROWS) == names(), TABLE
    assert all(ROWS[name] == WORKS for name in ALWAYS)
