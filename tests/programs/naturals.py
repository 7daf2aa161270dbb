"""The programs of `natural`, written before anyone looked at what is supported: which work.

    python -m tests.programs.naturals [NAME...]    a line for each, and all errors of those refused
    python -m tests.programs.naturals --rewrite    write what happens into natural/TABLE.md
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from tests.programs.programs import ROOT, build_program, run
from tests.support.commandline import rpython_in

NATURAL = ROOT / "tests" / "programs" / "natural"
TABLE = NATURAL / "TABLE.md"
WORKS = "works"
ROW = re.compile(r"\| (\w+) \| (.*) \|")
HEAD = """\
# Ordinary programs

Forty of all kinds, those named `lib_`, which import modules of the standard library, and twenty
that were written later in two tens, each before anyone tried one of them: 7 of the first ten
worked at once (bankevents, elevsim, lisp did not), and 5 of the second (chatsim, configtool,
funcpipe, munge, vmasm did not). What `rpython build` makes of them:
`python -m tests.programs.naturals --rewrite` writes this page,
and `pytest -m long tests/programs/test_natural.py` holds it true. A program works when its native
build prints what CPython prints; else the first error stands here.

| program | outcome |
|---|---|
"""


def names() -> list[str]:
    return sorted(path.stem for path in NATURAL.glob("*.py"))


def table() -> dict[str, str]:
    """The outcome of each program, as the table has it."""
    return {row[1]: row[2] for row in ROW.finditer(TABLE.read_text()) if row[1] != "program"}


def errors(name: str) -> str:
    """Everything that `rpython check` says of the program: nothing where it refuses nothing."""
    done = rpython_in(NATURAL, "check", "--max-errors", "100", f"{name}.py")
    return done.stderr if done.returncode else ""


def outcome(name: str, directory: Path, said: str | None = None) -> str:
    """What the table has to say: `works`, the first error, or how the answers differ.

    Args:
        directory: where executables go.
        said: what ``errors`` gives, where that is known.
    """
    said = errors(name) if said is None else said
    if said:
        return said.splitlines()[0].replace(str(NATURAL) + "/", "").replace("|", "\\|")
    source = NATURAL / f"{name}.py"
    try:
        executable = build_program(source, directory)
    except AssertionError as error:
        return "not built: " + str(error).splitlines()[0].replace(str(NATURAL) + "/", "")
    native = run([executable])
    host = run([sys.executable, source], environment={**os.environ, "PYTHONHASHSEED": "0"})
    if (native.status, native.output) == (host.status, host.output):
        return WORKS
    return f"WRONG: exit status {native.status}, {difference(native.output, host.output)}"


def difference(native: bytes, host: bytes) -> str:
    """The first line that differs."""
    pairs = zip([*native.splitlines(), b""], [*host.splitlines(), b""])
    for number, (ours, theirs) in enumerate(pairs, 1):
        if ours != theirs:
            return f"line {number} is {ours!r}, not {theirs!r}"
    return "the same beginning"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=names())
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    rows = table() if TABLE.exists() else {}
    with tempfile.TemporaryDirectory() as directory:
        for name in options.names:
            said = errors(name)
            rows[name] = outcome(name, Path(directory), said)
            print(f"{name}: {rows[name]}", flush=True)
            if said and not options.rewrite:
                print(said)
    if options.rewrite:
        lines = [f"| {name} | {rows[name]} |\n" for name in names()]
        TABLE.write_text(HEAD + "".join(lines))
    print(f"{sum(rows[name] == WORKS for name in options.names)} of {len(options.names)} work")


if __name__ == "__main__":
    main()
