"""What ``rpython check`` finds in a program, for other programs: ``--format json`` and ``sarif``.

A finding is an error or a warning as a dict that JSON has a form for.  Lines and columns count
from 1, in characters; ends are exclusive; what is not known is null::

    {"file": "app.py", "line": 3, "column": 12, "end_line": 3, "end_column": 19,
     "function": "main", "severity": "error", "code": "R0501",
     "kind": "type error",
     "message": "...", "hint": "...", "where": "annotating main: add",
     "notes": [{"text": "...", "file": ..., "line": ..., "column": ...,
                "end_line": ..., "end_column": ...}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from rpython.translator.ir.codes import Entry, entries
from rpython.translator.ir.errors import Note, TranslationError, TranslationWarning
from rpython.translator.ir.span import Span
from rpython.translator.version import version

Format = Literal["text", "json", "sarif"]

Finding = dict[str, Any]

_VERSION = "2.1.0"
"""Of SARIF, the "Static Analysis Results Interchange Format" of OASIS."""
_SCHEMA = f"https://json.schemastore.org/sarif-{_VERSION}.json"


def finding(error: TranslationError) -> Finding:
    """One error or warning, without the ``others``."""
    return {
        **place_in_json(error.span),
        "function": None if error.span is None else error.span.function,
        "severity": "warning" if isinstance(error, TranslationWarning) else "error",
        "code": error.code or None,
        "kind": error.title,
        "message": error.message,
        "hint": error.hint or None,
        "where": error.where or None,
        "notes": [
            {"text": note.text, **place_in_json(note.span)}
            for note in (*error.notes, *(Note("the same again", span) for span in error.again))
        ],
    }


def place_in_json(span: Span | None) -> dict[str, Any]:
    """A place as data: lines and columns count from 1, what is not known is null."""
    if span is None:
        return dict.fromkeys(("file", "line", "column", "end_line", "end_column"))
    known = span.col >= 0
    return {
        "file": span.filename,
        "line": span.line,
        "column": span.col + 1 if known else None,
        "end_line": span.end_line if known and span.end_line > 0 else None,
        "end_column": span.end_col + 1 if known and span.end_col >= 0 else None,
    }


def as_text(found: list[Finding], form: Format) -> str:
    """The findings in one of the forms for programs."""
    return json.dumps(found if form == "json" else _sarif(found), indent=2)


def _sarif(found: list[Finding]) -> dict[str, Any]:
    codes = sorted({one["code"] for one in found if one["code"]})
    driver = {
        "name": "rpython",
        "version": version(),
        "rules": [_rule(entries()[code]) for code in codes],
    }
    run = {"tool": {"driver": driver}, "results": list(map(_result, found))}
    return {
        "$schema": _SCHEMA,
        "version": _VERSION,
        "runs": [{**run, "columnKind": "unicodeCodePoints"}],
    }


def _rule(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.code,
        "shortDescription": {"text": entry.title},
        "help": {"text": entry.explain(), "markdown": entry.text},
    }


def _result(one: Finding) -> dict[str, Any]:
    hint = "" if one["hint"] is None else f"\nhint: {one['hint']}"
    result: dict[str, Any] = {
        "level": one["severity"],
        "message": {"text": one["message"] + hint},
    }
    if one["code"] is not None:
        result["ruleId"] = one["code"]
    if one["file"] is not None:
        result["locations"] = [_location(one)]
        if one["function"] is not None:
            function = {"name": one["function"], "kind": "function"}
            result["locations"][0]["logicalLocations"] = [function]
    if related := list(_related(one["notes"])):
        result["relatedLocations"] = related
    return result


def _related(notes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The notes that have a place, each with the value that its story is about."""
    about = ""
    number = 0
    for note in notes:
        text = note["text"]
        if note["file"] is None:
            about = text
            continue
        number += 1
        told = f"{about} {text.strip()}" if text.startswith(" ") and about else text.strip()
        yield {"id": number, **_location(note), "message": {"text": told}}


def _location(place: Finding) -> dict[str, Any]:
    region = {
        "startLine": place["line"], "startColumn": place["column"],
        "endLine": place["end_line"], "endColumn": place["end_column"],
    }  # fmt: skip
    known = {name: number for name, number in region.items() if number is not None}
    where: dict[str, Any] = {"artifactLocation": {"uri": _uri(place["file"])}}
    if known:
        where["region"] = known
    return {"physicalLocation": where}


def _uri(filename: str) -> str:
    """Relative to the current folder where the file is in it."""
    path = Path(filename)
    if path.is_absolute() and not path.is_relative_to(Path.cwd()):
        return path.as_uri()
    return (path.relative_to(Path.cwd()) if path.is_absolute() else path).as_posix()
