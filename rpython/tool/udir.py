"""A folder for the files that tests write: ``udir``, a new one in each process."""

from __future__ import annotations

import os

import py


def make_udir(dir: str | None = None, basename: str | None = None) -> py.path.local:
    """A new numbered folder ``usession-BASENAME-N``; the three newest are kept.  ``dir``: where,
    else ``PYPY_USESSION_DIR``, else where temporary files are."""
    place = dir or os.environ.get("PYPY_USESSION_DIR")
    root = None if place is None else py.path.local(place)
    name = basename or os.environ.get("PYPY_USESSION_BASENAME", "")
    prefix = f"usession-{name.strip('-')}-" if name.strip("-") else "usession-"
    made: py.path.local = py.path.local.make_numbered_dir(rootdir=root, prefix=prefix, keep=3)
    return made


udir = make_udir()
