"""``#line`` in the C of a program: which place of the source each statement comes from."""

from __future__ import annotations

from rpython.translator.ir.span import Span


class LineDirectives:
    """Whether the C text says where its statements come from: not at all, where another source
    line begins (``present``), or exactly for every statement (``exact``)."""

    def __init__(self, *, present: bool, exact: bool) -> None:
        self.present = present
        self.exact = exact

    def place(self, span: Span) -> tuple[str, int]:
        """The file and the line to name for a span."""
        return span.filename, span.line


NONE = LineDirectives(present=False, exact=False)
CHANGES = LineDirectives(present=True, exact=False)
EXACT = LineDirectives(present=True, exact=True)


class NumberedPlaces(LineDirectives):
    """Names, in place of a line, the number of a span in ``spans``: debugging information then
    leads from an address to the columns, too, and to the calls in whose place functions stand."""

    FILE = "rpython-places"

    def __init__(self) -> None:
        super().__init__(present=True, exact=True)
        self.spans: list[Span] = []
        self._numbers: dict[Span, int] = {}

    def place(self, span: Span) -> tuple[str, int]:
        number = self._numbers.setdefault(span, len(self.spans))
        if number == len(self.spans):
            self.spans.append(span)
        return self.FILE, number + 1

    def span(self, line: int) -> Span:
        """What a line stands for.  Raises IndexError."""
        return self.spans[line - 1]
