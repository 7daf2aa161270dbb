"""``os.path``."""

from __future__ import annotations

import os
import stat

from rpython.rlib import _system, rpath
from rpython.rlib._system import getenv, lstat
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


@replaces(os.path.relpath)
def relpath(path: StrPath, start: StrPath = ".") -> str:
    if not path:
        raise ValueError("no path specified")
    base = [part for part in rpath.rabspath(start).split("/") if part]
    parts = [part for part in rpath.rabspath(path).split("/") if part]
    same = 0
    while same < len(base) and same < len(parts) and base[same] == parts[same]:
        same += 1
    found = [".."] * (len(base) - same) + parts[same:]
    return "/".join(found) if found else "."


@replaces(os.path.commonprefix)
def commonprefix(m: list[str]) -> str:
    if not m:
        return ""
    first, last = min(m), max(m)
    i = 0
    while i < len(first) and i < len(last) and first[i] == last[i]:
        i += 1
    return first[:i]


@replaces(os.path.commonpath)
def commonpath(paths: list[str]) -> str:
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    absolute = paths[0].startswith("/")
    shared: list[str] = []
    for i, path in enumerate(paths):
        if path.startswith("/") != absolute:
            raise ValueError("Can't mix absolute and relative paths")
        parts = [part for part in path.split("/") if part and part != "."]
        if i == 0:
            shared = parts
            continue
        same = 0
        while same < len(shared) and same < len(parts) and shared[same] == parts[same]:
            same += 1
        shared = shared[:same]
    return ("/" if absolute else "") + "/".join(shared)


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


@replaces(os.path.ismount)
def ismount(path: StrPath) -> bool:
    try:
        here = lstat(path)
    except (OSError, ValueError):
        return False
    if stat.S_ISLNK(here.st_mode):
        return False
    try:
        above = lstat(os.path.realpath(rpath.join(path, "..")))
    except (OSError, ValueError):
        return False
    return here.st_dev != above.st_dev or here.st_ino == above.st_ino


@replaces(os.path.splitdrive)
def splitdrive(p: StrPath) -> tuple[str, str]:
    return "", p


@replaces(os.path.normcase)
def normcase(s: StrPath) -> str:
    return s


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
