"""The marks that tracebacks show under a source line (``~~~^~~~``), as CPython 3.11 makes them.

    total = first / count[2]            the operation that raised:
            ~~~~~~^~~~~~~~~~                an operator between its operands,
                    ~~~~~^^^                an item,
                    ^^^^^^^^                anything else

Nothing is shown under a line that is one expression or statement as a whole.
"""

from __future__ import annotations

import ast
import unicodedata
import warnings
from itertools import pairwise

from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

_BLANK = " \t\f"
_OPERATORS = frozenset("+-*/%@<>&|^[")


@dataclass(frozen=True, slots=True)
class Marks:
    """How many columns there are of each: blanks, tildes, carets and tildes again.

    The counts are what a program keeps, for each place where something may be raised: the text is
    as long as the line, so those of a long one would be a quadratic amount of text.
    """

    blanks: int = 0
    before: int = 0
    carets: int = 0
    after: int = 0

    def __str__(self) -> str:
        return " " * self.blanks + "~" * self.before + "^" * self.carets + "~" * self.after


def marks(span: Span) -> Marks:
    """What is under the line without its indentation."""
    line = span.source_line()
    if span.col < 0 or not line:
        return Marks()
    lead = len(line) - len(line.lstrip(_BLANK))
    start, end = span.col, span.end_col
    anchors = None
    if span.end_line == span.line:
        anchors = _anchors(line[start:end])
    else:
        end = len(line.rstrip())
    if start < lead or end <= start or (anchors is None and end - start == len(line) - lead):
        return Marks()
    left, right = (0, end - start) if anchors is None else anchors
    places = [lead, start, start + left, start + right, end]
    columns = [_columns(line[a:b]) for a, b in pairwise(places)]
    return Marks(*columns)


def _columns(text: str) -> int:
    """How many columns a terminal gives it."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _anchors(text: str) -> tuple[int, int] | None:
    """Which part of an expression is marked most: its operator, or the index of an item."""
    if not _OPERATORS.intersection(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever imported the file has seen them
            module = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    if len(module.body) != 1 or not isinstance(module.body[0], ast.Expr):
        return None
    code = text.encode("utf-8", "surrogatepass")
    found = _anchors_in_bytes(code, module.body[0].value)
    if found is None:
        return None
    left, right = (len(code[:at].decode("utf-8", "surrogatepass")) for at in found)
    return left, right


def _anchors_in_bytes(code: bytes, expression: ast.expr) -> tuple[int, int] | None:
    if isinstance(expression, ast.Subscript):
        value, index = expression.value, expression.slice
        left = code.find(b"[", value.end_col_offset)
        return left, code.find(b"]", index.end_col_offset) + 1
    if not isinstance(expression, ast.BinOp):
        return None
    at, end = expression.left.end_col_offset or 0, expression.right.col_offset
    while at < end and (code[at : at + 1].isspace() or code[at : at + 1] == b")"):
        at += 1  # to the operator
    two = at + 1 < end and not code[at + 1 : at + 2].isspace()
    return at, at + 1 + two
