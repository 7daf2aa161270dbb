"""CPython's own tests, as programs: none has another answer, and ``shares.txt`` is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from adapt import as_line, outcome, programs, shares

SHARES = Path(__file__).with_name("shares.txt").read_text(encoding="utf-8").splitlines()


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
