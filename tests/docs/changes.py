"""Changes of files that a page tells its reader to make.

A block of code belongs to the file that the end of the paragraph in front of it names::

    `path` (new):                   the block is the file
    `path`, at the end:             it is appended
    `path`, after `line`            it goes behind, before or in the place of the one line that is
    `path`, in front of `line`      this, blanks aside
    `path`, instead of `line`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(
    r"`([\w/.]+)`"
    r"(?: \(new\b.*\):|, at the end:|, (after|in front of|instead of) (`+) ?(.+?) ?\3:?)$"
)


@dataclass(frozen=True, slots=True)
class Change:
    """``how``: "(new)", "at the end", or where it is from the line ``anchor``."""

    path: str
    how: str
    anchor: str
    text: str

    def make(self, tree: Path) -> None:
        path = tree / self.path
        if self.how == "new":
            assert not path.exists(), f"{self.path} is not new"
            path.write_text(self.text)
            return
        lines = path.read_text().splitlines(keepends=True)
        if self.how == "at the end":
            lines.append(self.text)
        else:
            found = [i for i, line in enumerate(lines) if " ".join(line.split()) == self.anchor]
            assert len(found) == 1, f"{self.path} has {len(found)} lines {self.anchor!r}"
            start = found[0] + (self.how == "after")
            lines[start : found[0] + (self.how != "in front of")] = [self.text]
        path.write_text("".join(lines))


@dataclass(frozen=True, slots=True)
class Block:
    """``paragraph``: what stands in front of it.  ``start``: where in the page ``text`` begins."""

    paragraph: str
    language: str
    start: int
    text: str

    @property
    def change(self) -> Change | None:
        """What the paragraph says to do with it; None: nothing."""
        place = _PLACE.search(" ".join(self.paragraph.split()))
        if place is None:
            return None
        path, how, _, anchor = place.groups()
        how = how or ("at the end" if place[0].endswith("at the end:") else "new")
        return Change(path, how, anchor or "", self.text)


def blocks(page: str) -> Iterator[Block]:
    """Those of a page, in order."""
    end = 0
    for found in _BLOCK.finditer(page):
        paragraph = page[end : found.start()].strip().rpartition("\n\n")[2]
        yield Block(paragraph, found[1], found.start(2), found[2])
        end = found.end()
    assert "\n```" not in page[end:]


def changes_of(page: str) -> list[Change]:
    """All changes of a page, each block of which is one."""
    result = []
    for block in blocks(page):
        change = block.change
        assert change is not None, f"where does this go?\n{block.paragraph}"
        result.append(change)
    return result
