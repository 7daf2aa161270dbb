"""What translating costs, beside other checkouts of the toolchain, all of them in turn.

Run from the repository: ``python -m benchmarks.translate_time [CHECKOUT...]``, for instance after
``git worktree add /tmp/before 1c775b7``.  With ``--large``: once, a program of 8,000 lines, which
takes some minutes for each.

The numbers are the least CPU seconds of some runs, of Python and the C compiler, which others on
the machine disturb less than the time that passes:

- *interpret*: a process that imports the toolchain and runs a small function.  (Bytecode files are
  there.)  ``import`` is what it takes to run a function that needs no helpers.
- *cold*: ``rpython build`` with nothing kept: neither object files nor helpers.
- *changed*: the same after a change of one function: all but the program's own is known.
- *again*: the same once more.

Then the stages of the largest program, as `-v` says them, in this checkout.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import large_program
from benchmarks.measure import ROOT

RUNS = 3
CHANGED = ("    return status\n", "    return status + 0 * len(names)\n")
PROGRAMS = {
    "empty": ("benchmarks/programs/empty.py", ("return 0", "return 1")),
    "gunzip": ("examples/gunzip.py", CHANGED),
}
"""Name -> the file, and a change of one of its functions."""
LARGE = "large"

IMPORT = "import rpython; rpython.interpret(lambda n: n + 1, [1])"
INTERPRET = """
import rpython
def small(n):
    lengths = {}
    for i in range(n):
        lengths[str(i)] = len(str(i))
    return ",".join(sorted(lengths))
rpython.interpret(small, [10])
"""
"""Texts, a dict and sorting: what a small function of a program may need of helpers."""

BUILD = """
import sys
try:
    from rpython.translator.commandline.cli import main
except ImportError:  # an older checkout
    from rpython.translator.cli import main
sys.exit(main())
"""


class Checkout:
    """A checkout of the toolchain; ``folder``: for what it keeps and builds."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self._environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")

    def python(self, code: str, *args: str) -> tuple[float, str]:
        """The CPU seconds of a Python process with this toolchain, and what it wrote to stderr."""
        found = (
            f"import sys; sys.path.insert(0, {str(self.root)!r}); import rpython\n"
            f"assert rpython.__file__.startswith({str(self.root)!r})\n"
        )
        (self.folder / "script.py").write_text(found + code)
        before = _cpu()
        done = subprocess.run(
            [sys.executable, self.folder / "script.py", *args], cwd=self.folder, check=True,
            env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        return _cpu() - before, done.stderr

    def build(self, target: Path) -> tuple[float, str]:
        """The same for a build, and its stages."""
        return self.python(BUILD, "build", "-v", str(target), "-o", str(self.folder / "out"))

    def builds(self, name: str) -> Iterator[tuple[str, float]]:
        """A build from nothing, after a change, and again."""
        sources = self.folder / "sources"
        shutil.rmtree(sources, ignore_errors=True)
        shutil.rmtree(self.folder / "cache", ignore_errors=True)
        if name == LARGE:
            target = sources / "large.py"
            sources.mkdir()
            target.write_text(large_program.large_program())
            old, new = large_program.CHANGED
        else:
            file, (old, new) = PROGRAMS[name]
            shutil.copytree((ROOT / file).parent, sources)
            target = sources / Path(file).name
        yield f"{name}, cold", self.build(target)[0]
        text = target.read_text()
        assert old in text
        target.write_text(text.replace(old, new, 1))
        yield f"{name}, changed", self.build(target)[0]
        yield f"{name}, again", self.build(target)[0]

    def measures(self, large: bool) -> Iterator[tuple[str, float]]:
        """Everything once, or the large program."""
        if large:
            yield from self.builds(LARGE)
            return
        yield "import", self.python(IMPORT)[0]
        yield "interpret", self.python(INTERPRET)[0]
        for name in PROGRAMS:
            yield from self.builds(name)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def least(checkouts: Sequence[Checkout], runs: int, large: bool) -> dict[str, list[float]]:
    """The least of each measure, by its name, for each checkout."""
    results: dict[str, list[float]] = {}
    for _ in range(runs):
        columns = [dict(each.measures(large)) for each in checkouts]
        for name in columns[0]:
            new = [column[name] for column in columns]
            results[name] = list(map(min, results.get(name, new), new))
    return results


def print_table(checkouts: Sequence[Checkout], results: dict[str, list[float]]) -> None:
    """A line for each measure: here, elsewhere, and how many times less it is here."""
    rows = [("CPU seconds", [each.root.name for each in checkouts])]
    for name, (here, *others) in results.items():
        cells = [f"{here:.2f}", *(f"{other:.2f} ({other / here:.1f}x)" for other in others)]
        rows.append((name, cells))
    for name, cells in rows:
        print(f"{name:18}" + "".join(f"{cell:>18}" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, help="others to measure besides")
    parser.add_argument("--large", action="store_true", help="measure a program of 8,000 lines")
    options = parser.parse_args()
    roots = [ROOT, *(root.resolve() for root in options.checkouts)]
    with tempfile.TemporaryDirectory() as scratch:
        checkouts = []
        for number, root in enumerate(roots):
            folder = Path(scratch) / str(number)
            folder.mkdir()
            checkouts.append(Checkout(root, folder))
        for each in checkouts:
            each.python(INTERPRET)  # writes bytecode files
            each.build(ROOT / PROGRAMS["empty"][0])
        print_table(checkouts, least(checkouts, 1 if options.large else RUNS, options.large))
        if not options.large:
            print(checkouts[0].build(ROOT / PROGRAMS["gunzip"][0])[1], end="")


if __name__ == "__main__":
    main()
