"""The HTML page of ``rpython explore``: one file with all that it needs.

Each piece of data is a line of its own, compressed, so that a browser reads what somebody looks at:
the index, the functions, the texts of the files (``page/data.js`` reads them).
"""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rpython.translator.view.model import Explored

_PARTS = Path(__file__).parent / "page"
_SCRIPTS = ("data.js", "text.js", "graph.js", "calls.js", "app.js")


def page(explored: Explored) -> str:
    """The text of the page."""
    pieces = [explored.index, *explored.functions, *explored.sources]
    texts = {
        "title": html.escape(f"{explored.index['target']} · rpython explore"),
        "style": part("page.css"),
        "script": "\n".join(map(part, _SCRIPTS)),
        "data": "\n".join(map(packed, pieces)),
    }
    return filled("page.html", texts)


def filled(body: str, texts: Mapping[str, str]) -> str:
    """The text of a page: the file ``body`` inside of what all pages have, with ``texts`` where
    their names stand."""
    result = part("shell.html").replace("{{body}}", part(body))
    for name, text in texts.items():
        result = result.replace("{{" + name + "}}", text)
    return result


def packed(piece: Any) -> str:
    """A piece of data as letters that HTML has no meaning for."""
    text = json.dumps(piece, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpacked(line: str) -> Any:
    """What was packed."""
    return json.loads(zlib.decompress(base64.b64decode(line)))


def part(name: str) -> str:
    """The text of a file of the folder ``page``."""
    return (_PARTS / name).read_text(encoding="utf-8").rstrip("\n")
