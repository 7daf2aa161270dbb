"""Tokens of the low-level text form.

The grammar is shared by two layers: ``translator.ir.parser`` knows graphs, an injected
environment knows types and constants.  Both read from one ``Tokens``; that, one token of
lookahead and located errors is all there is to it, so the parser is hand-written rather
than generated from a grammar that neither layer could own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | \#[^\n]* )
  | (?P<number> -?(?: \d[\w.]* (?:(?<=[eE])[+-]\d+)? | (?:inf|nan)\b ) )
  | (?P<string> [ub]? (?: '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" ) )
  | (?P<symbol> @(?: [\w.]+ | "(?:[^"\\\n]|\\.)*" ) )
  | (?P<name> [^\W\d][\w.]* )
  | (?P<punctuation> -> | [(){}\[\],:=*&!?.] )
    """,
    re.VERBOSE,
)


class ParseError(TranslationError):
    """The text of a graph is not well-formed."""

    title = "syntax error"
    code_unless_named = ""


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: number, string, symbol, name, punctuation or end."""

    kind: str
    text: str
    offset: int


class Tokens:
    """A text as tokens, with a position."""

    def __init__(self, text: str, filename: str = "<text>") -> None:
        self.text = text
        self.filename = filename
        self._tokens = self._split()
        self._position = 0

    def _split(self) -> list[Token]:
        result = []
        offset = 0
        while offset < len(self.text):
            match = _TOKEN.match(self.text, offset)
            if match is None:
                raise self.error(f"unexpected character {self.text[offset]!r}", offset)
            if match.lastgroup != "space":
                result.append(Token(str(match.lastgroup), match[0], offset))
            offset = match.end()
        result.append(Token("end", "end of text", offset))
        return result

    def span(self, offset: int) -> Span:
        """The place of a character of the text."""
        line = self.text.count("\n", 0, offset) + 1
        column = offset - (self.text.rfind("\n", 0, offset) + 1)
        return Span(self.filename, line, column, line, column + 1, "graph text")

    def error(self, message: str, offset: int | None = None) -> ParseError:
        """An error to raise, at ``offset`` or at the next token."""
        return ParseError(message, self.span(self.peek().offset if offset is None else offset))

    def peek(self, ahead: int = 0) -> Token:
        """A token not yet consumed."""
        return self._tokens[min(self._position + ahead, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Consume a token."""
        token = self.peek()
        self._position += 1
        return token

    def at(self, *texts: str) -> bool:
        """Is the next token a word or punctuation mark out of ``texts``?"""
        token = self.peek()
        return token.kind in ("name", "punctuation") and token.text in texts

    def accept(self, text: str) -> bool:
        """Consume the next token if it is ``text``."""
        found = self.at(text)
        if found:
            self._position += 1
        return found

    def expect(self, text: str) -> None:
        """Consume ``text``, which must come next."""
        if not self.accept(text):
            raise self.error(f"expected {text!r}, found {self.peek().text!r}")

    def expect_kind(self, kind: str) -> str:
        """Consume a token of that kind; its text."""
        token = self.peek()
        if token.kind != kind:
            raise self.error(f"expected a {kind}, found {token.text!r}")
        self._position += 1
        return token.text

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The texts of every two adjacent tokens of the whole text."""
        return ((first.text, second.text) for first, second in pairwise(self._tokens))

    def mark(self) -> int:
        """The position, for ``reset``."""
        return self._position

    def reset(self, mark: int) -> None:
        self._position = mark

    def skip_braces(self) -> None:
        """Consume from an opening brace to the one that closes it."""
        self.expect("{")
        depth = 1
        while depth:
            if self.peek().kind == "end":
                raise self.error("a '{' is never closed")
            depth += self.at("{") - self.at("}")
            self.next()
