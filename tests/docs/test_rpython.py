"""``docs/rpython.md``: every name is where the document says, or absent."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rpython.md"
STATUSES = ("here", "differs", "absent")


def read_names(text: str) -> Iterator[tuple[str, str, str]]:
    """(module, name, status) of every name of the document."""
    module = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            module = line[3:].strip()
        elif line.startswith("|") and not line.startswith(("| names |", "|---")):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 3, f"line {number}: three columns are wanted"
            names, status, note = cells
            assert status in STATUSES, f"line {number}: status {status!r}"
            assert status != "differs" or note, f"line {number}: how does it differ?"
            for name in re.findall(r"`([\w.]+)`", names):
                yield module, name, status


NAMES = list(read_names(DOCUMENT.read_text()))


@pytest.mark.parametrize("module", dict.fromkeys(module for module, _, _ in NAMES))
def test_names_of_module(module: str) -> None:
    loaded = importlib.import_module(module)
    wrong = [
        f"{name} is said to be {status}"
        for where, name, status in NAMES
        if where == module and has(loaded, name) == (status == "absent")
    ]
    assert not wrong


def has(module: ModuleType, name: str) -> bool:
    """Is there that name, which may be an attribute of a class: ``cls.method``?"""
    place: object = module
    for part in name.split("."):
        if not hasattr(place, part):
            return False
        place = getattr(place, part)
    return True


def test_no_name_is_listed_twice() -> None:
    assert len({(module, name) for module, name, _ in NAMES}) == len(NAMES)
