"""What the site has besides the pages in this folder, for mkdocs: README.md is its first page, and
CHANGELOG.md is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}
"""A file of the repository -> what it is called in the site."""

_LINK = re.compile(r"\]\(([\w./#-]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages."""
    for name, page in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_with_links(text)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to files above this folder lead to their pages."""
    return _with_links(markdown)


def _with_links(text: str) -> str:
    def target(link: re.Match[str]) -> str:
        path = link[1].removeprefix("../").removeprefix("docs/")
        return f"]({PAGES.get(path, path)})"

    return _LINK.sub(target, text)
