"""Extension modules: calls and loops, as Python, native and (where it is installed) by mypyc.

    python -m benchmarks.module [--runs N]

Each line is one statement, measured in a process of its own for each of them, one after the
other; the ratio is the time of CPython by that of the compiled module.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "benchmarks" / "programs" / "fastmodule.py"

CALLS = (
    "nothing()", "add(1, 2)", "add(1, b=2)", "shout('abc')", "Vector(1.0, 2.0)", "v.x", "v.dot(v)",
    "append([], 1)", "total(few)", "total(many)",
)  # fmt: skip
LOOPS = ("collatz(3000)", "mandelbrot(40)", "sieve(100000)", "words(50000)", "trees(14)")
SETUP = "v = Vector(1.0, 2.0); few = [1, 2, 3]; many = list(range(1000))"


def measure(runs: int) -> dict[str, float]:
    """Seconds of each statement, with the module on the path."""
    module: Any = importlib.import_module("fastmodule")
    names = dict(vars(module))
    exec(SETUP, names)
    result = {}
    for code in (*CALLS, *LOOPS):
        timer = timeit.Timer(code, globals=names)
        number = timer.autorange()[0]
        result[code] = min(timer.repeat(runs, number)) / number
    return result


def measured(folder: Path, runs: int) -> dict[str, float]:
    """The same in another process, for the module in this folder."""
    command = [sys.executable, __file__, "--measure", str(folder), "--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def build(folder: Path) -> dict[str, Path]:
    """The folders with the module, by who compiled it."""
    folders = {}
    for name in ("CPython", "rpython3", "mypyc"):
        folders[name] = folder / name
        folders[name].mkdir()
        shutil.copy(SOURCE, folders[name])
    subprocess.run(
        [sys.executable, "-m", "rpython", "build", "--module",
         folders["rpython3"] / SOURCE.name],
        cwd=ROOT, stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    if importlib.util.find_spec("mypyc") is None:
        print("mypyc is not installed (pip install 'mypy[mypyc]'): without it")
        del folders["mypyc"]
    else:
        command = [sys.executable, "-m", "mypyc", SOURCE.name]
        subprocess.run(command, cwd=folders["mypyc"], stdout=subprocess.DEVNULL, check=True)
    return folders


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="the best of so many")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure is not None:
        sys.path.insert(0, str(options.measure))
        print(json.dumps(measure(options.runs)))
        return
    with tempfile.TemporaryDirectory() as folder:
        seconds = {
            name: measured(place, options.runs) for name, place in build(Path(folder)).items()
        }
    others = [name for name in seconds if name != "CPython"]
    print(f"{'':18}{'CPython':>12}" + "".join(f"{name:>12}{'ratio':>8}" for name in others))
    for code in (*CALLS, *LOOPS):
        unit, factor = ("ns", 1e9) if code in CALLS else ("ms", 1e3)
        base = seconds["CPython"][code]
        line = f"{code:18}{base * factor:9.1f} {unit}"
        for name in others:
            took = seconds[name][code]
            line += f"{took * factor:9.1f} {unit}{base / took:7.1f}x"
        print(line)


if __name__ == "__main__":
    main()
