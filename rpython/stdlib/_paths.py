"""Paths as texts: what ``pathlib`` does with them, and ``glob``."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator

from rpython.stdlib.fnmatch import fnmatchcase

_IGNORED = (errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP)
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~/")
_ENDS_WITH_FILES = sys.version_info >= (3, 13)
"""Does a pattern that ends with ``**`` find files, too?"""


def root_of(path: str) -> str:
    """What it begins with; POSIX leaves the meaning of two slashes to the system."""
    if not path.startswith("/"):
        return ""
    return "//" if path.startswith("//") and not path.startswith("///") else "/"


def names_of(path: str) -> list[str]:
    """What is between slashes, and means something."""
    return [name for name in path.split("/") if name and name != "."]


def text_of(root: str, names: list[str]) -> str:
    return root + "/".join(names) or "."


def suffix_start(name: str) -> int:
    """Where the last suffix of a name begins; its end if it has none."""
    dot = name.rfind(".")
    return dot if 0 < dot < len(name) - 1 else len(name)


def suffixes_of(name: str) -> list[str]:
    if name.endswith("."):
        return []
    return ["." + suffix for suffix in name.lstrip(".").split(".")[1:]]


def parts_of(root: str, names: list[str]) -> list[str]:
    return [root, *names] if root else names


def order(first: list[str], second: list[str]) -> int:
    """Less than, equal to, or more than 0."""
    return -1 if first < second else 1 if first > second else 0


def quoted(data: bytes) -> str:
    """As in the path of a URL."""
    return "".join([chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data])


def matches(root: str, names: list[str], pattern: str) -> bool:
    """Raises ValueError."""
    wanted_root, wanted = root_of(pattern), names_of(pattern)
    if not wanted and not wanted_root:
        raise ValueError("empty pattern")
    if wanted_root and (wanted_root != root or len(wanted) != len(names)):
        return False
    parts = parts_of(root, names)
    if len(wanted) > len(parts):
        return False
    return all(fnmatchcase(parts[-i], wanted[-i]) for i in range(1, len(wanted) + 1))


# -- what there is ---------------------------------------------------------------------------------


def mode_of(path: str, follow: bool = True) -> int:
    """Of a file; 0 if there is none.  Raises OSError where that cannot be said."""
    try:
        return os.stat(path, follow_symlinks=follow).st_mode
    except OSError as error:
        if error.errno not in _IGNORED:
            raise
    except ValueError:  # a null character
        return 0
    return 0


def is_kind(path: str, kind: int, follow: bool = True) -> bool:
    """Is it such a file (``stat.S_IFDIR`` and the like)?"""
    return mode_of(path, follow) & 0o170000 == kind


def is_directory(path: str) -> bool:
    return is_kind(path, 0o040000)


def raise_loop(path: str) -> None:
    """Raises OSError if there is a link that leads to itself."""
    try:
        os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise


# -- glob ------------------------------------------------------------------------------------------


def glob(start: str, pattern: str, below: bool) -> Iterator[str]:
    """``below``: in directories below, too.  Raises ValueError, NotImplementedError."""
    if not pattern and not below:
        raise ValueError(f"Unacceptable pattern: {pattern!r}")
    if root_of(pattern):
        raise NotImplementedError("Non-relative patterns are unsupported")
    parts = names_of(pattern)
    if below:
        parts.insert(0, "**")
    for part in parts:
        if part != "**" and "**" in part:
            raise ValueError("Invalid pattern: '**' can only be an entire path component")
    if pattern.endswith("/"):
        parts.append("")
    if is_directory(start):
        yield from _select(start, parts, 0)


def _child(path: str, name: str) -> str:
    if path == ".":
        return name
    return path + name if path.endswith("/") else path + "/" + name


def _has_wildcard(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern or "[" in pattern


def _names_in(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except PermissionError:
        return []


def _select(path: str, parts: list[str], at: int) -> Iterator[str]:
    """What matches the parts of a pattern from there on, below the path."""
    if at == len(parts) or not parts[at]:
        yield path
        return
    part = parts[at]
    if part == "**":
        found: set[str] = set()
        for directory in _directories(path):
            for inner in _select(directory, parts, at + 1):
                if inner not in found:
                    found.add(inner)
                    yield inner
            if _ENDS_WITH_FILES and at + 1 == len(parts):
                for name in _names_in(directory):
                    if not _is_below(_child(directory, name)):
                        yield _child(directory, name)
    elif _has_wildcard(part):
        for name in _names_in(path):
            inner = _child(path, name)
            if fnmatchcase(name, part) and (at + 1 == len(parts) or is_directory(inner)):
                yield from _select(inner, parts, at + 1)
    else:
        inner = _child(path, part)
        if is_directory(inner) if at + 1 < len(parts) else _is_there(inner):
            yield from _select(inner, parts, at + 1)


def _is_there(path: str) -> bool:
    try:
        return mode_of(path) != 0
    except PermissionError:
        return False


def _is_below(path: str) -> bool:
    return is_directory(path) and not is_kind(path, 0o120000, False)


def _directories(path: str) -> Iterator[str]:
    """The directory and those below, but not through links."""
    yield path
    for name in _names_in(path):
        inner = _child(path, name)
        if _is_below(inner):
            yield from _directories(inner)
