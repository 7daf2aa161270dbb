"""How long translating takes, by stage: an empty program and examples/gunzip.py.

Run from the repository: ``python -m benchmarks.translate_time``.

The first number is the whole command, `rpython build`, with the start of Python and the
C compiler; the stages are what `-v` says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import ROOT

TARGETS = ["benchmarks/programs/empty.py", "examples/gunzip.py"]
RUNS = 3


def build(target: str, directory: Path) -> tuple[float, str]:
    """Wall-clock seconds of one build from nothing, and what it said of its stages.

    "From nothing": object files of earlier builds are not used, since those are kept below
    XDG_CACHE_HOME, here a new directory.
    """
    environment = os.environ | {"XDG_CACHE_HOME": str(directory)}
    command = [sys.executable, "-m", "translator.cli", "build", "-v", target]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "-o", directory / "out"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, cwd=ROOT,
        env=environment,
    )  # fmt: skip
    return time.perf_counter() - started, done.stderr


def main() -> None:
    for target in TARGETS:
        results = []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as directory:
                results.append(build(target, Path(directory)))
        seconds, stages = min(results)
        print(f"{target}: {seconds:.2f} s")
        print("".join(line + "\n" for line in stages.splitlines()[1:]), end="")


if __name__ == "__main__":
    main()
