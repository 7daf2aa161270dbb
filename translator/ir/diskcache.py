"""What is kept on disk between processes: below one folder of the user's, in parts of their own.

    ~/.cache/rpython3/objects       object files of C
                      helpers       typed low-level helpers
                      ...           (``PARTS``)

A ``DiskCache`` is a part in which files are named by all that their content depends on, so that
nothing in it is ever wrong, only unused: who does not find a file makes it again.  Any number of
processes may use it at once: a file is written under another name and renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

_MINUTE = 60
_DAY = 24 * 60 * _MINUTE
_DIGEST_SIZE = hashlib.sha256().digest_size

PARTS = {
    "objects": "object files of C",
    "helpers": "typed low-level helpers",
    "sources": "C files of programs",
    "run": "executables of rpython run",
    "reports": "what rpython check has said",
    "cdef": "what C's headers say",
    "csources": "C sources of programs that use cffi, and their libraries",
    "unicode": "tables of characters",
    "bytecode": "what Python compiles while the tests run",
}
"""All that is kept."""


def cache_directory(part: str = "") -> Path:
    """Where a part is kept, or, without a name, all: below $XDG_CACHE_HOME, else ~/.cache."""
    assert not part or part in PARTS, part
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "rpython3" / part


def prune(
    folder: Path, limit: int, pattern: str, keep: frozenset[Path] = frozenset()
) -> None:
    """Remove the files and folders of that pattern in ``folder``, but for ``keep``, that were
    unused for longest (by the time of their last change), until the others take ``limit`` bytes.
    A folder with a ``.lock`` of the last days is in use.  Looking at all of them takes time, so
    that is done once a minute at most."""
    looked = folder / "looked"
    with contextlib.suppress(FileNotFoundError):
        if 0 <= time.time() - looked.stat().st_mtime < _MINUTE:
            return
    with contextlib.suppress(OSError):  # a full disk
        looked.touch()
    entries = []
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):  # another process's pruning
            entries.append((path.stat().st_mtime, size_of(path), path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit:
            break
        if path not in keep and path != looked and not _is_in_use(path):
            remove(path)
            total -= size


def _is_in_use(path: Path) -> bool:
    try:
        return time.time() - (path / ".lock").lstat().st_mtime < 2 * _DAY
    except OSError:
        return False


def size_of(path: Path) -> int:
    """How many bytes a file has, or those in a folder.  Raises OSError."""
    if not path.is_dir() or path.is_symlink():
        return path.lstat().st_size
    return sum(map(size_of, path.iterdir()))


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; another process may do so, too."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


class DiskCache:
    """Files of bytes below ``folder``, which take ``limit`` bytes at most.

    What is read is executed, in a manner of speaking: a folder that others can write to is not
    used.  Where nothing can be written, nothing is kept.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self._limit = limit
        self._usable: bool | None = None

    def read(self, name: str) -> bytes | None:
        """What is kept under that name; None: nothing, or what nobody has written like that."""
        if not self._is_usable():
            return None
        path = self.folder / name
        try:
            with open(path, "rb") as file:
                content = file.read()
                if time.time() - os.fstat(file.fileno()).st_mtime > _DAY:
                    os.utime(path)  # so that pruning drops what is no longer used
        except OSError:
            return None
        digest, data = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
        if hashlib.sha256(data).digest() != digest:
            self.drop(name)
            return None
        return data

    def write(self, name: str, data: bytes) -> None:
        """Keep it under that name."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._usable = None
            if not self._is_usable():
                return
            number, scratch = tempfile.mkstemp(dir=self.folder, prefix=".")
            try:
                with open(number, "wb") as file:
                    file.write(hashlib.sha256(data).digest() + data)
                os.replace(scratch, self.folder / name)
            except BaseException:
                os.unlink(scratch)
                raise
            prune(self.folder, self._limit, "*")

    def drop(self, name: str) -> None:
        """Keep it no longer."""
        remove(self.folder / name)

    def _is_usable(self) -> bool:
        if self._usable is None:
            self._usable = _is_private(self.folder)
        return self._usable


def _is_private(folder: Path) -> bool:
    """Is it, or what it links to, a folder in which only this user can write?"""
    try:
        status = os.stat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )  # fmt: skip
