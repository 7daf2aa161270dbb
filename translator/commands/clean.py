"""``rpython clean``: remove what is kept between builds.

Typed helpers, object files, the executables of ``rpython run``, what C's headers say, and the C
files of earlier builds: all that is made again when it is missing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rpython.backend_c.options import default_directory
from rpython.translator.ir.diskcache import cache_directory, remove, size_of

EXAMPLES = (("rpython clean", "removes the folders, and says how much was in them"),)
STATUSES = {"1": "something could not be removed"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: nothing."""


def run(options: argparse.Namespace) -> int:
    """Remove the folders, and say how much was in them."""
    folders: list[Path] = [cache_directory(), default_directory()]
    found = list(filter(Path.is_dir, folders))
    for folder in found:
        size = size_of(folder)
        remove(folder)
        left = " in part" if folder.exists() else ""
        print(f"{folder}: removed{left}, {size / (1 << 20):.1f} MB")
    if not found:
        print("nothing is kept")
    return int(any(folder.exists() for folder in found))
