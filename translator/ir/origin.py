"""What comes with this toolchain, and what does not."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = __name__.partition(".")[0]
_FOLDER = f"{Path(__file__).parents[2]}{os.sep}"
"""Where the files of the toolchain are, as tracebacks and ``__file__`` name them."""


def is_ours(module: object) -> bool:
    """Is it the name of a module of the toolchain?"""
    return str(module).partition(".")[0] == _PACKAGE


def is_our_file(filename: str, *packages: str) -> bool:
    """Is it a file of the toolchain; of one of these packages of it, if any are given?"""
    inside = filename.removeprefix(_FOLDER)
    return inside != filename and (not packages or inside.partition(os.sep)[0] in packages)
