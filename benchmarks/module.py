"""Extension modules: calls, loops and what crosses, as Python, native, and by mypyc and Cython
where they are installed.

    python -m benchmarks.module [--runs N] [--rows WORD]

Each line is one statement.  In each round every module runs it in turn, in a process that stays
for the whole run, and the best round counts: so a load of the machine meets all of them alike.  The
ratio is the time of CPython by that of the module.  Cython compiles the same source, in its
pure-Python mode.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "benchmarks" / "programs"
MODULES = ("fastmodule", "shipped")

ROWS = {
    "fastmodule": (
        "nothing()", "add(1, 2)", "add(1, b=2)", "shout('abc')", "Vector(1.0, 2.0)", "v.x",
        "v.dot(v)", "append([], 1)", "total(few)", "total(many)", "collatz(3000)",
        "mandelbrot(40)", "sieve(100000)", "words(50000)", "trees(14)",
    ),
    "shipped": (
        "add(i, 1)", "p.move(1, 2)", "p.x = p.x + 1", "total(ints)", "walk(nodes)",
        "mandelbrot(60)", "word_count(text)", "names(40000)",
    ),
}  # fmt: skip
SETUP = {
    "fastmodule": "v = Vector(1.0, 2.0); few = [1, 2, 3]; many = list(range(1000))",
    "shipped": "i = 5; p = Point(1, 2); ints = list(range(100000)); nodes = chain(1000000);"
               "text = ' '.join(f'w{i * i % 7919}' for i in range(15500))",
}  # fmt: skip
UNITS = (("ns", 1e9), ("us", 1e6), ("ms", 1e3))
ENOUGH = 0.02
"""So many seconds one measurement lasts."""


def serve(name: str) -> None:
    """Answer each statement on standard input with its seconds."""
    module: Any = importlib.import_module(name)
    names = dict(vars(module))
    exec(SETUP[name], names)
    for line in sys.stdin:
        timer = timeit.Timer(line.strip(), globals=names)
        number = 1
        while (seconds := timer.timeit(number)) < ENOUGH:
            number = max(number + 1, int(number * min(ENOUGH / max(seconds, 1e-9) * 1.2, 100)))
        print(seconds / number, flush=True)


def commands(name: str) -> dict[str, list[str]]:
    """How a module is compiled, by whom, in a folder with its source."""
    found = {
        "rpython3": [sys.executable, "-m", "rpython", "build", "--module", f"{name}.py"],
        "mypyc": [sys.executable, "-m", "mypyc", f"{name}.py"],
        "Cython": [sys.executable, "-m", "Cython.Build.Cythonize", "-3", "-i", f"{name}.py"],
    }
    for other, package in (("mypyc", "mypyc"), ("Cython", "Cython")):
        if importlib.util.find_spec(package) is None:
            print(f"{other} is not installed: without it")
            del found[other]
    return found


def build(folder: Path, name: str) -> dict[str, Path]:
    """The folders with the module, by who compiled it."""
    folders = {"CPython": folder / name / "CPython"}
    folders["CPython"].mkdir(parents=True)
    shutil.copy(PROGRAMS / f"{name}.py", folders["CPython"])
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    for who, command in commands(name).items():
        place = folders[who] = folder / name / who
        place.mkdir()
        shutil.copy(PROGRAMS / f"{name}.py", place)
        subprocess.run(
            command, cwd=place, capture_output=True, check=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )  # fmt: skip
    return folders


def start(place: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__, "--serve", name, "--place", str(place)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def measured(folders: dict[str, Path], name: str, runs: int, word: str) -> None:
    servers = {who: start(place, name) for who, place in folders.items()}
    for code in ROWS[name]:
        if word not in code:
            continue
        best = dict.fromkeys(servers, float("inf"))
        for _ in range(runs):
            for who, server in servers.items():
                assert server.stdin is not None and server.stdout is not None
                server.stdin.write(code + "\n")
                server.stdin.flush()
                best[who] = min(best[who], float(server.stdout.readline()))
        show(code, best)
    for server in servers.values():
        assert server.stdin is not None
        server.stdin.close()
        server.wait()


def imported(folders: dict[str, Path], name: str, runs: int) -> None:
    """How long the import takes, and how large the files are."""
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); start = time.perf_counter();"
        f"import {name}; print(time.perf_counter() - start)"
    )
    best = dict.fromkeys(folders, float("inf"))
    for _ in range(runs):
        for who, place in folders.items():
            command = [sys.executable, "-c", code, str(place)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            best[who] = min(best[who], float(done.stdout))
    show(f"import {name}", best)
    sizes = {
        who: sum(file.stat().st_size for file in place.glob("*.so")) / 1e3
        for who, place in folders.items()
    }
    print(f"{'size':20}" + "".join(f"{size:9.0f} kB        " for size in sizes.values()))


def show(code: str, best: dict[str, float]) -> None:
    base = best["CPython"]
    unit, factor = next((u for u in UNITS if base * u[1] < 10_000), UNITS[-1])
    line = f"{code:20}"
    for seconds in best.values():
        line += f"{seconds * factor:9.1f} {unit}{base / seconds:7.1f}x"
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="the best of so many")
    parser.add_argument("--rows", default="", help="only those with this text")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        sys.path.insert(0, options.place)
        serve(options.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in MODULES:
            folders = build(Path(folder), name)
            print(f"{name:20}" + "".join(f"{who:>12}{'ratio':>8}" for who in folders))
            measured(folders, name, options.runs, options.rows)
            imported(folders, name, options.runs)


if __name__ == "__main__":
    main()
