"""More of ``os.path``, and the tests of ``stat`` for kinds of files."""

from __future__ import annotations

import os

from rpython.rlib import rpath
from rpython.rlib._system import getenv, islink, lstat, readlink


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


def expandvars(path: str) -> str:
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


def ismount(path: str) -> bool:
    try:
        here = lstat(path)
    except (OSError, ValueError):
        return False
    if s_islnk(here.st_mode):
        return False
    try:
        above = lstat(realpath(rpath.join(path, "..")))
    except (OSError, ValueError):
        return False
    return here.st_dev != above.st_dev or here.st_ino == above.st_ino


def fspath(path: str) -> str:
    return path


def fsencode(filename: str) -> bytes:
    return filename.encode("utf-8", "surrogateescape")


def filemode(mode: int) -> str:
    """As ``ls -l`` shows it."""
    kind = "?"
    for letter, bits in (
        ("l", 0o120000), ("s", 0o140000), ("-", 0o100000), ("b", 0o060000), ("d", 0o040000),
        ("c", 0o020000), ("p", 0o010000),
    ):  # fmt: skip
        if mode & 0o170000 == bits:
            kind = letter
    shown = [kind]
    for shift, special, letter in ((6, 0o4000, "s"), (3, 0o2000, "s"), (0, 0o1000, "t")):
        bits = mode >> shift
        shown.append("r" if bits & 4 else "-")
        shown.append("w" if bits & 2 else "-")
        if mode & special:
            shown.append(letter if bits & 1 else letter.upper())
        else:
            shown.append("x" if bits & 1 else "-")
    return "".join(shown)


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
