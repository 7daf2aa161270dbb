"""Methods of built-in exceptions, in Python."""

from __future__ import annotations

from typing import Any


def add_note(exception: Any, note: str, /) -> None:
    if not hasattr(exception, "__notes__"):
        exception.__notes__ = []
    exception.__notes__.append(note)
