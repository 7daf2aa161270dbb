"""``iter(function, sentinel)`` in Python: a generator of what the function returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def until(function: Any, sentinel: Any, /) -> Iterator[Any]:
    """``iter(function, sentinel)``"""
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if sentinel == x:
            return
        yield x
