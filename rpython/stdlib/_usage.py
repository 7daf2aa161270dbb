"""What parsers of ``argparse`` say of their arguments."""

from __future__ import annotations

import argparse
import os
import textwrap

from rpython.lltypesystem import systemtable
from rpython.stdlib._arguments import ANY, EXACTLY, NO_VALUE, OPTIONAL, SOME, Declared

_USAGE = "usage: "


def _names_metavar_once() -> bool:
    """Does the host write ``-n, --top TOP``, not ``-n TOP, --top TOP``?"""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-n", "--top")
    return "-n, --top TOP" in parser.format_help()


_SPLITS = not hasattr(argparse.HelpFormatter, "_get_actions_usage_parts")
"""May the host break a line of usage between an option and its value?"""

_ONCE = _names_metavar_once()


class Section:
    """Arguments under one title."""

    def __init__(self, title: str | None, description: str | None) -> None:
        self.title = title
        self.description = description
        self.numbers: list[int] = []


def _columns() -> int:
    """``shutil.get_terminal_size().columns``"""
    text = os.environ.get("COLUMNS", "")
    try:
        columns = int(text)
    except ValueError:
        columns = 0
    if columns <= 0:
        columns = systemtable.terminal_columns(1)
    return columns if columns > 0 else 80


def expanded_text(text: str, values: dict[str, str]) -> str:
    """``text % values``, where it has nothing but ``%(name)s`` and ``%%``."""
    pieces: list[str] = []
    at = 0
    while True:
        percent = text.find("%", at)
        if percent < 0:
            pieces.append(text[at:])
            return "".join(pieces)
        pieces.append(text[at:percent])
        if text[percent : percent + 2] == "%%":
            pieces.append("%")
            at = percent + 2
            continue
        end = text.find(")s", percent)
        name = text[percent + 2 : end] if end >= 0 else ""
        if text[percent : percent + 2] != "%(" or name not in values:
            raise NotImplementedError(f"this format in a text of argparse: {text[percent:]}")
        pieces.append(values[name])
        at = end + 2


def _one_line(text: str) -> str:
    """Its words, as ASCII's white space tells them apart, with a space between."""
    for white in "\t\n\r\f\v":
        text = text.replace(white, " ")
    return " ".join([word for word in text.split(" ") if word]).strip()


def _values(argument: Declared, prefix: str) -> str:
    """What the argument takes, ``[FILE ...]``; prefix: in front, if there is something."""
    takes = argument.takes
    if takes == NO_VALUE:
        return ""
    first = second = argument.dest.upper() if argument.names else argument.dest
    if argument.metavars:
        first, second = argument.metavars[0], argument.metavars[-1]
    elif argument.has_choices:
        first = second = "{" + ",".join(argument.choices_shown) + "}"
    if takes == OPTIONAL:
        return f"{prefix}[{first}]"
    if takes == ANY:
        two = f"{prefix}[{first} [{second} ...]]"
        return two if len(argument.metavars) == 2 else f"{prefix}[{first} ...]"
    if takes == SOME:
        return f"{prefix}{first} [{second} ...]"
    if takes == EXACTLY and len(argument.metavars) != argument.count:
        return prefix + " ".join([first] * argument.count)
    if takes == EXACTLY:
        return prefix + " ".join(argument.metavars)
    return prefix + first


def _invocation(argument: Declared) -> str:
    """How the argument is listed."""
    if not argument.names:
        if argument.metavars:
            return argument.metavars[0]
        if argument.has_choices:
            return "{" + ",".join(argument.choices_shown) + "}"
        return argument.dest
    values = _values(argument, " ")
    if _ONCE:
        return ", ".join(argument.names) + values
    return ", ".join([name + values for name in argument.names])


def _part_of_usage(argument: Declared) -> str:
    if not argument.names:
        return _values(argument, "")
    part = argument.names[0] + _values(argument, " ")
    return part if argument.required else f"[{part}]"


def _pieces(part: str) -> list[str]:
    """Between which a line of usage may be broken."""
    if not _SPLITS or part.startswith("["):
        return [part]
    words, space, brackets = part.partition(" [")
    return words.split() + (["[" + brackets] if space else [])


def _is_hidden(argument: Declared) -> bool:
    return argument.help == argparse.SUPPRESS


