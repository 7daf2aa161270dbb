"""Random programs about classes give under ``interpret`` what they give under CPython."""

from __future__ import annotations

import pytest
from classprograms import ClassProgram

from rpython.translator.ir.errors import AnnotatorError
from tests.support.differential import agree

EXPECTED = (
    "has no attribute",  # one that no class has
    "has no setter",
)
"""What random programs are refused for."""


@pytest.mark.parametrize("seed", range(0, 30, 5))
def test_class_programs(seed: int) -> None:
    for number in range(seed, seed + 5):
        program = ClassProgram(number)
        if not program.is_valid():
            continue
        f = program.load()
        try:
            agree(f, *program.calls())
        except AnnotatorError as error:
            if not any(text in error.message for text in EXPECTED):
                raise AssertionError(program.source) from error
        except AssertionError as error:
            raise AssertionError(program.source) from error
