"""What parsers of ``argparse`` say of their arguments."""

from __future__ import annotations

import argparse
import os
import textwrap
from typing import Any

from rpython.lltypesystem.foreign import systemtable
from rpython.stdlib._declared import ANY, OPTIONAL, Declared
from rpython.stdlib._usagelines import Exclusive, usage_text, values_of


def _names_metavar_once() -> bool:
    """Does the host write ``-n, --top TOP``, not ``-n TOP, --top TOP``?"""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-n", "--top")
    return "-n, --top TOP" in parser.format_help()


_ONCE = _names_metavar_once()


def _listed_with_indent() -> bool:
    """Does the host see that commands are listed further to the right, where it looks how much room
    help needs?"""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_subparsers(metavar="x").add_parser("command", help="it")
    return "    command  it" in parser.format_help()


_COMMAND_INDENT = 4 if _listed_with_indent() else 2


PLAIN, RAW_DESCRIPTION, RAW_TEXT, DEFAULTS = range(4)


def formatter_kind(formatter_class: Any) -> int:
    """Which of the classes of ``argparse`` it is."""
    if formatter_class is argparse.HelpFormatter:
        return PLAIN
    if formatter_class is argparse.RawDescriptionHelpFormatter:
        return RAW_DESCRIPTION
    if formatter_class is argparse.RawTextHelpFormatter:
        return RAW_TEXT
    if formatter_class is argparse.ArgumentDefaultsHelpFormatter:
        return DEFAULTS
    raise NotImplementedError("this formatter_class of ArgumentParser")


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


def _invocation(argument: Declared) -> str:
    """How the argument is listed."""
    if not argument.names:
        if argument.metavars:
            return argument.metavars[0]
        if argument.has_choices:
            return "{" + ",".join(argument.choices_shown) + "}"
        return argument.dest
    values = values_of(argument, " ")
    if _ONCE:
        return ", ".join(argument.names) + values
    return ", ".join([name + values for name in argument.names])


class Formatter:
    """``argparse.HelpFormatter``, and those that leave texts as they are."""

    def __init__(
        self, prog: str, arguments: list[Declared], groups: list[Exclusive], kind: int
    ) -> None:
        self.prog = prog
        self.arguments = arguments
        self.groups = groups
        self.kind = kind
        self.width = _columns() - 2
        options = [i for i in range(len(arguments)) if arguments[i].names]
        self.shown_in_usage = options + [i for i in range(len(arguments)) if i not in options]
        longest = 0
        for argument in arguments:
            if argument.help != argparse.SUPPRESS:
                longest = max(longest, len(_invocation(argument)) + 2)
                for command in argument.listed:
                    longest = max(longest, len(_invocation(command)) + _COMMAND_INDENT)
        self.help_at = min(longest + 2, 24, max(self.width - 20, 4))

    def leave_out_options(self) -> None:
        """In the line of usage."""
        self.shown_in_usage = [i for i in self.shown_in_usage if not self.arguments[i].names]

    def whole(self, pieces: list[str]) -> str:
        """With no more than one empty line at once."""
        text = "".join([piece for piece in pieces if piece])
        if not text:
            return ""
        text = text.strip("\n")
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
        if self.kind == RAW_DESCRIPTION or self.kind == RAW_TEXT:
            return "".join([margin + line for line in text.splitlines(True)]) + "\n\n"
        width = max(self.width - indent, 11)
        lines = textwrap.wrap(_one_line(text), width - indent)
        return "\n".join([margin + line for line in lines]) + "\n\n"

    def section(self, title: str | None, description: str | None, numbers: list[int]) -> str:
        pieces = [self.text(description, 2)]
        for number in numbers:
            if self.arguments[number].help != argparse.SUPPRESS:
                pieces.append(self._listed(self.arguments[number], 2))
                for command in self.arguments[number].listed:
                    pieces.append(self._listed(command, 4))
        body = "".join(pieces)
        if not body:
            return ""
        heading = "" if title is None or title == argparse.SUPPRESS else f"{title}:\n"
        return f"\n{heading}{body}\n"

    def _listed(self, argument: Declared, indent: int) -> str:
        header, room = " " * indent + _invocation(argument), self.help_at - 2
        if not argument.help:
            return f"{header}\n"
        short = len(header) <= room
        head = header + (" " * (room - len(header)) + "  " if short else "\n")
        if not argument.help.strip():
            return head if head.endswith("\n") else head + "\n"
        text = self._expanded_help(argument)
        width = max(self.width - self.help_at, 11)
        margin = " " * self.help_at
        if not text:
            return head
        lines = (
            text.splitlines() if self.kind == RAW_TEXT else textwrap.wrap(_one_line(text), width)
        )
        if not lines:
            raise IndexError("list index out of range")
        first = lines[0] if short else margin + lines[0]
        return head + "\n".join([first] + [margin + line for line in lines[1:]]) + "\n"

    def _expanded_help(self, argument: Declared) -> str:
        help = argument.help
        if self.kind == DEFAULTS and "%(default)" not in help and not argument.is_suppressed():
            if argument.names or argument.takes == OPTIONAL or argument.takes == ANY:
                help += " (default: %(default)s)"
        if "%" not in help:
            return help
        values = {"prog": self.prog, "dest": argument.dest, "default": argument.default_text()}
        values["type"] = argument.type_name
        if argument.has_choices:
            values["choices"] = ", ".join(argument.choices_shown)
        if len(argument.metavars) == 1:
            values["metavar"] = argument.metavars[0]
        return expanded_text(help, values)

    def usage(self, usage: str | None, prefix: str = "usage: ") -> str:
        """The first line, or what the program says that it is."""
        if usage is None:
            text = usage_text(
                self.prog, self.arguments, self.shown_in_usage, self.groups, self.width, prefix
            )
        elif usage == argparse.SUPPRESS:
            return ""
        else:
            text = expanded_text(usage, {"prog": self.prog})
        return f"{prefix}{text}\n\n"
