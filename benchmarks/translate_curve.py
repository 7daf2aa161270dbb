"""How the time of a translation grows with the size of the program, for several shapes of program.

Run from the repository: ``python -m benchmarks.translate_curve [SHAPE...] [--sizes N,N,...]``.

For each shape and size, the seconds of CPU that each stage takes, in a process of its own:
``check`` (flow graphs and annotation), ``rtype``, ``optimise`` and ``C`` (writing it, not compiling
it).  The line *exponent* compares the two largest sizes: seconds grow like size to the power of
that, so 1.0 is linear.  What takes less than a tenth of a second has none.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.measure import ROOT
from rpython.backend_c.build import BuildOptions, generate_executable
from rpython.translator.executable import executable_translation
from rpython.translator.target import entry_point_of

STAGES = ("check", "rtype", "optimise", "C")
LEAST = 0.1
"""Seconds; what takes less says nothing about growth."""


def _program(parts: Iterable[str], body: Iterable[str]) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    return "\n".join(parts) + f"\ndef entry_point(argv):\n    n = len(argv)\n{lines}    return 0\n"


def functions(n: int) -> str:
    """Functions of five lines, called from one."""
    made = (
        f"def f{i}(x, y):\n    a = x + {i}\n    b = a * y\n    if b > {i}:\n        b = b - a\n"
        "    return b\n"
        for i in range(n)
    )
    return _program(made, ["t = 0", *(f"t += f{i}(n, t)" for i in range(n)), "print(t)"])


def calls(n: int) -> str:
    """Calls of one function."""
    return _program(
        ["def f(x, y):\n    return x * y + 1\n"],
        ["t = 0", *(f"t += f(n, {i})" for i in range(n)), "print(t)"],
    )


def chain(n: int) -> str:
    """Functions that each call the next."""
    made = (f"def f{i}(x):\n    return f{i + 1}(x) + {i}\n" for i in range(n))
    return _program([*made, f"def f{n}(x):\n    return x\n"], ["print(f0(n))"])


def statements(n: int) -> str:
    """One function of statements, without branches."""
    names = [f"v{i % 50}" for i in range(n)]
    starts = (f"v{i} = n + {i}" for i in range(50))
    lines = (f"{name} = {name} * 3 + {names[i - 7]} & 4095" for i, name in enumerate(names))
    return _program([], [*starts, *lines, "print(v0)"])


def branches(n: int) -> str:
    """A chain of branches: a dispatch loop."""
    tests = (f"    {'el' * (i > 0)}if op == {i}:\n        acc = acc * 3 + {i}" for i in range(n))
    return _program(
        ["def run(code):\n    acc = 0\n    for op in code:\n"
         + "".join(f"    {line}\n" for test in tests for line in test.splitlines())
         + "    return acc\n"],
        ["print(run([n, 2, 3]))"],
    )  # fmt: skip


def joins(n: int) -> str:
    """Branches one after the other."""
    lines = (line for i in range(n) for line in (f"if n > {i}:", f"    t += n ^ {i}"))
    return _program([], ["t = 0", *lines, "print(t)"])


def methods(n: int) -> str:
    """A class with methods that call each other and set attributes."""
    made = (
        f"    def m{i}(self, x):\n        self.a{i} = x\n        return self.m{(i + 1) % n}(x - 1) "
        f"if x > 0 else self.a{i % 10}\n"
        for i in range(n)
    )
    init = "".join(f"        self.a{i} = 0\n" for i in range(n))
    return _program(
        [f"class C:\n    def __init__(self):\n{init}\n" + "\n".join(made)], ["print(C().m0(n))"]
    )


def subclasses(n: int) -> str:
    """Subclasses that override one method, called through the base class."""
    made = (
        f"class C{i}(Base):\n    def __init__(self, x):\n        self.x = x\n\n"
        f"    def eval(self, y):\n        return self.x + y * {i}\n"
        for i in range(n)
    )
    base = "class Base:\n    def eval(self, y):\n        return 0\n"
    lines = (f"objects.append(C{i}(n))" for i in range(n))
    return _program(
        [base, *made],
        ["objects = [Base()]", *lines, "print(sum([o.eval(n) for o in objects]))"],
    )


def prebuilt(n: int) -> str:
    """Prebuilt instances, strings and lists: a hundred for each of ``n``."""
    made = (
        "class Node:\n    def __init__(self, name, kids):\n        self.name = name\n"
        "        self.kids = kids\n\n"
        f"NODES = [Node('n%d' % i, [i, i + 1]) for i in range({n * 100})]\n"
        "for node in NODES[1:]:\n    node.other = NODES[0]\nNODES[0].other = NODES[0]\n"
    )
    return _program([made], ["node = NODES[n]", "print(node.name, node.kids[0], node.other.name)"])


def literals(n: int) -> str:
    """A list and a dict of many items, written in a function."""
    items = ", ".join(f"n + {i}" for i in range(n))
    pairs = ", ".join(f"'k{i}': n + {i}" for i in range(n))
    return _program([], [f"a = [{items}]", f"d = {{{pairs}}}", "print(len(a), len(d))"])


def table(n: int) -> str:
    """Functions called through a list."""
    made = (f"def f{i}(x):\n    return x * {i}\n" for i in range(n))
    names = ", ".join(f"f{i}" for i in range(n))
    return _program(
        [*made, f"TABLE = [{names}]\n"],
        ["t = 0", "for f in TABLE:", "    t += f(n)", "print(t)"],
    )


def tests(n: int) -> str:
    """Subclasses told apart by a chain of isinstance() that reads their attributes."""
    made = (
        f"class C{i}(Base):\n    def __init__(self, x):\n        self.x{i} = x\n"
        for i in range(n)
    )
    walk = "".join(f"    if isinstance(o, C{i}):\n        return o.x{i}\n" for i in range(n))
    lines = (f"objects.append(C{i}(n))" for i in range(n))
    return _program(
        ["class Base:\n    pass\n", *made, f"def walk(o):\n{walk}    return 0\n"],
        ["objects = [Base()]", *lines, "print(sum([walk(o) for o in objects]))"],
    )


def loops(n: int) -> str:
    """Loops one after the other, over a list whose items they read and set."""
    lines = (
        line
        for i in range(n)
        for line in ("for i in range(len(a) - 1):", f"    a[i] = a[i + 1] + {i}")
    )
    return _program([], ["a = [n] * 10", *lines, "print(a[0])"])


def boxes(n: int) -> str:
    """Values of several kinds in one place."""
    made = (
        f"def f{i}(x, n):\n    if isinstance(x, str):\n        return len(x)\n"
        f"    return x if n > {i} else 'n{i}'\n"
        for i in range(n)
    )
    return _program(
        made, ["x = 'a' if n else 1.5", *(f"x = f{i}(x, n)" for i in range(n)), "print(x)"]
    )


def generators(n: int) -> str:
    """Generators, closures and comprehensions."""
    made = (
        f"def g{i}(n):\n    for i in range(n):\n        yield i * {i}\n\n"
        f"def c{i}(n):\n    f = lambda x: x + n\n    return [f(x) for x in g{i}(n)]\n"
        for i in range(n)
    )
    return _program(made, ["t = 0", *(f"t += len(c{i}(n))" for i in range(n)), "print(t)"])


def handlers(n: int) -> str:
    """Classes of exceptions, raised and caught with finally."""
    made = (
        f"class E{i}(Exception):\n    pass\n\ndef f{i}(n):\n    try:\n        if n > {i}:\n"
        f"            raise E{i}(str(n))\n        return n\n    except E{i} as e:\n"
        f"        return len(str(e))\n    finally:\n        print({i})\n"
        for i in range(n)
    )
    return _program(made, ["t = 0", *(f"t += f{i}(n)" for i in range(n)), "print(t)"])


def texts(n: int) -> str:
    """Functions of string, list and dict operations: mostly helpers."""
    made = (
        f"def f{i}(d, n):\n    words = [str(n), 'w{i}']\n    d['k{i}'] = ' '.join(words)\n"
        f"    words.append(d['k{i}'].upper()[{i % 5}:])\n    return f'{{n}}:{{len(words)}}'\n"
        for i in range(n)
    )
    return _program(made, ["d = {}", *(f"print(f{i}(d, n))" for i in range(n))])


@dataclass(frozen=True)
class Shape:
    write: Callable[[int], str]
    size: int
    """The smallest size; twice and four times that are measured, too."""


SHAPES = {
    "functions": Shape(functions, 250),
    "calls": Shape(calls, 1250),
    "chain": Shape(chain, 250),
    "statements": Shape(statements, 1000),
    "branches": Shape(branches, 500),
    "joins": Shape(joins, 500),
    "methods": Shape(methods, 125),
    "subclasses": Shape(subclasses, 125),
    "prebuilt": Shape(prebuilt, 250),
    "literals": Shape(literals, 500),
    "table": Shape(table, 250),
    "tests": Shape(tests, 125),
    "loops": Shape(loops, 125),
    "boxes": Shape(boxes, 60),
    "generators": Shape(generators, 60),
    "handlers": Shape(handlers, 125),
    "texts": Shape(texts, 125),
}


def load(path: Path) -> ModuleType:
    """The module of a generated program."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stages(
    path: Path, last: str = STAGES[-1], clock: Callable[[], float] = time.process_time
) -> dict[str, float]:
    """What ``clock`` says that each stage up to ``last`` takes, in this process: seconds of CPU."""
    entry = entry_point_of(load(path))
    done: dict[str, float] = {}
    started = clock()

    def finish(stage: str) -> bool:
        nonlocal started
        now = clock()
        done[stage] = now - started
        started = now
        return stage == last

    translation = executable_translation(entry)
    program: Any = None
    for stage in STAGES:
        if stage == "check":
            translation.annotate()
        elif stage == "rtype":
            translation.rtype()
        elif stage == "optimise":
            program = translation.optimise()
        else:
            generate_executable(program, BuildOptions())
        if finish(stage):
            break
    return done


