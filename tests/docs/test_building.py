"""The library of ``docs/building.md``: its header is what the page shows."""

import re

import pytest
from docexamples import DOCS, load

from rpython.backend_c.library import Library
from rpython.translator.commandline.buildflags import build_options, translation_options
from rpython.translator.commandline.cli import parse
from rpython.translator.library import LibraryTranslation

MODULE = load("building.md")


def test_functions() -> None:
    assert MODULE.repeat("ab", 2) == "abab"
    assert MODULE.mean([1.0, 2.0]) == 1.5
    with pytest.raises(ValueError, match="a negative number"):
        MODULE.repeat("", -1)


def test_header() -> None:
    made = LibraryTranslation(MODULE)
    header = Library("words", made.translation.rtype(), made.functions()).header()
    page = (DOCS / "building.md").read_text()
    shown, *_ = re.findall("```c\n(.*?)```", page, re.DOTALL)
    assert shown in header
    handle = "typedef struct words_Counter words_Counter;"
    for line in (handle, "int divide(long a, long b, long *result)"):
        assert line in page
        assert line in header


def test_commands() -> None:
    """Every command of the page has options that there are."""
    page = (DOCS / "building.md").read_text()
    commands = [line.strip() for line in page.splitlines() if line.startswith("    rpython build ")]
    assert len(commands) > 5
    for command in commands:
        words = re.findall(r"'[^']*'|\S+", re.sub(r" \[-o OUT\]|   .*", "", command.strip()))
        _, given = parse([word.strip("'") for word in words[1:]])
        build_options(given, translation_options(given))
