"""How long translating takes, by stage: an empty program, gunzip and the largest example.

Run from the repository: ``python -m benchmarks.translate_time``.

The first number is the whole command, `rpython build`, with the start of Python and the
C compiler; the stages are what `-v` says.  The last lines are those of `interpret` of the
largest example's entry point, up to and without its run.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import ROOT
from rpython.translator.api import Interpretation

LARGEST = "lisp"
TARGETS = ["benchmarks/programs/empty.py", "examples/gunzip.py", f"examples/{LARGEST}.py"]
RUNS = 3


def build(target: str, directory: Path) -> tuple[float, str]:
    """Wall-clock seconds of one build from nothing, and what it said of its stages.

    "From nothing": object files of earlier builds are not used, since those are kept below
    XDG_CACHE_HOME, here a new directory.
    """
    environment = os.environ | {"XDG_CACHE_HOME": str(directory)}
    command = [sys.executable, "-m", "rpython.translator.cli", "build", "-v", target]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "-o", directory / "out"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, cwd=ROOT,
        env=environment,
    )  # fmt: skip
    return time.perf_counter() - started, done.stderr


def interpret(name: str) -> None:
    """Print what `interpret` of an example's entry point does before it runs, in seconds."""
    sys.path.insert(0, str(ROOT / "examples"))
    entry_point = importlib.import_module(name).entry_point
    started = time.perf_counter()
    interpretation = Interpretation.of(entry_point, [[name]])
    print(f"interpret examples/{name}.py: {time.perf_counter() - started:.2f} s")
    for stage, took in interpretation.translation.seconds.items():
        print(f"  {stage:<10} {took * 1000:8.1f} ms")


def main() -> None:
    for target in TARGETS:
        results = []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as directory:
                results.append(build(target, Path(directory)))
        seconds, stages = min(results)
        print(f"{target}: {seconds:.2f} s")
        print("".join(line + "\n" for line in stages.splitlines()[1:]), end="")
    interpret(LARGEST)


if __name__ == "__main__":
    main()
