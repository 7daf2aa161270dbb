"""Random programs about classes give under ``interpret`` what they give under CPython."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from classprograms import ClassProgram

from translator.ir.errors import AnnotatorError

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from differential import agree


@pytest.mark.parametrize("seed", range(0, 30, 5))
def test_class_programs(seed: int) -> None:
    for number in range(seed, seed + 5):
        program = ClassProgram(number)
        f = program.load()
        try:
            agree(f, *program.calls())
        except AnnotatorError as error:
            if "has no attribute" not in error.message:
                raise AssertionError(program.source) from error
            # an attribute or method that no class has
        except AssertionError as error:
            raise AssertionError(program.source) from error
