"""The command ``rpython`` where there is no room, or nobody listens: one line, no traceback."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ENTRY = "def entry_point(argv):\n    print(len(argv))\n    return 0\n"
START = "import os, sys; from rpython.translator.commandline.command import main; "
COMMAND = [sys.executable, "-c", f"{START}sys.exit(main())"]
BLOCK = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}); "
SLOW = [sys.executable, "-c", f"{START}{BLOCK}os.write(1, b'!'); sys.exit(main())"]
"""Says when Python is there; SIGINT waits until the command listens."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "target.py").write_text(ENTRY)
    return tmp_path


def rpython(
    folder: Path, *args: str, stdout: int = subprocess.PIPE,
    prepare: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(folder)}
    return subprocess.run(
        [*COMMAND, *args], cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE,
        text=True, check=False, preexec_fn=prepare,
    )  # fmt: skip


@pytest.mark.parametrize(
    "args", [["check", "target.py"], ["show", "target.py", "entry_point"], ["build", "target.py"]]
)
def test_full_standard_output(folder, args):
    with open("/dev/full", "w") as full:
        done = rpython(folder, *args, stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr == "rpython: No space left on device\n"


def test_closed_pipe(folder):
    reading, writing = os.pipe()
    os.close(reading)
    done = rpython(folder, "check", "target.py", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def test_closed_standard_output(folder):
    done = rpython(folder, "check", "target.py", prepare=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kilobytes", [0, 2, 16, 64])
def test_limit_of_file_sizes(folder, kilobytes):
    """Whoever meets the limit, the toolchain or the C compiler, says so in one line."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, kilobytes << 10))

    done = rpython(folder, "build", "target.py", prepare=limit)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "File " in done.stderr or "No usable temporary directory" in done.stderr
    assert not (folder / "target-c").exists()


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.3])
def test_interrupted_while_loading(folder, seconds):
    with subprocess.Popen(
        [*SLOW, "check", "target.py"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) in ((130, b"interrupted\n"), (0, b""))
