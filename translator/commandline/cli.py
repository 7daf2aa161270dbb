"""The command ``rpython``.

    rpython build TARGET.py [-o OUT]          a native executable
    rpython build --shared TARGET.py          a library for C, with its header
    rpython build --module TARGET.py          a module for Python
    rpython run TARGET.py [ARGS...]           build if anything changed, then run
    rpython profile TARGET.py [ARGS...]       run, and say which lines take the time
    rpython show TARGET.py FUNCTION --stage S the graph of one function as text
    rpython explore TARGET.py [-o OUT.html]   the whole program to look at in a browser
    rpython check TARGET.py...                infer types only
    rpython hints TARGET.py                   add the type hints that a program lacks, as a patch
    rpython explain R0201                     what an error means, and how to mend it
    rpython clean                             remove what is kept between builds
    rpython port FILE.py...                   make Python 2's RPython Python 3's
    rpython new NAME                          a program to begin with, and its tests
    rpython doctor                            is there everything that is needed?
    rpython completion SHELL                  print what makes bash, zsh or fish complete these
    rpython TARGET.py                         build, as RPython users type it
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from rpython.translator.commandline.colours import for_stream
from rpython.translator.commandline.command import INTERRUPTED, INTERRUPTED_STATUS, flush_output
from rpython.translator.commandline.commandmodel import COMMANDS, load
from rpython.translator.commandline.parser import CommandLineError
from rpython.translator.ir.errors import MOST_ERRORS, did_you_mean, late_hint
from rpython.translator.ir.hostgc import collect_seldom
from rpython.translator.version import version

_MORE = """\
examples:
  rpython new words                 a program to begin with
  rpython run prog.py data.txt      prog.py natively, with one argument
  rpython build prog.py -o prog     an executable

`rpython COMMAND --help` says more.  The documentation is in the folder docs of the source;
begin with README.md and docs/tutorial.md."""

_NOT_UNDERSTOOD = 2
"""The exit status, as argparse has it, where the command line is not understood."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    collect_seldom()
    argv = list(sys.argv[1:] if arguments is None else arguments)
    options = argparse.Namespace(max_errors=MOST_ERRORS, pdb=False)
    try:
        if argv and argv[0] not in (*COMMANDS, "-h", "--help", "--version"):
            _require_target(argv[0])
            argv.insert(0, "build")
        command, given = parse(argv)
        options = argparse.Namespace(**{**vars(options), **vars(given)})
        status: int = command.run(options)
        flush_output()
        return status
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        _leave_output()  # whoever read it has seen enough
        return 1
    except OSError as error:  # a disk that is full, a file that may not be written
        _leave_output()
        place = "" if error.filename is None else f"{error.filename}: "
        print(f"rpython: {place}{error.strerror or error}", file=sys.stderr)
        return 1
    except Exception as error:
        return _failed(error, argv, options)


def _failed(error: Exception, argv: Sequence[str], options: argparse.Namespace) -> int:
    """Say why the program is refused, or that there is a bug in the toolchain."""
    failures = importlib.import_module("rpython.translator.commandline.failures")
    told = failures.told(error, argv)
    print(for_stream(told.render_all(options.max_errors), sys.stderr), file=sys.stderr)
    if hint := late_hint(told):
        print(hint, file=sys.stderr)
    if options.pdb:
        failures.debug(error)
    return _NOT_UNDERSTOOD if isinstance(error, CommandLineError) else 1


def _require_target(word: str) -> None:
    """Raises CommandLineError where a word in place of a command is no file and no option."""
    if not word.startswith("-") and not word.endswith(".py") and not os.path.exists(word):
        close = did_you_mean(word, [*COMMANDS, "--help", "--version"])
        hint = close or "rpython --help lists the commands"
        raise CommandLineError(f"there is no command and no file {word!r}", hint=hint)


def parse(argv: Sequence[str]) -> tuple[Any, argparse.Namespace]:
    """The module of the command, and its options.  Raises CommandLineError for what is RPython's
    and not here, and SystemExit when the arguments are not understood."""
    width = max(map(len, COMMANDS)) + 2
    first = argparse.ArgumentParser(
        prog="rpython",
        description="Translate restricted Python to native code.",
        epilog="commands:\n"
        + "\n".join(f"  {n:{width}}{what}" for n, what in COMMANDS.items())
        + "\n\n"
        + _MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    first.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    first.add_argument("command", choices=list(COMMANDS), metavar="COMMAND")
    if not argv:
        first.print_help(sys.stderr)
        first.exit(_NOT_UNDERSTOOD)
    name: str = first.parse_args(argv[:1]).command
    command, parser = load(name)
    words = list(argv[1:])
    reads = hasattr(command, "parse")
    return command, command.parse(parser, words) if reads else parser.parse_args(words)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"rpython3 {version()}")
        parser.exit()


def _leave_output() -> None:
    """Write no more: what is left would be tried again, in vain, when Python ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
