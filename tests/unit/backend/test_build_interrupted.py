"""Builds that are interrupted, that fail halfway, and that run at the same time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = """
import rpython

@rpython.entrypoint
def answer(n: int) -> int:
    return n + 1

def entry_point(argv):
    return 7
"""
WAITING_COMPILER = """#!/bin/sh
# a compiler that never ends, and neither does what it starts
sleep 600 &
echo $! >> {folder}/started
wait
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "target.py").write_text(SOURCE)
    compiler = tmp_path / "waiting"
    compiler.write_text(WAITING_COMPILER.format(folder=tmp_path))
    compiler.chmod(0o755)
    return tmp_path


def start(folder: Path, *args: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rpython.translator.commandline.cli", *args],
        cwd=folder, env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a directory, hidden ones too, with what is in them."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_interrupt(folder: Path) -> None:
    for name in ("libanswer.so", "answer.h", "libanswer.so-gdb.py"):
        (folder / name).write_text("before")
    before = contents(folder)
    command = ["build", "--shared", "--debug", "target.py", "-o", "libanswer.so"]
    process = start(folder, *command, CC=str(folder / "waiting"))
    wait_for(folder / "started")
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (130, "")
    assert errors.splitlines()[-1] == "interrupted"
    assert "Traceback" not in errors
    started = [int(line) for line in (folder / "started").read_text().split()]
    deadline = time.monotonic() + 5
    while any(map(is_running, started)):
        assert time.monotonic() < deadline
    (folder / "started").unlink()
    assert contents(folder) == before
    objects = folder / "cache" / "rpython3" / "objects"
    assert list(objects.iterdir()) == []


@pytest.mark.long
def test_interrupt_of_the_command_for_a_profile(folder: Path) -> None:
    process = start(
        folder, "build", "target.py", "-o", "out", "--pgo", "touch started; {}; sleep 600"
    )
    before = contents(folder)
    while process.poll() is None and not (folder / "started").exists():
        time.sleep(0.02)
    if process.poll() is not None:
        pytest.skip("the C compiler makes no profiles")
    (folder / "started").unlink()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.splitlines()[-1]) == (130, "interrupted")
    assert contents(folder) == before


def test_two_builds_at_once(folder: Path) -> None:
    """Of the same target, with the same output and the same cache of objects."""
    builds = [start(folder, "build", "target.py", "-o", "out", "-O0") for _ in range(2)]
    for build in builds:
        _, errors = build.communicate(timeout=120)
        assert build.returncode == 0, errors
    assert subprocess.run([folder / "out"], check=False).returncode == 7
    names = set(contents(folder)) - {"waiting", "target.py"}
    assert names == {"out"}
