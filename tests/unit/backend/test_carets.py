"""The marks under the lines of tracebacks are CPython 3.11's."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest

from rpython.backend_c.carets import marks
from rpython.translator.ir.span import Span

LINES = {
    "a + b": "~~^~~",
    "(a + b)  //  (c)": "~~~~~~~~~^^~~~~~",
    "rows[0][ n ] = 1": "~~~~~~~^^^^^",
    "look(a)  # all of it but the comment": "^^^^^^^",
    "look(a)": "",
    "'日本' + ü": "~~~~~~~^~~",
    "if look(": "   ^^^^^",
    "x = -n": "    ^^",
    "raise": "",
}


@pytest.mark.parametrize("text", LINES)
def test_marks(text: str, tmp_path: Path) -> None:
    file = tmp_path / "source.py"
    file.write_text(f"\t  {text}\n")
    linecache.checkcache(str(file))
    start = len(text.split("look(")[0]) if "look(" in text else 4 if "x =" in text else 0
    end = text.index(" =") if text.startswith("rows") else len(text.split("  #")[0])
    span = Span(str(file), 1, 3 + start, 2 if text.endswith("(") else 1, 3 + end)
    assert str(marks(span)) == LINES[text]


def test_nothing_without_a_source() -> None:
    assert str(marks(Span("/nowhere/at/all.py", 3, 0, 3, 5))) == ""
