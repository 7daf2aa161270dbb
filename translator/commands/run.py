"""``rpython run TARGET.py [ARGS...]``: build if anything changed, then run."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rpython.translator.commandline.buildflags import (
    add_build_options,
    build_options,
    translation_options,
)
from rpython.translator.commandline.command import flush_output
from rpython.translator.commandline.parser import CommandParser
from rpython.translator.commandline.runcache import RunCache
from rpython.translator.commandline.spellings import our_arguments
from rpython.translator.commands.build import build_kept
from rpython.translator.commands.targetwords import add_target
from rpython.translator.imports import program_imports

EXAMPLES = (
    ("rpython run prog.py data.txt", "the program, with one argument"),
    ("rpython run --int=big prog.py 30", "the program, with ints of any size"),
)
STATUSES = {"other": "that of the program, once it is built"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes.  What stands behind the target is the program's."""
    add_target(parser)
    parser.add_argument(
        "args", nargs=argparse.REMAINDER, metavar="ARGS", help="arguments of the program"
    )
    add_build_options(parser)
    parser.set_defaults(arguments=())


def parse(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    options: argparse.Namespace = parser.parse_args(our_arguments(words))
    return options


def run(options: argparse.Namespace) -> int:
    """Become the program.  Raises TranslationError and OSError."""
    target: Path = options.target
    translated = translation_options(options)
    cache = RunCache(target, (repr(translated), repr(build_options(options, translated))))
    if not cache.is_fresh():
        build_kept(options, cache, program_imports(target))
    flush_output()
    os.execv(cache.executable, [str(target), *options.args])
