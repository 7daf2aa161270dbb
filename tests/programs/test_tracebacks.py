"""Uncaught exceptions are reported, and the process ends, as under CPython."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from backend_c.build import build_executable
from tests.programs.failing import WAYS
from translator.executable import executable_translation
from translator.target import entry_point_of, load_module

SOURCE = Path(__file__).with_name("failing.py")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    executable = tmp_path_factory.mktemp("failing") / "failing"
    translation = executable_translation(entry_point_of(load_module(SOURCE)))
    build_executable(translation.optimise(), executable)
    return executable


def outcome(command: list[str | Path]) -> tuple[int, str, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def without_module(text: str) -> str:
    """A report of CPython without the marks under its lines, and without the module's frame and
    those of comprehensions, which native programs do not have."""
    lines = [line for line in text.splitlines() if set(line.strip()) - set("~^") or not line]
    text = "\n".join(lines) + "\n" if lines else ""
    return re.sub(r'  File "[^"]*", line \d+, in <(module|listcomp)>\n    .*\n', "", text)


@pytest.mark.parametrize("name", WAYS)
def test_report(program: Path, name: str) -> None:
    status, output, errors = outcome([sys.executable, SOURCE, name])
    assert outcome([program, name]) == (status, output, without_module(errors))
