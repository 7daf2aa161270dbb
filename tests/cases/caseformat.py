"""Reading and rewriting ``.case`` files; README.md describes the format."""

import fcntl
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

_NAME = re.compile(r"== +(.*\S)")
_SECTION = re.compile(r"(\w+):(?: +(.*\S))?\s*")
INDENT = "    "


class CaseError(Exception):
    """A case file is not well-formed."""


@dataclass
class Section:
    """``word: argument`` and the dedented lines below it; ``line`` counts from 1."""

    word: str
    argument: str
    body: str
    line: int


@dataclass
class Case:
    """One case of a file."""

    path: Path
    name: str
    line: int
    sections: list[Section] = field(default_factory=list)

    def all(self, word: str) -> list[Section]:
        return [section for section in self.sections if section.word == word]

    def get(self, word: str) -> Section | None:
        """The only section of that name, or None."""
        found = self.all(word)
        if len(found) > 1:
            raise CaseError(f"{self.path.name}:{found[1].line}: second {word!r} section")
        return found[0] if found else None

    def need(self, word: str) -> Section:
        section = self.get(word)
        if section is None:
            raise CaseError(f"{self.path.name}:{self.line}: {self.name!r} has no {word!r} section")
        return section


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in order.  Raises CaseError."""
    cases: list[Case] = []
    body: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        name = _NAME.fullmatch(line)
        section = _SECTION.fullmatch(line)
        if name:
            body = []
            if any(case.name == name[1] for case in cases):
                raise CaseError(f"{path.name}:{number}: a second case is called {name[1]!r}")
            cases.append(Case(path, name[1], number))
        elif section and cases:
            body = []
            new = Section(section[1], section[2] or "", "", number)
            cases[-1].sections.append(new)
        elif not line.strip() or line.startswith((" ", "\t")):
            if cases and cases[-1].sections:
                body.append(line)
                cases[-1].sections[-1].body = textwrap.dedent("\n".join(body)).rstrip()
        elif not line.startswith("#"):
            raise CaseError(f"{path.name}:{number}: neither a case, a section nor indented")
    return cases


def rewrite_section(case: Case, word: str, body: str, argument: str | None = None) -> None:
    """Put ``body`` below the ``word`` section of the case (the one with that ``argument``,
    if given), adding the section if missing.

    The file is read again, so several cases may be rewritten one after the other.
    """
    with case.path.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        lines = file.read().splitlines()
        start = next(i for i, line in enumerate(lines) if _is_name(line, case.name))
        end = start + 1
        while end < len(lines) and not _NAME.fullmatch(lines[end]):
            end += 1
        while lines[end - 1].startswith("#"):  # a comment about the next case
            end -= 1
        block = _replace(lines[start:end], word, argument, body)
        rest = lines[end:]
        text = "\n".join([*lines[:start], *block, *([""] if rest else []), *rest])
        file.seek(0)
        file.truncate()
        file.write(text.rstrip("\n") + "\n")


def _is_name(line: str, name: str) -> bool:
    match = _NAME.fullmatch(line)
    return match is not None and match[1] == name


def _replace(block: list[str], word: str, argument: str | None, body: str) -> list[str]:
    """The lines of a case with one section's body replaced."""
    result: list[str] = []
    skipping = found = False
    new = [(INDENT + line).rstrip() for line in body.splitlines()]
    for line in block:
        section = _SECTION.fullmatch(line)
        if section or line.startswith("#"):
            skipping = (
                section is not None
                and section[1] == word
                and argument in (None, section[2] or "")
            )
            result.append(line)
            if skipping:
                found = True
                result.extend(new)
        elif not skipping:
            result.append(line)
    while result and not result[-1].strip():
        result.pop()
    if not found:
        result.extend([f"{word}:", *new])
    return result
