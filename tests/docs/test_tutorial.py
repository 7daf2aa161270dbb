"""``docs/tutorial.md``, followed from its beginning to its end."""

import re
from pathlib import Path

import pytest
from docexamples import DOCS
from sessions import follow, wrong

PAGE = DOCS / "tutorial.md"
TIMES_FASTER = 10
"""What the page says at least."""


def test_tutorial(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder = tmp_path / "mini"
    folder.mkdir()
    rewrite = request.config.getoption("--rewrite")
    done = follow(PAGE, folder, rewrite)
    assert rewrite or not wrong(done)
    in_python, native = (seconds(one.printed) for one in done if one.command.startswith("time "))
    assert in_python > TIMES_FASTER * native
    assert f"more than {TIMES_FASTER} times" in " ".join(PAGE.read_text().split())


def seconds(printed: str) -> float:
    """The processor time that bash says."""
    found = re.search(r"^user\t(\d+)m([\d.]+)s$", printed, re.MULTILINE)
    assert found is not None, printed
    return 60 * int(found[1]) + float(found[2])
