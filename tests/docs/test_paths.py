"""Files of the repository that the documentation names are there."""

import re
from pathlib import Path

import pytest
from docexamples import DOCS

ROOT = DOCS.parent
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), ROOT / "tests/cases/README.md"]
FOLDERS = (
    "annotator|rtyper|translator|lltypesystem|backend_c|rpython|tests|docs|examples|benchmarks"
)
PATH = re.compile(rf"(?<![\w./])(?:{FOLDERS})/[\w./*<>-]*\w[>*/]?")
OF_RPYTHON = {"rpython/bin/rpython"}
NEW = re.compile(r"`([\w/.]+)` \(new\b")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {path.rstrip("/") for path in PATH.findall(text)}
    new = set(NEW.findall(text))  # those that a walk of contributing.md makes
    missing = [path for path in sorted(named - new - OF_RPYTHON) if not any(ROOT.glob(path))]
    assert not [path for path in missing if "<" not in path]
