"""The collectors against each other and against C++:

    python -m benchmarks.gc [PROGRAM ...] [--gc NAME,...] [--runs N] [--live MEGABYTES]

A table for each program: the least processor time of all runs and its ratio to C++ with new and
delete, pauses (99 of 100 are shorter; the longest; processor time, too), the peak of memory and
its ratio to what counting references needs at most, which is what lives.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import ROOT, Run, build_native, run
from rpython.backend_c.gc import COLLECTORS

PROGRAMS = ROOT / "benchmarks" / "programs"
NEW_AND_DELETE, ARENA = "C++ new/delete", "C++ arena"


def quickest(commands: dict[str, list[str]], runs: int) -> dict[str, Run]:
    """The quickest run of each, taken in turns, with the statistics of another one: taking them
    takes time."""
    found: dict[str, Run] = {}
    for _ in range(runs):
        for name, command in commands.items():
            result = run(command)
            if name not in found or result.seconds < found[name].seconds:
                found[name] = result
    return {
        name: replace(found[name], statistics=run(command, RPYTHON_GC_STATS="2").statistics)
        for name, command in commands.items()
    }


def build(program: str, directory: Path, collectors: list[str]) -> dict[str, Path]:
    """The executables: by the name of the collector, or of the way C++ allocates."""
    built: dict[str, Path] = {}
    for name, flags in ((NEW_AND_DELETE, []), (ARENA, ["-DARENA"])):
        built[name] = directory / f"{program}-cpp{len(built)}"
        source = PROGRAMS / f"{program}.cpp"
        subprocess.run(["g++", "-O2", *flags, "-o", built[name], source], check=True)
    for name in collectors:
        built[name] = directory / f"{program}-{name}"
        build_native(PROGRAMS / f"{program}.py", built[name], "--gc", name)
    return built


def figure(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found is not None else "-"


def compare(program: str, arguments: list[str], collectors: list[str], runs: int) -> None:
    """Print the table of one program."""
    with tempfile.TemporaryDirectory() as directory:
        built = build(program, Path(directory), collectors)
        commands = {name: [str(path), *arguments] for name, path in built.items()}
        results = quickest(commands, runs)
    if len({result.output for result in results.values()}) != 1:
        raise SystemExit(f"{program}: the outputs differ")
    live = 0
    if "refcount" in results:
        live = int(figure(r"at most (\d+)", results["refcount"].statistics))
    print(f"\n{' '.join([program, *arguments])}")
    if live:
        print(f"{live / 2**20:.0f} MB live at most")
    heading = f"{'time':>8} {'ratio':>6} {'p99 ms':>8} {'max ms':>8} {'memory':>9} {'ratio':>6}"
    print(f"{'':<15} {heading}")
    for name, result in results.items():
        p99 = figure(r"p99 ([\d.]+) ms", result.statistics)
        longest = figure(r"longest pause ([\d.]+) ms", result.statistics)
        ratio = result.seconds / results[NEW_AND_DELETE].seconds
        share = f"{result.memory / live:.2f}" if live else "-"
        print(
            f"{name:<15} {result.seconds:6.2f} s {ratio:6.2f} {p99:>8} {longest:>8}"
            f" {result.memory / 2**20:6.0f} MB {share:>6}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gc")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--gc", default=",".join(COLLECTORS), help="the collectors to compare")
    parser.add_argument("--runs", type=int, default=5, help="of each; the quickest counts")
    parser.add_argument("--depth", type=int, default=18, help="of the binary trees")
    parser.add_argument("--live", type=int, default=256, help="megabytes of the large live heap")
    options = parser.parse_args()
    arguments = {
        "binary_trees": [str(options.depth)],
        "linked_lists": ["1000000", "10000000"],
        "live_heap": [str(options.live), "5000000"],
        "strings": ["100000", "10000000"],
    }
    unknown = set(options.programs) - set(arguments)
    if unknown:
        parser.error(f"no program {', '.join(unknown)}; there are {', '.join(arguments)}")
    for program in options.programs or arguments:
        compare(program, arguments[program], options.gc.split(","), options.runs)


if __name__ == "__main__":
    sys.exit(main())
