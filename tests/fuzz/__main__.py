"""``python -m tests.fuzz SEED COUNT [--native]``: look for a program that differs.

Programs come from random choices; the first that differs is shrunk and printed.  ``--native``
compiles the programs too, fifty at a time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from .choices import Choices
from .program import ProgramMaker
from .runner import Difference, check_interpreted, check_native, load

BATCH = 50


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Sources of programs."""
    return ProgramMaker(Choices(draw)).source()


def random_source(number: int) -> str:
    """The program of a number, without hypothesis: many times as fast."""
    chance = random.Random(number)

    def draw(strategy: st.SearchStrategy[int]) -> int:
        return chance.randrange(strategy.wrapped_strategy.end + 1)  # type: ignore[attr-defined]

    return ProgramMaker(Choices(draw)).source()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--keep-going", action="store_true", help="only say where they differ")
    options = parser.parse_args()
    started = time.monotonic()
    batch = []
    failures = 0
    for number in range(options.seed, options.seed + options.count):
        try:
            program = load(random_source(number), f"program{number}")
            check_interpreted(program)
        except Difference as difference:
            failures += 1
            print(f"-- program {number}: {difference if options.keep_going else ''}", flush=True)
            if not options.keep_going:
                shrink(number)
                return 1
            continue
        if number % 100 == 99:
            print(f"{number + 1 - options.seed} programs", file=sys.stderr, flush=True)
        batch.append(program)
        if options.native and len(batch) == BATCH:
            try:
                check_native(batch)
            except Difference as difference:
                failures += 1
                print(f"-- around program {number}: {difference}", flush=True)
            batch.clear()
    seconds = time.monotonic() - started
    print(f"{options.count} programs, {failures} differ, {seconds:.0f} s")
    return failures != 0


def shrink(number: int) -> None:
    """Let hypothesis find a small program that fails; it starts from choices of its own."""

    @seed(number)
    @settings(
        max_examples=500, database=None, deadline=None, phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(programs())
    def fails(source: str) -> None:
        check_interpreted(load(source, "shrunk"))

    try:
        fails()
    except Difference as difference:
        print(difference)


if __name__ == "__main__":
    sys.exit(main())
