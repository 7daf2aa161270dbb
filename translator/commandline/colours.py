"""Colours of errors and warnings on a terminal."""

from __future__ import annotations

import os
import re
from typing import TextIO

_BOLD, _RED, _YELLOW, _GREEN, _CYAN, _PLAIN = (f"\x1b[{n}m" for n in (1, 31, 33, 32, 36, 0))

_HEAD = re.compile(r"^(\S+?:\d+(?::\d+)?: in [^:]*: |)([a-z][a-z ]*\[R\d{4}\]): (.*)$")
_CARETS = re.compile(r"^( +)(\^+)$")
_HINT = re.compile(r"^(  hint): (.*)$")


def for_stream(text: str, stream: TextIO) -> str:
    """The text of errors or warnings as it is written to the stream: in colours on a terminal,
    unless NO_COLOR is set."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return coloured(text)


def coloured(text: str) -> str:
    """The text with colours for places, titles, carets and hints."""
    return "\n".join(map(_coloured_line, text.split("\n")))


def _coloured_line(line: str) -> str:
    if head := _HEAD.match(line):
        place, title, message = head.groups()
        colour = _YELLOW if title.startswith("warning") else _RED
        return f"{_BOLD}{place}{colour}{title}{_PLAIN}: {_BOLD}{message}{_PLAIN}"
    if carets := _CARETS.match(line):
        return f"{carets[1]}{_GREEN}{carets[2]}{_PLAIN}"
    if hint := _HINT.match(line):
        return f"{_CYAN}{hint[1]}{_PLAIN}: {hint[2]}"
    return line