class Formatter:
    """``argparse.HelpFormatter``, and those that leave texts as they are."""

    def __init__(
        self, prog: str, arguments: list[Declared], raw_texts: bool, raw_helps: bool
    ) -> None:
        self.prog = prog
        self.arguments = arguments
        self.raw_texts = raw_texts
        self.raw_helps = raw_helps
        self.width = _columns() - 2
        lengths = [len(_invocation(a)) + 2 for a in arguments if not _is_hidden(a)]
        longest = max(lengths) if lengths else 0
        self.help_at = min(longest + 2, 24, max(self.width - 20, 4))

    def whole(self, pieces: list[str]) -> str:
        """With no more than one empty line at once."""
        text = "".join([piece for piece in pieces if piece]).strip("\n")
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text + "\n"

    def text(self, text: str | None, indent: int) -> str:
        """A paragraph."""
        if text is None or text == argparse.SUPPRESS:
            return ""
        if "%(prog)" in text:
            text = expanded_text(text, {"prog": self.prog})
        margin = " " * indent
        if self.raw_texts:
            return "".join([margin + line for line in text.splitlines(True)]) + "\n\n"
        width = max(self.width - indent, 11)
        lines = textwrap.wrap(_one_line(text), width - indent)
        return "\n".join([margin + line for line in lines]) + "\n\n"

    def section(self, section: Section) -> str:
        pieces = [self.text(section.description, 2)]
        for number in section.numbers:
            if not _is_hidden(self.arguments[number]):
                pieces.append(self._listed(self.arguments[number]))
        body = "".join(pieces)
        if not body:
            return ""
        title = "" if section.title is None else f"{section.title}:\n"
        return f"\n{title}{body}\n"

    def _listed(self, argument: Declared) -> str:
        header, room = _invocation(argument), self.help_at - 4
        if not argument.help:
            return f"  {header}\n"
        short = len(header) <= room
        head = "  " + header + (" " * (room - len(header)) + "  " if short else "\n")
        if not argument.help.strip():
            return head if head.endswith("\n") else head + "\n"
        text = self._expanded_help(argument)
        width = max(self.width - self.help_at, 11)
        margin = " " * self.help_at
        if not text:
            return head
        lines = text.splitlines() if self.raw_helps else textwrap.wrap(_one_line(text), width)
        if not lines:
            raise IndexError("list index out of range")
        first = lines[0] if short else margin + lines[0]
        return head + "\n".join([first] + [margin + line for line in lines[1:]]) + "\n"

    def _expanded_help(self, argument: Declared) -> str:
        if "%" not in argument.help:
            return argument.help
        values = {"prog": self.prog, "dest": argument.dest, "default": argument.default_text()}
        values["type"] = argument.type_name
        if argument.has_choices:
            values["choices"] = ", ".join(argument.choices_shown)
        if len(argument.metavars) == 1:
            values["metavar"] = argument.metavars[0]
        return expanded_text(argument.help, values)

    def usage(self, usage: str | None) -> str:
        """The first line, or what the program says that it is."""
        if usage is not None:
            return f"{_USAGE}{expanded_text(usage, {'prog': self.prog})}\n\n"
        shown = [argument for argument in self.arguments if not _is_hidden(argument)]
        options = [_part_of_usage(argument) for argument in shown if argument.names]
        others = [_part_of_usage(argument) for argument in shown if not argument.names]
        line = " ".join([self.prog, *options, *others])
        if len(_USAGE) + len(line) <= self.width:
            return f"{_USAGE}{line}\n\n"
        return _USAGE + "\n".join(self._wrapped(options, others)) + "\n\n"

    def _wrapped(self, option_parts: list[str], other_parts: list[str]) -> list[str]:
        options = [piece for part in option_parts for piece in _pieces(part)]
        others = [piece for part in other_parts for piece in _pieces(part)]
        if len(_USAGE) + len(self.prog) <= 0.75 * self.width:
            indent = " " * (len(_USAGE) + len(self.prog) + 1)
            if options:
                first = self._lines([self.prog, *options], indent, len(_USAGE))
                return first + self._lines(others, indent, 0)
            if others:
                return self._lines([self.prog, *others], indent, len(_USAGE))
            return [self.prog]
        indent = " " * len(_USAGE)
        lines = self._lines(options + others, indent, 0)
        if len(lines) > 1:
            lines = self._lines(options, indent, 0) + self._lines(others, indent, 0)
        return [self.prog, *lines]

    def _lines(self, parts: list[str], indent: str, before: int) -> list[str]:
        """before: the length of what is in front of the first line, which is not indented then."""
        lines: list[str] = []
        line: list[str] = []
        length = (before if before else len(indent)) - 1
        for part in parts:
            if length + 1 + len(part) > self.width and line:
                lines.append(indent + " ".join(line))
                line = []
                length = len(indent) - 1
            line.append(part)
            length += len(part) + 1
        if line:
            lines.append(indent + " ".join(line))
        if before:
            lines[0] = lines[0][len(indent) :]
        return lines
