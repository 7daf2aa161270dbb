"""CPython's own tests, as programs: ``shares.txt`` is true, and those of the language and of the
built-in types have no other answers than ``known_failures.txt`` says."""

from __future__ import annotations

from pathlib import Path

import pytest
from adapt import as_line, failures, outcome, programs, shares

SHARES = Path(__file__).with_name("shares.txt").read_text(encoding="utf-8").splitlines()
KNOWN = Path(__file__).with_name("known_failures.txt").read_text(encoding="utf-8").splitlines()
OF_LANGUAGE = (
    "augassign binop bool builtin bytes compare complex dataclasses descr dict dictviews enum "
    "enumerate exceptions float format fstring generators grammar int isinstance iter "
    "keywordonlyarg list math named_expressions opcodes patma pow raise range richcmp scope set "
    "super userlist with bisect collections copy fractions functools heapq itertools operator "
    "random statistics"
).split()


def known_failures() -> dict[str, set[str]]:
    """The tests that do not pass, by the name of their module."""
    found: dict[str, set[str]] = {}
    for line in KNOWN:
        if line and not line.startswith("#"):
            module, test = line.partition(": ")[0].split()
            found.setdefault(module, set()).add(test)
    return found


def test_known_failures_are_of_modules_that_are_tried() -> None:
    assert set(known_failures()) <= set(OF_LANGUAGE)


@pytest.mark.long
@pytest.mark.parametrize("module", OF_LANGUAGE)
def test_no_other_answers(module: str) -> None:
    assert set(failures(module)) == known_failures().get(module, set())


def test_a_method_becomes_a_program() -> None:
    found = dict(programs("bisect"))
    negative_lo = found["TestBisectC.test_negative_lo"]
    assert negative_lo is not None and outcome(negative_lo) == "passed"
    assert found["TestBisectC.test_random"] is None, "it has a parameter"


@pytest.mark.long
@pytest.mark.parametrize("line", SHARES)
def test_shares(line: str) -> None:
    name = line.partition(":")[0]
    assert as_line(name, shares(name)) == line
