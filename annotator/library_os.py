"""Functions of ``os``, ``os.path``, ``stat``, ``time``, ``sys`` and ``gc`` that are written in
Python: what the program calls, and what is translated for it."""

from __future__ import annotations

import gc
import os
import stat
import sys
import time
from typing import Any, NamedTuple

from rpython.rlib import _limits, _paths, _system, _time, rpath

PATH_FUNCTIONS: dict[Any, Any] = {
    os.path.join: rpath.join, os.path.normpath: rpath.rnormpath,
    os.path.abspath: rpath.rabspath, os.path.isabs: rpath.risabs, os.path.split: rpath.split,
    os.path.dirname: rpath.dirname, os.path.basename: rpath.basename,
    os.path.splitext: rpath.splitext, os.path.exists: _system.exists,
    os.path.lexists: _system.lexists, os.path.isfile: _system.isfile,
    os.path.isdir: _system.isdir, os.path.islink: _system.islink,
    os.path.getsize: _system.getsize, os.path.getmtime: _system.getmtime,
    os.path.getatime: _system.getatime, os.path.getctime: _system.getctime,
    os.path.samefile: _system.samefile, os.path.relpath: _paths.relpath,
    os.path.commonprefix: _paths.commonprefix, os.path.splitdrive: _paths.splitdrive,
    os.path.normcase: _paths.normcase, os.path.expanduser: _paths.expanduser,
    os.path.realpath: _paths.realpath, os.path.commonpath: _paths.commonpath,
    os.path.expandvars: _paths.expandvars, os.path.ismount: _paths.ismount,
}  # fmt: skip
OS_FUNCTIONS: dict[Any, Any] = {
    **PATH_FUNCTIONS,
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
    stat.S_IFMT: _paths.s_ifmt, stat.S_IMODE: _paths.s_imode, stat.S_ISDIR: _paths.s_isdir,
    stat.S_ISREG: _paths.s_isreg, stat.S_ISLNK: _paths.s_islnk, stat.S_ISFIFO: _paths.s_isfifo,
    stat.S_ISCHR: _paths.s_ischr, stat.S_ISBLK: _paths.s_isblk, stat.S_ISSOCK: _paths.s_issock,
    os.utime: _system.utime, os.fspath: _paths.fspath, os.fsencode: _paths.fsencode,
    stat.filemode: _paths.filemode,
    sys.getrecursionlimit: _system.getrecursionlimit,
    sys.setrecursionlimit: _system.setrecursionlimit,
    gc.enable: _system.gc_enable, gc.disable: _system.gc_disable,
    gc.isenabled: _system.gc_isenabled,
    os.sysconf: _limits.sysconf, os.pathconf: _limits.pathconf, os.fpathconf: _limits.fpathconf,
    os.confstr: _limits.confstr, os.getgroups: _limits.getgroups,
    os.setgroups: _limits.setgroups, os.times: _limits.times,
    os.getenv: _system.getenv, os.putenv: _system.putenv, os.unsetenv: _system.unsetenv,
}  # fmt: skip



TIME_FUNCTIONS: dict[Any, tuple[Any, Any]] = {
    time.gmtime: (_time.gmtime_now, _time.gmtime),
    time.localtime: (_time.localtime_now, _time.localtime),
    time.ctime: (_time.ctime_now, _time.ctime),
    time.asctime: (_time.asctime_now, _time.asctime),
    time.strftime: (_time.strftime_now, _time.strftime),
    time.mktime: (_time.mktime, _time.mktime),
}  # fmt: skip
"""The functions that stand for a call without, and with, the last argument."""


def time_function(host: Any, count: int) -> Any:
    """The one for that many arguments."""
    without, with_time = TIME_FUNCTIONS[host]
    return with_time if count > (host is time.strftime) else without


class VersionInfo(NamedTuple):
    """``sys.version_info``: that of the CPython that translates."""

    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int


_STAND_INS: dict[int, tuple[Any, Any]] = {
    id(host): (host, stand_in)
    for host, stand_in in (
        (os.environ, _system.environ), (os.stat_result, _system.StatResult),
        (os.times_result, _limits.TimesResult),
        (os.DirEntry, _system.DirEntry), (time.struct_time, _time.StructTime),
        (sys.version_info, VersionInfo(*sys.version_info)),
    )
}  # fmt: skip


def stand_in_of_os(x: Any, shared: bool) -> Any:
    """What the program has for ``os.environ``, ``sys.version_info`` and the classes of ``os``;
    anything else as it is.  ``shared``: is it part of a process that others change, too?"""
    known = _STAND_INS.get(id(x))
    if known is not None:
        x = known[1]
    return _system.shared_environ if shared and x is _system.environ else x
