"""``re``: functions of patterns that are known when the program is translated.

    re.match("a+", s)           FOUND.match(s)

``FOUND`` is a pattern of ``rpython.rlib.rsre.rsre_re``.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from rpython.rlib.rsre import rsre_re
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


def _replace(module: ModuleType, name: str, parameters: str) -> None:
    @replaces(getattr(module, name))
    @at_translation(
        f"pattern {parameters} flags", "pattern flags", "the regular expression", _HINT
    )
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
@at_translation("pattern flags", what="the regular expression", hint=_HINT)
def compile_pattern(pattern: Any, flags: Any = 0) -> Any:
    return found_pattern(pattern, int(flags))
