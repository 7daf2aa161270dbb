"""``rpython new NAME``: a program, or a package with a native module, to begin with, and its tests
(``translator.commandline.templates``).
"""

from __future__ import annotations

import argparse
import keyword
from pathlib import Path

from rpython.translator.commandline.templates import MODULE, MODULE_STEPS, PROGRAM, PROGRAM_STEPS
from rpython.translator.ir.errors import TranslationError

EXAMPLES = (
    ("rpython new words", "makes words/words.py and words/test_words.py"),
    ("rpython new --module words", "a package with a native module, to be installed by pip"),
)
STATUSES = {"1": "the folder is there already, or could not be made"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("name", type=Path, metavar="NAME", help="a folder that is not there yet")
    parser.add_argument(
        "--module", action="store_true", help="a package with a native module, and what pip needs"
    )


def run(options: argparse.Namespace) -> int:
    """Make the folder, and say what to do next.  Raises TranslationError and OSError."""
    folder: Path = options.name
    name = folder.name
    if not name.isidentifier() or keyword.iskeyword(name):
        raise TranslationError(
            f"{name!r} cannot be the name of a module", hint="use letters, digits and _"
        )
    files, steps = (MODULE, MODULE_STEPS) if options.module else (PROGRAM, PROGRAM_STEPS)
    folder.mkdir(parents=True)
    for file, text in files.items():
        path = folder / file.format(name=name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(name=name))
    print(f"made {folder} with {', '.join(file.format(name=name) for file in files)}; now try")
    print(f"    cd {folder}")
    for step in steps:
        print(f"    {step.format(name=name)}")
    return 0
