"""Regular expressions as in ``re``: patterns made at import, used in translated programs.

Each pattern is of a class of its own kind, str or bytes, number of groups, and those of them
that take part in every match, because what ``group``, ``groups``, ``findall`` and ``split``
return depends on these.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from re import error
from typing import Any

from rpython.rlib.rsre.rsre_code import Program
from rpython.rlib.rsre.rsre_compile import CompiledPattern
from rpython.rlib.rsre.rsre_core import (
    BufMatchContext,
    StrMatchContext,
    adjusted,
    match_context,
    search_context,
    span_of,
)
from rpython.rlib.rsre.rsre_template import parse_template

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "UNICODE", "VERBOSE", "A", "I", "M", "S", "U",
    "X", "compile", "error", "escape", "findall", "finditer", "fullmatch", "match", "purge",
    "search", "split", "sub", "subn",
]  # fmt: skip

A = ASCII = int(re.ASCII)
I = IGNORECASE = int(re.IGNORECASE)  # noqa: E741
M = MULTILINE = int(re.MULTILINE)
S = DOTALL = int(re.DOTALL)
U = UNICODE = int(re.UNICODE)
X = VERBOSE = int(re.VERBOSE)
_TEXT_FLAGS = int(re.ASCII | re.LOCALE | re.UNICODE)
_FLAG_NAMES = (
    ("re.IGNORECASE", I), ("re.LOCALE", int(re.LOCALE)), ("re.MULTILINE", M), ("re.DOTALL", S),
    ("re.UNICODE", U), ("re.VERBOSE", X), ("re.DEBUG", int(re.DEBUG)), ("re.ASCII", A),
)  # fmt: skip


def per_arguments(function: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument."""
    function._rpython_per_arguments_ = True
    return function


def _per_values(function: Any) -> Any:
    """Decorator: and for every value of arguments that are constant ints and strs."""
    function._rpython_per_values_ = True
    return per_arguments(function)


# -- matches ----------------------------------------------------------------------------------


class Match:
    """A match.  ``re``, ``string``, ``pos``, ``endpos`` as in ``re``."""


class MatchMethods:
    """Mixed into the class of matches of each kind of pattern; ``numbers``: those of its
    groups; ``takes_part``, ``takes_part_named``: is it the number or the name of a group that
    takes part in every match?"""

    _mixin_ = True
    numbers: Any
    takes_part: Any
    takes_part_named: Any

    def __init__(self, pattern: Any, string: Any, ctx: Any, pos: int, endpos: int) -> None:
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos
        self._start = ctx.match_start
        self._end = ctx.match_end
        self._marks = ctx.marks

    @_per_values
    def group(self, *groups: Any) -> Any:
        """One group, the whole match, or a tuple of several.  Raises IndexError."""
        if len(groups) == 0:
            return self.string[self._start : self._end]
        if len(groups) == 1:
            return self._text_at(groups[0])
        return _several(self, groups)

    @_per_values
    def __getitem__(self, group: Any) -> Any:
        return self._text_at(group)

    @_per_values
    def _text_at(self, group: Any) -> Any:
        """The text of a group; its type has no None where the group is known to take part."""
        if isinstance(group, str):
            if self.takes_part_named(group):
                return self._text_or_empty(self._number(group))
        elif group == 0:
            return self.string[self._start : self._end]
        elif self.takes_part(group):
            return self._text_or_empty(group)
        return self._text_of(self._number(group))

    def _whole(self) -> Any:
        return self.string[self._start : self._end]

    @per_arguments
    def _number(self, group: Any) -> int:
        """The number of a group given by number or name.  Raises IndexError."""
        if group is None:  # m.lastgroup, perhaps
            raise IndexError("no such group")
        if isinstance(group, str):
            number: int = self.re.groupindex.get(group, -1)
        else:
            number = group
        if not 0 <= number <= self.re.groups:
            raise IndexError("no such group")
        return number

    def _span(self, number: int) -> tuple[int, int]:
        if number == 0:
            return self._start, self._end
        return span_of(self._marks, number)

    def _text_of(self, number: int) -> Any:
        start, end = self._span(number)
        return None if start < 0 else self.string[start:end]

    def _text_or_empty(self, number: int) -> Any:
        start, end = self._span(number)
        return self.string[max(start, 0) : max(end, 0)]

    @per_arguments
    def groups(self, default: Any = None) -> Any:
        """All groups, ``default`` for those that did not take part."""
        return _with_default(self, 1, default)

    @per_arguments
    def groupdict(self, default: Any = None) -> Any:
        """The groups that have names."""
        result = {}
        for name, number in self.re.groupindex.items():
            text = self._text_of(number)
            result[name] = default if text is None else text
        return result

    @per_arguments
    def start(self, group: Any = 0, /) -> int:
        """Where a group starts, -1 when it did not take part."""
        return self._span(self._number(group))[0]

    @per_arguments
    def end(self, group: Any = 0, /) -> int:
        """Where a group ends, -1 when it did not take part."""
        return self._span(self._number(group))[1]

    @per_arguments
    def span(self, group: Any = 0, /) -> tuple[int, int]:
        """Where a group is, (-1, -1) when it did not take part."""
        return self._span(self._number(group))

    @property
    def regs(self) -> Any:
        return ((self._start, self._end), *_spans(self, self.numbers))

    @property
    def lastindex(self) -> int | None:
        last: int = self._marks[2 * self.re.groups]
        return last if last > 0 else None

    @property
    def lastgroup(self) -> str | None:
        name: str | None = self.re.code.groupnames[self._marks[2 * self.re.groups]]
        return name

    def expand(self, template: Any) -> Any:
        """The template with its references to groups replaced."""
        return self.re._expanded(self.re._template(template), self)

    def __repr__(self) -> str:
        where = f"({self._start}, {self._end})"
        return f"<re.Match object; span={where}, match={self._whole()!r:.50}>"


