"""``view()`` and ``viewcg()`` of graphs and translations, as RPython's users know them, and what
notebooks show of them.

A picture or page goes to a file; where there is a screen, the browser shows it, and elsewhere the
path of the file is printed.
"""

from __future__ import annotations

import html
import os
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from rpython.translator.ir.model import FunctionGraph
from rpython.translator.view.forms import graph_as
from rpython.translator.view.model import Explored, explored_graphs
from rpython.translator.view.page import page

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""One of these is in the environment where a browser can be opened."""
_HEIGHT = 720
"""Of a page in a notebook."""


def view_graph(graph: FunctionGraph) -> Path:
    """Show one graph.  Returns the file that it is in."""
    return _open(graph_as(graph, "svg"), graph.name, ".svg")


def view_graphs(graphs: Sequence[FunctionGraph], title: str, mode: str = "list") -> Path:
    """Show several graphs of one stage; ``mode`` as for ``explored_graphs``."""
    return view(explored_graphs(graphs, title, mode))


def view(explored: Explored) -> Path:
    """Show what was explored."""
    return _open(page(explored), explored.index["target"], ".html")


def in_notebook(explored: Explored) -> str:
    """HTML with the page in a frame of its own."""
    text = html.escape(page(explored))
    return f'<iframe style="width:100%;height:{_HEIGHT}px;border:0" srcdoc="{text}"></iframe>'


def _open(text: str, name: str, suffix: str) -> Path:
    word = "".join(c if c.isalnum() else "_" for c in name)[:40]
    handle, found = tempfile.mkstemp(suffix, f"rpython-{word}-")
    path = Path(found)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    seen = any(os.environ.get(name) for name in _SCREENS) or sys.platform == "darwin"
    if not (seen and webbrowser.open(path.as_uri())):
        print(path)
    return path
