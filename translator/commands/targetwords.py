"""The arguments of the commands that translate: options, the target, and what the target gets.

    build -O1 t.py -o out --level 3     ours: -O1 -o out     target(driver, ["--level", "3"])
    build t.py -- -o x                                       target(driver, ["-o", "x"])
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from rpython.translator.commandline.parser import CommandParser
from rpython.translator.commandline.spellings import our_arguments
from rpython.translator.driver import Translation
from rpython.translator.executable import executable_translation
from rpython.translator.imports import program_imports
from rpython.translator.ir.errors import MOST_ERRORS
from rpython.translator.options import Boxing, Ints, LateErrors, Options
from rpython.translator.target import import_target, target_of


def add_target(parser: argparse.ArgumentParser) -> None:
    """The target, ``target`` of the options, how many errors to show, and what is one."""
    parser.add_argument(
        "target", type=Path, metavar="TARGET.py",
        help="a script, or a file with entry_point(argv) or target(driver, args)",
    )  # fmt: skip
    parser.add_argument(
        "--boxing", choices=get_args(Boxing),
        help="may values of several kinds be in one place? (default: allow, with"
        " target(driver, args) refuse)",
    )  # fmt: skip
    parser.add_argument(
        "--int", dest="ints", choices=get_args(Ints), default="64",
        help="do ints have 64 bits, or as many as they need? (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--errors", choices=get_args(LateErrors),
        help="what always raises an exception: refuse it, or raise it when the program runs?"
        " (default: late outside of the program's own files, with target(driver, args) refuse)",
    )  # fmt: skip
    parser.add_argument(
        "--max-errors", type=_positive, default=MOST_ERRORS, metavar="N",
        help="show the first N errors (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--pdb", action="store_true",
        help="stop in Python's debugger where the program is refused, with graph, block and"
        " operation",
    )  # fmt: skip


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def parse_with_target(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say.  What stands behind the target and is no option of ours, and all behind
    ``--``, is the target's: ``arguments``."""
    end = words.index("--") if "--" in words else len(words)
    ours = our_arguments(words[:end])
    options, unknown = parser.parse_known_args(ours)
    targets = (i for i, word in enumerate(ours) if Path(word) == options.target)
    before = ours[: next(targets)] if unknown else []
    if wrong := [word for word in unknown if word in before]:
        parser.refuse(wrong)
    options.arguments = [*unknown, *words[end + 1 :]]
    return options


def meaning_of(options: argparse.Namespace) -> Options:
    """What the command line says of the meaning of the program."""
    return Options(boxing=options.boxing, ints=options.ints, errors=options.errors)


def program_of(target: Path, arguments: Sequence[str], options: Options) -> Translation:
    """The program of a file with its types.  Raises TranslationError."""
    with program_imports(target):
        chosen = target_of(import_target(target), arguments, options)
        translation = executable_translation(chosen.entry, chosen.options)
        translation.annotate()
    return translation
