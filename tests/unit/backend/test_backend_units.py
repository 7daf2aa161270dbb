"""Programs of several C files: which of them an edit of the program changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.translate_curve import load
from rpython.backend_c.build import BuildResult, build_executable
from rpython.backend_c.options import BuildOptions
from rpython.translator.executable import executable_translation
from rpython.translator.target import entry_point_of

FUNCTIONS = "".join(
    f"""
def work{i}(words, n):
    if n > 900:
        raise ValueError(str(n))
    total = {i}
    for word in words:
        total += len(word) * n
        n -= 1
    return total
"""
    for i in range(12)
)
CALLS = "".join(f"    total += work{i}(argv, total % 800)\n" for i in range(12))
ENTRY = f"\ndef entry_point(argv):\n    total = 0\n{CALLS}    print(total)\n    return 0\n"
PROGRAM = FUNCTIONS + ENTRY

LINE = ("def work3(words, n):\n", "def work3(words, n):\n    # one line more\n\n")
STATEMENT = ("    total = 5\n", "    total = 5\n    if len(words) > 7:\n        total += n * n\n")
TEXT = ("    total = 5\n", "    print('five', n)\n    total = 5\n")
FUNCTION = ("def work5(", "def more(n, m):\n    return n * m + n\n\ndef work5(")
CALL = ("    total = 5\n", "    total = more(5, n)\n")


def build(tmp_path: Path, text: str, **options: object) -> BuildResult:
    path = tmp_path / "several.py"
    path.write_text(text)
    program = executable_translation(entry_point_of(load(path))).optimise()
    how = BuildOptions(
        optimise="-O1", unit_size=30, cache=tmp_path / "objects", directory=tmp_path / "c",
        **options,  # type: ignore[arg-type]
    )  # fmt: skip
    return build_executable(program, tmp_path / "several", how)


def edited(*edits: tuple[str, str]) -> str:
    text = PROGRAM
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    "edits", [[LINE], [STATEMENT], [TEXT], [FUNCTION, CALL]],
    ids=["a line", "a statement", "a text", "a function"],
)  # fmt: skip
def test_an_edit_changes_few_units(tmp_path: Path, edits: list[tuple[str, str]]) -> None:
    first = build(tmp_path, PROGRAM)
    assert first.units > 20
    second = build(tmp_path, edited(*edits))
    functions = 0 if edits == [LINE] else 2  # where the function was, and where it is now
    data = edits == [TEXT]
    assert 1 <= second.compiled <= 1 + functions + data  # 1: the lines for tracebacks


def test_debugging_information_follows_the_lines(tmp_path: Path) -> None:
    build(tmp_path, PROGRAM, debug=True)
    assert build(tmp_path, edited(LINE), debug=True).compiled > 1  # more than the lines
