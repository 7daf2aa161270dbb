"""The site of the documentation: every page is in it, and it is made without warnings."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docexamples import DOCS

ROOT = DOCS.parent


def test_every_page_is_in_the_site() -> None:
    named = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == {"index.md", "changelog.md", *(page.name for page in DOCS.glob("*.md"))}


def build(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tree, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="mkdocs is not installed")
def test_site(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    for name in ("mkdocs.yml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    site = tmp_path / "build" / "site"
    assert "tutorial.html" in (site / "index.html").read_text()
    assert (site / "changelog.html").is_file()
    page = tmp_path / "docs" / "faq.md"
    page.write_text(page.read_text() + "\n[nowhere](memory.md#nowhere)\n")
    assert build(tmp_path).returncode != 0  # an anchor that is not there
