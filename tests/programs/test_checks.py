"""Promise P1 natively: every check fires, with CPython's exception and text, and can be caught."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpython.backend_c.build import build_executable
from rpython.translator.executable import executable_translation
from rpython.translator.target import entry_point_of, load_module
from tests.programs.checks import CHECKS, OVERFLOWS

SOURCE = Path(__file__).with_name("checks.py")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    executable = tmp_path_factory.mktemp("checks") / "checks"
    translation = executable_translation(entry_point_of(load_module(SOURCE)))
    build_executable(translation.optimise(), executable)
    return executable


def outcome(command: list[str | Path]) -> tuple[int, str, str]:
    """Exit status, what was caught, what was not."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", CHECKS)
def test_check_fires_and_is_caught(program: Path, name: str) -> None:
    found = outcome([program, name])
    assert found == outcome([sys.executable, SOURCE, name])
    assert found[0] == 1


@pytest.mark.parametrize("name", OVERFLOWS)
def test_overflow_fires_and_is_caught(program: Path, name: str) -> None:
    status, output, errors = outcome([program, name])
    assert (status, output[:14], errors[:14]) == (1, "OverflowError ", "OverflowError:")
