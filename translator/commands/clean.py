"""``rpython clean``: remove what is kept between builds.

Typed helpers, object files, the executables of ``rpython run``, what C's headers say, and the C
files of earlier builds: all that is made again when it is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rpython.backend_c.options import default_directory
from rpython.translator.ir.diskcache import PARTS, cache_directory, remove, size_of

EXAMPLES = (
    ("rpython clean", "removes the folders, and says how much was in them"),
    ("rpython clean run builds", "removes the executables of rpython run, and C files of builds"),
)
STATUSES = {"1": "something could not be removed"}
_BUILDS = "builds"
_FOLDERS: dict[str, Callable[[], Path]] = {
    **{part: partial(cache_directory, part) for part in PARTS},
    _BUILDS: default_directory,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: parts of what is kept."""
    told = {**PARTS, _BUILDS: "C files of earlier builds"}
    parser.add_argument(
        "parts", nargs="*", metavar="PART", type=_part,
        help="remove that alone: " + ", ".join(f"{part} ({what})" for part, what in told.items()),
    )  # fmt: skip


def _part(word: str) -> str:
    """(``choices`` of Python 3.11 would have to have the empty list.)"""
    if word not in _FOLDERS:
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(_FOLDERS)}")
    return word


def run(options: argparse.Namespace) -> int:
    """Remove the folders, and say how much was in them."""
    folders = [cache_directory(), default_directory()]
    if options.parts:
        folders = [_FOLDERS[part]() for part in dict.fromkeys(options.parts)]
    found = list(filter(Path.is_dir, folders))
    for folder in found:
        size = size_of(folder)
        remove(folder)
        left = " in part" if folder.exists() else ""
        print(f"{folder}: removed{left}, {size / (1 << 20):.1f} MB")
    if not found:
        print("nothing is kept")
    return int(any(folder.exists() for folder in found))
