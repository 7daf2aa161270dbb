"""Building, taking apart and parsing text.

RPython's 8-bit strings are ``str`` here; nothing below looks beyond what a ``str`` can do.
"""

from __future__ import annotations

import sys
from typing import NoReturn

INIT_SIZE = 100
SPACES = " \t\n\r\x0b\x0c"


# -- builders ---------------------------------------------------------------------------------


class AbstractStringBuilder:
    """Text that grows at its end.

    ``init_size`` is the length expected; it changes nothing.  After ``build`` more text may be
    appended.
    """

    def __init__(self, init_size: int = INIT_SIZE) -> None:
        self._pieces: list[str] = []
        self._length = 0

    def append(self, s: str) -> None:
        """Append a str, of one character or more."""
        self._pieces.append(s)
        self._length += len(s)

    def append_slice(self, s: str, start: int, end: int) -> None:
        """Append ``s[start:end]``, where ``0 <= start <= end <= len(s)``."""
        assert 0 <= start <= end <= len(s)
        self.append(s[start:end])

    def append_multiple_char(self, c: str, times: int) -> None:
        """Append the character ``c``, ``times`` times."""
        assert len(c) == 1
        if times > 0:
            self.append(c * times)

    def getlength(self) -> int:
        """How many characters have been appended."""
        return self._length

    def build(self) -> str:
        """The text so far."""
        pieces = self._pieces
        if len(pieces) != 1:
            self._pieces = pieces = ["".join(pieces)]
        return pieces[0]


class StringBuilder(AbstractStringBuilder):
    """Builds a ``str``."""


class UnicodeBuilder(AbstractStringBuilder):
    """The same: ``str`` is Unicode."""


class ByteListBuilder:
    """A list of characters that grows at its end."""

    def __init__(self, init_size: int = INIT_SIZE) -> None:
        self._chars: list[str] = []

    def append(self, s: str) -> None:
        """Append the characters of ``s``."""
        for c in s:
            self._chars.append(c)

    def append_slice(self, s: str, start: int, end: int) -> None:
        """Append those of ``s[start:end]``, where ``0 <= start <= end <= len(s)``."""
        assert 0 <= start <= end <= len(s)
        for i in range(start, end):
            self._chars.append(s[i])

    def append_multiple_char(self, c: str, times: int) -> None:
        """Append the character ``c``, ``times`` times."""
        for _ in range(times):
            self._chars.append(c)

    def getlength(self) -> int:
        """How many characters have been appended."""
        return len(self._chars)

    def build(self) -> list[str]:
        """The characters so far, in a list that stays the builder's own."""
        return self._chars


# -- taking apart -----------------------------------------------------------------------------


def is_space(c: str) -> bool:
    return c == " " or "\t" <= c <= "\r"


def split(value: str, by: str | None = None, maxsplit: int = -1) -> list[str]:
    """``value.split(by, maxsplit)``; without ``by`` at ASCII white space only.

    Raises ValueError for an empty separator.
    """
    if by is not None:
        return value.split(by, maxsplit)
    result: list[str] = []
    length = len(value)
    i = 0
    while True:
        while i < length and is_space(value[i]):
            i += 1
        if i == length:
            return result
        if maxsplit == 0:
            result.append(value[i:])
            return result
        start = i
        while i < length and not is_space(value[i]):
            i += 1
        result.append(value[start:i])
        maxsplit -= 1


def rsplit(value: str, by: str | None = None, maxsplit: int = -1) -> list[str]:
    """``value.rsplit(by, maxsplit)``; without ``by`` at ASCII white space only.

    Raises ValueError for an empty separator.
    """
    if by is not None:
        return value.rsplit(by, maxsplit)
    result: list[str] = []
    end = len(value)
    while True:
        while end > 0 and is_space(value[end - 1]):
            end -= 1
        if end == 0:
            break
        if maxsplit == 0:
            result.append(value[:end])
            break
        start = end
        while start > 0 and not is_space(value[start - 1]):
            start -= 1
        result.append(value[start:end])
        end = start
        maxsplit -= 1
    result.reverse()
    return result


def replace(input: str, sub: str, by: str, maxsplit: int = -1) -> str:
    """``input`` with ``by`` for the first ``maxsplit`` occurrences of ``sub``, for all of them
    when it is negative."""
    return input.replace(sub, by, maxsplit)


def replace_count(input: str, sub: str, by: str, maxcount: int = -1) -> tuple[str, int]:
    """The same and how many have been replaced."""
    found = input.count(sub)
    if 0 <= maxcount < found:
        found = maxcount
    return input.replace(sub, by, maxcount), found


def startswith(u_self: str, prefix: str, start: int = 0, end: int = sys.maxsize) -> bool:
    """Whether ``u_self[start:end]`` starts with ``prefix``."""
    return u_self.startswith(prefix, start, end)


