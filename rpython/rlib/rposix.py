"""The operating system, as ``os`` has it, with ``str`` of characters 0 to 255 for data.

What it refuses raises OSError.
"""

from __future__ import annotations

import os

from rpython.lltypesystem import rffi
from rpython.lltypesystem.lltype import Signed, scoped_alloc
from rpython.lltypesystem.rffi import get_saved_errno as get_saved_errno
from rpython.lltypesystem.rffi import set_saved_errno as set_saved_errno

_c_rename = rffi.llexternal("rename", [rffi.CCHARP, rffi.CCHARP], rffi.INT)
_c_link = rffi.llexternal("link", [rffi.CCHARP, rffi.CCHARP], rffi.INT)
_c_symlink = rffi.llexternal("symlink", [rffi.CCHARP, rffi.CCHARP], rffi.INT)
_c_chmod = rffi.llexternal("chmod", [rffi.CCHARP, rffi.MODE_T], rffi.INT)
_c_umask = rffi.llexternal("umask", [rffi.MODE_T], rffi.MODE_T)
_c_dup2 = rffi.llexternal("dup2", [rffi.INT, rffi.INT], rffi.INT)
_c_pipe = rffi.llexternal("pipe", [rffi.INTP], rffi.INT)
_c_kill = rffi.llexternal("kill", [rffi.PID_T, rffi.INT], rffi.INT)
_c_getppid = rffi.llexternal("getppid", [], rffi.PID_T)


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


def getppid() -> int:
    """The number of the process that started this one."""
    return int(rffi.cast(Signed, _c_getppid()))


def handle_posix_error(name: str, result: int) -> int:
    """``result`` of a C function, a number.  Raises OSError if it is negative."""
    number: int = rffi.cast(Signed, result)
    if number < 0:
        raise OSError(get_saved_errno(), name + " failed")
    return number


handle_posix_error._annspecialcase_ = "specialize:argtype(1)"  # type: ignore[attr-defined]


def rename(path1: str, path2: str) -> None:
    """Give a file another name; one of that name is replaced."""
    handle_posix_error("rename", _c_rename(path1, path2))


def link(oldpath: str, newpath: str) -> None:
    """Give a file one more name."""
    handle_posix_error("link", _c_link(oldpath, newpath))


def symlink(oldpath: str, newpath: str) -> None:
    """Make a symbolic link."""
    handle_posix_error("symlink", _c_symlink(oldpath, newpath))


def chmod(path: str, mode: int) -> None:
    """Set the permissions of a file."""
    handle_posix_error("chmod", _c_chmod(path, mode))


def umask(newmask: int) -> int:
    """Set which permissions new files never get; the result is what it was before."""
    return int(rffi.cast(Signed, _c_umask(newmask)))


def dup2(fd: int, newfd: int, inheritable: bool = True) -> None:
    """Make another descriptor the same file."""
    assert inheritable
    handle_posix_error("dup2", _c_dup2(fd, newfd))


def pipe() -> tuple[int, int]:
    """Two descriptors: what is written to the second can be read from the first."""
    with scoped_alloc(rffi.INTP.TO, 2) as fds:
        handle_posix_error("pipe", _c_pipe(fds))
        return int(rffi.cast(Signed, fds[0])), int(rffi.cast(Signed, fds[1]))


def kill(pid: int, sig: int) -> None:
    """Send a signal to a process."""
    handle_posix_error("kill", _c_kill(pid, sig))
