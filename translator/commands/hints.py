"""``rpython hints TARGET.py``: print a patch that adds the type hints that a program lacks."""

from __future__ import annotations

import argparse

from rpython.translator.commands.targetwords import add_target, parse_with_target
from rpython.translator.executable import executable_translation
from rpython.translator.hints.patching import hints_patch
from rpython.translator.imports import program_imports
from rpython.translator.options import Options
from rpython.translator.target import import_target, target_of

EXAMPLES = (
    ("rpython hints prog.py", "what would be added, as a unified diff"),
    ("rpython hints prog.py | patch -p0", "add it"),
)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_target(parser)


def parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    return parse_with_target(parser, words)


def run(options: argparse.Namespace) -> int:
    """Print the patch.  Raises TranslationError."""
    with program_imports(options.target):
        module = import_target(options.target)
        meaning = Options(boxing=options.boxing, ints=options.ints)
        chosen = target_of(module, options.arguments, meaning)
        translation = executable_translation(chosen.entry, chosen.options)
        translation.annotate()
        print(hints_patch(translation.annotator), end="")
    return 0
