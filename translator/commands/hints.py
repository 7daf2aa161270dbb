"""``rpython hints TARGET.py``: print a patch that adds the type hints that a program lacks."""

from __future__ import annotations

import argparse

from rpython.translator.commands.targetwords import (
    add_target,
    meaning_of,
    parse_with_target,
    program_of,
)
from rpython.translator.hints.patching import hints_patch

EXAMPLES = (
    ("rpython hints prog.py", "what would be added, as a unified diff"),
    ("rpython hints prog.py | patch -p0", "add it"),
)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_target(parser)


parse = parse_with_target


def run(options: argparse.Namespace) -> int:
    """Print the patch.  Raises TranslationError."""
    translation = program_of(options.target, options.arguments, meaning_of(options))
    print(hints_patch(translation.annotator), end="")
    return 0