@_per_values
def _several(match: Any, groups: Any) -> Any:
    first = (match._text_at(groups[0]),)
    if len(groups) == 1:
        return first
    return first + _several(match, groups[1:])


@_per_values
def _with_default(match: Any, number: int, default: Any) -> Any:
    """The groups from a number on."""
    if number > len(match.numbers):
        return ()
    text = match._text_at(number)
    first = (default if text is None else text,)
    return first + _with_default(match, number + 1, default)


@per_arguments
def _or_empty(match: Any, numbers: Any) -> Any:
    if len(numbers) == 0:
        return ()
    first = (match._text_or_empty(numbers[0]),)
    return first + _or_empty(match, numbers[1:])


@per_arguments
def _spans(match: Any, numbers: Any) -> Any:
    if len(numbers) == 0:
        return ()
    first = (match._span(numbers[0]),)
    return first + _spans(match, numbers[1:])


# -- patterns ---------------------------------------------------------------------------------


class Pattern:
    """A pattern.  ``pattern``, ``flags``, ``groups`` and ``groupindex`` as in ``re``."""

    def __init__(self, pattern: Any, code: Program) -> None:
        self.pattern = pattern
        self.flags = code.flags
        self.groups = code.groups
        self.groupindex = code.groupindex
        self.code = code

    def __repr__(self) -> str:
        flags = self.flags
        if flags & _TEXT_FLAGS == U:
            flags &= ~U
        names = [name for name, flag in _FLAG_NAMES if flags & flag]
        shown = repr(self.pattern)[:200]
        return f"re.compile({shown}, {'|'.join(names)})" if names else f"re.compile({shown})"


