"""``sys``: its version, and the limit of recursion."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from rpython.stdlib._registry import per_arguments, replaces


class VersionInfo(NamedTuple):
    """``sys.version_info``: that of the CPython that translates."""

    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int


replaces(sys.version_info)(VersionInfo(*sys.version_info))


@replaces(sys.audit)
@per_arguments
def audit(event: Any, /, *args: Any) -> None:
    """Nobody listens."""


class _Recursion:
    """What the program says of recursion, which the stack bounds whatever that is."""

    def __init__(self) -> None:
        self.limit = 1000


_RECURSION = _Recursion()


@replaces(sys.getrecursionlimit)
def getrecursionlimit() -> int:
    return _RECURSION.limit


@replaces(sys.setrecursionlimit)
def setrecursionlimit(limit: int) -> None:
    if not -0x80000000 <= limit <= 0x7FFFFFFF:
        raise OverflowError("Python int too large to convert to C int")
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")
    _RECURSION.limit = limit
