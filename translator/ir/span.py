"""Source positions: where in the user's program an operation comes from."""

from __future__ import annotations

import linecache
from collections.abc import Iterator

from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of source text.  Lines count from 1, columns from 0 (in characters),
    ends are exclusive.  ``col == -1`` means that only the line is known.  ``hidden``: it
    stands for no step of the program, so it is not shown in tracebacks.  ``inlined_at``: the
    call in whose place the function stands that it is part of."""

    filename: str
    line: int
    col: int = -1
    end_line: int = -1
    end_col: int = -1
    function: str = "?"
    hidden: bool = False
    inlined_at: Span | None = None

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"

    def place(self) -> str:
        """The file, line and column, which counts from 1 there, as editors take it."""
        return f"{self}:{self.col + 1}" if self.col >= 0 else str(self)

    def frames(self) -> Iterator[Span]:
        """This place, the call at which its function was inlined, and so on outwards."""
        frame: Span | None = self
        while frame is not None:
            yield frame
            frame = frame.inlined_at

    def source_line(self) -> str:
        """The text of the first line, without its newline; '' when not readable."""
        return linecache.getline(self.filename, self.line).rstrip("\n")

    def excerpt(self, indent: str = "    ") -> str:
        """The source line with carets under the exact expression; '' when not readable."""
        text = self.source_line()
        if not text.strip():
            return ""
        stripped = text.lstrip()
        shown = f"{indent}{stripped}"
        if self.col < 0:
            return shown
        lead = len(text) - len(stripped)
        start = max(self.col - lead, 0)
        end = self.end_col - lead if self.end_line in (-1, self.line) else len(stripped)
        width = max(min(end, len(stripped)) - start, 1)
        return f"{shown}\n{indent}{' ' * start}{'^' * width}"


UNKNOWN_SPAN = Span("<generated>", 0)
