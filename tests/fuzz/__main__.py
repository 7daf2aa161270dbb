"""``python -m tests.fuzz SEED COUNT [--native]``: look for a program that differs.

Prints the programs that differ.  ``--native`` compiles them too.  ``--shrink`` stops at the
first batch with one and lets hypothesis look for a small program.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from .choices import Choices
from .generator import NotApplicable
from .program import ProgramMaker
from .runner import Difference, check_batch, check_interpreted, load

BATCH = 25


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Sources of programs."""
    try:
        return ProgramMaker(Choices(draw)).source()
    except NotApplicable:
        reject()


def random_source(number: int) -> str:
    """The program of a number, without hypothesis: many times as fast."""
    chance = random.Random(number)

    def draw(strategy: st.SearchStrategy[int]) -> int:
        return chance.randrange(strategy.wrapped_strategy.end + 1)  # type: ignore[attr-defined]

    while True:
        try:
            return ProgramMaker(Choices(draw)).source()
        except NotApplicable:  # it was becoming too long; another one
            pass


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--shrink", action="store_true", help="stop there, look for a small one")
    options = parser.parse_args()
    gc.disable()  # graphs stay until their batch ends
    started = time.monotonic()
    failures = 0
    for first in range(options.seed, options.seed + options.count, BATCH):
        numbers = range(first, min(first + BATCH, options.seed + options.count))
        batch = [load(random_source(number), f"program{number}") for number in numbers]
        for difference in check_batch(batch, options.native):
            failures += 1
            print(f"-- {difference}", flush=True)
        del batch
        gc.collect()
        done = numbers[-1] + 1 - options.seed
        print(f"{done} programs, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        if failures and options.shrink:
            shrink(first)
            break
    print(f"{options.count} programs, {failures} differ")
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
