"""Replacement texts: what ``sub`` and ``expand`` put for a match."""

from __future__ import annotations

from re import error

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OCTAL = "01234567"
_DIGITS = "0123456789"
_ESCAPES = "abfnrtv\\"
_ESCAPED = "\a\b\f\n\r\t\v\\"
MAXGROUPS = 1073741823


class Template:
    """A parsed replacement: ``literals[i]`` comes before group ``groups[i]``, the last one at
    the end."""

    def __init__(self) -> None:
        self.literals: list[str] = []
        self.groups: list[int] = []


class _Parser:
    def __init__(self, text: str, groups: int, groupindex: dict[str, int]) -> None:
        self.text = text
        self.groups = groups
        self.groupindex = groupindex
        self.pos = 0
        self.literal: list[str] = []
        self.template = Template()

    def error(self, message: str, pos: int) -> error:
        return error(message, self.text, pos)

    def next_in(self, chars: str) -> bool:
        return self.pos < len(self.text) and self.text[self.pos] in chars

    def skip(self, count: int) -> None:
        """Go on; ``re`` looks one piece ahead, and raises when that is no complete escape."""
        self.pos += count
        if self.pos == len(self.text) - 1 and self.text[self.pos] == "\\":
            raise self.error("bad escape (end of pattern)", self.pos)

    def parse(self) -> Template:
        text = self.text
        self.skip(0)
        while self.pos < len(text):
            char = text[self.pos]
            if char == "\\":
                self.skip(2)
                self.escape()
            else:
                self.skip(1)
                self.literal.append(char)
        self.template.literals.append("".join(self.literal))
        return self.template

    def escape(self) -> None:
        start = self.pos - 2
        char = self.text[start + 1]
        if char == "g":
            self.named_group()
        elif char == "0":
            code = 0
            while self.pos < start + 4 and self.next_in(_OCTAL):
                code = code * 8 + int(self.text[self.pos])
                self.skip(1)
            self.literal.append(chr(code))
        elif char in _DIGITS:
            self.number(start, int(char))
        elif char in _ESCAPES:
            self.literal.append(_ESCAPED[_ESCAPES.index(char)])
        elif char in _LETTERS:
            raise self.error("bad escape \\" + char, start)
        else:
            self.literal.append("\\")
            self.literal.append(char)

    def number(self, start: int, number: int) -> None:
        if self.next_in(_DIGITS):
            second = int(self.text[self.pos])
            self.skip(1)
            if number < 8 and second < 8 and self.next_in(_OCTAL):
                code = (number * 8 + second) * 8 + int(self.text[self.pos])
                self.skip(1)
                if code > 255:
                    shown = self.text[start : self.pos]
                    raise self.error(f"octal escape value {shown} outside of range 0-0o377", start)
                self.literal.append(chr(code))
                return
            number = number * 10 + second
        self.add_group(number, start + 1)

    def named_group(self) -> None:
        text = self.text
        if not self.next_in("<"):
            raise self.error("missing <", self.pos)
        start = self.pos + 1
        end = text.find(">", start)
        if end < 0:
            if start == len(text):
                raise self.error("missing group name", start)
            if (len(text) - len(text.rstrip("\\"))) & 1:
                raise self.error("bad escape (end of pattern)", len(text) - 1)
            raise self.error("missing >, unterminated name", start)
        name = text[start:end]
        self.skip(end + 1 - self.pos)
        if name == "":
            raise self.error("missing group name", start)
        if name.isdecimal() and name.isascii():
            if len(name.lstrip("0")) > 10 or int(name) >= MAXGROUPS:
                number = name.lstrip("0")
                raise self.error(f"invalid group reference {number}", start)
            self.add_group(int(name), start)
        elif not name.isidentifier():
            raise self.error(f"bad character in group name {name!r}", start)
        elif name in self.groupindex:
            self.add_group(self.groupindex[name], start)
        else:
            raise IndexError(f"unknown group name {name!r}")

    def add_group(self, number: int, pos: int) -> None:
        if number > self.groups:
            raise self.error(f"invalid group reference {number}", pos)
        self.template.literals.append("".join(self.literal))
        del self.literal[:]
        self.template.groups.append(number)


def parse_template(text: str, groups: int, groupindex: dict[str, int]) -> Template:
    """Parse a replacement for a pattern with these groups.  Raises ``re.error``; IndexError for
    the name of no group."""
    return _Parser(text, groups, groupindex).parse()
