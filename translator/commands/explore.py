"""``rpython explore TARGET.py -o out.html``: everything about a program in one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path

from rpython.backend_c.build import replacing
from rpython.translator.commandline.progress import Progress
from rpython.translator.commands.targetwords import add_target, meaning_of, parse_with_target
from rpython.translator.executable import executable_translation
from rpython.translator.imports import program_imports
from rpython.translator.products import output_path
from rpython.translator.target import import_target, target_of
from rpython.translator.view.model import explored
from rpython.translator.view.page import page

EXAMPLES = (
    ("rpython explore prog.py", "prog.html, to be opened in a browser"),
    ("rpython explore prog.py -o out/prog.html", "the same in another place"),
)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        "Show a program in one HTML file: its functions, the graph of each at every stage, with"
        " the Python and the C beside it, and what the optimiser did and did not do."
    )
    add_target(parser)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT.html",
        help="the file to make (default: TARGET.html in the current folder)",
    )  # fmt: skip


parse = parse_with_target


def run(options: argparse.Namespace) -> int:
    """Make the file, and say so.  Raises TranslationError: what is wrong with the program."""
    path = output_path(options.output or Path(f"{options.target.stem}.html"))
    with Progress(4) as progress:
        with program_imports(options.target):
            progress.begin("import")
            module = import_target(options.target)
            target = target_of(module, options.arguments, meaning_of(options))
            progress.begin("annotate")
            translation = executable_translation(target.entry, target.options)
            progress.begin("translate")
            found = explored(translation, str(options.target))
        progress.begin("write")
        text = page(found)
    with replacing(path.parent, {path.name: text}):
        pass
    own = sum(each["home"] == "PROGRAM" for each in found.index["functions"])
    size = len(text.encode()) / 1024
    print(f"{path}: {own} functions, {len(found.functions) - own} others, {size:,.0f} kB")
    return 0
