"""Programs of others, driven by those of `real`: which of them translate as they are.

    python -m tests.programs.reals [NAME...]              a line for each, and their errors
    python -m tests.programs.reals --rewrite [NAME...]    write what happens into real/TABLE.md

A driver is our own text, and calls what people call.  Its first line names the distributions that
it needs (``tomli==2.5.0``; ``pyperformance==1.11.0/nbody`` is a benchmark of that), or modules of
the standard library, and options (``--int=big``).  pip installs the distributions into the folder
RPYTHON_REAL, or else beside the system's temporary files; nothing of them is in the repository.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.programs.naturals import difference
from tests.programs.programs import ROOT, run

REAL = ROOT / "tests" / "programs" / "real"
TABLE = REAL / "TABLE.md"
PLACE = Path(os.environ.get("RPYTHON_REAL", Path(tempfile.gettempdir()) / "rpython-real"))
FROM_SOURCE = "chess,jellyfish,munkres,tomli,wcwidth"
"""Distributions whose wheels have C in place of the Python that their source has."""
BENCHMARK = "pyperformance/data-files/benchmarks/bm_{}"
COMMAND = [sys.executable, "-m", "rpython"]
WORKS = "unmodified"
ROW = re.compile(r"\| (\w+) \| (.*?) \| (.*) \|")
ERROR = re.compile(r"\[R(?!11)\d{4}\]: ")
"""The code in a line that says what is wrong; those with 11 are of warnings."""
HEAD = """\
# Programs of others

What `rpython build` makes of programs and libraries that nobody here wrote, and of modules of the
standard library: `python -m tests.programs.reals --rewrite` downloads them and writes this page.
Nothing in them is edited. What calls them is beside this page, a few lines each. *unmodified*: the
native build prints what CPython prints; else the first error stands here.

"""


def names() -> list[str]:
    return sorted(path.stem for path in REAL.glob("*.py"))


def subject(name: str) -> tuple[str, list[str]]:
    """What a driver is about, and the words in front."""
    text = ast.get_docstring(ast.parse((REAL / f"{name}.py").read_text())) or ""
    needs, _, _ = text.partition(": ")
    return needs, needs.split()


def installed(distribution: str) -> Path:
    """The folder with its Python source; pip installs it if it is missing."""
    name, _, benchmark = distribution.partition("/")
    folder = PLACE / name
    if not folder.exists():
        command = ["pip", "install", "-q", "--no-deps", "--no-compile", "--target", str(folder)]
        command += ["--no-binary", FROM_SOURCE, name]
        subprocess.run([sys.executable, "-m", *command], check=True)
    return folder / BENCHMARK.format(benchmark) if benchmark else folder


def rpython(*words: str | Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(
        command, cwd=REAL, env=environment, capture_output=True, text=True, check=False
    )


def outcome(name: str, directory: Path) -> tuple[str, str]:
    """What the table has to say, and all that the command said."""
    words = subject(name)[1]
    folders = [str(installed(word)) for word in words if "==" in word]
    options = [word for word in words if word.startswith("--")]
    paths = os.pathsep.join([str(ROOT), *folders])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    source, executable = REAL / f"{name}.py", directory / name
    host = run([sys.executable, source], environment=environment)
    assert host.status == 0, host.errors
    built = rpython("build", "-O1", *options, source, "-o", executable, environment=environment)
    if built.returncode:
        return first_error(built.stderr), built.stderr
    native = run([executable])
    if (native.status, native.output) == (host.status, host.output):
        return WORKS, ""
    found = difference(native.output, host.output)
    return f"WRONG: exit status {native.status}, {found}", native.errors


def first_error(said: str) -> str:
    """The line that says it, without the folders of this machine."""
    lines = [line for line in said.splitlines() if ERROR.search(line)]
    line = re.sub(r"\S*/(?=[^/\s]+/[^/\s]+\.py:)", "", lines[0] if lines else said[-200:])
    return line.replace("|", "\\|")[:300]


def table() -> dict[str, str]:
    """The outcome of each program, as the table has it."""
    return {row[1]: row[3] for row in ROW.finditer(TABLE.read_text()) if row[1] != "program"}


def write(rows: dict[str, str]) -> None:
    works = sum(rows[name] == WORKS for name in names())
    lines = [HEAD, f"**{works} of {len(names())}** work unmodified.\n\n"]
    lines.append("| program | of | outcome |\n|---|---|---|\n")
    lines.extend(f"| {name} | {subject(name)[0]} | {rows[name]} |\n" for name in names())
    TABLE.write_text("".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=names())
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    rows = table() if TABLE.exists() else {}
    with tempfile.TemporaryDirectory() as directory:
        for name in options.names:
            rows[name], said = outcome(name, Path(directory))
            print(f"{name}: {rows[name]}", flush=True)
            if said and not options.rewrite:
                print(said)
    if options.rewrite:
        write(rows)


if __name__ == "__main__":
    main()
