"""How long translating takes, by stage: an empty program, gunzip and the largest example.

Run from the repository: ``python -m benchmarks.translate_time``.

The first number is the whole command, `rpython build`, with the start of Python and the
C compiler; "CPU" is what it and the C compiler used, which others on the machine disturb less;
"again" is a second build, which finds the object files of the first.  The stages are what `-v`
says.  Then CPU of `interpret` of a small function: the first in a process imports the toolchain and
types the low-level helpers, those after it find these.  The last lines are those of `interpret` of
the largest example's entry point, up to and without its run.
"""

from __future__ import annotations

import importlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rpython
from benchmarks.measure import ROOT
from rpython.translator.api import Interpretation

LARGEST = "lisp"
TARGETS = ["benchmarks/programs/empty.py", "examples/gunzip.py", f"examples/{LARGEST}.py"]
RUNS = 3


def small(n: int) -> str:
    """Texts, a dict and sorting: what a small function of a program may need of helpers."""
    lengths = {}
    for i in range(n):
        lengths[str(i)] = len(str(i))
    return ",".join(sorted(lengths))


def cpu_of(who: int) -> float:
    """User and system time in seconds."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def build(target: str, directory: Path) -> tuple[float, float, str]:
    """Wall-clock and CPU seconds of one build from nothing, and what it said of its stages.

    "From nothing": object files of earlier builds are not used, since those are kept below
    XDG_CACHE_HOME, here a new directory.
    """
    environment = os.environ | {"XDG_CACHE_HOME": str(directory)}
    command = [sys.executable, "-m", "rpython.translator.cli", "build", "-v", target]
    started, cpu = time.perf_counter(), cpu_of(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*command, "-o", directory / "out"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, cwd=ROOT,
        env=environment,
    )  # fmt: skip
    cpu = cpu_of(resource.RUSAGE_CHILDREN) - cpu
    return time.perf_counter() - started, cpu, done.stderr


def interpret_small() -> None:
    """Print the CPU that `interpret` of a small function takes, call after call."""
    for number in range(1, 4):
        cpu = cpu_of(resource.RUSAGE_SELF)
        rpython.interpret(small, [10])
        print(f"interpret a small function, call {number}: "
              f"{(cpu_of(resource.RUSAGE_SELF) - cpu) * 1000:.0f} ms CPU")  # fmt: skip


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
        results, again = [], []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as directory:
                results.append(build(target, Path(directory)))
                again.append(build(target, Path(directory))[1])
        seconds, cpu, stages = min(results)
        print(f"{target}: {seconds:.2f} s, CPU {cpu:.2f} s, again {min(again):.2f} s")
        print("".join(line + "\n" for line in stages.splitlines()[1:]), end="")
    interpret_small()
    interpret(LARGEST)


if __name__ == "__main__":
    main()
