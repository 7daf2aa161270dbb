"""``os.path``."""

from __future__ import annotations

import os

from rpython.rlib import _system, rpath
from rpython.rlib._system import getenv
from rpython.rlib.rpath import StrPath
from rpython.stdlib._registry import replace_each, replaces

replace_each({
    os.path.join: rpath.join, os.path.normpath: rpath.rnormpath,
    os.path.abspath: rpath.rabspath, os.path.isabs: rpath.risabs, os.path.split: rpath.split,
    os.path.dirname: rpath.dirname, os.path.basename: rpath.basename,
    os.path.splitext: rpath.splitext, os.path.exists: _system.exists,
    os.path.lexists: _system.lexists, os.path.isfile: _system.isfile,
    os.path.isdir: _system.isdir, os.path.islink: _system.islink,
    os.path.getsize: _system.getsize, os.path.getmtime: _system.getmtime,
    os.path.getatime: _system.getatime, os.path.getctime: _system.getctime,
    os.path.samefile: _system.samefile,
})  # fmt: skip


def _is_word(c: str) -> bool:
    return c == "_" or (c.isascii() and c.isalnum())


@replaces(os.path.expandvars)
def expandvars(path: StrPath) -> str:
    """``$name`` and ``${name}``, where there is such a variable."""
    pieces: list[str] = []
    at = 0
    while True:
        found = path.find("$", at)
        if found < 0:
            pieces.append(path[at:])
            return "".join(pieces)
        pieces.append(path[at:found])
        stop = found + 1
        name = ""
        if path[stop : stop + 1] == "{":
            end = path.find("}", stop)
            if end >= 0:
                name, stop = path[stop + 1 : end], end + 1
        else:
            while stop < len(path) and _is_word(path[stop]):
                stop += 1
            name = path[found + 1 : stop]
        value = getenv(name) if name else None
        pieces.append(path[found:stop] if value is None else value)
        at = stop


@replaces(os.path.expanduser)
def expanduser(path: StrPath) -> str:
    """``~`` alone; of other users' directories nothing is known."""
    if not path.startswith("~"):
        return path
    end = path.find("/")
    if end < 0:
        end = len(path)
    if end > 1:
        raise NotImplementedError("the home directory of another user")
    home = getenv("HOME")
    if home is None:
        raise NotImplementedError("the home directory without HOME")
    home = home.rstrip("/")
    return home + path[end:] or "/"
