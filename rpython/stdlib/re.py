"""``re``: functions of patterns that are known when the program is translated, and of others.

    re.match("a+", s)           FOUND.match(s)
    re.match(text, s)           pattern_of(text, 0).match(s)

``FOUND`` is a pattern of ``rpython.rlib.rsre.rsre_re``, the other one of ``rsre_runtime``.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from rpython.rlib.rsre import rsre_re
from rpython.rlib.rsre.rsre_runtime import compile_bytes, compile_text
from rpython.stdlib._registry import Refused, at_translation, converts, per_arguments, replaces

_HINT = "compile it at import: PATTERN = re.compile(...), or write it as a constant"

replaces(re.Pattern)(rsre_re.Pattern)
replaces(re.Match)(rsre_re.Match)
replaces(re.escape)(rsre_re.escape)


@converts(re.Pattern)
def pattern_for(x: re.Pattern[Any]) -> Any:
    return found_pattern(x.pattern, x.flags)


def found_pattern(pattern: Any, flags: int) -> Any:
    """The pattern of a text, or a pattern itself.  Raises Refused."""
    if not isinstance(pattern, str | bytes | rsre_re.Pattern):
        raise Refused(f"no regular expression: {type(pattern).__name__}")
    try:
        return rsre_re.compile(pattern, flags)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise Refused(f"the regular expression {pattern!r}: {error}") from None


def functions_of(found: Any) -> dict[str, Any]:
    """The functions of ``re`` with that pattern."""
    return {
        "match": lambda string: found.match(string),
        "fullmatch": lambda string: found.fullmatch(string),
        "search": lambda string: found.search(string),
        "findall": lambda string: found.findall(string),
        "finditer": lambda string: found.finditer(string),
        "split": lambda string, maxsplit=0: found.split(string, maxsplit),
        "sub": lambda repl, string, count=0: found.sub(repl, string, count),
        "subn": lambda repl, string, count=0: found.subn(repl, string, count),
    }


@per_arguments
def pattern_of(pattern: Any, flags: int) -> Any:
    """The pattern, which may be one already."""
    if isinstance(pattern, rsre_re.Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if isinstance(pattern, str):
        return compile_text(pattern, int(flags))  # it may be a member of re.RegexFlag
    if isinstance(pattern, bytes):
        return compile_bytes(pattern, int(flags))
    raise TypeError("first argument must be string or compiled pattern")


def _match(pattern: Any, string: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).match(string)


def _fullmatch(pattern: Any, string: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).fullmatch(string)


def _search(pattern: Any, string: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).search(string)


def _findall(pattern: Any, string: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).findall(string)


def _finditer(pattern: Any, string: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).finditer(string)


def _split(pattern: Any, string: Any, maxsplit: int = 0, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).split(string, maxsplit)


def _sub(pattern: Any, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).sub(repl, string, count)


def _subn(pattern: Any, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
    return pattern_of(pattern, flags).subn(repl, string, count)


def _compile(pattern: Any, flags: int = 0) -> Any:
    return pattern_of(pattern, flags)


AT_RUN_TIME = {
    function.__name__[1:]: per_arguments(function)
    for function in (
        _match, _fullmatch, _search, _findall, _finditer, _split, _sub, _subn, _compile,
    )
}  # fmt: skip
"""What is called where the pattern is not known."""


def _replace(module: ModuleType, name: str, parameters: str) -> None:
    @replaces(getattr(module, name))
    @at_translation(
        f"pattern {parameters} flags", "pattern flags", "the regular expression", _HINT,
        AT_RUN_TIME[name],
    )  # fmt: skip
    def make(pattern: Any, flags: Any = 0) -> Any:
        function = functions_of(found_pattern(pattern, int(flags)))[name]
        function.__name__ = function.__qualname__ = name
        return per_arguments(function)

    make.__name__ = name


for _module in (re, rsre_re):
    for _name, _function in functions_of(None).items():
        _code = _function.__code__
        _replace(_module, _name, " ".join(_code.co_varnames[: _code.co_argcount]))


@replaces(re.compile, rsre_re.compile)
@at_translation(
    "pattern flags", what="the regular expression", hint=_HINT, otherwise=AT_RUN_TIME["compile"]
)
def compile_pattern(pattern: Any, flags: Any = 0) -> Any:
    return found_pattern(pattern, int(flags))
