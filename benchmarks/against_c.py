"""Translated programs, all checks on, against the same in C or C++.

    python -m benchmarks.against_c [--runs 4] [--passes NAMES] [--write] [NAME ...]

Measures for each program the processor time (the least of interleaved runs) and, where valgrind is
installed, the instructions (callgrind) of the translated program as a multiple of what C takes at
-O2, and prints a table; with --write, docs/performance.md gets it.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT, build_c, build_native, instructions, run

PROGRAMS = ROOT / "benchmarks" / "programs"
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- benchmarks.against_c -->\n", "<!-- end -->\n"
FLAGS = {"-O2": ["-O2"], "-O3": ["-O3", "-march=native"]}


@dataclass(frozen=True)
class Program:
    """``timed``, ``counted``, ``nothing``: its arguments when it is timed, when its instructions
    are counted, and when it does nothing, of which the instructions are subtracted."""

    ours: Path
    theirs: Path
    timed: tuple[str, ...]
    counted: tuple[str, ...]
    nothing: tuple[str, ...]


def _kernel(
    name: str, timed: int, counted: int, ours: str = "kernels.py", theirs: str = "kernels.c"
) -> Program:
    return Program(
        PROGRAMS / ours, PROGRAMS / theirs,
        (name, str(timed)), (name, str(counted)), ("none", "0"),
    )  # fmt: skip


def _structure(name: str, timed: int, counted: int) -> Program:
    return _kernel(name, timed, counted, "structures.py", "structures.cpp")


# Each takes tenths of a second: less is mostly noise.  What is counted is large enough to tell: GCC
# inlines so many calls of fib into itself that fib(20) took 1.41 times what C does, fib(27) 0.96,
# and n-queens of 7 is mostly the first allocation.
TABLE = {
    "fib": _kernel("fib", 41, 27),
    "spectral norm": _kernel("spectral", 3500, 100),
    "nbody": _kernel("nbody", 1_500_000, 2000),
    "fannkuch": _kernel("fannkuch", 10, 9),
    "sieve": _kernel("sieve", 30_000_000, 100_000),
    "insertion sort": _kernel("insertion", 60_000, 600),
    "hashing": _kernel("hashed", 400_000_000, 100_000),
    "mandelbrot": _kernel("mandelbrot", 2500, 60),
    "n-queens": _kernel("queens", 13, 10),
    "matrix product, list of lists": _kernel("rows", 500, 60),
    "matrix product, flat list": _kernel("flat", 500, 60),
    "register VM": _kernel("machine", 15_000_000, 20_000),
    "brainfuck interpreter": _kernel("brainfuck", 1500, 2),
    "string building": _kernel("text", 400_000, 300),
    "int dict": _structure("intdict", 20_000_000, 20_000),
    "scheduler": _structure("schedule", 20_000_000, 20_000),
    "JSON": _structure("json", 100_000, 100),
    "word count": _structure("words", 300_000, 1000),
    "richards": Program(
        ROOT / "examples" / "richards.py", PROGRAMS / "richards.cpp", ("1000",), ("2",), ("0",)
    ),
    "binary trees": Program(
        PROGRAMS / "binary_trees.py", PROGRAMS / "binary_trees.cpp", ("17",), ("8",), ("0",)
    ),
}


@dataclass(frozen=True)
class Result:
    """``seconds``: of ours, and of C by its flags; ``instructions``: ours, and -O2."""

    seconds: dict[str, float]
    instructions: tuple[int, int] | None

    def cells(self) -> list[float | None]:
        """Ours as a multiple of C's, by the columns of the table."""
        ours, theirs = self.instructions or (0, 0)
        return [
            *(self.seconds["ours"] / self.seconds[flags] for flags in FLAGS),
            ours / theirs if theirs else None,
        ]


def build(programs: Iterable[Program], directory: Path, passes: str) -> None:
    """Build each source once; executables are called by ``executable``."""
    for ours in dict.fromkeys(program.ours for program in programs):
        build_native(ours, executable(directory, ours, "ours"), "--passes", passes)
    for theirs in dict.fromkeys(program.theirs for program in programs):
        for name, flags in FLAGS.items():
            build_c(theirs, executable(directory, theirs, name), *flags)


def executable(directory: Path, source: Path, how: str) -> Path:
    return directory / f"{source.stem}{how}"


def measure(program: Program, directory: Path, runs: int) -> Result:
    """Raises SystemExit where the outputs differ."""
    built = {"ours": executable(directory, program.ours, "ours")}
    built.update({name: executable(directory, program.theirs, name) for name in FLAGS})
    seconds = dict.fromkeys(built, math.inf)
    lines: dict[str, str] = {}
    for _ in range(runs):
        for how, path in built.items():
            done = run([path, *program.timed])
            seconds[how] = min(seconds[how], done.seconds)
            lines[how] = done.output.decode().splitlines()[-1]
    for how, line in lines.items():
        if not _agree(lines["ours"], line):
            raise SystemExit(f"{program.timed[0]}: {lines['ours']} and, with {how}, {line}")
    if shutil.which("valgrind") is None:
        return Result(seconds, None)
    ours, theirs = (
        instructions([path, *program.counted], directory)
        - instructions([path, *program.nothing], directory)
        for path in (built["ours"], built["-O2"])
    )
    return Result(seconds, (ours, theirs))


def _agree(ours: str, theirs: str) -> bool:
    """Are both lines the same, or numbers that only rounding tells apart?"""
    try:
        return math.isclose(float(ours), float(theirs), rel_tol=1e-9)
    except ValueError:
        return ours == theirs


def mean(cells: Iterable[float | None]) -> float | None:
    """The geometric mean of those that are known; None: there is none."""
    logs = [math.log(cell) for cell in cells if cell is not None]
    return math.exp(sum(logs) / len(logs)) if logs else None


def row(name: str, cells: Iterable[float | None]) -> str:
    texts = ("-" if cell is None else f"{cell:.2f}" for cell in cells)
    return f"| {name} | {' | '.join(texts)} |\n"


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(TABLE)} (default: all)")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--passes", default="default", help="what optimises ours")
    parser.add_argument("--write", action="store_true", help="the table into docs/performance.md")
    options = parser.parse_args()
    names = options.names or list(TABLE)
    if unknown := [name for name in names if name not in TABLE]:
        parser.error(f"no program {', '.join(unknown)}; there are {', '.join(TABLE)}")
    text = "| program | time, C -O2 = 1 | C -O3 -march=native = 1 | instructions, -O2 = 1 |\n"
    text += "|---|---|---|---|\n"
    print(text, end="")
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        build([TABLE[name] for name in names], directory, options.passes)
        for name in names:
            results.append(measure(TABLE[name], directory, options.runs).cells())
            text += row(name, results[-1])
            print(row(name, results[-1]), end="", flush=True)
    last = row("**geometric mean**", (mean(column) for column in zip(*results)))
    print(last, end="")
    if options.write:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        PAGE.write_text(before + BEGIN + text + last + END + rest.split(END)[1])


if __name__ == "__main__":
    sys.exit(main())
