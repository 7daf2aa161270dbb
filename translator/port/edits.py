"""Replacing parts of a source text, and what a person is told about a line of it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Edit:
    """Put ``text`` in place of what stands from ``start`` to ``end``."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


@dataclass(frozen=True, order=True)
class Decision:
    """What no rule can decide: a line of the ported file, and what there is to look at."""

    line: int
    text: str


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """``source`` with all edits made; they do not overlap, but several may insert at one place."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for edit in sorted(edits, reverse=True):
        (first, left), (last, right) = edit.start, edit.end
        head, tail = lines[first - 1][:left], lines[last - 1][right:]
        lines[first - 1 : last] = [head + edit.text.encode() + tail]
    return b"".join(lines).decode()


def start_of(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def end_of(node: ast.expr | ast.stmt) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


class Operators:
    """Where the operators of a source text stand, which `ast` does not say."""

    def __init__(self, source: str) -> None:
        self._places: dict[str, list[tuple[int, int]]] = {}
        lines = source.splitlines()
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.OP:
                line, column = token.start
                before = len(lines[line - 1][:column].encode())
                self._places.setdefault(token.string, []).append((line, before))

    def between(self, operator: str, left: tuple[int, int], right: tuple[int, int]) -> Edit:
        """What removes the first ``operator`` from ``left`` to ``right``, where there is one."""
        place = next(at for at in self._places[operator] if left <= at < right)
        return Edit(place, (place[0], place[1] + len(operator)), "")
