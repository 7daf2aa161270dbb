"""``fnmatch``: names by patterns of the shell, without the regular expressions that CPython makes
of them when the program runs."""

from __future__ import annotations

import fnmatch as host
from collections.abc import Iterable

from rpython.rlib.rpath import StrPath
from rpython.stdlib._registry import replaces


@replaces(host.fnmatch)
def fnmatch(name: StrPath, pat: StrPath) -> bool:
    return fnmatchcase(name, pat)


@replaces(host.filter)
def filter(names: Iterable[str], pat: StrPath) -> list[str]:
    return [name for name in names if fnmatchcase(name, pat)]


@replaces(host.fnmatchcase)
def fnmatchcase(name: str, pat: str) -> bool:
    """Go on from the last ``*`` where the rest does not match: it takes one character more."""
    at = i = 0
    star, taken = -1, 0
    while True:
        if i < len(pat) and pat[i] == "*":
            star, taken = i, at
            i += 1
            continue
        if at == len(name) and i == len(pat):
            return True
        if at < len(name) and i < len(pat):
            after = _end_of_one(pat, i)
            if _is_of(name[at], pat, i, after):
                at += 1
                i = after
                continue
        if star < 0 or taken == len(name):
            return False
        taken += 1
        at, i = taken, star + 1


def _end_of_one(pat: str, start: int) -> int:
    """The end of what is about one character: a set, if ``]`` ends it."""
    if pat[start] != "[":
        return start + 1
    i = start + 1
    if pat[i : i + 1] == "!":
        i += 1
    end = pat.find("]", i + 1)
    return start + 1 if end < 0 else end + 1


def _is_of(c: str, pat: str, start: int, end: int) -> bool:
    """Is the character one of those that this part of the pattern is about?"""
    if end == start + 1:
        return pat[start] in ("?", c)
    items = pat[start + 1 : end - 1]
    if items[0] != "!":
        items = _without_empty_ranges(items)
    negated = items[:1] == "!"
    return _is_in_set(c, items[1:] if negated else items) != negated


def _without_empty_ranges(items: str) -> str:
    """Without those in front: CPython looks for ``!`` when they are gone."""
    while len(items) > 2 and items[1] == "-" and items[0] > items[2]:
        items = items[3:]
    return items


def _is_in_set(c: str, items: str) -> bool:
    """A ``-`` makes a range of the characters beside it, but for one that is first or last; a range
    that ends before it begins has nothing, and takes its characters away."""
    i = 0
    while i < len(items):
        if i + 2 < len(items) and items[i + 1] == "-":
            if items[i] <= c <= items[i + 2]:
                return True
            i += 3
        else:
            if items[i] == c:
                return True
            i += 1
    return False
