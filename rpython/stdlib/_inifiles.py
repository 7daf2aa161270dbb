"""Lines of the files that ``configparser`` reads."""

from __future__ import annotations

import sys
from typing import Any

_FINE, NO_SECTION, SECTION_TWICE, OPTION_TWICE, WRONG = range(5)
"""What is to be said of a line."""


class Options:
    """How files are written."""

    def __init__(
        self, delimiters: list[str], comments: list[str], inline_comments: list[str],
        allow_no_value: bool, strict: bool, empty_lines_in_values: bool,
    ) -> None:  # fmt: skip
        self.delimiters = delimiters
        self.comments = comments
        self.inline_comments = inline_comments
        self.allow_no_value = allow_no_value
        self.strict = strict
        self.empty_lines_in_values = empty_lines_in_values

    def comment_in(self, line: str) -> int:
        """Where the comment of a line begins; -1 if it has none."""
        stripped = line.strip()
        for prefix in self.comments:
            if stripped.startswith(prefix):
                return 0
        prefixes = self.inline_comments
        places = [-1] * len(prefixes)
        while prefixes:
            found = -1
            next_prefixes: list[str] = []
            next_places: list[int] = []
            for prefix, place in zip(prefixes, places):
                place = line.find(prefix, place + 1)
                if place >= 0:
                    next_prefixes.append(prefix)
                    next_places.append(place)
                    if place == 0 or line[place - 1].isspace():
                        found = place if found < 0 else min(found, place)
            if found >= 0:
                return found
            prefixes, places = next_prefixes, next_places
        return -1

    def delimiter_in(self, text: str) -> tuple[int, int]:
        """Where the first delimiter begins and ends; (-1, -1) if there is none."""
        start = end = -1
        for delimiter in self.delimiters:
            found = text.find(delimiter)
            if found >= 0 and (start < 0 or found < start):
                start, end = found, found + len(delimiter)
        return start, end


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


class Reader:
    """The state of reading."""

    def __init__(self, parser: Any, syntax: Options) -> None:
        self.parser = parser
        self.syntax = syntax
        self.section = ""
        self.options: dict[str, str | None] | None = None
        self.option = ""
        self.lines: list[str] | None = None
        """Of the value of the option."""
        self.indentation = 0
        self.seen: set[str] = set()
        self.seen_options: set[tuple[str, str]] = set()

    def take(self, line: str) -> int:
        if "\n" in line.rstrip("\n"):
            raise NotImplementedError("a line with another in it")
        comment = self.syntax.comment_in(line)
        text = (line if comment < 0 else line[:comment]).strip()
        if not text:
            if not self.syntax.empty_lines_in_values:
                self.indentation = sys.maxsize
            elif comment < 0 and self.lines is not None:
                self.lines.append("")
            return _FINE
        indentation = _indentation(line)
        if self.option and indentation > self.indentation:
            if self.lines is None:
                raise AttributeError("'NoneType' object has no attribute 'append'")
            self.lines.append(text)
            return _FINE
        self.indentation = indentation
        end = text.rfind("]")
        if text.startswith("[") and end > 1:
            return self._begin_section(text[1:end])
        return NO_SECTION if self.options is None else self._begin_option(self.options, text)

    def _begin_section(self, name: str) -> int:
        self.end_value()
        self.section = name
        parser = self.parser
        if name in parser._sections:
            if self.syntax.strict and name in self.seen:
                return SECTION_TWICE
            self.options = parser._sections[name]
            self.seen.add(name)
        elif name == parser.default_section:
            self.options = parser._defaults
        else:
            self.options = parser._make(name)
            self.seen.add(name)
        return _FINE

    def _begin_option(self, options: dict[str, str | None], text: str) -> int:
        start, end = self.syntax.delimiter_in(text)
        if start < 0 and not self.syntax.allow_no_value:
            return WRONG
        self.end_value()
        name = text if start < 0 else text[:start].rstrip()
        found = _FINE if name else WRONG
        self.option = self.parser.optionxform(name)
        key = (self.section, self.option)
        if self.syntax.strict and key in self.seen_options:
            return OPTION_TWICE
        self.seen_options.add(key)
        options[self.option] = None
        if start >= 0:
            self.lines = [text[end:].strip()]
        return found

    def end_value(self) -> None:
        """Keep what was read of the option."""
        if self.options is not None and self.lines is not None:
            self.options[self.option] = "\n".join(self.lines).rstrip()
        self.lines = None
        self.option = ""
