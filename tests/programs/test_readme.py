"""README.md shows what the commands in it really print, and its Python runs; the sessions in
docs/inspecting.md are real.

``pytest tests/programs/test_readme.py --rewrite`` puts the real output in.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from rpython.translator.cli import main

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
INSPECTING = ROOT / "docs" / "inspecting.md"
CONSOLE = re.compile(r"^```console\n\$ rpython (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n((?:.*\n)*?)```$", re.MULTILINE)


def test_console_blocks(monkeypatch, capsys, request):
    monkeypatch.chdir(ROOT)
    text = README.read_text()
    blocks = list(CONSOLE.finditer(text))
    assert len(blocks) >= 5
    changed = text
    for block in blocks:
        assert main(shlex.split(block[1])) == 0
        output = capsys.readouterr().out.rstrip("\n") + "\n"
        changed = changed.replace(block[0], f"```console\n$ rpython {block[1]}\n{output}```")
    if request.config.getoption("--rewrite"):
        README.write_text(changed)
        return
    assert changed == text


@pytest.mark.parametrize("code", PYTHON.findall(README.read_text()))
def test_python_blocks(code, tmp_path, monkeypatch):
    # a file, since the flow-graph builder shows source lines
    path = tmp_path / "readme.py"
    path.write_text(code)
    exec(compile(code, str(path), "exec"), {"__name__": "readme"})


def test_sessions():
    failed, tried = doctest.testfile(str(INSPECTING), False, optionflags=doctest.ELLIPSIS)
    assert tried > 25
    assert failed == 0
