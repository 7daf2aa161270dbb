"""Which source files there are in a folder."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator


def source_files(
    folder: str, apart: Collection[str], suffixes: tuple[str, ...] = (".py",)
) -> Iterator[tuple[str, int, int]]:
    """The sizes and times, by which Python, too, knows them, of the source files in a folder, but
    for those in folders named ``apart``."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith(suffixes):
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns
        elif "." not in entry.name and entry.name not in apart and entry.is_dir():
            yield from source_files(entry.path, apart, suffixes)
