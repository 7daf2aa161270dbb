"""``commands.py``: exit statuses, and what goes to either stream, as under CPython."""

import sys
from pathlib import Path

import pytest
from programs import ROOT, build_program, run

PROGRAM = ROOT / "tests" / "programs" / "commands.py"
VALID = ["remove 1 2", "-v rm 3", "remove --all", "remove 1 2 --keep 2", "rm"]
HELP = ["-h", "add -h", "remove --help", "--version", "--version add"]
INVALID = [
    "", "-x", "other", "add", "add x -p 4", "add x -p high", "rm x", "rm --all --keep 3",
    "rm --keep", "rm 1 --unknown", "-v rm 1 -v", "--ver=3 rm", "rm --al=x", "remove 1 --keep 2 7",
]  # fmt: skip


@pytest.mark.parametrize("line", VALID + HELP + INVALID)
def test_command_line(line: str, shared_directory: Path) -> None:
    native = run([build_program(PROGRAM, shared_directory), *line.split()])
    assert native == run([sys.executable, PROGRAM, *line.split()])
    assert bool(native.errors) == (line in INVALID)


def test_attribute_of_another_command(shared_directory: Path) -> None:
    words = ["add", "buy", "milk", "-p", "3", "-t", "home"]
    native = run([build_program(PROGRAM, shared_directory), *words])
    host = run([sys.executable, PROGRAM, *words])
    assert (native.status, native.output) == (host.status, host.output)
    assert native.output == b"add ['buy', 'milk'] 3 ['home']\n"
    last = "AttributeError: 'Namespace' object has no attribute 'ids'"
    assert native.errors.splitlines()[-1] == last == host.errors.splitlines()[-1]
