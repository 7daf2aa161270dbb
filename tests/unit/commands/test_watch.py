"""``rpython check --watch``, and the colours of what it says."""

import io
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main
from rpython.translator.commandline.colours import coloured, for_stream
from rpython.translator.commands import check

RIGHT = "def entry_point(argv):\n    return len(argv)\n"
WRONG = "def entry_point(argv):\n    return argv + 1\n"


def test_checks_again_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "app.py"
    path.write_text(WRONG)
    pauses = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 2:
            raise KeyboardInterrupt
        if len(pauses) == 2:
            path.write_text(RIGHT)

    monkeypatch.setattr(check.time, "sleep", pause)
    assert main(["check", "--watch", str(path)]) == 130
    told = capfd.readouterr()
    assert told.err.count("type error[R0501]") == 1
    assert told.err.count("waiting for a change") == 2
    assert told.out.startswith(f"{path}: ") and told.out.endswith("no type errors\n")


def test_colours() -> None:
    text = "a.py:2:5: in f: type error[R0501]: no\n    a + 1\n    ^^^^^\n  hint: so\n  [where]"
    told = coloured(text)
    assert told.splitlines() == [
        "\x1b[1ma.py:2:5: in f: \x1b[31mtype error[R0501]\x1b[0m: \x1b[1mno\x1b[0m",
        "    a + 1",
        "    \x1b[32m^^^^^\x1b[0m",
        "\x1b[36m  hint\x1b[0m: so",
        "  [where]",
    ]
    assert "\x1b[33mwarning[R1101]" in coloured("a.py:2:5: in f: warning[R1101]: no")
    assert for_stream(text, io.StringIO()) == text


def test_no_colours_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    text = "translation error[R1002]: no"
    assert for_stream(text, terminal) != text
    monkeypatch.setenv("NO_COLOR", "1")
    assert for_stream(text, terminal) == text
