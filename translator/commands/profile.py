"""``rpython profile TARGET.py [ARGS...]``: run natively, and say where the time goes."""

from __future__ import annotations

import argparse
import pickle
import signal
import sys
from pathlib import Path

from rpython.backend_c.build import replacing
from rpython.backend_c.linedirectives import NumberedPlaces
from rpython.backend_c.outputs import require_replaceable
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
from rpython.translator.view.flame import flame_page
from rpython.translator.view.profile import Profile
from rpython.translator.view.samples import Symbols, sampled

EXAMPLES = (
    ("rpython profile prog.py data.txt", "the lines and functions that take most time"),
    ("rpython profile --allocation prog.py", "those that allocate most memory"),
    ("rpython profile -o out.html prog.py", "and a flame graph, to be opened in a browser"),
)
STATUSES = {"other": "that of the program, once it is built"}

_SIGNALLED = 128
"""Added to the number of a signal, as shells do, it is the status of what that has ended."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes.  What stands behind the target is the program's."""
    parser.description = (
        "Run a program natively, optimised as usual, and print on stderr which of its lines and"
        " functions take the time or allocate the memory."
    )
    add_target(parser)
    parser.add_argument(
        "args", nargs=argparse.REMAINDER, metavar="ARGS", help="arguments of the program"
    )
    parser.add_argument(
        "--allocation", dest="event", action="store_const", const="allocation", default="time",
        help="look at the memory that is allocated, not at the time",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--html", type=Path, metavar="OUT.html",
        help="write a flame graph and the source there",
    )  # fmt: skip
    parser.add_argument(
        "--lines", type=int, default=12, metavar="N",
        help="how many lines and functions to print (default: %(default)s)",
    )  # fmt: skip
    add_build_options(parser)
    parser.set_defaults(arguments=())


def parse(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    options: argparse.Namespace = parser.parse_args(our_arguments(words))
    if options.event == "allocation" and options.gc != "generational":
        parser.error("--allocation needs --gc=generational")
    return options


def run(options: argparse.Namespace) -> int:
    """Run the program, and print the report.  Raises TranslationError and OSError."""
    if options.html is not None:
        require_replaceable(options.html)
    executable, places = _built(options)
    flush_output()
    words = [str(options.target), *options.args]
    samples, status = sampled(words, executable, options.event)
    profile = Profile.of(samples, Symbols(executable, places), options.event)
    if options.html is not None:
        text = flame_page(profile, str(options.target))
        with replacing(options.html.parent, {options.html.name: text}):
            pass
    print(profile.text(options.lines), end="", file=sys.stderr)
    if status < 0:
        print(f"ended by {signal.Signals(-status).name}", file=sys.stderr)
        return _SIGNALLED - status
    return status


def _built(options: argparse.Namespace) -> tuple[Path, NumberedPlaces]:
    """The program, built to be sampled, unless one of an earlier run is still good."""
    target: Path = options.target
    translated = translation_options(options)
    how = repr(build_options(options, translated))
    cache = RunCache(target, (repr(translated), how, "sampled"))
    places_file = cache.executable.with_suffix(".places")
    if cache.is_fresh() and places_file.exists():
        places: NumberedPlaces = pickle.loads(places_file.read_bytes())
        return cache.executable, places
    places_file.unlink(missing_ok=True)  # without it the program is built again
    places = NumberedPlaces()
    build_kept(options, cache, program_imports(target), places)
    places_file.write_bytes(pickle.dumps(places))
    return cache.executable, places
