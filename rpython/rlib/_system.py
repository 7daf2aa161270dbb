"""What programs get in place of functions of ``os`` and ``os.path`` that are more than one call
of the system (those are the rows of ``lltypesystem.foreign.systemtable``)."""

from __future__ import annotations

import errno
import math
import os
import time
from collections.abc import Iterator
from typing import Any

from rpython.lltypesystem.foreign import systemtable
from rpython.rlib import rpath
from rpython.rlib.rpath import StrPath

S_IFMT = 0o170000


def failure(number: int, path: str) -> OSError:
    """The error about a path."""
    return OSError(number, os.strerror(number), path)


def checked(given: str | None, path: str) -> str:
    """What a call gave that gives a text, or ``!`` and the number of an error."""
    assert given is not None
    if given.startswith("!"):
        raise failure(int(given[1:]), path)
    return given


def checked_no_path(given: str | None) -> str:
    """The same where the error names no path."""
    assert given is not None
    if given.startswith("!"):
        number = int(given[1:])
        raise OSError(number, os.strerror(number))
    return given


# -- status -----------------------------------------------------------------------------------


class StatResult:
    """What ``os.stat`` gives."""

    def __init__(self, numbers: str) -> None:
        n = [int(number) for number in numbers.split(" ")]
        self.st_mode, self.st_ino, self.st_dev, self.st_nlink = n[0], n[1], n[2], n[3]
        self.st_uid, self.st_gid, self.st_size = n[4], n[5], n[6]
        self.st_atime_ns, self.st_mtime_ns, self.st_ctime_ns = n[7], n[8], n[9]
        self.st_atime, self.st_mtime, self.st_ctime = _seconds(n[7]), _seconds(n[8]), _seconds(n[9])
        self.st_blksize, self.st_blocks = n[10], n[11]
        self._whole = [n[0], n[1], n[2], n[3], n[4], n[5], n[6]]
        self._whole += [n[7] // 1000000000, n[8] // 1000000000, n[9] // 1000000000]

    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> int:
        if not -10 <= index < 10:
            raise IndexError("tuple index out of range")
        return self._whole[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._whole)


def _seconds(ns: int) -> float:
    return ns // 1000000000 + 1e-9 * (ns % 1000000000)


def stat(path: StrPath, *, follow_symlinks: bool = True) -> StatResult:
    return StatResult(checked(systemtable.path_status(path, int(follow_symlinks)), path))


def lstat(path: StrPath) -> StatResult:
    return StatResult(checked(systemtable.path_status(path, 0), path))


def fstat(fd: int) -> StatResult:
    return StatResult(checked_no_path(systemtable.fd_status(fd)))


class DiskStatus:
    """What ``os.statvfs`` gives."""

    def __init__(self, numbers: str) -> None:
        found = [int(number) for number in numbers.split(" ")]
        self.f_bsize, self.f_frsize = found[0], found[1]
        self.f_blocks, self.f_bfree, self.f_bavail = found[2], found[3], found[4]
        self.f_files, self.f_ffree, self.f_favail = found[5], found[6], found[7]
        self.f_flag, self.f_namemax = found[8], found[9]


def statvfs(path: StrPath) -> DiskStatus:
    return DiskStatus(checked(systemtable.disk_status(path), path))


def _mode(path: str, follow: int) -> int:
    """The kind of a file; 0 when there is none."""
    if "\0" in path:
        return 0
    numbers = systemtable.path_status(path, follow)
    assert numbers is not None
    if numbers.startswith("!"):
        return 0
    return int(numbers[: numbers.index(" ")]) & S_IFMT


def exists(path: StrPath) -> bool:
    return _mode(path, 1) != 0


def lexists(path: StrPath) -> bool:
    return _mode(path, 0) != 0


def isfile(path: StrPath) -> bool:
    return _mode(path, 1) == 0o100000


def isdir(s: StrPath) -> bool:
    return _mode(s, 1) == 0o040000


def islink(path: StrPath) -> bool:
    return _mode(path, 0) == 0o120000


def getsize(filename: StrPath) -> int:
    return stat(filename).st_size


def getmtime(filename: StrPath) -> float:
    return stat(filename).st_mtime


def getatime(filename: StrPath) -> float:
    return stat(filename).st_atime


def getctime(filename: StrPath) -> float:
    return stat(filename).st_ctime


def utime(
    path: StrPath, times: tuple[float, float] | None = None, *, ns: tuple[int, int] | None = None
) -> None:
    """Set when a file was used and changed; without times: now."""
    if times is not None:
        if ns is not None:
            raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
        used, changed = _nanoseconds(float(times[0])), _nanoseconds(float(times[1]))
    elif ns is not None:
        used, changed = ns
    else:
        used = changed = time.time_ns()
    systemtable.set_times(path, used // 10**9, used % 10**9, changed // 10**9, changed % 10**9)


def _nanoseconds(seconds: float) -> int:
    whole = math.floor(seconds)
    return whole * 10**9 + math.floor((seconds - whole) * 1e9)


def samefile(f1: StrPath, f2: StrPath) -> bool:
    s1, s2 = stat(f1), stat(f2)
    return s1.st_ino == s2.st_ino and s1.st_dev == s2.st_dev


# -- directories ------------------------------------------------------------------------------


def getcwd() -> str:
    return checked_no_path(systemtable.current_directory())


def readlink(path: StrPath) -> str:
    return checked(systemtable.link_target(path), path)[1:]


def listdir(path: StrPath = ".") -> list[str]:
    names = checked(systemtable.directory_names(path), path)
    return names[1:].split("/") if names else []


def makedirs(name: StrPath, mode: int = 0o777, exist_ok: bool = False) -> None:
    head, tail = rpath.split(name)
    if not tail:
        head, tail = rpath.split(head)
    if head and tail and not exists(head):
        _make_parents(head, exist_ok)
        if tail == ".":
            return
    try:
        os.mkdir(name, mode)
    except OSError:
        if not exist_ok or not isdir(name):
            raise


def _make_parents(head: str, exist_ok: bool) -> None:
    try:
        makedirs(head, 0o777, exist_ok)
    except FileExistsError:
        return


def removedirs(name: StrPath) -> None:
    os.rmdir(name)
    head, tail = rpath.split(name)
    if not tail:
        head, tail = rpath.split(head)
    while head and tail:
        try:
            os.rmdir(head)
        except OSError:
            break
        head, tail = rpath.split(head)


class DirEntry:
    """An entry of a directory, from ``os.scandir``."""

    def __init__(self, directory: str, name: str) -> None:
        self.name = name
        self.path = rpath.rjoin(directory, name)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return _mode(self.path, int(follow_symlinks)) == 0o040000

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return _mode(self.path, int(follow_symlinks)) == 0o100000

    def is_symlink(self) -> bool:
        return islink(self.path)

    def inode(self) -> int:
        return lstat(self.path).st_ino

    def stat(self, *, follow_symlinks: bool = True) -> StatResult:
        return stat(self.path) if follow_symlinks else lstat(self.path)


class ScandirIterator:
    """The entries of a directory."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._names = listdir(path)
        self._at = 0

    def __iter__(self) -> ScandirIterator:
        return self

    def __next__(self) -> DirEntry:
        if self._at >= len(self._names):
            raise StopIteration
        self._at += 1
        return DirEntry(self._path, self._names[self._at - 1])

    def close(self) -> None:
        self._at = len(self._names)

    def __enter__(self) -> ScandirIterator:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()


def scandir(path: StrPath = ".") -> ScandirIterator:
    return ScandirIterator(path)


def walk(
    top: StrPath, topdown: bool = True, onerror: None = None, followlinks: bool = False
) -> Iterator[tuple[str, list[str], list[str]]]:
    try:
        names = listdir(top)
    except OSError:
        return
    directories: list[str] = []
    files: list[str] = []
    for name in names:
        (directories if isdir(rpath.rjoin(top, name)) else files).append(name)
    if topdown:
        yield top, directories, files
    for name in directories:
        path = rpath.rjoin(top, name)
        if followlinks or not islink(path):
            yield from walk(path, topdown, None, followlinks)
    if not topdown:
        yield top, directories, files


# -- processes --------------------------------------------------------------------------------


def pipe() -> tuple[int, int]:
    both = systemtable.make_pipe()
    return both & 0xFFFFFFFF, both >> 32


def waitpid(pid: int, options: int) -> tuple[int, int]:
    both = systemtable.wait_for(pid, options)
    return both >> 32, both & 0xFFFFFFFF


def wait() -> tuple[int, int]:
    return waitpid(-1, 0)


def _one_text(texts: list[str]) -> str:
    """Texts as a call takes several."""
    return "\1\1".join([text.replace("\1", "\1\2") for text in texts])


def _check_arguments(name: str, args: list[str]) -> None:
    if not args:
        raise ValueError(name + " must not be empty")
    if not args[0]:
        raise ValueError(name + " first element cannot be empty")


def execv(path: StrPath, argv: list[str]) -> None:
    _check_arguments("execv() arg 2", argv)
    systemtable.run_program(path, _one_text(argv))


def execve(path: StrPath, argv: list[str], env: dict[str, str]) -> None:
    if not argv:
        raise ValueError("execve: argv must not be empty")
    if not argv[0]:
        raise ValueError("execve: argv first element cannot be empty")
    variables = [name + "=" + env[name] for name in env]
    systemtable.run_program_in(path, _one_text(argv), _one_text(variables))


def execvp(file: StrPath, args: list[str]) -> None:
    _check_arguments("execvp() arg 2", args)
    if "/" in file:
        execv(file, args)
    number = errno.ENOENT
    for directory in (getenv("PATH") or "/bin:/usr/bin").split(":"):
        try:
            execv(rpath.rjoin(directory, file), args)
        except OSError as error:
            found = error.errno
            if number == errno.ENOENT and found is not None and found != errno.ENOTDIR:
                number = found
    raise OSError(number, os.strerror(number))


def wifexited(status: int) -> bool:
    return status & 0x7F == 0


def wexitstatus(status: int) -> int:
    return status >> 8 & 0xFF


def wifsignaled(status: int) -> bool:
    return status & 0x7F not in (0, 0x7F)


def wtermsig(status: int) -> int:
    return status & 0x7F


def wifstopped(status: int) -> bool:
    return status & 0xFF == 0x7F


def wcoredump(status: int) -> bool:
    return status & 0x80 != 0


def waitstatus_to_exitcode(status: int) -> int:
    if wifexited(status):
        return wexitstatus(status)
    if wifsignaled(status):
        return -wtermsig(status)
    if wifstopped(status):
        raise ValueError("process stopped by delivery of signal " + str(status >> 8 & 0xFF))
    raise ValueError("invalid wait status: " + str(status))


def urandom(size: int) -> bytes:
    if size < 0:
        raise ValueError("negative argument not allowed")
    fd = os.open("/dev/urandom", os.O_RDONLY | os.O_CLOEXEC)
    pieces: list[bytes] = []
    try:
        while size > 0:
            piece = os.read(fd, size)
            pieces.append(piece)
            size -= len(piece)
    finally:
        os.close(fd)
    return b"".join(pieces)


# -- the environment --------------------------------------------------------------------------


class Environ:
    """``os.environ``: read when the program asks for the first time."""

    def __init__(self) -> None:
        self._known: dict[str, str] | None = None

    def _variables(self) -> dict[str, str]:
        known = self._known
        if known is None:
            known = self._known = {}
            i = 0
            while True:
                variable = systemtable.variable_at(i)
                if variable is None:
                    break
                at = variable.find("=")
                if at >= 0 and variable[:at] not in known:
                    known[variable[:at]] = variable[at + 1 :]
                i += 1
        return known

    def __len__(self) -> int:
        return len(self._variables())

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._variables()))

    def __contains__(self, key: str) -> bool:
        return key in self._variables()

    def __getitem__(self, key: str) -> str:
        return self._variables()[key]

    def get(self, key: str, default: str | None = None) -> str | None:
        known = self._variables()
        return known.get(key, default)

    def __setitem__(self, key: str, value: str) -> None:
        known = self._variables()
        if "=" in key:
            raise ValueError("illegal environment variable name")
        if not key:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        systemtable.set_variable(key, value)
        known[key] = value

    def __delitem__(self, key: str) -> None:
        known = self._variables()
        systemtable.unset_variable(key)
        del known[key]

    def setdefault(self, key: str, default: str) -> str:
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: str, *default: Any) -> Any:
        known = self._variables()
        if key not in known:
            if default:
                return default[0]
            raise KeyError(key)
        value = known[key]
        del self[key]
        return value

    def update(self, *others: Any, **named: str) -> None:
        if others:
            for key in others[0]:
                self[key] = others[0][key]
        if named:
            for key, value in dict(**named).items():
                self[key] = value

    def clear(self) -> None:
        for key in self:
            del self[key]

    def keys(self) -> list[str]:
        return list(self._variables())

    def values(self) -> list[str]:
        return list(self._variables().values())

    def items(self) -> list[tuple[str, str]]:
        return list(self._variables().items())

    def copy(self) -> dict[str, str]:
        return dict(self._variables())


environ = Environ()


class SharedEnviron(Environ):
    """That of a process which others change, too: read each time."""

    def _variables(self) -> dict[str, str]:
        self._known = None
        return Environ._variables(self)


shared_environ = SharedEnviron()
"""``os.environ`` of extension modules."""


def getenv(key: str, default: str | None = None) -> str | None:
    return environ.get(key, default)


def putenv(name: str, value: str) -> None:
    if "=" in name:
        raise ValueError("illegal environment variable name")
    systemtable.set_variable(name, value)


def unsetenv(name: str) -> None:
    systemtable.unset_variable(name)
