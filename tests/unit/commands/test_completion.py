"""``rpython completion``: what shells offer."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rpython.translator.commandline.commandmodel import COMMANDS, commands
from rpython.translator.commandline.completion import SCRIPTS, bash
from tests.support.commandline import rpython_in

CALL = """
compopt() { :; }  # bash refuses it outside of a completion
_rpython
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script() -> str:
    return bash(list(commands()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("prog.py", "data.txt", "two words.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "apps").mkdir()
    return tmp_path


def offered(script: str, folder: Path, line: str) -> list[str]:
    """What bash offers for the last word of the line, which it splits at "=", too."""
    words = line.replace("=", " = ").split(" ")
    words = [word for i, word in enumerate(words) if word or i == len(words) - 1]
    setting = f"COMP_WORDS=({shlex.join(words)})\nCOMP_CWORD={len(words) - 1}\n"
    done = subprocess.run(
        ["bash", "-u", "-c", script + setting + CALL],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rpython ch", ["check"]),
        ("rpython pr", ["profile", "prog.py"]),
        ("rpython --v", ["--version"]),
        ("rpython build ", ["prog.py", "two words.py", "apps"]),
        ("rpython build --gc ", ["generational", "refcount", "boehm", "none"]),
        ("rpython build --gc=ref", ["refcount"]),
        ("rpython build --gc=", ["generational", "refcount", "boehm", "none"]),
        ("rpython build --gc=none p", ["prog.py"]),
        ("rpython build -O", ["-O0", "-O1", "-O2", "-O3"]),
        ("rpython build -o da", ["data.txt"]),
        ("rpython build --pgo ", []),
        ("rpython build -o out pro", ["prog.py"]),
        ("rpython build prog.py --sh", ["--shared"]),
        ("rpython prog.py --sh", ["--shared"]),
        ("rpython build prog.py -- --sh", []),
        ("rpython run prog.py da", ["data.txt"]),
        ("rpython run prog.py --gc ", ["apps", "data.txt", "prog.py", "two words.py"]),
        ("rpython run --gc none prog.py -", []),
        ("rpython show prog.py gc", []),
        ("rpython show prog.py gcd --stage lo", ["lowlevel", "lowered"]),
        ("rpython port --diff prog.py tw", ["two words.py"]),
        ("rpython completion z", ["zsh"]),
        ("rpython doctor ", []),
        ("rpython doctor -", ["-h", "--help"]),
    ],
)
def test_bash(script: str, folder: Path, line: str, expected: list[str]) -> None:
    assert sorted(offered(script, folder, line)) == sorted(expected)


def test_every_command_and_option_is_offered(script: str, folder: Path) -> None:
    assert set(COMMANDS) <= set(offered(script, folder, "rpython "))
    for command in commands():
        found = offered(script, folder, f"rpython {command.name} -")
        for option in command.options:
            for flag in option.flags:
                wanted = [flag + choice for choice in option.choices if flag[1] != "-"] or [flag]
                assert set(wanted) <= set(found)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_command(shell: str, tmp_path: Path) -> None:
    done = rpython_in(tmp_path, "completion", shell)
    assert done.returncode == 0
    assert done.stdout == SCRIPTS[shell](list(commands()))
    if shutil.which(shell):
        (tmp_path / "script").write_text(done.stdout)
        read = subprocess.run(
            [shell, "-n", tmp_path / "script"], capture_output=True, text=True, check=False
        )
        assert read.returncode == 0, read.stderr


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rpython ch", {"check"}),
        ("rpython build --gc ref", {"refcount"}),
        ("rpython completion z", {"zsh"}),
        ("rpython build pro", {"prog.py"}),
    ],
)
def test_fish(folder: Path, line: str, expected: set[str]) -> None:
    script = SCRIPTS["fish"](list(commands())) + f"\ncomplete -C {shlex.quote(line)}\n"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert expected <= {row.partition("\t")[0] for row in done.stdout.splitlines()}, done.stderr
