"""``rpython port FILE...``: Python 2's RPython made into Python 3's.

Each file goes through two steps: `syntax` writes it in Python 3's syntax, `meaning` changes what
Python 3 would read differently; the second knows the kinds of numbers in all files together.
What no rule can decide is listed with its line.
"""

from __future__ import annotations

import ast
import difflib
import io
import os
import re
import tempfile
import tokenize
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.port.decisions import decisions
from rpython.translator.port.edits import Decision, Edit, apply_edits
from rpython.translator.port.kinds import Kinds
from rpython.translator.port.meaning import Meaning, next_of_others
from rpython.translator.port.syntax import NotPython2Error, python3_syntax

_ENTRY = re.compile(r"^(def\s+(target|entry_point)\b|if\s+__name__\b)", re.MULTILINE)
_TRUE_DIVISION = re.compile(r"^from\s+__future__\s+import\b.*\bdivision\b", re.MULTILINE)
_FIXER_SAYS = re.compile(r"(?:Line|Lines) (?P<line>\d+)[^:]*: (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Ported:
    """A file before and after, and what is left to decide about it; ``error``: why it stays as
    it was."""

    path: Path
    before: str
    after: str
    decisions: tuple[Decision, ...] = ()
    error: str = ""
    encoding: str = "utf-8"

    def diff(self) -> str:
        name = str(self.path)
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True), self.after.splitlines(keepends=True), name, name
        )
        return "".join(lines)


def port_files(paths: Sequence[Path]) -> list[Ported]:
    """What becomes of the files of a program; nothing is written.  Raises TranslationError when
    one cannot be read."""
    sources = {path: _read(path) for path in paths}
    # what stands beside a program is found by its own name, not as part of a package
    folders = {path.parent for path, (text, _) in sources.items() if _ENTRY.search(text)}
    files = [
        _with_python3_syntax(path, text, encoding, path.parent in folders)
        for path, (text, encoding) in sources.items()
    ]
    trees = [ast.parse("" if file.error else file.after) for file in files]
    kinds, others = Kinds(trees), next_of_others(trees)
    return [_with_its_meaning(file, tree, kinds, others) for file, tree in zip(files, trees)]


def write(ported: Ported) -> None:
    """Replace the file, whole or not at all; what it was stays beside it, in FILE.bak."""
    _replace(_backup(ported.path), ported.before, ported)
    _replace(ported.path, ported.after, ported)


def _backup(path: Path) -> Path:
    return path.with_name(path.name + ".bak")


def _replace(path: Path, text: str, ported: Ported) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding=ported.encoding, newline="") as out:
            out.write(text)
        os.chmod(name, ported.path.stat().st_mode & 0o7777)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _read(path: Path) -> tuple[str, str]:
    """The text of a source file, line ends as they are, and its encoding."""
    try:
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except OSError as error:
        raise TranslationError(f"cannot read {path}: {error.strerror}") from None
    except (SyntaxError, UnicodeDecodeError):
        raise TranslationError(
            f"{path} is not UTF-8", hint="its first line may say which encoding it has"
        ) from None


def _with_python3_syntax(path: Path, before: str, encoding: str, beside_program: bool) -> Ported:
    file = Ported(path, before, before, encoding=encoding)
    if _backup(path).exists():  # `/` would become `//` where it is meant by now
        return replace(file, error=f"{path}: was ported before: {_backup(path)} is there")
    try:
        after, said = python3_syntax(before, str(path), beside_program)
        ast.parse(after)
    except NotPython2Error as error:
        return replace(file, error=f"{path}:{error.line}: {error}")
    except SyntaxError as error:
        return replace(file, error=f"{path}:{error.lineno}: {error.msg}")
    found = tuple(_said_by_fixer(text) for text in said)
    return replace(file, after=after, decisions=found)


def _said_by_fixer(text: str) -> Decision:
    match = _FIXER_SAYS.search(text)
    if match is None:
        return Decision(1, text)
    return Decision(int(match["line"]), " ".join(match["text"].split()))


def _with_its_meaning(
    file: Ported, tree: ast.Module, kinds: Kinds, next_of_others: bool
) -> Ported:
    if file.error:
        return file
    edits: list[Edit] = []
    found = [*file.decisions, *decisions(tree)]
    true_division = _TRUE_DIVISION.search(file.before) is not None
    for change in Meaning(file.after, tree, kinds, next_of_others, true_division).changes():
        if isinstance(change, Edit):
            edits.append(change)
        else:
            found.append(change)
    after = apply_edits(file.after, edits)
    return replace(file, after=after, decisions=tuple(sorted(set(found))))
