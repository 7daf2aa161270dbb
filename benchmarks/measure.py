"""Timing of commands and the builds that the benchmarks compare."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Run:
    """What one run took: seconds of processor time, bytes of memory at most; what the collector
    said; what the program printed."""

    seconds: float
    memory: int
    statistics: str
    output: bytes


def run(command: Sequence[str | Path], **environment: str) -> Run:
    """Run a command once.  Raises SystemExit where it fails."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, env={**os.environ, **environment}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        text = errors.read().decode()
        if process.returncode != 0:
            raise SystemExit(f"{command[0]} failed: {text}")
        seconds = usage.ru_utime + usage.ru_stime
        return Run(seconds, usage.ru_maxrss * 1024, text, output.read())


def instructions(command: Sequence[str | Path], directory: Path) -> int:
    """How many instructions a command executes."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={directory / 'callgrind'}",
         *command],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    line = next(line for line in done.stderr.splitlines() if "refs:" in line)
    return int(line.split()[-1].replace(",", ""))


def best_seconds(command: Sequence[str | Path], output: IO[bytes] | int, runs: int) -> float:
    """The least wall-clock time, in seconds, that the command takes of `runs` runs."""
    best = float("inf")
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(command, stdout=output, check=True, cwd=ROOT)
        best = min(best, time.perf_counter() - started)
    return best


def build_native(target: Path, executable: Path, *options: str) -> float:
    """Translate a target to an executable.  Returns wall-clock seconds."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "rpython", "build", target, "-o", executable,
         *options],
        stdout=subprocess.DEVNULL, check=True, cwd=ROOT,
    )  # fmt: skip
    return time.perf_counter() - started


def build_c(source: Path, executable: Path, *flags: str) -> None:
    """Compile one C file (or C++), at -O2 or with ``flags``, with the C compiler that translations
    use by default."""
    compiler = shlex.split(os.environ.get("CC", "cc")) if source.suffix == ".c" else ["c++"]
    subprocess.run([*compiler, *(flags or ["-O2"]), "-o", executable, source, "-lm"], check=True)


def report(ours: str, our_seconds: float, theirs: str, their_seconds: float) -> None:
    """Print both times and how they compare."""
    width = max(len(ours), len(theirs))
    print(f"{ours:<{width}}  {our_seconds:7.3f} s")
    print(f"{theirs:<{width}}  {their_seconds:7.3f} s")
    print(f"ratio {our_seconds / their_seconds:.2f}")
