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
MOST = 2.6
"""Times as much for twice the size: what a quadratic third adds would be 2.67."""


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
    for factor in (1, 1, 2, 4):  # the first learns the helpers
        path = tmp_path / f"{shape}{len(found)}.py"
        path.write_text(SHAPES[shape].write(size * factor))
        found.append(work(path))
    _, small, middle, large = found
    for stage in STAGES:
        before, after = middle[stage] - small[stage], large[stage] - middle[stage]
        assert after < LEAST or after < MOST * before, (stage, found)
