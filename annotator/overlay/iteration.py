"""``iter(function, sentinel)`` in Python: what the function returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import iterator_in_c


def until(function: Any, sentinel: Any, /) -> Any:
    """``iter(function, sentinel)``"""
    if not callable(function):
        raise TypeError("iter(v, w): v must be callable")
    return _results(function, sentinel)


@iterator_in_c
def _results(function: Any, sentinel: Any, /) -> Iterator[Any]:
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if sentinel == x:
            return
        yield x
