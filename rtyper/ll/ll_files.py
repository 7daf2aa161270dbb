"""What programs use of ``os`` besides reading and writing, and ``time``."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import Any

from lltypesystem.external import CCHARARRAY, CCHARP, llexternal, read_charp
from lltypesystem.lltype import Float, Signed, Void, _ptr, free, malloc
from rtyper.ll.ll_os import (
    ll_c_int,
    ll_fail,
    ll_fail_path,
    ll_from_system,
    ll_to_system,
)

LONGEST_PATH = 4096

# -- the C functions --------------------------------------------------------------------------


def on_host(function: Callable[..., Any]) -> Callable[..., int]:
    """The meaning of an external: what ``function`` gives, 0 for None, or ``-errno``."""

    def run(*args: Any) -> int:
        values = [read_charp(arg) if isinstance(arg, _ptr) else arg for arg in args]
        try:
            return int(function(*values) or 0)
        except OSError as error:
            return -(error.errno or errno.EIO)

    return run


def host_getcwd(path: _ptr, size: int) -> int:
    try:
        name = os.getcwdb() + b"\0"
    except OSError as error:
        return -(error.errno or errno.EIO)
    if len(name) > size:
        return -errno.ERANGE
    path._obj.items[: len(name)] = name.decode("latin-1")
    return 0


_CLOCKS = ("rpy_files.h", "rpy_os.h")


def _external(name: str, args: list[Any], function: Callable[..., Any]) -> _ptr:
    return llexternal(f"rpy_files_{name}", args, Signed, on_host(function), ("rpy_files.h",))


def _clock(name: str, function: Callable[[], float]) -> _ptr:
    return llexternal(f"rpy_files_{name}", [], Float, function, _CLOCKS)


c_lseek = _external("lseek", [Signed, Signed, Signed], os.lseek)
c_ftruncate = _external("ftruncate", [Signed, Signed], os.ftruncate)
c_fsync = _external("fsync", [Signed], os.fsync)
c_dup = _external("dup", [Signed], os.dup)
c_isatty = _external("isatty", [Signed], os.isatty)
c_unlink = _external("unlink", [CCHARP], os.unlink)
c_rmdir = _external("rmdir", [CCHARP], os.rmdir)
c_mkdir = _external("mkdir", [CCHARP, Signed], os.mkdir)
c_access = _external("access", [CCHARP, Signed], os.access)
c_kill = _external("kill", [Signed, Signed], os.kill)
c_getpid = _external("getpid", [], os.getpid)
c_getcwd = llexternal(
    "rpy_files_getcwd", [CCHARP, Signed], Signed, host_getcwd, ("rpy_files.h",)
)
c_time = _clock("time", time.time)
c_monotonic = _clock("monotonic", time.monotonic)
c_process_time = _clock("process_time", time.process_time)
c_sleep = llexternal("rpy_files_sleep", [Float], Void, time.sleep, _CLOCKS)


# -- the operations ---------------------------------------------------------------------------


def ll_lseek(fd: int, offset: int, whence: int) -> int:
    ll_c_int(fd)
    ll_c_int(whence)
    result = c_lseek(fd, offset, whence)
    if result < 0:
        ll_fail(-result)
    return result


def ll_ftruncate(fd: int, length: int) -> None:
    ll_c_int(fd)
    result = c_ftruncate(fd, length)
    if result < 0:
        ll_fail(-result)


def ll_fsync(fd: int) -> None:
    ll_c_int(fd)
    result = c_fsync(fd)
    if result < 0:
        ll_fail(-result)


def ll_dup(fd: int) -> int:
    ll_c_int(fd)
    result = c_dup(fd)
    if result < 0:
        ll_fail(-result)
    return result


def ll_kill(process: int, number: int) -> None:
    ll_c_int(process)
    ll_c_int(number)
    result = c_kill(process, number)
    if result < 0:
        ll_fail(-result)


def ll_isatty(fd: int) -> bool:
    return c_isatty(ll_c_int(fd)) != 0


def ll_unlink(path: _ptr, table: _ptr) -> None:
    raw = ll_to_system(path)
    result = c_unlink(raw)
    free(raw, flavor="raw")
    if result < 0:
        ll_fail_path(-result, path, table)


def ll_rmdir(path: _ptr, table: _ptr) -> None:
    raw = ll_to_system(path)
    result = c_rmdir(raw)
    free(raw, flavor="raw")
    if result < 0:
        ll_fail_path(-result, path, table)


def ll_mkdir(path: _ptr, mode: int, table: _ptr) -> None:
    ll_c_int(mode)
    raw = ll_to_system(path)
    result = c_mkdir(raw, mode)
    free(raw, flavor="raw")
    if result < 0:
        ll_fail_path(-result, path, table)


def ll_access(path: _ptr, mode: int) -> bool:
    ll_c_int(mode)
    raw = ll_to_system(path)
    result = c_access(raw, mode)
    free(raw, flavor="raw")
    return result != 0


def ll_getcwd() -> _ptr:
    raw = malloc(CCHARARRAY, LONGEST_PATH, flavor="raw")
    result = c_getcwd(raw, LONGEST_PATH)
    if result < 0:
        free(raw, flavor="raw")
        ll_fail(-result)
    path = ll_from_system(raw)
    free(raw, flavor="raw")
    return path


def ll_sleep(seconds: float) -> None:
    if seconds != seconds:
        raise ValueError("Invalid value NaN (not a number)")
    if seconds < 0.0:
        raise ValueError("sleep length must be non-negative")
    if seconds > 9223372036.0:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")
    c_sleep(seconds)
