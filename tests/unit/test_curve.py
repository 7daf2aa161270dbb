"""The cost of translation is linear: twice the program, about twice the work.

Work is counted in calls of Python functions, which do not depend on what else the machine does.
``python -m benchmarks.translate_curve`` measures the same in seconds, at larger sizes.
"""

from __future__ import annotations

import cProfile
from pathlib import Path

import pytest

from benchmarks.translate_curve import SHAPES, STAGES, stages

LEAST = 50_000
"""Calls; fewer say nothing about growth."""
MOST = 2.5
"""Times as much for twice the size.  Some costs begin at a size, such as those of C in several
files."""


def work(path: Path) -> dict[str, float]:
    """How many calls each stage of a translation takes."""
    profile = cProfile.Profile()

    def calls() -> int:
        profile.disable()
        total: int = sum(entry.callcount for entry in profile.getstats())
        profile.enable()
        return total

    try:
        return stages(path, clock=calls)
    finally:
        profile.disable()


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_like_the_program(shape: str, tmp_path: Path) -> None:
    size = SHAPES[shape].size // 2
    found = []
    for factor in (1, 2, 4):
        path = tmp_path / f"{shape}{len(found)}.py"
        path.write_text(SHAPES[shape].write(size * factor))
        found.append(work(path))
    _, before, after = found  # the first has learned the helpers
    for stage in STAGES:
        assert after[stage] < LEAST or after[stage] < MOST * before[stage], (stage, found)
