"""Commands about the toolchain itself, and words that are no command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main, parse
from rpython.translator.commandline.commandmodel import COMMANDS
from tests.support.commandline import rpython


def test_version_and_help(tmp_path: Path) -> None:
    """On standard output, as other commands do."""
    done = rpython(tmp_path, "--version")
    assert re.fullmatch(r"rpython3 \d\S*\n", done.stdout), done.stderr
    told = rpython(tmp_path, "--help").stdout
    assert all(re.search(rf"^  {name} +\w", told, re.MULTILINE) for name in COMMANDS)
    assert "docs/tutorial.md" in told
    for example in re.findall(r"^  rpython (.*?)  ", told, re.MULTILINE):
        parse(example.split())


def test_new_makes_a_program_that_is_translated(tmp_path: Path) -> None:
    assert "made words with words.py" in rpython(tmp_path, "new", "words").stdout
    folder = tmp_path / "words"
    done = rpython(folder, "run", "words.py", "to be or not", "to be")
    assert done.stdout.splitlines() == ["2 be", "1 not", "1 or", "2 to"]
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tested = subprocess.run(tests, cwd=folder, capture_output=True, text=True, check=False)
    assert "2 passed" in tested.stdout, tested.stdout


def test_new_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    done = rpython(tmp_path, "new", "words")
    assert (done.returncode, done.stderr) == (1, "rpython: words: File exists\n")
    assert "'a-b' cannot be the name of a module" in rpython(tmp_path, "new", "a-b").stderr


def test_doctor(tmp_path: Path) -> None:
    done = rpython(tmp_path, "doctor")
    found = dict(re.findall(r"^ok +(.+?)  +(.*)$", done.stdout, re.MULTILINE))
    assert list(found)[:3] == ["rpython3", "Python", "cffi"]
    assert "a program built and run in" in found["test build"]
    assert done.returncode == 0


def test_a_missing_compiler_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "nonexistent-compiler")
    (tmp_path / "prog.py").write_text("def entry_point(argv):\n    return 0\n")
    assert main(["build", str(tmp_path / "prog.py"), "-o", str(tmp_path / "prog")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == (
        "build failed[R1005]: cannot run the C compiler 'nonexistent-compiler': No such file or"
        " directory"
    )
    assert told[1].startswith("  hint: install gcc")
    assert not (tmp_path / "prog").exists()


def test_doctor_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "nonexistent-compiler")
    assert main(["doctor"]) == 1
    told = capsys.readouterr().out
    assert "missing  C compiler      nonexistent-compiler: No such file or directory" in told
    assert "missing  test build" in told


@pytest.mark.parametrize(
    ("word", "hint"),
    [("chek", "did you mean 'check'?"), ("xyzzy", "rpython --help lists the commands")],
)
def test_a_word_that_is_no_command(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word, "x.py"]) == 2
    assert capsys.readouterr().err == (
        f"translation error[R1004]: there is no command and no file {word!r}\n  hint: {hint}\n"
    )
