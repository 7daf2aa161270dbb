"""Timing of commands and the builds that the benchmarks compare."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]


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
        [sys.executable, "-m", "rpython.translator.cli", "build", target, "-o", executable,
         *options],
        stdout=subprocess.DEVNULL, check=True, cwd=ROOT,
    )  # fmt: skip
    return time.perf_counter() - started


def build_c(source: Path, executable: Path) -> None:
    """Compile one C file at -O2 with the C compiler that translations use by default."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-O2", "-o", executable, source], check=True)


def report(ours: str, our_seconds: float, theirs: str, their_seconds: float) -> None:
    """Print both times and how they compare."""
    width = max(len(ours), len(theirs))
    print(f"{ours:<{width}}  {our_seconds:7.3f} s")
    print(f"{theirs:<{width}}  {their_seconds:7.3f} s")
    print(f"ratio {our_seconds / their_seconds:.2f}")