def measure(name: str, size: int, last: str) -> dict[str, float]:
    """The same for a shape, in a process of its own.  Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"{name}.py"
        path.write_text(SHAPES[name].write(size))
        command = [sys.executable, "-m", "benchmarks.translate_curve", "--stages-of", path]
        found = subprocess.run(
            [*command, "--last", last], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
        )
    seconds: dict[str, float] = json.loads(found.stdout.splitlines()[-1])
    return seconds


def exponent(sizes: tuple[int, int], seconds: tuple[float, float]) -> str:
    """With which power of the size the seconds grow, as text."""
    if seconds[1] < LEAST:
        return "-"
    growth = math.log(seconds[1] / max(seconds[0], 1e-3)) / math.log(sizes[1] / sizes[0])
    return f"{growth:.2f}"


def show(name: str, sizes: list[int], last: str) -> None:
    """Print the table of one shape."""
    print(f"{name}: {SHAPES[name].write.__doc__}")
    columns = STAGES[: STAGES.index(last) + 1]
    print(f"{'size':>10}" + "".join(f"{stage:>10}" for stage in columns))
    found = []
    for size in sizes:
        found.append(measure(name, size, last))
        print(f"{size:>10}" + "".join(f"{found[-1][s]:>10.2f}" for s in columns), flush=True)
    if len(sizes) > 1:
        two = (sizes[-2], sizes[-1])
        powers = [exponent(two, (found[-2][s], found[-1][s])) for s in columns]
        print(f"{'exponent':>10}" + "".join(f"{power:>10}" for power in powers))
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shapes", nargs="*", help=f"of {', '.join(SHAPES)}; default: all")
    parser.add_argument("--sizes", help="numbers, with commas; default: three for each shape")
    parser.add_argument("--last", choices=STAGES, default=STAGES[-1], help="the last stage to run")
    parser.add_argument("--stages-of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stages_of is not None:
        print(json.dumps(stages(options.stages_of, options.last)))
        return
    for name in options.shapes or SHAPES:
        size = SHAPES[name].size
        sizes = [size, 2 * size, 4 * size]
        if options.sizes:
            sizes = [int(text) for text in options.sizes.split(",")]
        show(name, sizes, options.last)


if __name__ == "__main__":
    main()
