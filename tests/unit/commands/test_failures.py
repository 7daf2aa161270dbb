"""What commands say of the toolchain's own errors, and ``--pdb``."""

from __future__ import annotations

import builtins
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rpython.rtyper.hop import HighLevelOp
from rpython.translator.commandline import cli
from rpython.translator.commandline.failures import Context
from rpython.translator.opt.runner import PASSES, Pass

PROGRAM = """\
def half(n):
    return n // 2

def entry_point(argv):
    return half(len(argv))
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("prog.py").write_text(PROGRAM)
    return "prog.py"


def broken(*args: Any) -> Any:
    raise AssertionError("no such thing")


def report_of(said: str) -> str:
    found = re.search("please report it with what is in (.*)\n", said)
    assert found, said
    path = Path(found[1])
    text = path.read_text()
    path.unlink()
    return text


def test_an_internal_error_names_operation_and_graph_and_leaves_a_report(
    target: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    works = HighLevelOp.dispatch
    monkeypatch.setattr(
        HighLevelOp, "dispatch", lambda hop: (broken if hop.opname == "floordiv" else works)(hop)
    )
    assert cli.main(["build", target, "-o", "prog"]) == 1
    said = capfd.readouterr().err
    assert "prog.py:2:12: in half: internal error[R1900]: AssertionError: no such thing" in said
    assert "[graph half, block 0, operation floordiv]" in said
    assert "Traceback" not in said
    report = report_of(said)
    assert "rpython build prog.py -o prog\n" in report
    assert "in broken\n" in report and "graph half(n: SomeInteger" in report
    assert report.endswith(f"prog.py:\n\n{PROGRAM}")
    assert not Path("prog").exists()


def test_a_broken_pass_is_named(
    target: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(PASSES, "fold_constants", Pass("fold_constants", broken))
    assert cli.main(["build", target, "-o", "prog"]) == 1
    said = capfd.readouterr().err
    assert "internal error[R1900]: AssertionError: no such thing" in said
    assert "[pass fold_constants, graph " in said
    assert "{\nb0(" in report_of(said)


@pytest.fixture
def debugger(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is typed into the debugger."""
    words: list[str] = []

    class Typed(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            return words.pop(0) + "\n" if words else "quit\n"

    monkeypatch.setattr(sys, "stdin", Typed())
    before = dict(vars(builtins))
    yield words
    for name in vars(builtins).keys() - before.keys():
        delattr(builtins, name)


@pytest.mark.parametrize("command", ["check", "build"])
def test_pdb_stops_where_a_program_is_refused(
    command: str, target: str, debugger: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(target).write_text(PROGRAM.replace("n // 2", "n.size"))
    debugger += ["p graph.name", "p operation.opname", "p block in set(graph.iterblocks())"]
    debugger += ["p error.message"]
    assert cli.main([command, "--pdb", target]) == 1
    said = capsys.readouterr()
    assert "has no attribute 'size'" in said.err
    shown = re.findall(r"\(Pdb\) (.*)", said.out)
    assert shown[:3] == ["'half'", "'getattr'", "True"]
    assert "has no attribute 'size'" in shown[3]


def test_nothing_is_known_of_what_no_pass_does() -> None:
    assert str(Context.of(None)) == ""
