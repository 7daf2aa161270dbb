"""``docs/language.md`` as data: sections, what they define first, and rows of examples.

A row is ``| construct | status | `example` | note |``.  An example is Python, statements
separated by `` ; ``; the last one is an expression, whose repr is the result.  The names
of ``PRELUDE`` hold values that are known at run time only; a fenced ``python`` block
earlier in the section defines more.
"""

from __future__ import annotations

import linecache
import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import rpython
from rpython.translator.api import Interpretation
from rpython.translator.ir.errors import TranslationError
from rpython.translator.options import Options

LANGUAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
STATUSES = ("supported", "refused", "limit", "opt-out")

PRELUDE = {
    "n": "n = k",
    "m": "m = 4 - k",
    "x": "x = k / 2 - 1.0",
    "b": "b = k > 3",
    "s": 's = "Hello, w\\xf6rld"[: k + 5]',
    "data": 'data = b"\\x00abc\\xff"[:k]',
    "xs": "xs = [3, 1, 2][:k]",
    "words": 'words = ["pear", "fig", "apple"][:k]',
    "d": 'd = {"a": k, "b": 2}',
    "t": 't = (k, "one")',
    "st": "st = {1, 2, k}",
    "opt": "opt = None if k > 9 else k",
    "none": "none = s[k:] if k > 9 else None",
}
_NEEDS = {"none": ["s"]}
ARGUMENT = 7


@dataclass(frozen=True)
class Row:
    """One construct; ``line`` is that of the document."""

    line: int
    construct: str
    status: str
    example: str
    note: str

    def function(self, name: str) -> str:
        """The example as the source of a function of the int ``k`` that returns a str."""
        *statements, last = self.example.split(" ; ")
        body = [PRELUDE[word] for word in self._names()]
        body += [line for statement in statements for line in statement.split("\\n")]
        body.append(f"return repr({last})")
        return f"def {name}(k: int) -> str:\n" + "".join(f"    {line}\n" for line in body)

    def _names(self) -> list[str]:
        used = set(re.findall(r"\b[a-z]+\b", self.example))
        for name in list(used):
            used.update(_NEEDS.get(name, ()))
        return [name for name in PRELUDE if name in used]


@dataclass
class Section:
    title: str
    line: int
    source: str = ""
    page: Path = LANGUAGE
    rows: list[Row] = field(default_factory=list)

    def module(self, rows: list[Row]) -> types.ModuleType:
        """The section's definitions, a function ``example<i>`` for each of ``rows``, and
        ``entry(i, k)``, which calls one of them."""
        parts = [self.source]
        parts += [row.function(f"example{i}") for i, row in enumerate(rows)]
        entry = "def entry(i: int, k: int) -> str:\n"
        for i in range(len(rows)):
            entry += f"    if i == {i}:\n        return example{i}(k)\n"
        parts.append(entry + '    return ""\n')
        return _module("\n\n".join(parts), f"{self.page}:{self.line}:{len(rows)}:{rows[0].line}")


def translate(section: Section, rows: list[Row]) -> dict[str, Callable[..., str]]:
    """CPython's, the interpreted and the native form of the section's examples."""
    entry = section.module(rows).entry
    native = rpython.compile(entry, [int, int], Options(optimise="-O0"))  # C's half the time
    interpretation = Interpretation(native.translation)
    return {
        "CPython": entry,
        "interpret": lambda *args: interpretation.run(args),
        "native": native,
    }


def outcome(function: Callable[..., str], i: int) -> str:
    """What ``function`` says of example ``i``."""
    try:
        return function(i, ARGUMENT)
    except TranslationError:
        raise
    except Exception as error:
        return f"raise {type(error).__name__}: {error}"


def _module(text: str, filename: str) -> types.ModuleType:
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = types.ModuleType(f"language_{len(linecache.cache)}")
    sys.modules[module.__name__] = module  # dataclasses look there
    module.__file__ = filename
    exec(compile(text, filename, "exec"), module.__dict__)
    return module


def read_sections(text: str) -> list[Section]:
    """The sections that have rows.  Raises ValueError for rows it cannot read."""
    sections: list[Section] = []
    fence: list[str] | None = None
    of_constructs: bool | None = None  # None: between tables
    for number, line in enumerate(text.splitlines(), 1):
        if fence is not None:
            if line == "```":
                sections[-1].source += "\n".join(fence) + "\n\n"
                fence = None
            else:
                fence.append(line)
        elif line == "```python":
            fence = []
        elif line.startswith("## "):
            sections.append(Section(line[3:], number))
        elif not line.startswith("|"):
            of_constructs = None
        elif of_constructs is None:
            of_constructs = line.startswith("| construct")
        elif of_constructs and not line.startswith("|---"):
            sections[-1].rows.append(_read_row(line, number))
    return [section for section in sections if section.rows]


def _read_row(line: str, number: int) -> Row:
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    if len(cells) != 4 or cells[1] not in STATUSES:
        raise ValueError(f"language.md:{number}: not `| construct | status | example | note |`")
    construct, status, example, note = (cell.replace("\\|", "|") for cell in cells)
    if not re.fullmatch(r"`[^`].*`", example):
        raise ValueError(f"language.md:{number}: the example is not `code`")
    return Row(number, construct, status, example.strip("`").strip(), note)
