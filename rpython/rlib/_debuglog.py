"""The log of ``debug_print`` and ``debug_start``, which the environment variable PYPYLOG asks for:

    PYPYLOG=FILE            the beginnings and ends of all sections
    PYPYLOG=PREFIX:FILE     sections whose category begins like that, and what they print;
                            several prefixes are separated by commas, none means all

FILE is ``-`` for standard error; ``%d`` in it becomes the number of the process.
"""

from __future__ import annotations

import os
import time

from rpython.lltypesystem import rffi
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.primitives import Signed
from rpython.rlib.objectmodel import we_are_translated

_getenv = rffi.llexternal("getenv", [rffi.CCHARP], rffi.CCHARP)


def _host_fd() -> int:
    """The file that the log of the process asks for, of a program that is interpreted."""
    return _opened(os.environ.get("PYPYLOG", "").rpartition(":")[2])


_c_fd = llexternal("rpy_log_fd", [], Signed, _host_fd, ["rpy_log.h"])
"""That of the process: the collector has sections of its own in it."""


class _Log:
    """``fd``: the file, -1: nothing asks for one.  ``sections``: of those we are in, whether
    prints are shown."""

    def __init__(self) -> None:
        self.ready = False
        self.fd = -1
        self.sections_only = False
        self.prefixes: list[str] = []
        self.sections: list[bool] = []

    def prepare(self) -> None:
        """Look at the environment, the first time."""
        if self.ready:
            return
        self.ready = True
        wish = _environment("PYPYLOG")
        if wish == "":
            return
        self.sections_only = ":" not in wish
        prefixes, _, name = wish.rpartition(":")
        self.prefixes = prefixes.split(",")
        self.fd = _c_fd() if we_are_translated() else _opened(name)

    def wants(self, category: str) -> bool:
        """Are prints shown in sections of that category?"""
        if self.fd < 0 or self.sections_only:
            return False
        return any(category.startswith(prefix) for prefix in self.prefixes)

    def shows(self) -> bool:
        """Are prints shown now?  (Outside of sections, too.)"""
        if len(self.sections) > 0:
            return self.sections[-1]
        return self.fd >= 0 and not self.sections_only

    def mark(self, text: str, timestamp: bool) -> int:
        """A line about the beginning or the end of a section."""
        now = int(time.perf_counter() * 1e9)
        if self.fd >= 0 and (self.sections_only or self.sections[-1]):
            self.write(f"[{now:x}] {text}")
        return now if timestamp else 42

    def write(self, line: str) -> None:
        data = (line + "\n").encode("utf-8", "replace")
        try:
            while len(data) > 0:
                data = data[os.write(self.fd, data) :]
        except OSError:
            self.fd = -1


def _environment(name: str) -> str:
    with rffi.scoped_str2charp(name) as c_name:
        found = _getenv(c_name)
        return rffi.charp2str(found) if found else ""


def _opened(name: str) -> int:
    if name == "-":
        return 2
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        return os.open(name.replace("%d", str(os.getpid())), flags, 0o666)
    except OSError:
        return 2


_HOST_LOG = _Log()
_TRANSLATED_LOG = _Log()
"""A second one, for what is found out at translation time is not part of the program."""


def log() -> _Log:
    """The log of this process."""
    found = _TRANSLATED_LOG if we_are_translated() else _HOST_LOG
    found.prepare()
    return found
