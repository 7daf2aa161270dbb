"""More of ``os.path``, and the tests of ``stat`` for kinds of files."""

from __future__ import annotations

import os

from rpython.rlib import rpath
from rpython.rlib._system import getenv, islink, readlink


def relpath(path: str, start: str = ".") -> str:
    if not path:
        raise ValueError("no path specified")
    base = [part for part in rpath.rabspath(start).split("/") if part]
    parts = [part for part in rpath.rabspath(path).split("/") if part]
    same = 0
    while same < len(base) and same < len(parts) and base[same] == parts[same]:
        same += 1
    found = [".."] * (len(base) - same) + parts[same:]
    return "/".join(found) if found else "."


def commonprefix(m: list[str]) -> str:
    if not m:
        return ""
    first, last = min(m), max(m)
    i = 0
    while i < len(first) and i < len(last) and first[i] == last[i]:
        i += 1
    return first[:i]


def splitdrive(p: str) -> tuple[str, str]:
    return "", p


def normcase(s: str) -> str:
    return s


def expanduser(path: str) -> str:
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


def realpath(filename: str) -> str:
    """The path without symbolic links, ``.`` and ``..``."""
    path = "/" if filename.startswith("/") else os.getcwd()
    waiting = filename.split("/")
    waiting.reverse()
    followed = 0
    while waiting:
        part = waiting.pop()
        if part == "" or part == ".":
            continue
        if part == "..":
            path = rpath.dirname(path)
            continue
        inner = rpath.rjoin(path, part)
        if followed < 40 and islink(inner):
            followed += 1
            target = readlink(inner)
            if target.startswith("/"):
                path = "/"
            parts = target.split("/")
            parts.reverse()
            waiting.extend(parts)
        else:
            path = inner
    return path


def s_ifmt(mode: int) -> int:
    return mode & 0o170000


def s_imode(mode: int) -> int:
    return mode & 0o7777


def s_isdir(mode: int) -> bool:
    return mode & 0o170000 == 0o040000


def s_isreg(mode: int) -> bool:
    return mode & 0o170000 == 0o100000


def s_islnk(mode: int) -> bool:
    return mode & 0o170000 == 0o120000


def s_isfifo(mode: int) -> bool:
    return mode & 0o170000 == 0o010000


def s_ischr(mode: int) -> bool:
    return mode & 0o170000 == 0o020000


def s_isblk(mode: int) -> bool:
    return mode & 0o170000 == 0o060000


def s_issock(mode: int) -> bool:
    return mode & 0o170000 == 0o140000
