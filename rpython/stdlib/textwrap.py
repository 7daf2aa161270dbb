"""``textwrap.dedent``, whose source makes a regular expression of the margin."""

from __future__ import annotations

import textwrap

from rpython.stdlib._registry import replaces


@replaces(textwrap.dedent)
def dedent(text: str) -> str:
    lines = text.split("\n")
    lines = [line if line.strip(" \t") else "" for line in lines]
    margin = ""
    known = False
    for line in lines:
        if line:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            margin = _shared(margin, indent) if known else indent
            known = True
    return "\n".join([line[len(margin) :] for line in lines])


def _shared(a: str, b: str) -> str:
    """What both begin with."""
    i = 0
    while i < len(a) and i < len(b) and a[i] == b[i]:
        i += 1
    return a[:i]
