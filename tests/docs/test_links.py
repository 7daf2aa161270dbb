"""Links between pages lead somewhere, and the glossary is in order."""

import re
from pathlib import Path

import pytest
from docexamples import DOCS

ROOT = DOCS.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Of its headings, as generators of sites and code hosts make them."""
    titles = re.findall(r"^#+ (.*)", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    wrong = []
    for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        name, _, anchor = target.partition("#")
        there = (page.parent / name) if name else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    assert not wrong


def test_glossary_is_in_order() -> None:
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    words = [word.lower() for word in re.findall(r"^\| (.+?) \|", page, re.MULTILINE)][1:]
    assert words == sorted(words)
    assert len(words) == len(set(words)) > 30
