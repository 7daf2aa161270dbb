"""``os``: what is more than a call of the system (``lltypesystem.foreign.systemtable``)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rpython.lltypesystem.foreign import systemtable
from rpython.rlib import _system
from rpython.rlib._system import checked, checked_no_path
from rpython.rlib.rpath import StrPath
from rpython.stdlib._registry import replace_each, replaces

replace_each({
    os.stat: _system.stat, os.lstat: _system.lstat, os.fstat: _system.fstat,
    os.getcwd: _system.getcwd, os.readlink: _system.readlink, os.listdir: _system.listdir,
    os.makedirs: _system.makedirs, os.removedirs: _system.removedirs,
    os.scandir: _system.scandir, os.walk: _system.walk, os.pipe: _system.pipe,
    os.wait: _system.wait, os.waitpid: _system.waitpid, os.execv: _system.execv,
    os.execve: _system.execve, os.execvp: _system.execvp,
    os.WIFEXITED: _system.wifexited, os.WEXITSTATUS: _system.wexitstatus,
    os.WIFSIGNALED: _system.wifsignaled, os.WTERMSIG: _system.wtermsig,
    os.WIFSTOPPED: _system.wifstopped, os.WCOREDUMP: _system.wcoredump,
    os.waitstatus_to_exitcode: _system.waitstatus_to_exitcode, os.urandom: _system.urandom,
    os.utime: _system.utime, os.getenv: _system.getenv, os.putenv: _system.putenv,
    os.unsetenv: _system.unsetenv, os.stat_result: _system.StatResult,
    os.DirEntry: _system.DirEntry, os.statvfs: _system.statvfs,
})  # fmt: skip
replaces(os.environ)(_system.environ)


@replaces(os.fspath)
def fspath(path: StrPath) -> str:
    return path


@replaces(os.fsencode)
def fsencode(filename: StrPath) -> bytes:
    return filename.encode("utf-8", "surrogateescape")


def _number_of(names: dict[str, int], setting: str | int) -> int:
    if isinstance(setting, str):
        if setting not in names:
            raise ValueError("unrecognized configuration name")
        return names[setting]
    return setting


@replaces(os.sysconf)
def sysconf(setting: str | int) -> int:
    return int(checked_no_path(systemtable.system_limit(_number_of(os.sysconf_names, setting))))


@replaces(os.pathconf)
def pathconf(path: StrPath, setting: str | int) -> int:
    number = _number_of(os.pathconf_names, setting)
    return int(checked(systemtable.path_limit(path, number), path))


@replaces(os.fpathconf)
def fpathconf(fd: int, setting: str | int) -> int:
    return int(checked_no_path(systemtable.fd_limit(fd, _number_of(os.pathconf_names, setting))))


@replaces(os.confstr)
def confstr(setting: str | int) -> str | None:
    found = checked_no_path(systemtable.system_text(_number_of(os.confstr_names, setting)))
    return found[1:] if found else None


@replaces(os.getgroups)
def getgroups() -> list[int]:
    return [int(group) for group in checked_no_path(systemtable.group_numbers()).split()]


@replaces(os.setgroups)
def setgroups(groups: list[int]) -> None:
    for group in groups:
        if not -1 <= group < 1 << 32:  # -1 is the number that stands for no group
            raise OverflowError("gid is less than minimum")  # for large ones, too
    numbers = "".join([str(group & 0xFFFFFFFF) + " " for group in groups])
    systemtable.set_group_numbers(numbers, len(groups))


@replaces(os.times_result)
class TimesResult:
    """What ``os.times`` gives."""

    def __init__(self, parts: list[float]) -> None:
        self.user, self.system, self.children_user = parts[0], parts[1], parts[2]
        self.children_system, self.elapsed = parts[3], parts[4]
        self._parts = parts

    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: int) -> float:
        if not -5 <= index < 5:
            raise IndexError("tuple index out of range")
        return self._parts[index]

    def __iter__(self) -> Iterator[float]:
        return iter(self._parts)


@replaces(os.times)
def times() -> TimesResult:
    ticks = [int(part) for part in checked_no_path(systemtable.process_times()).split(" ")]
    return TimesResult([float(part) / ticks[5] for part in ticks[:5]])
