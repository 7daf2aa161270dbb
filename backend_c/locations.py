"""The places of a function that tracebacks name: a table in C, and each place's number in it."""

from __future__ import annotations

import os

from rpython.backend_c.carets import Marks, marks
from rpython.backend_c.names import c_string
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.span import Span

Place = tuple[str, int, str, Marks]
"""File, line, function, and what is shown under the line."""


class Locations:
    """Those of one function, numbered as they are asked for."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._graph = graph
        self._places: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self._known: dict[Span, int] = {}

    def number(self, span: Span) -> int | None:
        """The number of a place in the table; None for one that does not appear in tracebacks."""
        if span.hidden:
            return None
        if span.line <= 0:
            span = self._graph.span
        known = self._known.get(span)
        if known is not None:
            return known
        name = span.function if span.function != "?" else self._graph.name
        function = name.rpartition(".")[2]
        place = (os.fspath(span.filename), max(span.line, 0), function, marks(span))
        number = self._known[span] = self._numbers.setdefault(place, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        return number

    def table(self, name: str) -> list[str]:
        """The lines that define the table ``loc_NAME``, storage class excepted; none when nothing
        is in it."""
        if not self._places:
            return []
        rows = [
            f"    {{{c_string(file)}, {line}, {c_string(function)}, "
            f"{{{under.blanks}, {under.before}, {under.carets}, {under.after}}}}},"
            for file, line, function, under in self._places
        ]
        return [f"const rpy_location loc_{name}[] = {{", *rows, "};"]
