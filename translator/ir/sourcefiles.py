"""Which source files there are in a folder, and what is in one."""

from __future__ import annotations

import hashlib
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


def content_hash(path: str) -> str:
    """The hash of a file's contents; '' when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
