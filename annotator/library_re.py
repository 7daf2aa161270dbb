"""The functions of ``re`` with a pattern that is known at translation time.

    re.match("a+", s)           def match(pattern, string, flags=0): return FOUND.match(string)

``FOUND`` is a pattern of ``rpython.rlib.rsre.rsre_re``, which also stands for every
``re.Pattern`` that the program refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from types import BuiltinMethodType
from typing import Any

from rpython.annotator.library import NotInLibrary, per_arguments
from rpython.rlib.rsre import rsre_re

PATTERN_FUNCTIONS: dict[Any, str] = {
    getattr(module, name): name
    for module in (re, rsre_re)
    for name in "compile match fullmatch search findall finditer split sub subn".split()
}
"""Functions whose first argument is a pattern."""


def pattern_stand_in(pattern: Any, flags: int = 0) -> Any:
    """What the program has for a ``re.Pattern``, or for the text of one.  Raises NotInLibrary
    for what is no pattern."""
    if isinstance(pattern, re.Pattern):
        if flags:
            raise NotInLibrary("cannot process flags argument with a compiled pattern")
        pattern, flags = pattern.pattern, pattern.flags
    try:
        return rsre_re.compile(pattern, flags)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise NotInLibrary(f"the regular expression {pattern!r}: {error}") from None


def stand_in_of_re(x: Any) -> Any:
    """What the program has for a ``re.Pattern`` or a method of one, and for the classes of
    patterns and matches; any other object as it is.  Raises NotInLibrary."""
    if isinstance(x, re.Pattern):
        return pattern_stand_in(x)
    if x is re.Pattern or x is re.Match:
        return rsre_re.Pattern if x is re.Pattern else rsre_re.Match
    if isinstance(x, BuiltinMethodType) and isinstance(x.__self__, re.Pattern):
        return getattr(pattern_stand_in(x.__self__), x.__name__)
    return x


@cache
def pattern_function(name: str, found: Any) -> Callable[..., Any]:
    """The function that stands for the one of ``re`` with that name and that pattern."""

    def compile_(pattern: Any, flags: int = 0) -> Any:
        return found

    def match(pattern: Any, string: Any, flags: int = 0) -> Any:
        return found.match(string)

    def fullmatch(pattern: Any, string: Any, flags: int = 0) -> Any:
        return found.fullmatch(string)

    def search(pattern: Any, string: Any, flags: int = 0) -> Any:
        return found.search(string)

    def findall(pattern: Any, string: Any, flags: int = 0) -> Any:
        return found.findall(string)

    def finditer(pattern: Any, string: Any, flags: int = 0) -> Any:
        return found.finditer(string)

    def split(pattern: Any, string: Any, maxsplit: int = 0, flags: int = 0) -> Any:
        return found.split(string, maxsplit)

    def sub(pattern: Any, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
        return found.sub(repl, string, count)

    def subn(pattern: Any, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
        return found.subn(repl, string, count)

    functions: dict[str, Callable[..., Any]] = {
        "compile": compile_, "match": match, "fullmatch": fullmatch, "search": search,
        "findall": findall, "finditer": finditer, "split": split, "sub": sub, "subn": subn,
    }  # fmt: skip
    function: Callable[..., Any] = per_arguments(functions[name])
    function.__name__ = name
    return function
