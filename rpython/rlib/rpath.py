"""Paths, as ``os.path`` treats them on POSIX.

The names with an ``r`` are RPython's.
"""

from __future__ import annotations

import os
from typing import TypeAlias

StrPath: TypeAlias = str
"""A str; where a program passes an instance, what its ``__fspath__`` gives."""

sep = "/"
altsep = "/"


def risabs(s: StrPath) -> bool:
    """Whether the path starts at the root."""
    return s.startswith("/")


def rjoin(path: StrPath, b: StrPath) -> str:
    """``b`` in the directory ``path``."""
    if b.startswith("/") or not path:
        return b
    return path + b if path.endswith("/") else path + "/" + b


def join(path: StrPath, *more: StrPath) -> str:
    """The same with one path after the other."""
    for b in more:
        path = rjoin(path, b)
    return path


def rnormpath(path: StrPath) -> str:
    """The path without ``.``, ``..`` and doubled slashes where they can be left out."""
    root = ""
    if path.startswith("/"):
        root = "/"
        if path.startswith("//") and not path.startswith("///"):
            root = "//"  # POSIX leaves the meaning of two to the system
    parts: list[str] = []
    for part in path.split("/"):
        if part == "" or part == ".":
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not root:
            parts.append(part)
    result = root + "/".join(parts)
    return result if result else "."


def rabspath(path: StrPath) -> str:
    """The same from the root on."""
    if not risabs(path):
        path = rjoin(os.getcwd(), path)
    return rnormpath(path)


def rsplitdrive(path: str) -> tuple[str, str]:
    """There are no drives."""
    return "", path


def split(path: StrPath) -> tuple[str, str]:
    """The directory and the name in it."""
    at = path.rfind("/") + 1
    head = path[:at]
    stripped = head.rstrip("/")
    return stripped if stripped else head, path[at:]


def dirname(path: StrPath) -> str:
    """The directory."""
    return split(path)[0]


def basename(path: StrPath) -> str:
    """The name in the directory."""
    return path[path.rfind("/") + 1 :]


def splitext(path: StrPath) -> tuple[str, str]:
    """The path without its extension, and that, with its dot."""
    name = path.rfind("/") + 1
    while name < len(path) and path[name] == ".":
        name += 1
    dot = path.rfind(".", name)
    return (path, "") if dot < 0 else (path[:dot], path[dot:])


def exists(path: str) -> bool:
    """Whether there is such a file or directory."""
    return "\0" not in path and os.access(path, os.F_OK)


isabs = risabs
normpath = rnormpath
abspath = rabspath
splitdrive = rsplitdrive