class PatternMethods:
    """Mixed into the class of each kind of pattern.  ``match_class``: of its matches."""

    _mixin_ = True
    match_class: Any
    code: Program
    empty: Any
    numbers: Any

    def _length(self, string: Any) -> int:
        raise NotImplementedError

    def _context(self, string: Any, pos: int, endpos: int) -> Any:
        raise NotImplementedError

    def match(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        """Match at ``pos``; None: it does not match."""
        pos, endpos = adjusted(pos, endpos, self._length(string))
        ctx = self._context(string, pos, endpos)
        if not match_context(ctx, self.code):
            return None
        return self.match_class(self, string, ctx, pos, endpos)

    def fullmatch(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        """Match all from ``pos`` to ``endpos``; None: it does not match."""
        pos, endpos = adjusted(pos, endpos, self._length(string))
        ctx = self._context(string, pos, endpos)
        ctx.whole = True
        if not match_context(ctx, self.code):
            return None
        return self.match_class(self, string, ctx, pos, endpos)

    def search(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        """The first match from ``pos`` on; None: there is none."""
        pos, endpos = adjusted(pos, endpos, self._length(string))
        ctx = self._context(string, pos, endpos)
        if not search_context(ctx, self.code):
            return None
        return self.match_class(self, string, ctx, pos, endpos)

    def finditer(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[Any]:
        """All matches, none of which overlap."""
        pos, endpos = adjusted(pos, endpos, self._length(string))
        ctx = self._context(string, pos, endpos)
        while search_context(ctx, self.code):
            yield self.match_class(self, string, ctx, pos, endpos)
            _go_on(ctx)

    def findall(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        """The texts of all matches, of their group, or tuples of their groups."""
        pos, endpos = adjusted(pos, endpos, self._length(string))
        ctx = self._context(string, pos, endpos)
        found = []
        while search_context(ctx, self.code):
            match = self.match_class(self, string, ctx, pos, endpos)
            found.append(self.item_of(match))
            _go_on(ctx)
        return found

    def split(self, string: Any, maxsplit: int = 0) -> Any:
        """What is between the matches, and the groups of those."""
        ctx = self._context(string, 0, self._length(string))
        pieces = []
        last = 0
        count = 0
        while (maxsplit == 0 or count < maxsplit) and search_context(ctx, self.code):
            pieces.append(string[last : ctx.match_start])
            match = self.match_class(self, string, ctx, 0, len(string))
            self.add_groups(pieces, match)
            last = ctx.match_end
            count += 1
            _go_on(ctx)
        pieces.append(string[last:])
        return pieces

    def item_of(self, match: Any) -> Any:
        """What ``findall`` gives for a match."""
        return _item(match, self.numbers)

    def add_groups(self, pieces: Any, match: Any) -> None:
        _add_groups(pieces, match, self.numbers)

    @per_arguments
    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        """Replace matches, ``count`` at most unless that is 0."""
        return self.subn(repl, string, count)[0]

    @per_arguments
    def subn(self, repl: Any, string: Any, count: int = 0) -> Any:
        """The same; returns the text and the number of replacements."""
        ctx = self._context(string, 0, self._length(string))
        pieces = []
        last = 0
        done = 0
        replacement = self._replacement(repl)
        while (count == 0 or done < count) and search_context(ctx, self.code):
            pieces.append(string[last : ctx.match_start])
            match = self.match_class(self, string, ctx, 0, len(string))
            _add_replacement(pieces, self, replacement, match)
            last = ctx.match_end
            done += 1
            _go_on(ctx)
        pieces.append(string[last:])
        return self.empty.join(pieces), done

    @per_arguments
    def _replacement(self, repl: Any) -> Any:
        if isinstance(repl, (str, bytes)):
            return self._template(repl)
        return repl

    def _template(self, template: Any) -> Any:
        raise NotImplementedError

    def _literal(self, text: str) -> Any:
        raise NotImplementedError

    def _expanded(self, template: _Parsed, match: Any) -> Any:
        pieces = [self._literal(template.literals[0])]
        for i in range(len(template.groups)):
            pieces.append(match._text_or_empty(template.groups[i]))
            pieces.append(self._literal(template.literals[i + 1]))
        return self.empty.join(pieces)


def _quoted_type(x: Any) -> str:
    return "'NoneType'" if x is None else "'" + type(x).__name__ + "'"


class OfStr:
    _mixin_ = True
    code: Program
    empty = ""

    def _length(self, string: Any) -> int:
        if isinstance(string, str):
            return len(string)
        if isinstance(string, bytes | bytearray | memoryview):
            raise TypeError("cannot use a string pattern on a bytes-like object")
        raise TypeError("expected string or bytes-like object, got " + _quoted_type(string))

    def _context(self, string: str, pos: int, endpos: int) -> StrMatchContext:
        return StrMatchContext(string, pos, endpos)

    def _template(self, template: str) -> Any:
        return _Parsed(template, self.code)

    def _literal(self, text: str) -> str:
        return text


class OfBytes:
    _mixin_ = True
    code: Program
    empty = b""

    def _length(self, string: Any) -> int:
        if isinstance(string, bytes):
            return len(string)
        if isinstance(string, str):
            raise TypeError("cannot use a bytes pattern on a string-like object")
        if isinstance(string, bytearray | memoryview) or hasattr(string, "tobytes"):
            raise NotImplementedError("a pattern in what is no bytes object: write bytes(...)")
        raise TypeError("expected string or bytes-like object, got " + _quoted_type(string))

    def _context(self, string: bytes, pos: int, endpos: int) -> BufMatchContext:
        return BufMatchContext(string, pos, endpos)

    def _template(self, template: bytes) -> Any:
        return _Parsed(template.decode("latin-1"), self.code)

    def _literal(self, text: str) -> bytes:
        return text.encode("latin-1")


class _Parsed:
    """A parsed replacement, which is no function."""

    def __init__(self, text: str, code: Program) -> None:
        if "\\" in text:
            template = parse_template(text, code.groups, code.groupindex)
            self.literals = template.literals
            self.groups = template.groups
        else:
            self.literals = [text]
            self.groups = []


def _go_on(ctx: Any) -> None:
    """Search after the match: an empty one may follow one that was not empty."""
    ctx.not_empty = ctx.match_start == ctx.match_end
    ctx.match_start = ctx.match_end


@per_arguments
def _item(match: Any, numbers: Any) -> Any:
    if len(numbers) == 0:
        return match._whole()
    if len(numbers) == 1:
        return match._text_or_empty(1)
    return _or_empty(match, numbers)


@per_arguments
def _add_groups(pieces: Any, match: Any, numbers: Any) -> None:
    if len(numbers) > 0:
        for number in range(1, len(numbers) + 1):
            pieces.append(match._text_of(number))


@per_arguments
def _add_replacement(pieces: Any, pattern: Any, replacement: Any, match: Any) -> None:
    if isinstance(replacement, _Parsed):
        pieces.append(pattern._expanded(replacement, match))
    else:
        text = replacement(match)
        if text is not None:
            pieces.append(text)


def _is_one_of(always: tuple[int, ...] | tuple[str, ...]) -> Any:
    @_per_values
    def is_one_of(self: Any, group: Any) -> bool:
        return group in always

    return is_one_of


@cache
def _pattern_class(
    kind: str, groups: int, always: tuple[int, ...], always_named: tuple[str, ...]
) -> Any:
    """The class of patterns on that kind of string with so many groups, of which those with
    these numbers and names take part in every match."""
    numbers = tuple(range(1, groups + 1))
    of_kind: type = OfStr if kind == "str" else OfBytes
    tests = {"takes_part": _is_one_of(always), "takes_part_named": _is_one_of(always_named)}
    found = type("Match", (MatchMethods, Match), {"numbers": numbers, **tests})
    return type(
        "Pattern", (of_kind, PatternMethods, Pattern), {"numbers": numbers, "match_class": found}
    )


# -- functions --------------------------------------------------------------------------------

Source = Any
"""A str, bytes, or a pattern; the first two must be known at translation time."""


@cache
def _compiled(pattern: str | bytes, kind: str, flags: int) -> Any:
    code = CompiledPattern(pattern, flags)
    named = tuple(name for name, number in code.groupindex.items() if number in code.always)
    return _pattern_class(kind, code.groups, code.always, named)(pattern, code)


def compile(pattern: Source, flags: int = 0) -> Any:
    """The pattern.  Raises ``re.error``; ValueError for flags with a compiled pattern."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    flags = re.compile(pattern, flags).flags & ~int(re.DEBUG)
    return _compiled(pattern, type(pattern).__name__, flags)


def match(pattern: Source, string: Any, flags: int = 0) -> Any:
    """Match at the start."""
    return compile(pattern, flags).match(string)


def fullmatch(pattern: Source, string: Any, flags: int = 0) -> Any:
    """Match everything."""
    return compile(pattern, flags).fullmatch(string)


def search(pattern: Source, string: Any, flags: int = 0) -> Any:
    """The first match."""
    return compile(pattern, flags).search(string)


def findall(pattern: Source, string: Any, flags: int = 0) -> Any:
    """The texts of all matches, or their groups."""
    return compile(pattern, flags).findall(string)


def finditer(pattern: Source, string: Any, flags: int = 0) -> Any:
    """All matches."""
    return compile(pattern, flags).finditer(string)


def split(pattern: Source, string: Any, maxsplit: int = 0, flags: int = 0) -> Any:
    """What is between the matches."""
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern: Source, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
    """Replace matches."""
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern: Source, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
    """Replace matches, and count them."""
    return compile(pattern, flags).subn(repl, string, count)


_SPECIAL = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"


@per_arguments
def escape(pattern: Any) -> Any:
    """A pattern that matches just this text."""
    if isinstance(pattern, str):
        return _escaped(pattern)
    return _escaped(pattern.decode("latin-1")).encode("latin-1")


def _escaped(text: str) -> str:
    pieces = []
    for char in text:
        if char in _SPECIAL:
            pieces.append("\\")
        pieces.append(char)
    return "".join(pieces)


def purge() -> None:
    """Nothing: what is compiled at import is part of the program."""
