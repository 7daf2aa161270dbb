"""Patterns whose text is known only when the program runs.

They are all of one class: what their groups are is not known, so ``group`` gives a str or None,
``groups`` a tuple of any length, ``findall`` strs or such tuples.
"""

from __future__ import annotations

from re import error
from typing import Any

from rpython.rlib.rsre.rsre_char import Cases, all_cases
from rpython.rlib.rsre.rsre_code import Program
from rpython.rlib.rsre.rsre_compile import Emitter
from rpython.rlib.rsre.rsre_nodes import LOCALE
from rpython.rlib.rsre.rsre_parse import Parser
from rpython.rlib.rsre.rsre_re import (
    Match,
    MatchMethods,
    OfBytes,
    OfStr,
    Pattern,
    PatternMethods,
    per_arguments,
)

_CASES = all_cases()
_MOST = 512
"""So many patterns are kept, as ``re`` keeps them."""
_DEBUG = 128


class _Emitter(Emitter):
    def cases(self) -> Cases:
        return _CASES


class _RuntimeMatch:
    """Mixed into the classes of matches of such patterns."""

    _mixin_ = True
    re: Any
    _start: int
    _end: int
    _text_of: Any
    _span: Any

    def takes_part(self, group: int) -> bool:
        return False

    def takes_part_named(self, group: str) -> bool:
        return False

    @per_arguments
    def groups(self, default: Any = None) -> Any:
        return tuple([self._or(number, default) for number in self._numbers()])

    @per_arguments
    def _or(self, number: int, default: Any) -> Any:
        text = self._text_of(number)
        return default if text is None else text

    def _numbers(self) -> range:
        return range(1, self.re.groups + 1)

    @property
    def regs(self) -> Any:
        spans = [(self._start, self._end)]
        for number in self._numbers():
            spans.append(self._span(number))
        return tuple(spans)


class RuntimeMatch(_RuntimeMatch, MatchMethods, Match):
    """A match of text."""


class RuntimeBytesMatch(_RuntimeMatch, MatchMethods, Match):
    """A match of bytes."""


class _Runtime:
    """Mixed into the classes of such patterns."""

    _mixin_ = True
    match_class: Any = RuntimeMatch
    groups: int

    def item_of(self, match: Any) -> Any:
        if self.groups == 0:
            return match._whole()
        if self.groups == 1:
            return match._text_or_empty(1)
        return tuple([match._text_or_empty(i) for i in match._numbers()])

    def add_groups(self, pieces: Any, match: Any) -> None:
        for number in match._numbers():
            pieces.append(match._text_of(number))


class RuntimePattern(_Runtime, OfStr, PatternMethods, Pattern):
    """A pattern that the program has made, of text."""


class RuntimeBytesPattern(_Runtime, OfBytes, PatternMethods, Pattern):
    """One of bytes."""

    match_class = RuntimeBytesMatch


_KNOWN: dict[tuple[str, int], RuntimePattern] = {}
_KNOWN_BYTES: dict[tuple[bytes, int], RuntimeBytesPattern] = {}


def compile_text(text: str, flags: int) -> RuntimePattern:
    """The pattern.  Raises ``re.error``, OverflowError, ValueError."""
    key = (text, flags)
    found = _KNOWN.get(key)
    if found is None:
        found = RuntimePattern(text, _program(text, True, flags))
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        _KNOWN[key] = found
    return found


def compile_bytes(pattern: bytes, flags: int) -> RuntimeBytesPattern:
    """The same of bytes."""
    key = (pattern, flags)
    found = _KNOWN_BYTES.get(key)
    if found is None:
        try:
            program = _program(pattern.decode("latin-1"), False, flags)
        except error as wrong:
            message = wrong.msg.encode("ascii", "backslashreplace").decode("ascii")
            raise error(message, pattern, wrong.pos) from None
        if program.flags & LOCALE:
            raise NotImplementedError("regular expressions that depend on the locale")
        found = RuntimeBytesPattern(pattern, program)
        if len(_KNOWN_BYTES) >= _MOST:
            _KNOWN_BYTES.clear()
        _KNOWN_BYTES[key] = found
    return found


def _program(text: str, is_text: bool, flags: int) -> Program:
    emitter = _Emitter(Parser(text, is_text, flags & ~_DEBUG))
    emitter.run()
    return Program(emitter)
