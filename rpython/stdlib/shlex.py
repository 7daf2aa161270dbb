"""``shlex.split``, whose source has a class with attributes that it may not set."""

from __future__ import annotations

import shlex
from typing import Any

from rpython.stdlib._registry import replaces


@replaces(shlex.split)
def split(s: str, comments: bool = False, posix: bool = True) -> Any:
    if not posix:
        raise NotImplementedError("shlex.split without posix")
    words: list[str] = []
    word: list[str] = []
    inside = False  # a word, perhaps an empty one in quotes
    i = 0
    while i < len(s):
        c = s[i]
        i += 1
        if c in " \t\r\n":
            if inside:
                words.append("".join(word))
            word, inside = [], False
        elif comments and c == "#":
            while i < len(s) and s[i] != "\n":
                i += 1
            if inside:
                words.append("".join(word))
            word, inside = [], False
        elif c == "\\":
            if i == len(s):
                raise ValueError("No escaped character")
            word.append(s[i])
            inside = True
            i += 1
        elif c in "'\"":
            i = _quoted(s, i, c, word)
            inside = True
        else:
            word.append(c)
            inside = True
    if inside:
        words.append("".join(word))
    return words


def _quoted(s: str, i: int, quote: str, word: list[str]) -> int:
    """Add what is in quotes; the place behind them."""
    while i < len(s) and s[i] != quote:
        if quote == '"' and s[i] == "\\":
            if i + 1 == len(s):
                raise ValueError("No escaped character")
            i += 1
            if s[i] != "\\" and s[i] != '"':
                word.append("\\")
        word.append(s[i])
        i += 1
    if i == len(s):
        raise ValueError("No closing quotation")
    return i + 1
