"""``docs/commands.md`` and the manual page, ``docs/rpython.1``, made from the parsers.

python -m tests.docs.commandsdoc      writes both again
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rpython.translator.commandline.commandmodel import STATUSES, Argument, Command, commands

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "commands.md"
MANUAL = DOCS / "rpython.1"

VARIABLES = {
    "CC": "the C compiler, with options if it needs some; else `cc`, else the one of the `ziglang`"
    " package from PyPI",
    "XDG_CACHE_HOME": "the folder in which `rpython3` is the cache; else `~/.cache`",
    "TMPDIR": "the folder for the C files of builds; else `/tmp`",
}
"""Variables of the environment that commands read."""

START = """# The commands

Made from the parsers by `python -m tests.docs.commandsdoc`; `tests/docs/test_commandpages.py` holds
it true. `rpython COMMAND --help` says the same, and so does the manual page, `man rpython`
(`docs/rpython.1`; of an editable install `man docs/rpython.1`). What the options are for is
explained in [building.md](building.md).

`rpython TARGET.py` is short for `rpython build TARGET.py`, `python -m rpython` for `rpython`.
`rpython --help` lists the commands, `rpython --version` prints the version.

"""


def page(all_commands: Sequence[Command]) -> str:
    """The text of ``docs/commands.md``."""
    lines = [START, "| command | what it does |\n|---|---|\n"]
    for command in all_commands:
        lines.append(f"| [`{command.name}`](#{command.name}) | {_cell(command.summary)} |\n")
    lines += ["\n## Exit status\n\n", _table("status", "meaning", STATUSES)]
    lines += ["\nWhere a command has others, its section says so.\n"]
    lines += ["\n## Environment\n\n", _table("variable", "meaning", VARIABLES)]
    for command in all_commands:
        lines += ["\n", *_section(command)]
    return "".join(lines)


def _section(command: Command) -> Iterator[str]:
    yield f"## {command.name}\n\n    {command.usage}\n\n{_sentence(command.description)}\n\n"
    yield "| argument | meaning |\n|---|---|\n"
    for argument in [*command.places, *command.options]:
        yield f"| {_code(argument)} | {_cell(argument.help)} |\n"
    yield "\n```sh\n"
    width = max(len(line) for line, _ in command.examples) + 2
    for line, what in command.examples:
        short = width < 60
        yield f"{line:{width}}# {what}\n" if short else f"# {what}\n{line}\n"
    yield "```\n"
    own = {s: what for s, what in command.statuses.items() if STATUSES.get(s) != what}
    if own:
        yield "\n" + _table("exit status", "meaning", own)


def _code(argument: Argument) -> str:
    if not argument.flags:
        return _cell(f"`{argument.value}{'...' if argument.repeats else ''}`")
    value = f" {argument.value}" if argument.value else ""
    return _cell(", ".join(f"`{flag}{value}`" for flag in argument.flags))


def _table(first: str, second: str, rows: dict[str, str]) -> str:
    cells = [f"| `{name}` | {_cell(what)} |\n" for name, what in rows.items()]
    return "".join([f"| {first} | {second} |\n|---|---|\n", *cells])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].removesuffix(".") + "."


# -- the manual page ------------------------------------------------------------------------------


def manual(all_commands: Sequence[Command]) -> str:
    """The text of ``docs/rpython.1``, for groff's macros ``man``."""
    lines = [
        '.TH RPYTHON 1 "" rpython3 "User Commands"',
        ".SH NAME", "rpython \\- translate restricted Python to native code",
        ".SH SYNOPSIS", ".B rpython", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
        ".br", ".B rpython", ".I TARGET.py",
        ".SH DESCRIPTION",
        _lines("rpython takes ordinary Python functions, infers every type in the whole program,"
              " and turns them into native code, which gives the same answer as CPython, or an"
              " error."),
        ".PP", _roff("rpython TARGET.py is short for rpython build TARGET.py."),
        ".SH COMMANDS",
    ]  # fmt: skip
    for command in all_commands:
        lines += _manual_of(command)
    lines += [".SH EXIT STATUS", *_listed(STATUSES)]
    lines += [".SH ENVIRONMENT", *_listed(VARIABLES)]
    return "\n".join(lines) + "\n"


def _manual_of(command: Command) -> Iterator[str]:
    yield f".SS {_roff(command.usage)}"
    yield _lines(_sentence(command.description))
    for argument in [*command.places, *command.options]:
        yield ".TP"
        names = [f"\\fB{_roff(flag)}\\fR" for flag in argument.flags]
        value = f"\\fI{_roff(argument.value)}\\fR" if argument.value else ""
        yield (", ".join(names) + (" " if names and value else "") + value) or value
        yield _lines(argument.help)
    own = {s: what for s, what in command.statuses.items() if STATUSES.get(s) != what}
    for status, what in own.items():
        yield f".PP\n{_lines(f'Exit status {status}: {what}.')}"
    yield ".PP\nExamples:\n.PP\n.nf\n.RS"
    for line, what in command.examples:
        yield f"{_roff(line)}\n.RS\n{_roff(what)}\n.RE"
    yield ".RE\n.fi"


def _listed(rows: dict[str, str]) -> Iterator[str]:
    for name, what in rows.items():
        yield f".TP\n.B {_roff(name)}\n{_lines(what)}"


def _lines(text: str) -> str:
    """A paragraph, in lines that are not too long."""
    return "\n".join(map(_roff, textwrap.wrap(text, 72, break_on_hyphens=False)))


def _roff(text: str) -> str:
    """Text as groff reads it: what means something to it is escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


if __name__ == "__main__":
    found = list(commands())
    PAGE.write_text(page(found), encoding="utf-8")
    MANUAL.write_text(manual(found), encoding="utf-8")
