"""The codes of errors and warnings: one for each kind of mistake, found by its message.

``translator/codes/*.md`` has an entry for each, which ``rpython explain`` prints and
``docs/codes.md`` is made of::

    ## R0301: the wrong number of arguments

    - `{name}() missing {n} required positional argument{s}: {names}`

    What it means, and why it is so.

    Wrong:

        def entry_point(argv): ...

    Right:

        def entry_point(argv): ...

The list has the patterns of the messages; what is in braces stands for any text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from rpython.translator.ir.records import dataclass

FOLDER = Path(__file__).parents[1] / "codes"

_HEADING = re.compile(r"^## (R\d{4}): (.+)\n", re.MULTILINE)
_PATTERNS = re.compile(r"\n*((?:- `.+`\n)+)")
_EXAMPLE = re.compile(r"^(Wrong|Right)(?:, with `([^`]+)`)?:\n\n((?:    .*\n|\n)+)", re.MULTILINE)
_HOLE = re.compile(r"\{\w*\}")


@dataclass(frozen=True)
class Example:
    """A program of an entry; ``option`` is what the command line needs for it."""

    source: str
    option: str


@dataclass(frozen=True)
class Entry:
    """What there is to say about a code.  ``patterns``: the messages that have it; ``text``: all
    below them, with the examples."""

    code: str
    title: str
    patterns: tuple[str, ...]
    text: str
    wrong: Example | None
    right: Example | None

    def explain(self) -> str:
        """What ``rpython explain`` prints."""
        return f"{self.code}: {self.title}\n\n{self.text}"


@functools.cache
def entries() -> dict[str, Entry]:
    """All entries by code, in the order of the codes."""
    found = [entry for path in FOLDER.glob("*.md") for entry in _read(path.read_text("utf-8"))]
    return {entry.code: entry for entry in sorted(found, key=lambda entry: entry.code)}


def _read(page: str) -> Iterator[Entry]:
    _, *parts = _HEADING.split(page)
    for code, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        listed = _PATTERNS.match(body)
        patterns = () if listed is None else tuple(re.findall(r"- `(.+)`\n", listed[1]))
        text = (body if listed is None else body[listed.end() :]).strip() + "\n"
        examples = {
            kind: Example(re.sub(r"^    ", "", source, flags=re.MULTILINE).strip() + "\n", option)
            for kind, option, source in _EXAMPLE.findall(text)
        }
        yield Entry(code, title, patterns, text, examples.get("Wrong"), examples.get("Right"))


def code_of(message: str, otherwise: str) -> str:
    """The code of a message: that of the longest pattern, without what is in braces, that it
    fits.  Of several messages, one for each kind of a value, the first counts.  ``otherwise`` if
    there is none."""
    for text in (message, message.partition("; ")[0]):
        for pattern, code in _patterns():
            if pattern.fullmatch(text):
                return code
    return otherwise


@functools.cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    listed = [(pattern, entry.code) for entry in entries().values() for pattern in entry.patterns]
    listed.sort(key=lambda row: len(_HOLE.sub("", row[0])), reverse=True)
    return [
        (re.compile(".*".join(map(re.escape, _HOLE.split(pattern))), re.DOTALL), code)
        for pattern, code in listed
    ]  # fmt: skip
