"""The commands of ``rpython`` and what each takes, read from their parsers.

``--help``, ``rpython completion``, docs/commands.md and the manual page say the same, since all of
them are made from this.
"""

from __future__ import annotations

import argparse
import importlib
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rpython.translator.commandline.parser import CommandParser
from rpython.translator.ir.records import dataclass

COMMANDS = {
    "build": "make a native executable or library",
    "run": "build if anything changed, then run",
    "profile": "run, and say which lines take the time",
    "show": "print the graph of one function",
    "explore": "show a program in one HTML file",
    "check": "infer types, translate nothing",
    "hints": "add the type hints that a program lacks, as a patch",
    "explain": "say what an error means, and how to mend it",
    "clean": "remove what is kept between builds",
    "port": "make RPython of Python 2 that of Python 3",
    "new": "make a program to begin with, and its tests",
    "doctor": "say what there is of what the commands need",
    "completion": "print what makes a shell complete these commands",
}
"""A command -> what it does.  Each is a module of ``translator.commands``, of which the one that is
asked for is loaded.  ``add_arguments(parser)`` says what it takes, ``parse(parser, words)``, if
there is one, reads that, ``run(options)`` gives the exit status.  ``EXAMPLES`` are command lines,
each with what it does; ``STATUSES`` are exit statuses that mean something else than in
``STATUSES`` below."""

STATUSES = {
    "0": "done",
    "1": "the program was refused, or a file could not be read or written",
    "2": "the command line was not understood",
    "130": "interrupted by Ctrl-C",
}
"""An exit status -> what it means."""

_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Argument:
    """An option, or what stands at a place of the command line (no ``flags``).  ``value``: what
    help calls the value; "" of an option without one.  ``repeats``: several may stand there;
    ``is_rest``: and what looks like an option is one of them."""

    flags: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    is_path: bool
    repeats: bool
    is_rest: bool
    help: str

    @property
    def is_program(self) -> bool:
        """Is the value the file of a Python program?"""
        return self.value.endswith(".py")


@dataclass(frozen=True, slots=True)
class Command:
    """``description``: without line breaks.  ``examples``: lines, and what they do."""

    name: str
    summary: str
    description: str
    arguments: tuple[Argument, ...]
    examples: tuple[tuple[str, str], ...]
    statuses: dict[str, str]

    @property
    def options(self) -> list[Argument]:
        return [argument for argument in self.arguments if argument.flags]

    @property
    def places(self) -> list[Argument]:
        return [argument for argument in self.arguments if not argument.flags]

    @property
    def usage(self) -> str:
        words = [place.value + ("..." if place.repeats else "") for place in self.places]
        return " ".join(["rpython", self.name, "[OPTIONS]", *words])


def load(name: str) -> tuple[Any, CommandParser]:
    """The module of a command, and its parser."""
    command: Any = importlib.import_module(f"rpython.translator.commands.{name}")
    parser = CommandParser(
        owners=_owners, prog=f"rpython {name}", description=COMMANDS[name], allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.add_arguments(parser)
    parser.description = textwrap.fill(parser.description or "", _WIDTH)
    parser.epilog = _table("examples", dict(command.EXAMPLES)) + "\n\n"
    parser.epilog += _table("exit status", _statuses(command))
    return command, parser


def _owners(flag: str) -> list[str]:
    """The commands that have the option."""
    return [
        command.name for command in commands()
        if any(flag in option.flags for option in command.options)
    ]  # fmt: skip


def commands() -> Iterator[Command]:
    """All commands, in the order of help."""
    for name, summary in COMMANDS.items():
        module, parser = load(name)
        arguments = tuple(_argument(action) for action in parser._actions)  # there is no other way
        yield Command(
            name, summary, " ".join((parser.description or "").split()), arguments,
            tuple(module.EXAMPLES), _statuses(module),
        )  # fmt: skip


def _argument(action: argparse.Action) -> Argument:
    takes_value = action.nargs != 0
    metavar = str(action.metavar or action.dest.upper())
    if action.choices is not None and not action.metavar:
        metavar = "|".join(map(str, action.choices))
    return Argument(
        flags=tuple(action.option_strings),
        value=metavar if takes_value else "",
        choices=tuple(map(str, action.choices or ())),
        is_path=action.type is Path,
        repeats=action.nargs in ("*", "+", argparse.REMAINDER),
        is_rest=action.nargs == argparse.REMAINDER,
        help=(action.help or "") % {**vars(action), "prog": "rpython"},
    )


def _statuses(command: Any) -> dict[str, str]:
    found = {**STATUSES, **command.STATUSES}
    return {status: found[status] for status in sorted(found, key=_order)}


def _order(status: str) -> tuple[bool, int]:
    """Numbers first, words last."""
    return (False, int(status)) if status.isdecimal() else (True, 0)


def _table(title: str, rows: dict[str, str]) -> str:
    width = max(map(len, rows)) + 2
    lines = []
    for name, what in rows.items():
        if width > _WIDTH // 2:
            lines += [
                f"  {name}",
                *textwrap.wrap(
                    what, _WIDTH - 6, initial_indent="      ", subsequent_indent="      "
                ),
            ]
        else:
            start, indent = f"  {name:{width}}", " " * (width + 2)
            lines += textwrap.wrap(what, _WIDTH, initial_indent=start, subsequent_indent=indent)
    return "\n".join([f"{title}:", *lines])
