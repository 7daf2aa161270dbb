"""Splitting a text into tokens, each the longest that one of several expressions matches.

    lexer = Lexer([parse_regex("[a-z]+"), parse_regex(" ")], ["NAME", "IGNORE"], ignore=["IGNORE"])
    lexer.tokenize("some words")

A lexer is made at import time and used in translated programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rpython.rlib.parsing.deterministic import DFA, LexerError, SourcePos
from rpython.rlib.parsing.regex import LexingOrExpression, RegularExpression


class Token:
    """A piece of text: ``name`` is that of its expression."""

    def __init__(self, name: str, source: str, source_pos: SourcePos) -> None:
        self.name = name
        self.source = source
        self.source_pos = source_pos

    def copy(self) -> Token:
        return Token(self.name, self.source, self.source_pos)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return False
        return (
            self.name == other.name
            and self.source == other.source
            and self.source_pos == other.source_pos
        )

    def __hash__(self) -> int:
        return hash(self.source)

    def __repr__(self) -> str:
        return f"Token({self.name!r}, {self.source!r}, {self.source_pos!r})"


class Lexer:
    """``names`` are those of the expressions; where several match texts of the same length the
    first one counts.  Tokens of the names in ``ignore`` are left out."""

    def __init__(
        self,
        token_regexs: Sequence[RegularExpression],
        names: Sequence[str],
        ignore: Iterable[str] | None = None,
    ) -> None:
        self.token_regexs = list(token_regexs)
        self.names = list(names)
        self.rex = LexingOrExpression(self.token_regexs, self.names)
        automaton = self.rex.make_automaton().make_deterministic(self.names)
        automaton.optimize()
        self._use(automaton.make_lexing_code(), automaton, ignore or [])

    def _use(
        self, matcher: Callable[[Any, int], int], automaton: DFA, ignore: Iterable[str]
    ) -> None:
        self.automaton = automaton
        self.ignore = dict.fromkeys(ignore)
        self.matcher = matcher

    def get_runner(
        self, text: str, eof: bool = False, token_class: type[Token] = Token
    ) -> LexingDFARunner:
        """An iterator over the tokens; with ``eof`` a last one named EOF."""
        return LexingDFARunner(
            self.matcher, self.automaton, text, self.ignore, eof, token_class
        )

    def tokenize(self, text: str, eof: bool = False) -> list[Token]:
        """The list of tokens.  Raises LexerError."""
        runner = self.get_runner(text, eof)
        tokens = []
        while True:
            try:
                tokens.append(runner.find_next_token())
            except StopIteration:
                return tokens


class DummyLexer(Lexer):
    """A lexer for an automaton made before, and a function as ``make_lexing_code`` gives."""

    def __init__(
        self, matcher: Callable[[Any, int], int], automaton: DFA, ignore: Iterable[str]
    ) -> None:
        self._use(matcher, automaton, ignore)


class AbstractLexingDFARunner:
    """Finds one token after the other in a text.  A subclass says which are left out and how
    they are made: ``ignore_token(state)`` and ``make_token(index, state, text, eof)``."""

    def __init__(
        self, matcher: Callable[[Any, int], int], automaton: DFA, text: str, eof: bool = False
    ) -> None:
        self.matcher = matcher
        self.automaton = automaton
        self.text = text
        self.eof = eof
        self.state = 0
        self.last_matched_state = 0
        self.last_matched_index = -1
        self.lineno = 0
        self.columnno = 0

    def ignore_token(self, state: int) -> bool:
        raise NotImplementedError

    def make_token(self, index: int, state: int, text: str, eof: bool = False) -> Any:
        raise NotImplementedError

    def find_next_token(self) -> Any:
        """The next token; raises StopIteration at the end, LexerError where there is none."""
        while True:
            start = self.last_matched_index + 1
            if start >= len(self.text):
                if start > len(self.text) or not self.eof:
                    raise StopIteration
                self.last_matched_index += 1
                return self.make_token(start, -1, "", eof=True)
            self.state = 0
            stopped = self.matcher(self, start)
            stop = self.last_matched_index + 1
            if stop <= start:
                raise LexerError(self.text, self.state, self._position_of_error(start, stopped))
            state = self.last_matched_state
            source = self.text[start:stop]
            if self.ignore_token(state):
                self.adjust_position(source)
                continue
            token = self.make_token(start, state, source)
            self.adjust_position(source)
            return token

    def _position_of_error(self, start: int, stopped: int) -> SourcePos:
        """The character that fits no token, or the end of the text."""
        index = ~stopped - 1 if stopped < 0 else stopped
        self.adjust_position(self.text[start:index])
        return SourcePos(index, self.lineno, self.columnno)

    def adjust_position(self, token: str) -> None:
        """Count the lines and columns of a text that was passed."""
        newlines = token.count("\n")
        if newlines:
            self.lineno += newlines
            self.columnno = len(token) - token.rfind("\n") - 1
        else:
            self.columnno += len(token)

    def __iter__(self) -> AbstractLexingDFARunner:
        return self

    def __next__(self) -> Any:
        return self.find_next_token()

    def next(self) -> Any:
        return self.find_next_token()


class LexingDFARunner(AbstractLexingDFARunner):
    """What finds the tokens of a ``Lexer``."""

    def __init__(
        self,
        matcher: Callable[[Any, int], int],
        automaton: DFA,
        text: str,
        ignore: dict[str, None],
        eof: bool = False,
        token_class: type[Token] = Token,
    ) -> None:
        AbstractLexingDFARunner.__init__(self, matcher, automaton, text, eof)
        self.ignore = ignore
        self.token_class = token_class

    def ignore_token(self, state: int) -> bool:
        return self.automaton.names[state] in self.ignore

    def make_token(self, index: int, state: int, text: str, eof: bool = False) -> Token:
        position = SourcePos(index, self.lineno, self.columnno)
        if eof:
            return self.token_class("EOF", "EOF", position)
        return self.token_class(self.automaton.names[state], text, position)
