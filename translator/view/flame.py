"""The HTML page of ``rpython profile --html``: a flame graph, and the lines of the program.

Its data, in a form that ``page/flame.js`` reads::

    {"target": "prog.py", "summary": "2.10 s of CPU time, 526 samples", "weight": 2104000,
     "tree": {"name": "all", "kind": "", "total": 2104000, "lines": [["prog.py:30", 2104000]],
              "children": [...]},
     "files": [{"name": "prog.py", "own": 1900000, "lines": [[30, "    step()", 0, 2104000]]}]}

A line has its number, text, self and total; lines of which nothing is to be said, near one of which
something is, have their text alone.
"""

from __future__ import annotations

import html
import json
import linecache
from typing import Any

from rpython.translator.view.page import filled, part
from rpython.translator.view.profile import Node, Profile, shown_file

_AROUND = 3
"""Lines that are shown before and behind one that took something."""
_LINES_OF_NODE = 8
_LEAST = 1 / 5000
"""A smaller part of all is not drawn: it would be narrower than a point."""


def flame_page(profile: Profile, target: str) -> str:
    """The text of the page."""
    data = {
        "target": target,
        "summary": profile.summary(),
        "weight": profile.weight,
        "tree": _tree("all", "", profile.tree, profile.weight * _LEAST),
        "files": _files(profile),
    }
    texts = {
        "title": html.escape(f"{target} · rpython profile"),
        "style": part("flame.css"),
        "script": part("flame.js"),
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return filled("flame.html", texts)


def _tree(name: str, kind: str, node: Node, least: float) -> dict[str, Any]:
    children = sorted(node.children.items(), key=lambda item: -item[1].total)
    return {
        "name": name,
        "kind": kind,
        "total": node.total,
        "lines": [
            [f"{shown_file(file)}:{line}", weight]
            for (file, line, _), weight in node.lines.most_common(_LINES_OF_NODE) if file
        ],
        "children": [
            _tree(*function, child, least) for function, child in children if child.total >= least
        ],
    }  # fmt: skip


def _files(profile: Profile) -> list[dict[str, Any]]:
    """The files of the program, the one that took most first."""
    by_file: dict[str, dict[int, tuple[int, int]]] = {}
    for (file, line, _), totals in profile.lines.items():
        if file:
            lines = by_file.setdefault(file, {})
            own, total = lines.get(line, (0, 0))
            lines[line] = own + totals.own, total + totals.total
    files = [
        {
            "name": shown_file(file),
            "own": sum(own for own, _ in lines.values()),
            "lines": _lines(file, lines),
        }
        for file, lines in by_file.items()
    ]
    return sorted(files, key=lambda each: -each["own"])


def _lines(file: str, lines: dict[int, tuple[int, int]]) -> list[list[Any]]:
    near = {at for line in lines for at in range(line - _AROUND, line + _AROUND + 1)}
    text = linecache.getlines(file)
    return [
        [at, text[at - 1].rstrip("\n"), *lines.get(at, (0, 0))]
        for at in sorted(near)
        if 1 <= at <= len(text)
    ]