def endswith(u_self: str, suffix: str, start: int = 0, end: int = sys.maxsize) -> bool:
    """Whether ``u_self[start:end]`` ends with ``suffix``."""
    return u_self.endswith(suffix, start, end)


def find(value: str, other: str, start: int, end: int) -> int:
    """The first place of ``other`` in ``value[start:end]``, -1 if there is none."""
    return value.find(other, start, end)


def rfind(value: str, other: str, start: int, end: int) -> int:
    """The last place of ``other`` in ``value[start:end]``, -1 if there is none."""
    return value.rfind(other, start, end)


def count(value: str, other: str, start: int, end: int) -> int:
    """How often ``other`` is in ``value[start:end]``, without overlapping."""
    return value.count(other, start, end)


def strip_spaces(s: str) -> str:
    """``s`` without ASCII white space at its ends."""
    return s.strip(SPACES)


def assert_str0(fname: str) -> str:
    """``fname``, which must not contain a zero character."""
    assert "\x00" not in fname, "NUL byte in fname"
    return fname


def check_str0(fname: str) -> None:
    """The same without a result."""
    assert "\x00" not in fname, "NUL byte in fname"


# -- numbers ----------------------------------------------------------------------------------


class InvalidBaseError(Exception):
    """The base is neither 0 nor one of 2 to 36."""


class ParseStringError(Exception):
    """What was to be parsed is no number; ``msg`` says so."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg


class ParseStringOverflowError(Exception):
    """The number is too large; ``parser`` can be rewound to read it again."""

    def __init__(self, parser: NumberStringParser) -> None:
        super().__init__()
        self.parser = parser


class NumberStringParser:
    """The sign, the base and the digits of an integer in text.

    s: the text, without spaces around it; ``start`` and ``end`` delimit the part to parse.
    literal: the text as the user wrote it.
    base: 2 to 36, or 0: the prefix tells (0x, 0b, 0o, or 0 for octal).
    fname: the function to name in messages.
    allow_underscores: single ones between digits, and after the prefix.
    no_implicit_octal: with base 0, digits other than 0 after a leading 0 are an error.

    Raises ParseStringError, in ``next_digit`` too, and InvalidBaseError.
    """

    def __init__(
        self,
        s: str,
        literal: str,
        base: int,
        fname: str,
        allow_underscores: bool = False,
        no_implicit_octal: bool = False,
        start: int = 0,
        end: int = -1,
    ) -> None:
        self.s = s
        self.literal = literal
        self.fname = fname
        self.original_base = base
        self.allow_underscores = allow_underscores
        if end < 0:
            end = len(s)
        self.sign = 1
        if start < end and s[start] in "+-":
            if s[start] == "-":
                self.sign = -1
            start += 1
        prefix = "0"
        if end - start > 1 and s[start] == "0":
            prefix = s[start + 1].lower()
        if base == 0:
            base = 10
            if start < end and s[start] == "0":
                base = _base_of_prefix(prefix)
                if base == 8 and prefix != "o" and no_implicit_octal:
                    base = 1  # nothing but zeros
        elif base < 2 or base > 36:
            raise InvalidBaseError(f"{fname}() base must be >= 2 and <= 36")
        self.base = base
        if start < end and s[start] == "_":
            self.error()
        if prefix in "xbo" and _base_of_prefix(prefix) == base:
            start += 2
            if allow_underscores and start < end and s[start] == "_":
                start += 1
        if start >= end:
            self.error()
        self.start = start
        self.end = end
        self.i = start

    def error(self) -> NoReturn:
        """Raise ParseStringError."""
        raise ParseStringError(f"invalid literal for {self.fname}() with base {self.original_base}")

    def rewind(self) -> None:
        """Start again at the first digit."""
        self.i = self.start

    def next_digit(self) -> int:
        """The next digit's value, -1 at the end."""
        i = self.i
        if i >= self.end:
            return -1
        if self.s[i] == "_" and self.allow_underscores and i > self.start:
            i += 1
            if i >= self.end:
                self.error()
        digit = self._digit(i)
        self.i = i + 1
        return digit

    def prev_digit(self) -> int:
        """The digit before the last one read, which is unread."""
        i = self.i - 1
        assert i >= self.start
        if self.s[i] == "_":
            i -= 1
        self.i = i
        return self._digit(i)

    def _digit(self, i: int) -> int:
        c = self.s[i]
        if "0" <= c <= "9":
            digit = ord(c) - ord("0")
        elif "a" <= c <= "z":
            digit = ord(c) - ord("a") + 10
        elif "A" <= c <= "Z":
            digit = ord(c) - ord("A") + 10
        else:
            self.error()
        if digit >= self.base:
            self.error()
        return digit


def _base_of_prefix(letter: str) -> int:
    if letter == "x":
        return 16
    if letter == "b":
        return 2
    return 8
