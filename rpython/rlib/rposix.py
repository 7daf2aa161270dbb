"""The operating system, as ``os`` has it, with ``str`` of characters 0 to 255 for data.

What it refuses raises OSError.
"""

from __future__ import annotations

import os

from lltypesystem.rffi import get_saved_errno as get_saved_errno
from lltypesystem.rffi import set_saved_errno as set_saved_errno


def open(path: str, flags: int, mode: int = 0o777) -> int:
    """A file descriptor."""
    return os.open(path, flags, mode)


def read(fd: int, count: int) -> str:
    """Up to ``count`` characters; none at the end only."""
    return os.read(fd, count).decode("latin-1")


def write(fd: int, data: str) -> int:
    """How many of the characters have been written."""
    return os.write(fd, data.encode("latin-1"))


def close(fd: int) -> None:
    os.close(fd)


def lseek(fd: int, pos: int, how: int) -> int:
    """The new position: ``pos`` from the start (0), from here (1), from the end (2)."""
    return os.lseek(fd, pos, how)


def ftruncate(fd: int, length: int) -> None:
    os.ftruncate(fd, length)


def fsync(fd: int) -> None:
    os.fsync(fd)


def dup(fd: int, inheritable: bool = False) -> int:
    """Another descriptor of the same file, not inherited."""
    assert not inheritable
    return os.dup(fd)


def isatty(fd: int) -> bool:
    return os.isatty(fd)


def access(path: str, mode: int) -> bool:
    """Whether the file is there and may be used so."""
    return os.access(path, mode)


def unlink(path: str) -> None:
    """Remove a file."""
    os.unlink(path)


def rmdir(path: str) -> None:
    """Remove an empty directory."""
    os.rmdir(path)


def mkdir(path: str, mode: int = 0o777) -> None:
    """Make a directory."""
    os.mkdir(path, mode)


def getcwd() -> str:
    """The current directory."""
    return os.getcwd()


def getpid() -> int:
    """The number of the process."""
    return os.getpid()
