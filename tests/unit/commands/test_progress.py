"""The bar that a build shows on a terminal."""

from __future__ import annotations

import importlib
import io
import sys

import pytest

from rpython.translator.commandline import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("installed", [True, False])
def test_stages_and_lines(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    """A build goes on without tqdm; lines are written either way."""
    if not installed:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    importlib.reload(progress)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress.Progress(2) as shown:
        shown.begin("import")
        shown.write("a line")
        shown.write("warning[R1107]: 'x' may have no value here")
        shown.begin("annotate", "7 functions")
        shown.part(2, 3)
    assert ("7 functions" in terminal.getvalue()) is installed
    assert ("2 of 3 files" in terminal.getvalue()) is installed
    assert ("annotate" in terminal.getvalue()) is installed
    assert "a line\n" in terminal.getvalue()
    assert "\x1b[33mwarning[R1107]\x1b[0m: " in terminal.getvalue()
    monkeypatch.undo()
    importlib.reload(progress)
