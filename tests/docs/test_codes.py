"""Every code of an error has an entry that is true: its wrong program gives the code, its right one
nothing at all."""

import json
from pathlib import Path

import pytest
from codesdoc import PAGE, page

from rpython.translator.commandline.cli import main
from rpython.translator.ir.codes import Entry, Example, entries

WITHOUT_PROGRAM = """
    R0107 R0114 R0115 R0116 R0199 R0299 R0411 R0599 R1004 R1005 R1006 R1007 R1008 R1099 R1103 R1900
""".split()
"""What ``check`` does not find, mistakes of CPython's own compiler, of other commands, of hosts and
of the toolchain; and what is no particular mistake."""


def codes_in(example: Example, path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The codes of what ``rpython check`` finds in the program."""
    path.write_text(example.source)
    words = [example.option] if example.option else []
    main(["check", str(path), "--format=json", *words])
    return [found["code"] for found in json.loads(capsys.readouterr().out)]


@pytest.mark.parametrize("entry", entries().values(), ids=lambda entry: entry.code)
def test_entry(entry: Entry, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if entry.wrong is not None:
        assert set(codes_in(entry.wrong, tmp_path / "wrong.py", capsys)) == {entry.code}
    if entry.right is not None:
        assert codes_in(entry.right, tmp_path / "right.py", capsys) == []
    assert (entry.wrong is None) == (entry.right is None)


def test_the_page_is_that_of_the_entries() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.docs.codesdoc"


def test_a_program_belongs_to_each_code_that_a_program_can_have() -> None:
    assert {code for code, entry in entries().items() if entry.wrong is None} == {*WITHOUT_PROGRAM}
