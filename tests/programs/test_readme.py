"""README.md is short, its Python runs, its commands are understood, its figures are those of
docs/performance.md; the sessions in docs/inspecting.md are real."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import parse

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PERFORMANCE = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
INSPECTING = ROOT / "docs" / "inspecting.md"
PYTHON = re.compile(r"^```python\n((?:.*\n)*?)```$", re.MULTILINE)
COMMAND = re.compile(r"^    rpython (.*?)(?:  +#.*)?$", re.MULTILINE)
FIGURE = re.compile(r"^\| ([^|]+?) \| ([\d.]+) \|$", re.MULTILINE)
MOST_LINES = 90


@pytest.mark.parametrize("code", PYTHON.findall(README))
def test_python_blocks(code, tmp_path, monkeypatch):
    # a file, since the flow-graph builder shows source lines
    path = tmp_path / "readme.py"
    path.write_text(code)
    exec(compile(code, str(path), "exec"), {"__name__": "readme"})


def test_commands():
    commands = COMMAND.findall(README)
    assert len(commands) >= 5
    for command in commands:
        parse(shlex.split(command))


def test_figures():
    figures = FIGURE.findall(README)
    assert len(figures) >= 5
    for program, time in figures:
        assert re.search(rf"^\| \**{program}\** \| {re.escape(time)} \|", PERFORMANCE, re.MULTILINE)


def test_length():
    assert len(README.splitlines()) <= MOST_LINES


def test_sessions():
    failed, tried = doctest.testfile(str(INSPECTING), False, optionflags=doctest.ELLIPSIS)
    assert tried > 25
    assert failed == 0
