"""``python -m tests.fuzz SEED COUNT [--native | --passes] [--reduce]``: look for a program that
differs.

Prints the programs that differ.  ``--native`` compiles them too.  ``--passes`` runs them, in the
interpreter, with all passes of the optimiser, with none, and with each one left out.  ``--reduce``
leaves out of each all lines without which it still differs in the same way.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from typing import NoReturn

from .choices import Choices
from .generator import NotApplicable
from .passes import check_passes
from .program import ProgramMaker
from .reduce import reduced
from .runner import Difference, Program, check_batch, load

BATCH = 25

COLLECTED_EVERY = 200
"""After how many programs graphs are freed: it takes as long as typing them, and 25 programs
leave some 250 MB."""


def random_source(number: int) -> str:
    """The program of a number."""
    choices = Choices(number)
    while True:
        try:
            return ProgramMaker(choices).source()
        except NotApplicable:  # it was becoming too long; another one
            pass


def main() -> NoReturn:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--native", action="store_true")
    how.add_argument("--passes", action="store_true", help="all, none, each one left out")
    parser.add_argument("--reduce", action="store_true", help="make those that differ smaller")
    options = parser.parse_args()
    gc.disable()
    started = time.monotonic()
    failures = 0
    for first in range(options.seed, options.seed + options.count, BATCH):
        numbers = range(first, min(first + BATCH, options.seed + options.count))
        batch = [load(random_source(number), f"program{number}") for number in numbers]
        for difference in _differences(batch, options):
            failures += 1
            print(f"-- {difference}", flush=True)
            if options.reduce:
                print(f"-- reduced:\n{_smaller(difference, options)}", flush=True)
        done = numbers[-1] + 1 - options.seed
        if done % COLLECTED_EVERY == 0:
            del batch
            gc.collect()
        print(f"{done} programs, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{options.count} programs, {failures} differ", flush=True)
    os._exit(failures != 0)  # at once: leaving the ordinary way frees graphs one by one


def _differences(batch: list[Program], options: argparse.Namespace) -> list[Difference]:
    return check_passes(batch) if options.passes else check_batch(batch, options.native)


def _smaller(difference: Difference, options: argparse.Namespace) -> str:
    def differs(source: str) -> bool:
        try:
            program = load(source, "reduced")
        except Exception:  # it cannot be imported, or has no ``run``
            return False
        if any(text is None for said in program.expected for text in said):
            return False
        return any(each.way == difference.way for each in _differences([program], options))

    return reduced(difference.program.source, differs)


if __name__ == "__main__":
    main()
