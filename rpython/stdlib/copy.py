"""``copy.copy`` of built-in containers and of objects that say how they are copied."""

from __future__ import annotations

import copy as host
from typing import Any

from rpython.stdlib._registry import replaces


@replaces(host.copy)
def copy(x: Any) -> Any:
    if x is None or isinstance(x, bool | int | float | str | bytes | tuple | frozenset | range):
        return x
    if isinstance(x, list | dict | set):
        return x.copy()
    if isinstance(x, bytearray):
        return bytearray(x)
    return x.__copy__()
